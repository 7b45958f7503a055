"""Tells names of people in a declared author or a byline from accounts, addresses and the site itself.

author_names() is the way in.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_WORDS = re.compile(r"\w+")
_MAX_VALUE = 2000  # characters that are read
_MAX_NAMES = 50
_LONG_OWNER = 6  # characters; a shorter name of a site may be a part of any name
# Names of accounts and of systems, which are no authors.
_NO_PERSON = (
    "admin administrator editor editors webmaster wordpressadmin wpadmin root user guest anonymous "
    "noauthor author autor auteur none null undefined themegrill unknown default"
)
_ACCOUNTS = frozenset(_NO_PERSON.split())
# Words that say who wrote, alone or before a colon.
_LABELS = (
    "author|authors|autor|autorin|autoren|autora|autores|auteur|auteurs|autore|autori|автор|авторы|"
    "автор текста|szerző|írta|yazar|yazan|kirjoittaja|skribent|forfatter|författare|συντάκτης|"
    "written by|words by|text by|posted by|by|von|par|por|di|door|napisał"
)
_LABEL_LIST = frozenset(_LABELS.split("|"))
# What a label may begin with. Letters beyond ASCII are not listed: they have more than two forms.
LABEL_LETTERS = "".join({letter for label in _LABELS.split("|") for letter in (label[0], label[0].upper())})
_BY = (
    "by|written by|posted by|published by|words by|text by|von|verfasst von|geschrieben von|text|par|"
    "écrit par|publié par|por|escrito por|publicado por|di|scritto da|a cura di|pubblicato da|door|"
    "geschreven door|av|skrevet av|af|skriven av|przez|napisał|napísal|napsal|autor|autorin|autoren|autora|"
    "autores|auteur|autore|author|authors|redaktion|автор|авторы|автор текста|írta|szerző|kirjoittanut|"
    "yazan|yazar|kirjoittaja|skribent"
)
# The first letters of these words, beyond ASCII all: so most texts need no look at the words.
BYLINE_LETTERS = frozenset({letter for word in _BY.split("|") for letter in (word[0], word[0].upper())})
BYLINE = re.compile(rf"\s*(?:{_BY})(?:\s*[:|/]\s*|\s+)(?=\S)", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:[,;|/&•·]|\s(?:and|und|et|y|e|en|och|og|i|и|und)\s)\s*")
_BESIDE = re.compile(r"\s*[|│•·/]\s*|\s+[-–—]\s+")
_ACCOUNT = re.compile(r"[^\W\d][\w.-]{0,28}\w")
_VERBS = (
    "erstellt|veröffentlicht|geschrieben|verfasst|publicado|escrito|publié|écrit|scritto|pubblicato|napisane"
)
_BY_INSIDE = re.compile(
    rf"\b(?i:by\s|(?:{_VERBS})\s+(?:von|por|par|da|przez))\s*(?=[^\Wa-z])|^\w+:\s+(?=\w+ \w)"
)
_INITIAL = re.compile(r"\b\w\.$")
_MAX_NAME, _MAX_NAME_WORDS = 60, 6
_NO_NAME = re.compile(r"https?:|www\.|[@#<>{}\[\]=_→»*?!]|\d|\.(?:com|org|net|de|fr|es|it|cl|tv|at|ch)\b")


def author_names(value: str, owners: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The names of people in a value. An address, an account or the site itself is no author."""
    value = without_byline_words(" ".join(value[:_MAX_VALUE].split()))
    if _NO_NAME.search(value[:_MAX_NAME]):  # the date may stand beside the name
        parts = [part for part in _BESIDE.split(value)[:_MAX_NAMES] if not _NO_NAME.search(part)]
        value = next((part for part in parts if len(part.split()) > 1 and _is_name(part)), "")
    names: dict[str, None] = {}
    for piece in _BETWEEN.split(value)[:_MAX_NAMES]:
        name = piece.strip(" :-–|")
        if not _INITIAL.search(name):
            name = name.rstrip(".")
        if _is_name(name) and not _is_owner(name, owners):
            names[name] = None
    return tuple(names)


def is_author_label(text: str) -> bool:
    """Whether a text is nothing but a word that says who wrote, with or without a colon."""
    return text.removesuffix(":").rstrip().lower() in _LABEL_LIST


def _is_owner(name: str, owners: frozenset[str]) -> bool:
    """Whether a name is that of the site, or has it inside: "Casa Editorial El Tiempo" of eltiempo.com."""
    joined = "".join(_WORDS.findall(name.casefold()))
    return joined in owners or any(len(owner) >= _LONG_OWNER and owner in joined for owner in owners)


def account_name(value: str, owners: frozenset[str] = frozenset()) -> str:
    """The name of an account that stands where an author is named; empty for accounts of the site's owner."""
    name = without_byline_words(" ".join(value[:_MAX_NAME].split()))
    joined = "".join(_WORDS.findall(name.casefold()))
    return name if _ACCOUNT.fullmatch(name) and joined not in _ACCOUNTS and joined not in owners else ""


def without_byline_words(text: str) -> str:
    """What stands after "by" and its like; the whole text where there is no such word."""
    if found := BYLINE.match(text):
        return text[found.end() :]
    if found := _BY_INSIDE.search(text):
        return text[found.end() :]
    return text


def _is_name(name: str) -> bool:
    """Whether this may be a person: not too long, and not written like an account."""
    if not name or len(name) > _MAX_NAME or _NO_NAME.search(name):
        return False
    words = name.split()
    if len(words) > _MAX_NAME_WORDS or not any(letter.isalpha() for letter in name):
        return False
    joined = "".join(_WORDS.findall(name.casefold()))
    if joined in _ACCOUNTS or BYLINE.fullmatch(f"{name} x"[:-1]):
        return False
    last = words[-1]
    if last[0].isalpha() and last == last.lower() != last.upper():  # "christian.stadtfeld" is an account
        return False
    return name != name.lower() or name == name.upper()


def site_names(url: str, site_name: str) -> frozenset[str]:
    """How a site is named, in lower case without spaces: its name and its host."""
    try:
        host = (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        host = ""
    names = (site_name, host, host.partition(".")[0], host.rpartition(".")[0])
    return frozenset(filter(None, ("".join(_WORDS.findall(name.casefold())) for name in names)))
