"""Finds the words in contractions that no table has all of: "dárselo", "Dammelo", "geht's", "Gonna".

The tag of a contraction has those of its words with a plus between them, and so has the lemma.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Protocol

Known = Callable[[str], str]  # the dictionary's lemma of a form. Empty for a form that it lacks
_NOTHING = ("", "")
_VERBS = frozenset({"VERB", "AUX"})


class Contractions(Protocol):
    """Finds contractions of one language."""

    def find(self, form: str, tag: str) -> tuple[str, str]:
        """Tag and lemma of a contraction that the tagger took for this. Empty if the form is none."""


def contractions_of(language: str, known: Known) -> Contractions | None:
    """What finds contractions of the language. None if its tables are enough."""
    if language == "es":
        return SpanishPronouns(known)
    if language == "it":
        return ItalianPronouns(known)
    if language == "de":
        return GermanContractions(known)
    return ListedContractions(language) if language in _LISTED else None


def _listed(tag: str, words: str) -> dict[str, tuple[str, str]]:
    """Contractions with one tag, written as "form=lemma+lemma"."""
    return {form: (tag, lemma) for form, _, lemma in (word.partition("=") for word in words.split())}


def _portuguese() -> dict[str, tuple[str, str]]:
    """Demonstratives after a preposition: "daquela"."""
    found = {}
    for lemma, begin in (("de", "d"), ("em", "n")):
        for word in ("este", "esse", "aquele"):
            ended = [f"{begin}{word[:-1]}{ending}" for ending in ("e", "a", "es", "as")]
            found.update(dict.fromkeys(ended, ("ADP+DET", f"{lemma}+{word}")))
        found.update(
            {f"{begin}{word}": ("ADP+PRON", f"{lemma}+{word}") for word in ("isto", "isso", "aquilo")}
        )
    for ending in ("e", "a", "es", "as"):
        found[f"àquel{ending}"] = ("ADP+DET", "a+aquele")
    return found


# Frequent in posts, rare in treebanks.
_LISTED: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "de": _listed(
        "ADP+DET",
        "aufs=auf+der durchs=durch+der fürs=für+der hinterm=hinter+der hinters=hinter+der überm=über+der "
        "übers=über+der ums=um+der unterm=unter+der unters=unter+der vorm=vor+der vors=vor+der",
    ),
    "en": _listed("VERB+PART", "gonna=go+to gotta=get+to hafta=have+to wanna=want+to")
    | _listed("VERB+PRON", "gimme=give+I lemme=let+I")
    | _listed("AUX+PART+VERB", "dunno=do+not+know")
    | _listed("AUX+AUX", "coulda=could+have shoulda=should+have woulda=would+have"),
    "fr": _listed(
        "ADP+PRON",
        "auquel=à+lequel auxquels=à+lequel auxquelles=à+lequel "
        "duquel=de+lequel desquels=de+lequel desquelles=de+lequel",
    ),
    "it": _listed("ADP+DET", "sullo=su+il coi=con+il"),
    "pt": _portuguese(),
}


# Portuguese "desse" is a form of "dar", too, and a treebank keeps what others split.
_KEPT_TAGS = {"pt": frozenset({"VERB", "AUX", "ADP", "PRON", "PROPN", "X"})}


class ListedContractions:
    """Contractions that a language has few of."""

    def __init__(self, language: str) -> None:
        self._listed = _LISTED[language]
        self._kept = _KEPT_TAGS.get(language, frozenset())

    def find(self, form: str, tag: str) -> tuple[str, str]:
        """Tag and lemma of a contraction. Empty if the form is none."""
        own, lemma = self._listed.get(form.lower(), _NOTHING)
        if tag in self._kept:
            return _NOTHING
        return (tag if tag.count("+") == own.count("+") > 0 else own), lemma


# A German word before "es" that is no verb. Verbs are open, these are not.
_BEFORE_ES = (
    _listed("PRON+PRON", "ich=ich+es du=du+es er=er+es sie=sie+es wir=wir+es mir=ich+es dir=du+es man=man+es")
    | _listed("SCONJ+PRON", "wenn=wenn+es ob=ob+es dass=dass+es weil=weil+es")
    | _listed("ADV+PRON", "wie=wie+es wo=wo+es so=so+es")
    | _listed(
        "ADP+DET", "an=an+der auf=auf+der durch=durch+der für=für+der in=in+der über=über+der um=um+der"
    )
)
_ES = re.compile("(.{2,})['’]s", re.DOTALL)
_GERMAN_AUXILIARIES = {"dürfen", "haben", "können", "mögen", "müssen", "sein", "sollen", "werden", "wollen"}


class GermanContractions:
    """Finds what "es" is written together with ("geht's"), and prepositions with an article ("aufs")."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._others = ListedContractions("de")

    def find(self, form: str, tag: str) -> tuple[str, str]:
        """Tag and lemma of a contraction. Empty if the form is none."""
        match = _ES.fullmatch(form)
        if match is None:
            return self._others.find(form, tag)
        host = match[1].lower()
        if host in _BEFORE_ES:
            return _BEFORE_ES[host]
        lemma = self._known(host) or self._known(f"{host}e")  # würd's
        if lemma in _GERMAN_AUXILIARIES:
            return "AUX+PRON", f"{lemma}+es"
        if not lemma.endswith("n") or not (match[1].islower() or self._known(host.capitalize()) == lemma):
            return _NOTHING  # Koch's
        return "VERB+PRON", f"{lemma}+es"


