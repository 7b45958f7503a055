"""Learns patterns of URLs from examples: one regular expression for each field of the URL."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import urlsplit

from threadmill.forum.link_urls import is_unnamed, strip_session, url_fields
from threadmill.forum.site_model.url_codes import (
    HASH_LENGTHS,
    ending_of,
    find_codes,
    find_hashes,
    find_mark,
    find_words_before_hashes,
    is_code,
    stem_of,
    word_before_code,
)

_DIGITS = re.compile(r"\d+")
# The share of the examples that a pattern must cover (spec). Links that slipped in by mistake cover less.
MIN_COVER = 0.2
_ENOUGH = 4  # examples that do not begin or end alike by chance
_LAST_PART = re.compile(r"[-._,]\w+$")
# "-topic-" of "title-topic-20", "-t" of "title-t20", "-story-" of "title-story-fa8cfb8b".
_KIND_MARK = re.compile(r"([-._,][^\W\d_]+[-._,]?)(?:\d+|(?<=[-._,])(?=[a-f]*\d)[\da-f]{6,16})$")
_WORD_BEFORE_HASH = re.compile(r"[^\W\d_]+[-_.,:~]?")
_ID_MARK = re.compile(r"([-._,][^\W\d_]?)\d+$")
_MIN_MEMBERS = 3  # URLs of one list that show which of their fields vary
# An expression that is one name and nothing else: "cars", "c\\+\\+", "general@lists\\.example"; no script.
_NAME = re.compile(
    r"(?=.*[^\W\d_])(?!.*\\\.(?:php\d?|aspx?|cgi|pl|py|jspa?|do|s?html?)$)(?:\\[^\w\s]|[^\\\[({])+"
)
_WORDS_OF_NAME = re.compile(r"[^\W\d_]+")
_MOST_WORDS_OF_FORM = 2  # "comment-page-2"; titles have more
_REFUSED = re.compile(r"\(\?!.*\$\)")  # "(?!page\\-\\d+$)[^/]+" has no ID
_LETTERS = re.compile(r"(?<!\\)[^\W\d_]{3,}")
_NEARLY_ALL = 0.9  # of the titles of a list differ
_SAME_IDS = 0.5  # of the IDs of two lists: each board counts its own threads

_ANY_WORDS = r"[^/]+"  # the expression of a title

_Fields = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class UrlPattern:
    """One form of URL: the fields that it must have or may have."""

    fields: tuple[tuple[str, str], ...]  # name → regular expression of the value; a group in it is the ID
    free: tuple[str, ...] = ()  # fields that may be there and say nothing about the kind of page
    naming: tuple[str, ...] = ()  # fields that tell one thread or board from another; empty: all

    def matches(self, fields: _Fields) -> bool:
        """Whether a URL has this form. A field that is neither needed nor free must not be there."""
        names = {name for name, _ in self.fields}
        if any(name not in names and name not in self.free for name in fields):
            return False
        return all(name in fields and _compiled(value).fullmatch(fields[name]) for name, value in self.fields)

    def key(self, fields: _Fields) -> str:
        """What names the thread or board that a URL of this form leads to: "/1=t /2=15"."""
        found = []
        for name, value in self.fields:
            if not self.naming or name in self.naming:
                match = _compiled(value).fullmatch(fields[name])
                text = match[1] if match and match.lastindex else fields[name]
                found.append(f"{name}={text}")
        return " ".join(found)

    def __str__(self) -> str:
        path = "".join(f"/{value}" for name, value in self.fields if name[0] == "/")
        unnamed = ",".join(value for name, value in self.fields if name[0] == "?")
        named = [f"{re.escape(name)}={value}" for name, value in self.fields if not is_unnamed(name)]
        query = "&".join([*([unnamed] if unnamed else []), *named])
        return path + (rf"\?{query}" if query else "")


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def find_pattern(patterns: Sequence[UrlPattern], url: str) -> UrlPattern | None:
    """The first pattern that a URL matches."""
    fields = url_fields(url)
    return next((pattern for pattern in patterns if pattern.matches(fields)), None)


def matches_any(patterns: Sequence[UrlPattern], url: str) -> bool:
    """Whether a URL matches one of the patterns."""
    return find_pattern(patterns, url) is not None


def url_key(patterns: Sequence[UrlPattern], url: str) -> str:
    """What names a thread or board: its host and the naming fields. Without a pattern, the whole URL."""
    pattern = find_pattern(patterns, url)
    host = urlsplit(url).netloc.lower().removeprefix("www.")
    if pattern is None:
        return strip_session(url).partition("://")[2] or strip_session(url)
    return f"{host} {pattern.key(url_fields(url))}"


def learn_patterns(urls: Iterable[str]) -> tuple[UrlPattern, ...]:
    """The patterns of the URLs, most frequent first. Each covers a fifth of them or more."""
    groups: dict[tuple[object, ...], list[_Fields]] = defaultdict(list)
    distinct = list(dict.fromkeys(urls))
    for url in distinct:
        fields = url_fields(url)
        groups[_form_of(fields)].append(fields)
    return merge_patterns(
        _generalise(samples)
        for samples in sorted(groups.values(), key=len, reverse=True)
        if len(samples) >= MIN_COVER * len(distinct)
    )


def merge_patterns(patterns: Iterable[UrlPattern]) -> tuple[UrlPattern, ...]:
    """The patterns, each once. Two that differ in one extra parameter become one where it is free."""
    kept: list[UrlPattern] = []
    for pattern in patterns:
        for place, other in enumerate(kept):
            merged = _merge_two(pattern, other)
            if merged:
                kept[place] = merged
                break
        else:
            kept.append(pattern)
    return _merge_words(dict.fromkeys(kept))


def _merge_words(patterns: Iterable[UrlPattern]) -> tuple[UrlPattern, ...]:
    """The patterns, of which those that differ in one word become one: "/bikes/msg1.html", "/cars/msg1.html".

    The rest must have a word too. "/forum/5" and "/topic/5" are of two kinds.
    """
    kept = list(patterns)
    for name in dict.fromkeys(name for pattern in kept for name, _ in pattern.fields if is_unnamed(name)):
        alike: dict[UrlPattern, list[UrlPattern]] = defaultdict(list)
        for pattern in kept:
            fields = tuple((n, r"[^/]+" if n == name else value) for n, value in pattern.fields)
            rest = " ".join(value for n, value in pattern.fields if n != name)
            is_word = bool(_NAME.fullmatch(dict(pattern.fields).get(name, "")))
            whole = replace(pattern, fields=fields) if is_word and _LETTERS.search(rest) else pattern
            alike[whole].append(pattern)
        kept = [whole if len(several) > 1 else several[0] for whole, several in alike.items()]
    return tuple(kept)


def _merge_two(pattern: UrlPattern, other: UrlPattern) -> UrlPattern | None:
    mine, theirs = dict(pattern.fields), dict(other.fields)
    shared = mine.keys() & theirs.keys()
    if shared not in (mine.keys(), theirs.keys()) or all(is_unnamed(name) for name in shared):
        return None
    extra = (mine.keys() | theirs.keys()) - shared
    if any(mine[name] != theirs[name] for name in shared) or any(is_unnamed(name) for name in extra):
        return None
    needed = tuple((name, value) for name, value in other.fields if name in shared)
    return UrlPattern(needed, tuple(sorted({*other.free, *pattern.free, *extra})))


def without_members(pattern: UrlPattern, refused: Iterable[str]) -> UrlPattern:
    """The pattern without some URLs that it matches: "/[^/]+" takes in the boards, but also "/login"."""
    words = [
        name for name, value in pattern.fields if "[^" in value and r"\d+" not in _REFUSED.sub("", value)
    ]
    refused = [url for url in refused if pattern.matches(url_fields(url))]
    if len(words) != 1 or not refused:
        return pattern
    texts = sorted({re.escape(url_fields(url)[words[0]]) for url in refused})
    return replace(
        pattern,
        fields=tuple(
            (name, f"(?!(?:{'|'.join(texts)})$){value}" if name == words[0] else value)
            for name, value in pattern.fields
        ),
    )


def _form_of(fields: _Fields) -> tuple[object, ...]:
    """What URLs of one pattern have in common: the names of their fields, and which of those are endings."""
    unnamed = [value for name, value in fields.items() if is_unnamed(name)]
    endings = tuple(ending_of(value) for value in unnamed)
    return frozenset(fields), endings, unnamed[-1] == ""


# ---- expressions of fields ----


def _generalise(samples: Sequence[_Fields]) -> UrlPattern:
    names = [name for name in samples[0] if is_unnamed(name)]
    names += sorted(name for name in samples[0] if not is_unnamed(name))
    columns = {name: [fields[name] for fields in samples] for name in names}
    # Behind a piece that is an ID ("/topic/12/some-words-7"), the words and numbers of a title do not matter.
    ids = [place for place, name in enumerate(names) if is_unnamed(name) and _are_ids(columns[name])]
    id_place = ids[0] if ids else len(names)
    # A value that is itself a query ("page=1") says where the reader came from, not where the link leads.
    free = {name for name in names if not is_unnamed(name) and all("=" in value for value in columns[name])}
    needed = tuple(
        (
            name,
            _generalise_piece(columns[name], len(samples), free=place > id_place)
            if is_unnamed(name)
            else _generalise_value(columns[name]),
        )
        for place, name in enumerate(names)
        if name not in free
    )
    return UrlPattern(needed, tuple(sorted(free)))


def _are_ids(values: Sequence[str]) -> bool:
    return all(value.isdecimal() for value in values) and len(set(values)) == len(values) > 1


def _generalise_piece(values: list[str], samples: int, *, free: bool) -> str:
    """The expression for a field without a name: equal texts stay, numbers and words are generalised."""
    if len(set(values)) > 1 and (hashes := _generalise_hashes(values)):
        return hashes
    are_codes = find_codes(values) == set(values) and not _common_kind_mark(values)
    if are_codes and (samples == 1 or len(set(values)) > 1):
        return _generalise_codes(values)
    if len(set(values)) == 1:
        # A single sample does not show what varies. Its numbers surely do.
        return _DIGITS.sub(r"\\d+", re.escape(values[0])) if samples == 1 else re.escape(values[0])
    shapes = {_DIGITS.sub("0", value) for value in values}
    if len(shapes) == 1:
        return _generalise_numbers(values)
    return _generalise_words(values, free=free)


def _generalise_hashes(values: list[str]) -> str:
    """The expression for hashes of one length, perhaps behind one word: "be9bca40.html", "t-08d12e03.htm".

    Empty if the values are none.
    """
    endings, stems = {ending_of(value) for value in values}, list(map(stem_of, values))
    lengths = set(map(len, stems))
    if len(endings) > 1 or len(lengths) > 1:
        return ""
    ending, length = endings.pop(), lengths.pop()
    head = _WORD_BEFORE_HASH.match(_common_prefix(stems))
    for place in range(len(head[0]) + 1 if head else 1):
        rests = [stem[place:] for stem in stems]
        if find_hashes(rests) == set(rests) and (not place or length - place in HASH_LENGTHS):
            word = re.escape(stems[0][:place])
            return rf"{word}[\da-f]{{{length - place}}}" + (re.escape(f".{ending}") if ending else "")
    return ""


def _generalise_codes(values: list[str]) -> str:
    """The expression for codes. Some begin with the kind of page: "t,fa8", "t8d1", or "thread:" in base64."""
    words = set(map(word_before_code, values))
    if len(words) == 1 and (word := words.pop()):
        return re.escape(word) + "[^/]+"
    prefix = _common_prefix(values) if len(values) >= _ENOUGH else ""
    return re.escape(prefix[:1]) + ("[^/]*" if prefix else "[^/]+")


def _generalise_numbers(values: list[str]) -> str:
    """The expression for values that differ in numbers only. Numbers that are always equal stay."""
    parts = [_DIGITS.split(value) for value in values]
    numbers = [_DIGITS.findall(value) for value in values]
    out = re.escape(parts[0][0])
    for place, text in enumerate(parts[0][1:]):
        column = {row[place] for row in numbers}
        same = len(column) == 1 and len(values) > 2
        out += (re.escape(next(iter(column))) if same else r"\d+") + re.escape(text)
    return out


def _generalise_words(values: list[str], *, free: bool) -> str:
    """The expression for titles: any words, with the ID before or after them as its group."""
    endings = {ending_of(value) for value in values}
    tail = ""
    if len(endings) == 1 and (ending := next(iter(endings))):
        tail = re.escape(f".{ending}")
        values = [value[: -len(ending) - 1] for value in values]
    if free:
        return _ANY_WORDS + tail
    while len(values) >= _ENOUGH and (same := _common_ending(values)):
        tail = re.escape(same) + tail
        values = [value[: -len(same)] for value in values]
    prefix = _common_prefix(values)
    letters = re.match(r"^(?:[a-z]+[-_.]?)?", prefix, re.IGNORECASE)[0] if prefix else ""  # type: ignore[index]
    if all(re.match(rf"{re.escape(letters)}\d+(?!\d)", value) for value in values):
        return re.escape(letters) + r"(\d+)[^/]*" + tail
    # That all titles begin alike is no chance where there are some of them.
    head = re.escape(letters) if len(values) >= _ENOUGH else ""
    mark = _mark_before_id(values)
    return head + (r"[^/]*" + mark + tail if mark else r"[^/]+" + tail)


def _mark_before_id(values: Sequence[str]) -> str:
    """The expression for what stands before the ID at the end of all titles, and the ID as its group.

    It is a separator, perhaps with a letter, or the word for a kind of page: "title-20", "title-t20",
    "title-topic20". Where the titles differ in it, any number may end them. Empty if some end without one.
    """
    if word := _common_kind_mark(values):
        decimal = all(re.search(rf"{re.escape(word)}\d+$", value) for value in values)
        return re.escape(word) + (r"(\d+)" if decimal else r"([\da-f]+)")
    marks = [match[1] if (match := _ID_MARK.search(value)) else "" for value in values]
    if not all(marks):
        return ""
    mark, count = Counter(marks).most_common(1)[0]
    return re.escape(mark) + r"(\d+)" if count == len(marks) else r"\d+"


def _common_kind_mark(values: Sequence[str]) -> str:
    """The word for the kind of page that stands before the ID of all titles, with its separators."""
    stems = list(map(stem_of, values))
    found = {match[1] if (match := _KIND_MARK.search(stem)) else "" for stem in stems}
    if len(found) > 1 or "" in found:
        words = set(find_words_before_hashes(stems))
        word = words.pop() if len(words) == 1 else ""
        found = {"".join(re.findall(rf"[-._,]{word}(?=[\da-f]+$)", stem)[-1:]) for stem in stems if word}
    return found.pop() if len(found) == 1 and len(values) > 1 and not any(map(is_code, found)) else ""


def _common_ending(values: Sequence[str]) -> str:
    """The last part of the values behind a separator, if all have the same and something before it."""
    found = {match[0] if (match := _LAST_PART.search(value)) and match.start() else "" for value in values}
    return found.pop() if len(found) == 1 else ""


def _common_prefix(values: list[str]) -> str:
    first, last = min(values), max(values)
    for place, (one, other) in enumerate(zip(first, last, strict=False)):
        if one != other:
            return first[:place]
    return first


def _generalise_value(values: list[str]) -> str:
    """The expression for the value of a parameter."""
    if len(set(values)) == 1 and len(values) > 1:
        return re.escape(values[0])
    if all(value.isdecimal() for value in values):
        return r"\d+"
    if find_codes(values) == set(values):
        return _generalise_codes(values).replace("[^/]", "[^&]")
    shapes = {_DIGITS.sub("0", value) for value in values}
    if len(shapes) == 1 and _DIGITS.search(values[0]):
        return _generalise_numbers(values) if len(values) > 1 else _DIGITS.sub(r"\\d+", re.escape(values[0]))
    return r"[^&]*"


# ---- what names a thread ----


def learn_naming(pattern: UrlPattern, lists: Iterable[Sequence[str]]) -> UrlPattern:
    """The pattern with the fields that name a member, by the URLs of its members on each index page.

    Where members have IDs, their titles do not count: a title may change. A parameter that is the same in
    all rows of each page says where the link stands, not where it leads. It counts if each page has IDs of
    its own.
    """
    columns = [_columns_of(pattern, urls) for urls in lists]
    columns = [column for column in columns if len(next(iter(column.values()), ())) >= _MIN_MEMBERS]
    if not columns:
        return replace(pattern, fields=tuple((name, _without_group(value)) for name, value in pattern.fields))
    expressions = dict(pattern.fields)
    ids = [name for name in expressions if _has_id(expressions[name]) and _differ(columns, name)]
    titles = {
        name
        for name in expressions
        if ids and name not in ids and _is_title(expressions[name], columns, name)
    }
    varying = {name for name in expressions for column in columns if len(set(column[name])) > 1}
    contexts = {
        name
        for name in expressions
        if not is_unnamed(name) and name not in varying and not _repeat_ids(columns, ids, name)
    }
    return replace(
        pattern,
        fields=tuple(
            (name, value if name in ids else _without_group(value)) for name, value in pattern.fields
        ),
        naming=tuple(name for name in expressions if expressions[name] and name not in titles | contexts),
    )


def without_title(pattern: UrlPattern) -> UrlPattern | None:
    """The same URLs without a title behind the ID: a title of signs alone leaves nothing ("/topic/169/").

    None if the pattern has no such title. Both patterns give a thread the same key.
    """
    path = [name for name, value in pattern.fields if name[0] == "/" and value]
    if len(path) < 2 or dict(pattern.fields)[path[-1]] != _ANY_WORDS or path[-1] in pattern.naming:
        return None
    *before, owner, title = path
    if owner not in pattern.naming or not _has_id(dict(pattern.fields)[owner]):
        return None
    ends_in_slash = any(name[0] == "/" and not value for name, value in pattern.fields)
    kept = {*before, owner, *(name for name, _ in pattern.fields if name[0] != "/")}
    fields = [field for field in pattern.fields if field[0] in kept]
    if ends_in_slash:
        fields.insert(len(path) - 1, (title, ""))
    return replace(pattern, fields=tuple(fields))


def _columns_of(pattern: UrlPattern, urls: Sequence[str]) -> dict[str, list[str]]:
    """The values of each field in the URLs of one list: the ID alone where a field has one."""
    members = [fields for url in urls if pattern.matches(fields := url_fields(url))]
    distinct = {tuple(fields[name] for name, _ in pattern.fields): fields for fields in members}
    titled = _with_titles(pattern, distinct.values())
    return {
        name: [_id_in(expression, fields[name]) for fields in titled] for name, expression in pattern.fields
    }


def _with_titles(pattern: UrlPattern, members: Collection[_Fields]) -> Collection[_Fields]:
    """The members without those that another one names more fully: "/topic/84", and "/topic/84-my-project".

    Lists link a thread with its title, and its pages without: both are one thread.
    """
    for name, expression in pattern.fields:
        if r"(\d+)[^/]*" in expression:
            found = [(one, _compiled(expression).fullmatch(one[name])) for one in members]
            titled = {match[1] for _, match in found if match and match.end(1) < match.end()}
            members = [
                one
                for one, match in found
                if match is None or match.end(1) < match.end() or match[1] not in titled
            ]
    return members


def _id_in(expression: str, value: str) -> str:
    match = _compiled(expression).fullmatch(value)
    return match[1] if match and match.lastindex else value


def _has_id(expression: str) -> bool:
    return r"(\d+)" in expression or (r"\d+" in expression and "[^" not in expression)


def _without_group(expression: str) -> str:
    return expression.replace(r"(\d+)", r"\d+")


def _differ(columns: Sequence[Mapping[str, Sequence[str]]], name: str) -> bool:
    return all(len(set(column[name])) >= _NEARLY_ALL * len(column[name]) for column in columns)


def _is_title(expression: str, columns: Sequence[Mapping[str, Sequence[str]]], name: str) -> bool:
    """Whether a field has a text of its own in nearly every URL. The names of boards repeat."""
    return "[^" in expression and _differ(columns, name)


def _repeat_ids(columns: Sequence[Mapping[str, Sequence[str]]], ids: Sequence[str], name: str) -> bool:
    """Whether lists with different values of a field have the same IDs, so that IDs alone name nothing."""
    by_value: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for column in columns:
        by_value[column[name][0]].update(zip(*(column[one] for one in ids), strict=True))
    found = list(by_value.values())
    return any(
        len(one & other) >= _SAME_IDS * min(len(one), len(other)) > 0
        for place, one in enumerate(found)
        for other in found[:place]
    )


def _refused_form(word: str, expression: str) -> str:
    """A word with any numbers in their places: "page-2". A title in a field of titles stays as it is."""
    is_title = not _has_id(expression) and len(_WORDS_OF_NAME.findall(word)) > _MOST_WORDS_OF_FORM
    return re.escape(word) if is_title else _DIGITS.sub(r"\\d+", re.escape(word))


def tell_apart(
    pattern: UrlPattern, own: Iterable[str], others: Iterable[str], alike: Iterable[str]
) -> UrlPattern:
    """The pattern without the URLs of another kind that it matches: proven ones, and those that look so."""
    members, strangers, linked = (
        [fields for url in urls if pattern.matches(fields := url_fields(url))]
        for urls in (own, others, alike)
    )
    for name, expression in pattern.fields if strangers else ():
        columns = ([one[name] for one in urls] for urls in (members, strangers, linked))
        if mark := find_mark(*columns):
            needed = {**dict(pattern.fields), name: f"(?={mark}){expression}"}
            return replace(pattern, fields=tuple(needed.items()))
    for name, expression in pattern.fields if strangers else ():
        words = {one[name] for one in strangers}
        known = {one[name] for one in (*members, *linked)}
        if words <= find_codes(words | known):  # a hash among hashes is no word
            continue
        # Boards have names of their own, and messages one word: "/cars/chain-slips", "/msg/117".
        # Later pages of boards differ in a number: "/cars/page-2".
        forms = {_refused_form(word, expression) for word in words}
        form = forms.pop()
        if not forms and not any(re.fullmatch(form, value) for value in known):
            needed = {**dict(pattern.fields), name: f"(?!{form}$){expression}"}
            return replace(pattern, fields=tuple(needed.items()))
    return pattern
