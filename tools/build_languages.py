"""Builds languages.json and words.zip of src/threadmill/corpus/data: abbreviations, words of many languages.

Sources: spaCy's tokeniser exceptions and stop words (MIT), pySBD's abbreviation lists (MIT), wordfreq's lists
(CC BY-SA 4.0), simplemma's dictionaries (which words are written small), CLDR (names of countries), and the
hand-kept additions in
tools/abbreviations.txt. Run: python tools/build_languages.py [words] (needs more packages: pip install spacy
pysbd wordfreq simplemma babel). With "words" only words.zip is built.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from threadmill.corpus.text.language_data import format_table
from threadmill.corpus.text.tags import DICTIONARY_NAMES

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src/threadmill/corpus/data/languages.json"
WORDS_TARGET = ROOT / "src/threadmill/corpus/data/words.zip"
ADDITIONS = ROOT / "tools/abbreviations.txt"

LANGUAGES = (
    "af", "am", "ar", "az", "bg", "bn", "bs", "ca", "cs", "da", "de", "el", "en", "eo", "es", "et",
    "eu", "fa", "fi", "fr", "ga", "gd", "gl", "gu", "he", "hi", "hr", "hu", "hy", "id", "is", "it",
    "ja", "ka", "kk", "kn", "ko", "ky", "lb", "lt", "lv", "mk", "ml", "mr", "ms", "my", "nb", "ne",
    "nl", "nn", "pa", "pl", "pt", "ro", "ru", "sa", "si", "sk", "sl", "sq", "sr", "sv", "sw", "ta",
    "te", "th", "tl", "tr", "tt", "uk", "ur", "vi", "zh",
)  # fmt: skip

PYSBD = {
    "ar": "arabic.Arabic", "bg": "bulgarian.Bulgarian", "da": "danish.Danish", "de": "deutsch.Deutsch",
    "en": "english.English", "es": "spanish.Spanish", "fr": "french.French", "it": "italian.Italian",
    "kk": "kazakh.Kazakh", "nl": "dutch.Dutch", "pl": "polish.Polish", "ru": "russian.Russian",
    "sk": "slovak.Slovak",
}  # fmt: skip

# A language that is written as another one is, for the lists that the other one has.
KIN = {"bs": "hr", "sr": "hr", "nn": "nb", "gl": "pt", "mk": "bg", "ms": "id"}

_ABBREVIATION = re.compile(r"[^\W\d_]+(?:[.-][^\W\d_]+)*", re.UNICODE)
# A list longer than this is a dictionary of citations (law reports), not of what running text abbreviates.
_MOST_ABBREVIATIONS = 1200
# Ranks beyond this are names as often as not.
_MOST_WORDS = 1500
# Words that tell a common word in capitals from a name. With 10,000 of them sentences were no better than
# without (93.0 F1 on development parts), with 30,000 they were (93.3); so many need some 2 MB of memory.
_MOST_KNOWN_WORDS = 20_000
# Languages that write every noun with a capital: there it tells nothing about names.
_CAPITAL_NOUNS = frozenset({"de", "lb"})
# Dictionaries lack some of the shortest words in lower case ("si" in Slovak, "им" in Russian).
_SHORTEST_NAME = 4
_WORDFREQ = {"bs": "sh", "hr": "sh", "sr": "sh", "tl": "fil", "nn": "nb", "gl": "pt"}


def main() -> int:
    """Write the files."""
    extra = read_additions()
    unknown = sorted(extra.keys() - set(LANGUAGES))
    if unknown:
        codes = ", ".join(unknown)
        print(
            f"build_languages.py: {ADDITIONS.name} has {codes}, which LANGUAGES of the tool lacks; "
            "add the code there too, or nothing is written for it",
            file=sys.stderr,
        )
        return 1
    write_words()
    if sys.argv[1:] == ["words"]:
        return 0
    table: dict[str, dict[str, list[str]]] = {code: {"abbreviations": [], "words": []} for code in LANGUAGES}
    for code in LANGUAGES:
        found = spacy_abbreviations(code) | pysbd_abbreviations(code) | extra.get(code, set())
        if code in KIN:
            found |= extra.get(KIN[code], set())
        words = frequent_words(code)
        found -= set(words[:300]) - extra.get(code, set())
        table[code]["abbreviations"] = sorted(found)
        table[code]["words"] = words
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(format_table(dict(sorted(table.items()))), encoding="utf-8")
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")
    return 0


def clean(entries: set[str]) -> set[str]:
    """Lower case, no final full stop, only what looks like an abbreviation."""
    lowered = {entry.lower().strip().removesuffix(".") for entry in entries}
    kept = {e for e in lowered if _ABBREVIATION.fullmatch(e) and len(e) <= 12}
    return kept if len(kept) <= _MOST_ABBREVIATIONS else {e for e in kept if len(e) <= 5}


def spacy_abbreviations(code: str) -> set[str]:
    """Tokeniser exceptions that end in a full stop."""
    try:
        module = import_module(f"spacy.lang.{code}.tokenizer_exceptions")
    except ImportError:
        return set()
    ending = {
        e for e in module.TOKENIZER_EXCEPTIONS if e.endswith(".") and " " not in e and not e[0].isdigit()
    }
    return {e for e in clean(ending) if len(e) > 1}


def pysbd_abbreviations(code: str) -> set[str]:
    """pySBD's list, where the language has one of its own."""
    if code not in PYSBD:
        return set()
    module, _, name = PYSBD[code].partition(".")
    language = getattr(import_module(f"pysbd.lang.{module}"), name)
    return clean({e for e in language.Abbreviation.ABBREVIATIONS if " " not in e})


