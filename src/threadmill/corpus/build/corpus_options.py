"""How a corpus is made, and what is counted while it is made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from threadmill.corpus.vertical import Inventory
from threadmill.page.judge.clean_settings import CleanMethod, Favour

FORMATS = ("vertical", "conllu", "jsonl")


@dataclass(frozen=True, slots=True)
class CorpusOptions:
    """How a corpus is made. The same options and inputs give the same bytes."""

    dialect: str = "sketch"
    format: str = "vertical"
    languages: tuple[str, ...] = ()  # wanted languages; empty: all
    detect: bool = True  # detect the language of each page
    lemma: bool = False
    tags: bool = False
    clitics: bool = False  # split Arabic and Hebrew words into clitics and the rest
    metadata: bool = False
    posts: bool = False  # write thread pages as posts
    method: CleanMethod = CleanMethod.DEFAULT
    favour: Favour = Favour.BALANCE
    hook: str = ""  # module:function or file.py:function
    lempos: bool = False  # a column with lemma and part of speech together
    field: str = "text"  # of the records of a dataset
    base: str = ""  # the URL of the directory of HTML files; empty: they keep the file: URLs of their paths

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a token line."""
        wanted = {"lemma": self.lemma, "tag": self.tags, "lempos": self.lempos}
        return ("word", *(name for name, is_wanted in wanted.items() if is_wanted))


@dataclass(slots=True)
class BatchResult:
    """The result of converting some pages."""

    texts: list[str] = field(default_factory=list)  # one for each kept page
    reasons: Counter[str] = field(default_factory=Counter)  # why pages were left out, with counts
    inventory: Inventory = field(default_factory=Inventory)
    pages: int = 0
    octets: int = 0

    def add(self, other: BatchResult) -> None:
        """Add the counts of another batch, without its texts."""
        self.pages += other.pages
        self.octets += other.octets
        self.inventory.merge(other.inventory)
        self.reasons.update(other.reasons)