# Italian pronouns at the end of a verb, with the lemmas that differ from them in the treebank.
_ITALIAN = re.compile("(me|te|ce|ve|se|glie)?(l[aeio]|ne)|[mtcvs]i|gli")
_ITALIAN_LEMMAS = {"se": "si", "glie": "gli"}
_ITALIAN_INFINITIVE = ("are", "ere", "ire", "rre")
_GERUNDS, _IMPERATIVES_OF_PLURAL = ("ando", "endo"), ("iamo", "ate", "ete", "ite")
_SHORT_IMPERATIVES = dict(da="dare", di="dire", fa="fare", sta="stare", va="andare")  # noqa: C408
_LONGEST_ITALIAN, _SHORTEST_IMPERATIVE = 6, 3  # letters


class ItalianPronouns:
    """Finds verbs with pronouns at their end: "vederlo", "parlandone", "dammelo"."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._others = ListedContractions("it")

    def find(self, form: str, tag: str) -> tuple[str, str]:
        """Tag and lemma of a verb with pronouns. Empty if the form is none."""
        low, kind = form.lower(), tag.partition("+")[0]
        for at in range(max(2, len(low) - _LONGEST_ITALIAN), len(low) - 1):
            match = _ITALIAN.fullmatch(low, at)
            verb = self._host(low, match, kind) if match else ""
            if match and verb:
                pronouns = [part for part in match.groups() if part] or [match[0]]
                lemmas = [_ITALIAN_LEMMAS.get(part, part) for part in pronouns]
                first = "ADV" if verb == "ecco" else kind if kind == "AUX" else "VERB"
                tags = [first, *["PRON"] * len(pronouns)]
                return "+".join(tags), "+".join([verb, *lemmas])
        return self._others.find(form, tag)

    def _host(self, low: str, pronouns: re.Match[str], kind: str) -> str:
        """The lemma of what stands before the pronouns. Empty if it is no verb there."""
        host, whole = low[: pronouns.start()], self._known(low)
        is_sure = pronouns[1] is not None or pronouns[0] == "mi"  # few other words end like these
        if (is_sure or not whole) and (verb := _short_imperative(host, pronouns[0])):
            return verb
        verb = host if host == "ecco" else self._long_verb(host)
        if verb:
            return verb if not whole or (kind in _VERBS and whole == verb) else ""  # popolo
        if whole or pronouns[0] in {"vi", "si"} or not (kind in _VERBS or is_sure or pronouns[0] == "lo"):
            return ""
        verb = self._imperative(host)
        return verb if kind != "PROPN" or is_sure or self._known(host) == verb else ""  # Buffalo

    def _long_verb(self, host: str) -> str:
        """The infinitive of an infinitive, gerund, or imperative of the plural."""
        if host.endswith("r"):
            return next((verb for verb in (f"{host}e", f"{host}re") if self._is_verb(verb)), "")
        if not host.endswith((*_GERUNDS, *_IMPERATIVES_OF_PLURAL)):
            return ""
        verb = self._known(host)
        is_present = host.endswith(_GERUNDS) and verb[:-3] == host[:-1]  # vendo
        return verb if verb.endswith(_ITALIAN_INFINITIVE) and not is_present else ""

    def _imperative(self, host: str) -> str:
        """The infinitive of an imperative of the singular."""
        if len(host) < _SHORTEST_IMPERATIVE or host[-1] not in "ai":
            return ""
        endings = ("are",) if host[-1] == "a" else ("ere", "ire")
        return next((verb for end in endings if self._is_verb(verb := host[:-1] + end)), "")

    def _is_verb(self, infinitive: str) -> bool:
        return infinitive.endswith(_ITALIAN_INFINITIVE) and self._known(infinitive) == infinitive


def _short_imperative(host: str, pronouns: str) -> str:
    """The infinitive of an imperative of one syllable. It doubles the next letter, except before "gli"."""
    if pronouns.startswith("glie"):
        return _SHORT_IMPERATIVES.get(host, "")
    return _SHORT_IMPERATIVES.get(host[:-1], "") if host[-1] == pronouns[0] else ""


# Spanish pronouns at the end of a verb, with their lemmas as in the treebank. Of the others it is "él".
_PRONOUNS = re.compile("(?:me|te|se|nos|os|l[aeo]s?){1,2}")
_PRONOUN = re.compile("nos|os|me|te|se|l[aeo]s?")
_PRONOUN_LEMMAS = {"me": "yo", "nos": "yo", "te": "tú", "os": "tú"}
_INFINITIVE = ("ar", "er", "ir", "ír")
# Of one syllable. Other imperatives get an accent.
_IMPERATIVES = dict(da="dar", di="decir", haz="hacer", pon="poner", sal="salir", ten="tener", ven="venir")  # noqa: C408
_WITHOUT_ACCENT = str.maketrans("áéíóú", "aeiou")
_SHORTEST_VERB, _LONGEST_PRONOUNS = 2, 6  # letters


class SpanishPronouns:
    """Finds verbs with pronouns at their end, "dárselo". A verb has so many forms that no table has all."""

    def __init__(self, known: Known) -> None:
        self._known = known

    def find(self, form: str, tag: str) -> tuple[str, str]:
        """Tag and lemma of a verb with pronouns. Empty if the form is none."""
        low, kind = form.lower(), tag.partition("+")[0]
        for at in range(max(_SHORTEST_VERB, len(low) - _LONGEST_PRONOUNS), len(low) - 1):
            if _PRONOUNS.fullmatch(low, at):
                pronouns = _PRONOUN.findall(low, at)
                verb = self._verb(low[:at], pronouns[0], kind, self._known(low))
                if verb:
                    tags = [kind if kind == "AUX" else "VERB", *["PRON"] * len(pronouns)]
                    return "+".join(tags), "+".join([verb, *(_PRONOUN_LEMMAS.get(p, "él") for p in pronouns)])
        return "", ""

    def _verb(self, host: str, pronoun: str, kind: str, whole: str) -> str:
        """The infinitive of what stands before the pronouns. Empty if it is no verb there."""
        plain = host.translate(_WITHOUT_ACCENT)
        has_accent = plain != host
        if kind not in {"VERB", "AUX"}:
            if plain in _IMPERATIVES or (kind == "PROPN" and not has_accent):
                return ""  # Carlos
            if whole and not whole.removesuffix("se").endswith(_INFINITIVE):
                return ""  # pétalos
        if plain in _IMPERATIVES:
            return _IMPERATIVES[plain]
        lemma = self._known(f"{plain}s" if pronoun == "nos" and plain.endswith("mo") else plain)  # vámonos
        lemma = lemma.removesuffix("se")
        if not lemma.endswith(_INFINITIVE) and has_accent:
            lemma = self._known(f"{plain}r")  # cómprame: "compra" is a noun, too
        return lemma if (has_accent or lemma == plain) and lemma.endswith(_INFINITIVE) else ""
