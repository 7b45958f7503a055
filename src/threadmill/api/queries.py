"""Questions about a corpus by its positions: CQL, concordances, frequencies, collocations, keywords."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from threadmill.corpus.build.corpus_inputs import columns_of, open_unpacked
from threadmill.corpus.query import concordance as lines
from threadmill.corpus.query import measures
from threadmill.corpus.query.concordance import Concordance, LineChoice
from threadmill.corpus.query.matches import count_matches
from threadmill.corpus.query.measures import Collocate, Dispersion, FrequencyLine, Keyword, Neighbourhood
from threadmill.corpus.query.position_index import IndexBuilder, PositionIndex
from threadmill.errors import UsageError

AnyPath = str | os.PathLike[str]
DEFAULT_INDEX = "threadmill-positions"
_NAME = re.compile("[a-z][a-z0-9_]*")


class CorpusPositions:
    """A corpus whose positions can be queried in CQL. `open_positions` gives it."""

    def __init__(self, index: PositionIndex) -> None:
        self._index = index

    def __len__(self) -> int:
        return self._index.size

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes of a position, such as word, lemma and tag."""
        return tuple(self._index.attributes)

    def count(self, query: str) -> int:
        """The exact number of matches."""
        return count_matches(self._index, query)

    def concordance(
        self,
        query: str,
        *,
        context: int = 8,
        limit: int = 20,
        skip: int = 0,
        order: str = "corpus",
        sample: int = 0,
        seed: int = 0,
        show: Sequence[str] = (),
    ) -> Concordance:
        """Matches with `context` words on each side. The order is corpus, left, right, match or shuffle.

        `show` names what else a line tells, such as post.author and post.date; it is in `around` of the line.
        """
        choice = LineChoice(limit=limit, skip=skip, order=order, sample=sample, seed=seed, show=tuple(show))
        return lines.concordance(self._index, query, choice, context=context)

    def group(self, query: str, by: str, *, limit: int = 50) -> list[FrequencyLine]:
        """Matches counted by a value: match.lemma, left1.word, right2.tag, doc.lang."""
        found = lines.group_matches(self._index, query, by, limit)
        return [FrequencyLine(value, count, 1e6 * count / max(1, len(self))) for value, count in found]

    def frequencies(
        self, attribute: str = "word", *, pattern: str = "", least: int = 1, limit: int = 100
    ) -> list[FrequencyLine]:
        """The most frequent values of an attribute."""
        return measures.frequency_list(self._index, attribute, pattern=pattern, least=least, limit=limit)

    def ngrams(
        self, length: int = 2, attribute: str = "word", *, least: int = 2, limit: int = 100
    ) -> list[FrequencyLine]:
        """The most frequent sequences of values inside sentences."""
        return measures.ngrams(self._index, length, attribute, least=least, limit=limit)

    def collocations(
        self,
        query: str,
        *,
        attribute: str = "word",
        left: int = 5,
        right: int = 5,
        least: int = 3,
        by: str = "log_dice",
        limit: int = 50,
    ) -> list[Collocate]:
        """Values near the matches, by log_dice, mi, t_score, log_likelihood or count."""
        near = Neighbourhood(attribute, left, right)
        return measures.collocations(self._index, query, near, least=least, by=by, limit=limit)

    def keywords(
        self, reference: CorpusPositions, attribute: str = "word", *, least: int = 3, limit: int = 100
    ) -> list[Keyword]:
        """Values that are more frequent here than in another corpus."""
        return measures.keywords(self._index, reference._index, attribute, least=least, limit=limit)

    def dispersion(self, query: str) -> Dispersion:
        """How evenly the matches are spread over documents and over the corpus."""
        return measures.dispersion(self._index, query)

    def over_time(self, query: str, *, per: str = "year", attribute: str = "date") -> list[FrequencyLine]:
        """Matches by the date of their document, per year, month or day."""
        return measures.frequency_over_time(self._index, query, per=per, attribute=attribute)


