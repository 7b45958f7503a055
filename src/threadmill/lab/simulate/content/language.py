"""The texts of a language: interface words, dates, names and sentences for posts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from threadmill.errors import UsageError

# The languages that are available; each is a module of threadmill.lab.simulate.content.languages.
CODES = ("en", "de", "fr", "es", "it", "pl", "ru", "tr", "zh", "ja", "nl", "sr", "ko", "ar", "vi")


@dataclass(frozen=True, slots=True)
class LanguageStock:
    """The texts of one language. `ago` has the plural forms of "{n} units ago" for each unit."""

    code: str
    months: tuple[str, ...]  # as written after the number of the day
    short_months: tuple[str, ...]
    weekdays: tuple[str, ...]  # Monday first
    short_weekdays: tuple[str, ...]
    halves: tuple[str, str]  # am, pm
    today: str
    yesterday: str
    ago: Mapping[str, tuple[str, ...]]
    words: Mapping[str, str]
    names: tuple[str, ...]
    places: tuple[str, ...]
    boards: tuple[tuple[str, str], ...]
    titles: tuple[str, ...]
    sentences: tuple[str, ...]
    short_answers: tuple[str, ...]
    signatures: tuple[str, ...]
    day_before_yesterday: str = ""
    plural: str = "two"  # the plural rule: one, two, french, slavic or polish

    def say_ago(self, unit: str, number: int) -> str:
        """Write how long ago something was: "3 hours ago"."""
        forms = self.ago[unit]
        return forms[min(_PLURALS[self.plural](number), len(forms) - 1)].format(n=number)


def _slavic(number: int) -> int:
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if 2 <= number % 10 <= 4 and not 12 <= number % 100 <= 14 else 2


def _polish(number: int) -> int:
    if number == 1:
        return 0
    return 1 if 2 <= number % 10 <= 4 and not 12 <= number % 100 <= 14 else 2


_PLURALS = {
    "one": lambda number: 0,  # noqa: ARG005
    "two": lambda number: int(number != 1),
    "french": lambda number: int(number > 1),
    "slavic": _slavic,
    "polish": _polish,
}


@cache
def load_language(code: str) -> LanguageStock:
    """Load the texts of a language."""
    if code not in CODES:
        raise UsageError(
            f"there are no texts in the language {code!r}; expected one of {', '.join(CODES)}; a new one is "
            f"a module lab/simulate/content/languages/{code}.py, and its code in CODES of content/language.py"
        )
    language = import_module(f"threadmill.lab.simulate.content.languages.{code}").LANGUAGE
    assert isinstance(language, LanguageStock)
    return language