def frequent_words(code: str) -> list[str]:
    """The commonest words in order of rank, or stop words where there is no such list."""
    from wordfreq import available_languages, top_n_list

    name = _WORDFREQ.get(code, code)
    if name in available_languages("small"):
        words = [w for w in top_n_list(name, 2 * _MOST_WORDS, wordlist="small") if w.isalpha()]
        return words[:_MOST_WORDS]
    try:
        words = import_module(f"spacy.lang.{code}.stop_words").STOP_WORDS
    except ImportError:
        return []
    return sorted((w.lower() for w in words if w.isalpha()), key=lambda w: (len(w), w))


def write_words() -> None:
    """Write words.zip: for each language the words that are written small, a blank line, and names."""
    found = {code: small_words_and_names(code) for code in LANGUAGES}  # first, since a package may be missing
    with ZipFile(WORDS_TARGET, "w") as packed:
        for code, (small, names) in found.items():
            if small:
                text = "\n".join([*sorted(small), "", *sorted(names)])
                packed.writestr(ZipInfo(code), text, ZIP_DEFLATED, 9)
    print(f"{WORDS_TARGET}: {WORDS_TARGET.stat().st_size} bytes")


def small_words_and_names(code: str) -> tuple[list[str], list[str]]:
    """Frequent words that simplemma's dictionary has in lower case, and those it has with a capital alone."""
    from simplemma.strategies.dictionaries.dictionary_factory import (
        SUPPORTED_LANGUAGES,
        DefaultDictionaryFactory,
    )
    from wordfreq import available_languages, top_n_list

    name, dictionary_name = _WORDFREQ.get(code, code), DICTIONARY_NAMES.get(code, code)
    if name not in available_languages("small") or dictionary_name not in SUPPORTED_LANGUAGES:
        return [], []
    dictionary = DefaultDictionaryFactory().get_dictionary(dictionary_name)
    words = [word for word in top_n_list(name, _MOST_KNOWN_WORDS) if word.isalpha() and len(word) > 1]
    if sum(word.capitalize() == word for word in words[:100]) > 50:
        return [], []  # its script has no capitals
    countries = set() if code in _CAPITAL_NOUNS else country_names(code)
    small = [word for word in words if word in dictionary and word not in countries]
    others = {word for word in words if word not in dictionary and len(word) >= _SHORTEST_NAME}
    if code in _CAPITAL_NOUNS:
        return small, []
    return small, [
        word for word in words if word in countries or (word in others and word.capitalize() in dictionary)
    ]


def country_names(code: str) -> set[str]:
    """Names of countries of one word, in lower case: some dictionaries have names in lower case."""
    from babel import Locale, UnknownLocaleError

    try:
        return {name.lower() for name in Locale.parse(code).territories.values() if name.isalpha()}
    except UnknownLocaleError:
        return set()


def read_additions() -> dict[str, set[str]]:
    """Lines `xx: word word …`."""
    found: dict[str, set[str]] = {}
    for line in ADDITIONS.read_text(encoding="utf-8").splitlines():
        code, _, words = line.partition(":")
        if words and not line.startswith("#"):
            found.setdefault(code.strip(), set()).update(words.lower().split())
    return found


if __name__ == "__main__":
    sys.exit(main())
