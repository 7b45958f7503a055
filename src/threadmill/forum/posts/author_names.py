"""Reads the names that single elements show, with what stands around them: "by anna on 3 May"."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from threadmill.dates import DATE, find_dates
from threadmill.forum.link_urls import same_site
from threadmill.forum.records.date_columns import has_date
from threadmill.forum.records.page_outline import PageOutline, once_per_page

_LETTER = re.compile(r"[^\W\d_]")
# Marks that no name has. A dot may end an initial ("Ingrid P."); after a longer word it ends a sentence.
_NO_NAME = re.compile(r"://|(?<!\b\w)\.(\s|$)|[!?…:](\s|$)|[<>{}|»›。！？]")
# Parts of class names and URLs that are about people. They are weak evidence.
PERSON_WORDS = re.compile(
    r"auth|user|usr|member|profil|nick|poster|person|people|membre|usuari|mitglied|uid|space|konto|creator|/u/|"
    r"(?<![\w/-])(?:name|by|byline|fn)(?![\w/-])",
    re.IGNORECASE,
)
# What an element shows besides a name, by the last word of its class: "user-title", "author_rank".
_NO_PERSON = re.compile(
    r"(?:titles?|ranks?|status|groups?|role|level|badges?|reputation|location|count|posts|date|time|edit(?:ed)?|"
    r"reply|buttons?|btn|actions?|permalink|number|subject|quote|label|tags?|score|points|votes?)$",
    re.IGNORECASE,
)
# Words before a name, in the languages of the forums seen so far. Some are labels: "Author: anna".
_POSTED = (
    r"(?:posted|written|started|submitted|asked|answered|created|sent|added|reply|message|post|comment|"
    r"geschrieben|verfasst|erstellt|gepostet|beitrag|eintrag|posté|publié|envoyé|écrit|message|escrito|publicado|"
    r"enviado|mensaje|iniciado|inviato|scritto|postato|pubblicato|messaggio|escrita|postado|mensagem|geplaatst|"
    r"geschreven|bericht|skrevet|skriven|postad|inlägg|napisane|napisany|dodane|dodany|wysłane|wysłany|post|"
    r"отправлено|написано|добавлено|опубликовано|сообщение|odesláno|napsáno|příspěvek|poslao|gönderen)"
)
_BY_WORDS = (
    "by|von|vom|от|автор|par|por|de|di|da|door|av|af|przez|od|szerző|yazan|gönderen|tekijä|author|"
    "autor|auteur|autore|forfatter|författare|from|user(?:name)?|poster|nick(?:name)?|name|作者|投稿者|名前|글쓴이|"
    "작성자|发帖人|發帖人|楼主"
)
_BY = re.compile(rf"\W*(?:{_POSTED}\s+)?(?:{_BY_WORDS})\s*[:：]?\s*", re.IGNORECASE)
_BY_AND_SPACE = re.compile(rf"{_BY.pattern}(?<=[\s:：])", re.IGNORECASE)
_BEFORE_DATE = re.compile(rf"\W*(?:{_POSTED}\b)?\W*\w{{0,3}}\W*", re.IGNORECASE)  # no "last edited on"
_PREPOSITION = re.compile(
    r"by|von|vom|от|par|por|di|da|door|av|af|przez|od|from", re.IGNORECASE
)  # alone: no name
_BY_WORD = re.compile(rf"(?<![^\W_])(?:{_BY_WORDS})(?![^\W_])", re.IGNORECASE)
_WROTE = (
    r"wrote|writes|said|posted|replied|commented|asked|answered|schrieb|geschrieben|antwortete|"
    r"a écrit|écrit|posté|escribió|dijo|publicó|ha scritto|scritto|scrive|escreveu|disse|schreef|skrev|"
    r"kirjoitti|написала?|писала?|пишет|napisała?|napsala?|je napisa(?:o|la)|yazdı"
)
# Between a name and its date: "anna wrote on 3 May", "anna, am 3.5.2019 um".
_AFTER_NAME = re.compile(
    r"(?:[\s,;·•|/»>\-–—(\[@]|\b(?:on|at|am|um|the|le|il|el|op|den|dne|dnia|em|w|в|a|à|o|"
    rf"{_WROTE})\b(?:\(\w{{1,2}}\))?:?|"
    r"发表于|發表於|发布于|写道|さん|님이?)+$",
    re.IGNORECASE,
)
_NAME_AND_WROTE = re.compile(
    rf"(?P<name>.+?)\s*(?:\b(?:{_WROTE})\b(?:\(\w{{1,2}}\))?|写道)\s*[:：]", re.IGNORECASE
)
# Labels of the author in the heads of messages ("From: anna"), in the languages of common mail programs.
AUTHOR_LABELS = (
    "from|author|sender|von|absender|autor|de|auteur|da|autore|van|afzender|fra|från|от|автор|od|"
    "nadawca|kimden|gönderen|lähettäjä|feladó|差出人|送信者|投稿者|发件人|寄件者|作者|보낸 사람|작성자"
)
_AUTHOR_LABEL = re.compile(rf"\W{{0,3}}(?:{AUTHOR_LABELS})(?:\s?[:：]|$)", re.IGNORECASE)
_MAIL = re.compile(
    r"[<(\[]?[\w.+-]+(?:@| at |\(at\)|\[at\])[\w-]+(?:(?:\.| dot )[\w-]+)+[>)\]]?"
    r"(?:\s*\((?P<name>[^()]{2,40})\))?$"
)
_POST_NUMBER = re.compile(r"(?:no|nr|n°|№|#|post|msg|nummer|numéro)?[.\s#]*\d+$", re.IGNORECASE)
MARKED_NUMBER = re.compile(r"(?:no|nr|n°|№|#|post|msg|nummer|numéro)[.\s#]*\d+$", re.IGNORECASE)
_ACTION = re.compile(
    r"(?<![^\W_])(?:reply|report|quote|respond|answer|like|vote|edit|delete|print|rss|share|subscribe|flag|"
    r"thank|log-?in|sign-?in|register)(?![^\W_])",
    re.IGNORECASE,
)
_START_PAGE = re.compile(r"(?:https?://[^/?#]+)?(?:\./|/)?")
_NAME_HEADINGS = frozenset(("h4", "h5", "h6"))
_HEADINGS = frozenset(("h2", "h3", "h4", "h5", "h6"))
_BETWEEN_PARTS = " \t\n·•|–—»›"  # what a byline puts between its parts
_AROUND_BARE_NAME = " \t\n·•|–—-»›,:#"
_DATE_TAGS = frozenset(("span", "time", "abbr", "small", "em", "i", "font", "a"))
_LINE_END = frozenset(("br", "hr", "div", "p", "ul", "ol", "dl", "table", "small", "h4", "h5", "h6", "img"))
_LISTS = frozenset(("ul", "ol", "dl"))
_SEPARATOR_AT_END = re.compile(r"\s*[·•|–—»,]$")
_PHRASE_TAGS = frozenset(("b", "strong", "span", "em", "i", "cite", "font", "bdi"))
_AROUND_NAMES = _HEADINGS | _PHRASE_TAGS | {"a"}
_DIGIT = re.compile(r"\d")
MAX_NAME = 40  # characters
_MAX_LABEL = 24  # characters
MAX_BYLINE = 110  # characters
_MAX_LABELLED = 5  # texts of an element with a label and a name
_MAX_PANEL = 300  # characters of a cell with a name and what a forum tells about the person


@dataclass(frozen=True, slots=True)
class PostAuthor:
    """A name, the element that shows it and the URL of its profile."""

    element: int
    name: str
    href: str | None


def common_prefix(hrefs: list[str]) -> str:
    """What several URLs begin with; "" when that is not more than a host."""
    distinct = sorted(set(hrefs))
    if len(distinct) < 2:
        return ""
    first, last = distinct[0], distinct[-1]
    length = next(
        (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last))
    )
    prefix = first[:length]
    is_host = "://" in prefix and prefix.count("/") == 3
    return prefix if len(prefix.partition("://")[2] or prefix) > 3 and not is_host else ""


def follows_by(outline: PageOutline, index: int) -> bool:
    """Whether an element shows a name after a word for "by" or "from"."""
    author = author_at(outline, index)
    return author is not None and author.name not in outline.title and is_after_by(outline, author)


def may_follow_by(outline: PageOutline, index: int) -> bool:
    """Whether an element begins with a word for "by", and is no longer than a byline."""
    first = outline.text_from[index]
    begin = outline.segments[first] if first < outline.text_to[index] else ""
    return outline.text_length(index) <= MAX_BYLINE and bool(_BY.fullmatch(begin))


def is_after_by(outline: PageOutline, author: PostAuthor) -> bool:
    """Whether a word for "by" or "author" stands right before a name."""
    first = outline.text_from[author.element]
    own = outline.segments[first] if first < len(outline.segments) else ""
    if own != author.name and _BY_AND_SPACE.match(own):
        return True
    named = read_name_in_dated_line(outline, author.element)
    if named is not None and named.name == author.name:
        return True
    before = outline.segments[first - 1] if first else ""
    return len(before) <= _MAX_LABEL and bool(_BY.fullmatch(before))


def is_called_other(outline: PageOutline, index: int) -> bool:
    """Whether the class of an element says that it shows no name: "user-title", "rank"."""
    return any(
        _NO_PERSON.search(outline.symbols[i].partition(":")[0]) for i in (index, outline.parent[index])
    )


@once_per_page
def _names_shown(outline: PageOutline) -> dict[int, PostAuthor | None]:  # noqa: ARG001 -- one memory a page
    """What `author_at` found on the page so far."""
    return {}


def author_at(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name an element shows, if its text can be a name."""
    known = _names_shown(outline)
    if index not in known:
        known[index] = _read_author(outline, index)
    return known[index]