_SNIFFED = 1 << 16  # bytes
_CONLLU_LINE = re.compile(r"1(?:-\d+)?\t(?:[^\t]*\t){8}[^\t]*")  # ten columns, the first a number
_TOLD_LINES = 100_000  # between two calls of on_progress: about half a second of work


def build_positions(
    inputs: AnyPath | Iterable[AnyPath],
    index: AnyPath = DEFAULT_INDEX,
    *,
    columns: Sequence[str] = (),
    dialect: str = "sketch",
    on_progress: Callable[[int], None] | None = None,
) -> CorpusPositions:
    """Make the positions of vertical files ready for queries in CQL.

    `columns` are the names of the columns. Without them, the registry beside the first file names them, or
    else they are word, lemma and tag. An index that is there already is replaced at the end.
    `on_progress` gets the number of lines of the file that were read, now and then.

    >>> import threadmill
    >>> from pathlib import Path
    >>> _ = Path("tiny.vert").write_text("<doc>\\n<s>\\nWe\\twe\\ngo\\tgo\\nhome\\thome\\n</s>\\n</doc>\\n")
    >>> corpus = threadmill.build_positions(["tiny.vert"], "tiny-positions", columns=["word", "lemma"])
    >>> corpus.count('[lemma="go"] "home" within s')
    1
    """
    files = [Path(path) for path in ([inputs] if isinstance(inputs, str | os.PathLike) else inputs)]
    if not files:
        raise UsageError("an index of positions needs at least one vertical file")
    for file in filter(Path.is_file, files):  # a pipe is read once
        _refuse_other_formats(file)
    names = tuple(columns) or columns_of(files[0])
    wrong = [name for name in names if not _NAME.fullmatch(name)]
    if wrong or names[:1] != ("word",) or len(set(names)) < len(names):
        raise UsageError(f"the columns are different names that begin with word, not {', '.join(names)}")
    builder = IndexBuilder(Path(index), names, dialect)
    for file in files:
        with open_unpacked(file) as (octets, _):
            builder.add(_lines(octets) if on_progress is None else _told(_lines(octets), on_progress))
    return CorpusPositions(builder.finish())


def _refuse_other_formats(file: Path) -> None:
    """Raise UsageError if the file begins as CoNLL-U, JSON lines or binary data, and so is no vertical."""
    with open_unpacked(file) as (octets, _):
        begin = octets.read(_SNIFFED)
    if b"\0" in begin:
        found = "binary data"
    else:
        lines = [line for line in begin.decode("utf-8", "replace").split("\n") if line.strip()]
        words = [line for line in lines if not line.startswith("# ")]
        if words and words[0].startswith("{") and '":' in words[0]:
            found = "JSON lines"
        elif words and _CONLLU_LINE.match(words[0]):
            found = "CoNLL-U"
        else:
            return
    raise UsageError(
        f"{file} is {found}, but an index of positions is made of vertical; "
        "write it with: threadmill vert INPUT -o corpus.vert"
    )


def open_positions(index: AnyPath = DEFAULT_INDEX) -> CorpusPositions:
    """Open an index of positions that `build_positions` made.

    >>> import threadmill
    >>> from pathlib import Path
    >>> _ = Path("tiny.vert").write_text("<doc>\\n<s>\\nWe\\ngo\\nhome\\n</s>\\n</doc>\\n")
    >>> _ = threadmill.build_positions(["tiny.vert"], "tiny-positions")
    >>> threadmill.open_positions("tiny-positions").concordance('"go"').lines[0].right
    'home'
    """
    return CorpusPositions(PositionIndex(Path(index)))


def _told(read: Iterator[str], on_progress: Callable[[int], None]) -> Iterator[str]:
    for number, line in enumerate(read, 1):
        if number % _TOLD_LINES == 0:
            on_progress(number)
        yield line


def _lines(octets: BinaryIO) -> Iterator[str]:
    return (line.decode("utf-8", "replace") for line in octets)
