"""Describes languages for the tokeniser: abbreviations, frequent words and habits of spelling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Literal

from threadmill.corpus.text import language_data as tables

Hyphens = Literal["keep", "prefix", "split"]

# In these languages the full stop after an abbreviation is a token of its own, as in their treebanks.
# Elsewhere it stays with the abbreviation ("Dr." is one token).
_STOP_APART = frozenset({"cs", "hy", "hyw", "id", "lt", "mt", "pl", "sk", "tr", "uk"})
# Languages in which "3." is an ordinal number.
_ORDINALS = frozenset({
    "bs", "cs", "da", "de", "et", "fi", "hr", "hu", "is",
    "lb", "lv", "mk", "nb", "nn", "pl", "sk", "sl", "sr", "tr",
})  # fmt: skip
# Languages in which an elided article is a token of its own: l'eau, dell'acqua, l'home.
_ELISION = frozenset({"fr", "it", "ca", "mt", "lij", "oc", "vec", "lmo", "pms", "scn"})
_HYPHENS: dict[str, Hyphens] = {
    "en": "prefix",
    **dict.fromkeys(("cs", "de", "hy", "hyw", "sk", "sl", "tr"), "split"),
}
# Tokens that only some languages have, as patterns. They are tried before all others.
_QUOTE = "['’‘\u02bc]"  # as an apostrophe
_TRUNCATED = r"[^\W\d_]++(?:-[^\W\d_]++)*+-(?=,? |,?$)"  # "leer- en studiegids"
_WELSH = rf"{_QUOTE}(?:ch|th|[imnruw])(?!\w)"  # "i'r"
_ROMANIAN = r"-(?:[ilno]|li|le|lea|mă|mi|ne|se|și|te|ți|ul|vă)(?!\w)"  # "să-i"
_WITH_SUFFIX = r"[\w&%]++:[a-zåäö]{1,5}(?!\w)"  # "EU:n"
_SMILEYS = (r"\){3,}|\({3,}", r"[!?]++\.{2,}+")
_OWN_WORDS: dict[str, tuple[str, ...]] = {
    "af": (rf"{_QUOTE}n(?!\w)", _TRUNCATED),
    "be": _SMILEYS,
    "cy": (rf"\w[\w-]*+(?={_WELSH})", _WELSH),
    "da": (_TRUNCATED,),
    "fi": (_TRUNCATED, _WITH_SUFFIX, r"(?<!\S)-[a-zäö]{2,}+"),
    "fo": (_TRUNCATED,),
    "ga": (rf"(?i:mb|dod|[bdmsn]){_QUOTE}(?=\w)", rf"a{_QUOTE}(?!\w)"),
    "gd": (
        rf"{_QUOTE}(?:[a-zàèéìòóù][\w-]*+|Se?(?!\w))",
        rf"(?i:[abdmtg]|bh|th|ac|ars|mis|thus){_QUOTE}(?!\w)",
        rf"(?i:[bdmtg]|bh|th){_QUOTE}(?=\w)",
    ),
    "he": (r"[א-ת]++[\"״][א-ת](?![א-ת])", r"[א-ת]++(?:(?<=[גדזחטעצת])['׳][א-ת]++)*+(?:['׳](?![א-ת\"]))?"),
    "hy": (r"[^\W\d_]++(?:[՛՜՞][^\W\d_]*+)++", "[Կկ]՚"),
    "hyw": (r"[^\W\d_]++(?:[՛՜՞][^\W\d_]*+)++", "[Կկ]՚"),
    "id": (r"Rp(?=\d)",),
    "is": (_TRUNCATED,),
    "mt": (
        r"(?i:i|ta|fi?|ma|għal?|b[hħ]al?|mil?|lil?|bi?|sa|da|di|ġo)?[lċdnrstxzżLĊDNRSTXZŻ]-(?=[\w\"“‘])",
        rf"\w*[aeiouAEIOU]{_QUOTE}(?!\w)",
        rf"{_QUOTE}i?l(?!\w)",
    ),
    "nb": (_TRUNCATED,),
    "nl": (rf"{_QUOTE}[kmnrst](?!\w)",),
    "nn": (_TRUNCATED,),
    "ro": (
        r"(?i:[smnlivc]|ți|mi|și|ne|le|vi|li|de|într|dintr|printr|dac)-(?=[aăâeioîuAĂÂEIOÎU])",
        rf"[^\W\d_]++(?={_ROMANIAN})",
        _ROMANIAN,
    ),
    "ru": _SMILEYS,
    "sv": (_TRUNCATED, _WITH_SUFFIX),
    "uk": _SMILEYS,
}
_STEPS = (
    (0, "a"),
    (30, "b"),
    (150, "c"),
    (500, "d"),
)  # first rank of each step of frequency; all other words are "e"
COMMON_WORD, NAME = "f", "n"


class WordSteps(Mapping[str, str]):
    """The step of frequency of each known word of a language.

    Native code reads the lists into a table of its own. A dictionary of 2 MB is made when Python asks for it.
    """

    def __init__(self, language: str, frequent: Sequence[str]) -> None:
        self.language = language
        self._frequent = frequent

    def frequent(self) -> dict[str, str]:
        """The step of each frequent word. The most frequent word comes first."""
        steps: dict[str, str] = {}
        ends = [*(first for first, _ in _STEPS[1:]), len(self._frequent)]
        for (first, step), end in zip(_STEPS, ends, strict=True):
            steps.update(dict.fromkeys(self._frequent[first:end], step))
        return steps

    @cached_property
    def _all(self) -> dict[str, str]:
        """All words. A capital letter before a common word begins a sentence.

        Names are no common words, however frequent: "Norge" begins a sentence no more than "Oslo" does.
        """
        words, names = tables.read_words(self.language)
        return {
            **dict.fromkeys(words.split(), COMMON_WORD),
            **self.frequent(),
            **dict.fromkeys(names.split(), NAME),
        }

    def get(self, word: str, default: str) -> str:  # type: ignore[override]
        """The step of a word."""
        return self._all.get(word, default)

    def __getitem__(self, word: str) -> str:
        return self._all[word]

    def __contains__(self, word: object) -> bool:
        return word in self._all

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


@dataclass(frozen=True, slots=True)
class LanguageProfile:
    """One language as the tokeniser and the sentence splitter see it."""

    language: str
    abbreviations: frozenset[str] = frozenset()  # lower case, without the final full stop
    steps: Mapping[str, str] = field(
        default_factory=dict, hash=False, compare=False
    )  # word → step of frequency, "a" to "d"; "f" for other common words, "n" for names
    stop_attached: bool = True
    ordinals: bool = False
    elision: bool = False
    hyphens: Hyphens = "keep"
    own_words: tuple[str, ...] = ()  # patterns


@cache
def known_languages() -> frozenset[str]:
    """Languages with lists of their own. All others are split by general rules."""
    return tables.languages_in("languages")


@lru_cache(maxsize=80)
def language_profile(language: str) -> LanguageProfile:
    """The profile of a language by its code ("pt", "pt-BR"). An unknown code gives a general profile."""
    code = language.replace("_", "-").partition("-")[0].lower()
    code = {"no": "nb", "hbs": "hr", "sh": "hr", "cmn": "zh"}.get(code, code)
    entry = tables.read_entry("languages", code)
    abbreviations = frozenset(entry.get("abbreviations", ()))
    parts = {part for a in abbreviations if "." in a for part in a.split(".")[:-1]}  # the "z." of "z. B."
    return LanguageProfile(
        language=code,
        abbreviations=abbreviations | parts,
        steps=WordSteps(code, entry.get("words", ())),
        stop_attached=code not in _STOP_APART,
        ordinals=code in _ORDINALS,
        elision=code in _ELISION,
        hyphens=_HYPHENS.get(code, "keep"),
        own_words=_OWN_WORDS.get(code, ()),
    )


@cache
def frequent_words(rank: int) -> frozenset[str]:
    """The most frequent words of all languages, up to a rank."""
    entries = (tables.read_entry("languages", code) for code in known_languages())
    return frozenset(word for entry in entries for word in entry.get("words", ())[:rank])