def bare_author_at(outline: PageOutline, index: int) -> PostAuthor | None:
    """The first bare text of an element that can be a name: a guest's, where those of members are links."""
    for number in range(outline.text_from[index], outline.text_to[index]):
        text = outline.segments[number].strip(_AROUND_BARE_NAME)
        if outline.segment_owner[number] == index and text and not _AFTER_NAME.fullmatch(text):
            author = None if _BY.fullmatch(text) else _author_named(outline, index, text)
            if author and not has_date(text):
                return author
    return None


def bare_name_after_by(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name in a bare text of an element after a word such as "by": "by Guest »"."""
    for number in range(outline.text_from[index], outline.text_to[index]):
        text = outline.segments[number].strip(_AROUND_BARE_NAME)
        by = _BY_AND_SPACE.match(text) if outline.segment_owner[number] == index else None
        if by and by.end() < len(text) and not has_date(text):
            return _author_named(outline, index, text)
    return None


def _read_author(outline: PageOutline, index: int) -> PostAuthor | None:
    return (
        _read_written_name(outline, index)
        or _read_name_of_picture(outline, index)
        or _read_name_before_wrote(outline, index)
        or read_name_in_dated_line(outline, index)
    )


def read_name_in_dated_line(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name in a text with its date: "<a>1.</a> 3 May, 10:11 by Guest", "By anna, 3 May - <a>…</a>"."""
    for number in range(outline.text_from[index], outline.text_to[index]):
        text = outline.segments[number]
        if outline.segment_owner[number] != index or not _may_name_and_date(text):
            continue
        start, end = _place_of_date(text)
        if not end:
            continue
        if _BEFORE_DATE.fullmatch(text, 0, start):
            behind = _BY_AND_SPACE.match(text, end)
            if behind and behind.end() < len(text):
                return _author_named(outline, index, text[behind.end() :])
            if _BY.fullmatch(text, end):
                return _read_next_name(outline, index, number + 1)
        if start and _BY_AND_SPACE.match(text, 0, start):
            return _author_named(outline, index, text)
    return None


def _read_next_name(outline: PageOutline, index: int, number: int) -> PostAuthor | None:
    """The name in the element after a text: "3 May, by <a>anna</a>"."""
    owner = outline.segment_owner[number] if number < outline.text_to[index] else index
    return None if owner == index else _author_named(outline, owner, outline.segments[number])


def _may_name_and_date(text: str) -> bool:
    """Whether a line has a digit and a word such as "by", and is no longer than a byline."""
    return len(text) <= MAX_BYLINE and bool(_DIGIT.search(text) and _BY_WORD.search(text))


def _place_of_date(text: str) -> tuple[int, int]:
    """Where the first date of a line begins and the last one or its time ends; 0 and 0 without a date."""
    found = find_dates(text)
    begin = next((span.start for span in found if span.label == DATE), None)
    return (0, 0) if begin is None else (begin, found[-1].end)


def _read_name_before_wrote(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name in a line with other things: "Posted <i>3 May</i> anna wrote: <a>#3</a> <a>Link</a>"."""
    if outline.text_length(index) > MAX_BYLINE:
        return None
    for number in range(outline.text_from[index], outline.text_to[index]):
        wrote = _NAME_AND_WROTE.fullmatch(outline.segments[number])
        if wrote and outline.segment_owner[number] == index:
            return _author_named(outline, index, wrote["name"])
    return None


def _read_name_of_picture(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name behind a picture with the same name, or before the words that follow such names.

    Examples: "<img alt="anna">anna wrote on <time>…</time>", and "Guest wrote on <time>…</time>" beside it.
    """
    names, words = _names_of_pictures(outline)
    if index in names:
        return _author_named(outline, index, names[index])
    if words and outline.text_to[index] - outline.text_from[index] <= _MAX_LABELLED:
        for number in range(outline.text_from[index], outline.text_to[index]):
            if outline.segment_owner[number] == index and outline.segments[number].endswith(words):
                return _author_named(outline, index, outline.segments[number].removesuffix(words))
    return None


@once_per_page
def _names_of_pictures(outline: PageOutline) -> tuple[dict[int, str], str]:
    """The names that pictures have and bare texts begin with, by element, and the words that follow most."""
    found: dict[int, str] = {}
    words: Counter[str] = Counter()
    for picture, tag in enumerate(outline.tags):
        name = (outline.attribute(picture, "alt") or "").strip() if tag == "img" else ""
        index, behind = outline.parent[picture], outline.text_to[picture]
        if not _LETTER.match(name) or behind == outline.text_to[index]:
            continue
        text = outline.segments[behind]
        if outline.segment_owner[behind] == index and text.startswith(name) and index not in found:
            rest = text[len(name) :]
            if not rest[:1].isalnum():
                found[index] = name
                words[rest] += 1
    rest, count = words.most_common(1)[0] if words else ("", 0)
    return found, rest if 2 * count > words.total() and _LETTER.search(rest) else ""


def _read_written_name(outline: PageOutline, index: int) -> PostAuthor | None:
    first, last = outline.text_from[index], outline.text_to[index]
    if first == last or outline.segment_owner[first] != index:
        return _read_labelled_author(outline, index) or _read_name_behind_list(outline, index)
    name = outline.segments[first]
    if last - first == 2 and _SEPARATOR_AT_END.search(name) and _DIGIT.search(outline.segments[first + 1]):
        name = _SEPARATOR_AT_END.sub("", name)  # "anna · <span>3 May 2019</span>"
    elif last - first > 1 and not _ends_line(outline, index, first):
        if len(name) <= _MAX_LABEL and _BY.fullmatch(name):
            return _read_name_after_label(outline, index, first + 1)
        if MARKED_NUMBER.match(outline.segments[first + 1]):
            return _author_named(outline, index, name)  # "Guest <span>#3</span>"
        if last - first > 3 or not _tells_by(name):
            return None
        name = _AFTER_NAME.sub("", name)  # "by anna on <time>…</time>"
    return _author_named(outline, index, name)


def _read_name_after_label(outline: PageOutline, index: int, number: int) -> PostAuthor | None:
    """The name in an element after a label, as "by <a>anna</a>". Guests stand there without an element."""
    owner = outline.segment_owner[number]
    if owner == index or outline.text_to[owner] != number + 1 or outline.text_to[index] > number + 2:
        return None
    return _author_named(outline, owner, outline.segments[number])


def _ends_line(outline: PageOutline, index: int, first: int) -> bool:
    """Whether the line ends after the first text of an element: "anna<br>Posts: 5"."""
    children = outline.children[index]
    return (
        bool(children)
        and outline.tags[children[0]] in _LINE_END
        and outline.text_from[children[0]] == first + 1
        and (outline.tags[index] != "p" and outline.text_length(index) <= _MAX_PANEL)
    )


def _tells_by(text: str) -> bool:
    return len(text) <= 2 * MAX_NAME and bool(_BY_AND_SPACE.match(text) or _AFTER_NAME.search(text))


def _read_labelled_author(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name after a label or a date: "<b>Author:</b> anna", "<em>From</em>: anna &lt;anna@x.org&gt;"."""
    first, last = outline.text_from[index], outline.text_to[index]
    if not 2 <= last - first <= _MAX_LABELLED:
        return None
    label, text, owner = (
        outline.segments[first],
        outline.segments[first + 1],
        outline.segment_owner[first + 1],
    )
    if len(label) > _MAX_LABEL or outline.text_length(index) > MAX_BYLINE:
        return None
    dated = has_date(label) and (owner == index or outline.parent[owner] == index)
    if not dated and (owner != index or not _BY.fullmatch(label)):
        return None
    if dated:
        return _author_named(outline, owner if owner != index else index, text)
    return _author_named(outline, index, text.lstrip(": \N{FULLWIDTH COLON}").removesuffix("<").strip())


def _read_name_behind_list(outline: PageOutline, index: int) -> PostAuthor | None:
    """The name behind a list of facts about a person: "<ul><li>V.I.P.</li></ul>anna"."""
    children = outline.children[index]
    last = outline.text_to[index] - 1
    if not children or outline.tags[children[-1]] not in _LISTS or outline.segment_owner[last] != index:
        return None
    own = [n for n in range(outline.text_from[index], last + 1) if outline.segment_owner[n] == index]
    if len(own) != 1 or outline.text_length(index) > _MAX_PANEL:
        return None
    return _author_named(outline, index, outline.segments[last])


def _author_named(outline: PageOutline, index: int, text: str) -> PostAuthor | None:
    name = _cut_name(text.strip(_BETWEEN_PARTS))
    if len(name) > MAX_NAME or not _LETTER.search(name) or _NO_NAME.search(name):
        return None
    if _POST_NUMBER.match(name) or _PREPOSITION.fullmatch(name):
        return None
    href = _href_around(outline, index)
    if href and href.startswith(("#", "mailto:")):
        href = None
    return PostAuthor(index, " ".join(name.split()), href)


def _cut_name(text: str) -> str:
    """The name in a text without what stands around it: "Posted by anna on 3 May 2019 at 10:11"."""
    if len(text) > MAX_BYLINE:
        return text
    name = text
    if (mail := _MAIL.search(text)) and mail.start():  # "anna <anna@example.org>"
        name = text[: mail.start()].strip(" \"'")
    elif mail and mail["name"]:
        name = mail["name"]
    elif _DIGIT.search(text) and has_date(text):
        start = next((span.start for span in find_dates(text) if span.label == DATE), 0)
        ahead = text[:start]
        if (after := _AFTER_NAME.search(ahead)) and after.start():
            name = ahead[: after.start()]
    by = _BY_AND_SPACE.match(name)
    if by and by.end() < len(name):
        name = name[by.end() :]
    return name.strip()


def names_person(outline: PageOutline, index: int) -> bool:
    """Whether an element shows a name, and its class, its URL or schema.org markup tell of a person."""
    author = author_at(outline, index)
    if author is None:
        return False
    evidence = [author.href or "", outline.symbols[index], outline.symbols[outline.parent[index]]]
    for _ in range(3):  # schema.org markup may stand one or two elements further out
        evidence.append(outline.attribute(index, "itemprop") or "")
        index = outline.parent[index]
        if index < 0:
            break
    return bool(PERSON_WORDS.search(" ".join(evidence)))


def is_name_in_byline(outline: PageOutline, index: int, dated: Collection[int]) -> bool:
    """Whether an element shows a name in a line that shows a date: "1: <b>anna</b> 2015/03/13 11:10"."""
    tag = outline.tags[index]
    if index in dated or not (
        tag in _PHRASE_TAGS or (tag in _NAME_HEADINGS and _is_no_title(outline, index))
    ):
        return False
    line = outline.parent[index]
    while outline.tags[line] in _AROUND_NAMES and outline.text_length(line) == outline.text_length(index):
        line = outline.parent[line]  # <h4><b>anna</b></h4> <span>3 May 2019</span>
    beside = outline.text_length(line) <= MAX_BYLINE and any(
        i in dated and outline.tags[i] in _DATE_TAGS for i in outline.children[line]
    )
    return (line in dated or beside) and author_at(outline, index) is not None


def _is_no_title(outline: PageOutline, index: int) -> bool:
    return outline.text(index, MAX_NAME) not in outline.title


def may_name_person(outline: PageOutline, index: int) -> bool:
    """Whether an element is a short link whose URL has a number or the text of the link in it."""
    author = author_at(outline, index)
    if author is None or not author.href or author.name in outline.title:
        return False
    path = author.href.partition("://")[2].partition("/")[2] if "://" in author.href else author.href
    may_be = bool(_DIGIT.search(path)) or url_has_name(author)
    return may_be and not is_action(author)


def is_action(author: PostAuthor, page_url: str = "") -> bool:
    """Whether the URL of a link names something to do with a post, or a start page.

    A member may be called as an action is: then the URL ends with the name. With a `page_url`, only the start
    page of its site counts: where names are known to stand, guests name their own sites.
    """
    if not author.href:
        return False
    if _START_PAGE.fullmatch(author.href) and same_site(author.href, page_url):
        return True
    found = _ACTION.search(author.href)
    return found is not None and not author.href.rstrip("/").lower().endswith(author.name.lower())


def _href_around(outline: PageOutline, index: int) -> str | None:
    """The URL of the link that an element is or stands in."""
    for _ in range(4):
        if index < 0 or outline.hrefs[index]:
            break
        index = outline.parent[index]
    return outline.hrefs[index] if index >= 0 else None


def url_has_name(author: PostAuthor) -> bool:
    """Whether the URL has the name in it, as those of profiles often have."""
    bare = re.sub(r"\W", "", author.name).lower()
    return len(bare) > 2 and bare in re.sub(r"\W", "", author.href or "").lower()


_COUNTER = re.compile(r"\d[\d.,]*\s+\D|[^\d:]+:\s*\d[\d.,]*$|\d{1,2}\s?[hH:.]\s?\d{2}(?:\s?[aApP][mM])?$")
_COUNTED = re.compile(r"[\s#№:.]\d")


def are_numbered(authors: dict[int, PostAuthor]) -> bool:
    """Whether texts are counters and times, or differ only in their numbers: "message #10", "5 posts"."""
    names = [author.name for author in authors.values()]
    if 2 * sum(bool(_COUNTER.match(name)) for name in names) > len(names):
        return True
    if len(names) < 2 or not all(_COUNTED.search(name) for name in names):
        return False
    shapes = {re.sub(r"\d+", "#", name) for name in names}
    return len(set(names)) > 1 and 3 * len(shapes) <= 1 + len(set(names))


def is_listed(outline: PageOutline, author: PostAuthor) -> bool:
    """Whether a text without a link is one of several like elements: "V.I.P.", "Posts: 5", "Berlin"."""
    if author.href or outline.parent[author.element] < 0:
        return False
    siblings = outline.children[outline.parent[author.element]]
    symbol = outline.symbols[author.element]
    alike = [outline.text(s, MAX_NAME) for s in siblings if outline.symbols[s] == symbol]
    return sum(bool(text) and not MARKED_NUMBER.match(text) for text in alike) > 1  # "#3" numbers the post


def are_titles(outline: PageOutline, authors: dict[int, PostAuthor]) -> bool:
    """Whether the texts are parts of the page title. A short name may stand in a title by chance."""
    return all(len(author.name) > 12 and author.name in outline.title for author in authors.values())


def name_profile_match(authors: dict[int, PostAuthor]) -> float:
    """1 when each name has one URL and each URL one name; near 0 or below for buttons and permalinks."""
    by_name: dict[str, set[str]] = defaultdict(set)
    by_href: dict[str, set[str]] = defaultdict(set)
    for author in authors.values():
        if author.href:
            by_name[author.name].add(author.href)
            by_href[author.href].add(author.name)
    if not by_name:
        return 0.0
    wrong = sum(len(h) - 1 for h in by_name.values()) + sum(len(n) - 1 for n in by_href.values())
    return max(-1.0, 1.0 - 2 * wrong / len(authors))


def is_called_person(outline: PageOutline, cells: dict[int, int], authors: dict[int, PostAuthor]) -> bool:
    """Whether class names, attributes or the URL of the first cell tell of a person."""
    number = next(iter(authors))
    index = cells[number]
    evidence = [outline.symbols[index], outline.symbols[outline.parent[index]], authors[number].href or ""]
    evidence += [outline.attribute(index, name) or "" for name in ("itemprop", "rel", "class")]
    return bool(PERSON_WORDS.search(" ".join(evidence)))


@once_per_page
def labels_author(outline: PageOutline) -> bool:
    """Whether a line of the page begins with a label of an author, as the heads of messages do."""
    return any(map(_AUTHOR_LABEL.match, lines_of_texts(outline)))


def lines_of_texts(outline: PageOutline) -> list[str]:
    """The texts of a page, those of several lines apart."""
    return "\n".join(outline.segments).split("\n")
