"""Builds src/threadmill/corpus/data/languages.json: abbreviations and frequent words of many languages.

Sources: spaCy's tokeniser exceptions and stop words (MIT), pySBD's abbreviation lists (MIT), wordfreq's lists
(CC BY-SA 4.0), and the hand-kept additions in tools/abbreviations.txt. Run: python tools/build_languages.py
(needs more packages: pip install spacy pysbd wordfreq).
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

from threadmill.corpus.text.language_data import format_table

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src/threadmill/corpus/data/languages.json"
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
_WORDFREQ = {"bs": "sh", "hr": "sh", "sr": "sh", "tl": "fil", "nn": "nb", "gl": "pt"}


def main() -> int:
    """Write the file."""
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
