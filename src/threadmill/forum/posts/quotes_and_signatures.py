"""Finds the parts of a post that its author did not write for it: quotes, signatures and edit notes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from threadmill.forum.records.date_columns import ends_as_sentence, has_date
from threadmill.forum.records.page_outline import PageOutline, element_text, once_per_page
from threadmill.types import Quote

_QUOTE_CLASS = re.compile(r"quote|zitat|citat|citação|bbcode_?cit", re.IGNORECASE)
_QUOTABLE_CLASS = re.compile(r"^js|select|to-?quote|can-?quote|quotable|multi", re.IGNORECASE)
# "wrote:" in the languages of the forums seen so far, and what follows it in the header of a quote.
_SAID = (
    r"demiş ki|dedi ki|sagte|a dit|ha detto|disse|zei|sanoi|sagde|powiedziała?|сказала?|řekla?|rekao|rekla|"
    r"írta|mondta|έγραψε|είπε|说|說|書きました|님이 작성"
)
_WROTE_AND_REST = re.compile(
    rf"\s*[,:]?\s*\b(?:{_SAID})\s?[:：].*$|"
    r"\s*[,:]?\s*\b(?:said|wrote|writes|schrieb|hat geschrieben|a écrit|écrit|escribió|dijo|ha scritto|"
    r"escreveu|schreef|skrev|kirjoitti|пишет|писал|написал|napisał|napsal|yazdı|posted|quote|zitat|citation|"
    r"originally)\b.*$|\s*(?:发表于|發表於|寫道|:|↑|»).*$",
    re.IGNORECASE | re.DOTALL,
)
_WROTE = re.compile(
    r"\b(?:said|wrote|writes|schrieb|geschrieben|écrit|escribió|dijo|scritto|escreveu|schreef|skrev|kirjoitti|"
    r"пишет|писала?|написала?|napisała?|napsala?|napisao|yazdı)\b|(?:发表于|發表於|寫道|写道|さんの投稿)",
    re.IGNORECASE,
)
# Usual words of speech too: only a colon at the end of the line makes them a header.
_SAID_AT_END = re.compile(rf"(?<=\w)\s*\b(?:{_SAID})\s?[:：]$", re.IGNORECASE)
_COLON = re.compile(r"[:：](?!\d)")  # that of "10:15" is none
_MAIL_QUOTE = (">", "&gt;")  # quotes in mail, and in boards that grew from mail
_HEADER_ENDS = (":", "：", "...", "…")
_LINE_MARKS = ("> ", ": ")
_HEADER_TAGS = frozenset(
    ("div", "p", "span", "b", "strong", "em", "i", "cite", "dt", "td", "th", "legend", "small")
)
_REFERENCE = re.compile(r"(?:>>\d+[\s,]*)+")
_MARK = "\0"  # no text of a page has it
_MAX_HEADER = 80  # characters: a name, a verb and a date
_MAX_HEADER_INSIDE = 100  # characters of a header that stands inside a quote
_MAX_NAME = 40  # characters
_MAX_LABEL = 20  # characters of a label above a quote: "Quote:", "Zitat:"
_NAME_ATTRIBUTE = re.compile(r"data-(?:\w+-)*(?:author|user-?name|quote|name|member)$")
_QUOTE_LABEL = re.compile(
    r"\W*(?:quote|zitat|citation|citaat|citat|citace|cita|cytat|"
    r"цитата|引用|alıntı|lainaus)\W*$|originally posted by",
    re.IGNORECASE,
)


def find_quotes(outline: PageOutline, body: int, authors: Collection[str] = ()) -> list[int]:
    """The outermost quotes of a body, known by their markup or by a header such as "anna wrote:"."""
    headed = _find_headed_boxes(outline, body, authors)
    found: list[int] = []
    index = body + 1
    while index < outline.end[body]:
        if index in headed or _is_quote(outline, index):
            found.append(index)
            index = outline.end[index]
        else:
            index += 1
    if found and sum(map(outline.text_length, found)) >= outline.text_length(body):
        # A sign alone ends with its line, which HTML does not show: the answer stands in the same paragraph.
        return [index for index in found if index in headed or _is_marked(outline, index)]
    return found


def _is_quote(outline: PageOutline, index: int) -> bool:
    if outline.tags[index] == "blockquote":
        return True
    if outline.tags[index] in {"a", "span", "button", "i", "img", "input"} or outline.text_length(index) < 3:
        # A line of an imageboard: <span class="quote">&gt;what was said</span>
        is_line = outline.tags[index] == "span" and outline.text(index, 8).startswith(_MAIL_QUOTE)
        return is_line and _has_quote_class(outline, index)
    return _is_marked(outline, index) or outline.text(index, 8).startswith(_MAIL_QUOTE)


def _is_marked(outline: PageOutline, index: int) -> bool:
    """Whether the markup or a label calls an element a quote."""
    if outline.tags[index] == "blockquote" or _has_quote_class(outline, index):
        return True
    return _begins_with_label(outline, index)


def is_in_quote(outline: PageOutline, index: int) -> bool:
    """Whether an element stands in a box that its markup calls a quote."""
    return _in_quotes(outline)[index]


@once_per_page
def _in_quotes(outline: PageOutline) -> list[bool]:
    """Whether each element of the page stands in a quote."""
    found: list[bool] = []
    for index, (tag, parent) in enumerate(zip(outline.tags, outline.parent, strict=True)):
        inside = parent >= 0 and found[parent]
        found.append(inside or tag == "blockquote" or _has_quote_class(outline, index))
    return found


def _has_quote_class(outline: PageOutline, index: int) -> bool:
    classes = outline.attribute(index, "class")
    return bool(classes) and _names_quote(classes)


@lru_cache(4096)
def _names_quote(classes: str) -> bool:
    """Whether a class names a quote. "select-to-quote" is a class of bodies that a reader may quote."""
    names = classes.split()
    return any(_QUOTE_CLASS.search(name) and not _QUOTABLE_CLASS.search(name) for name in names)


def _begins_with_label(outline: PageOutline, index: int) -> bool:
    """Whether a box begins with an element that says only "quote" or "originally posted by …"."""
    if outline.tags[index] not in {"div", "table", "fieldset"}:
        return False
    first, last = outline.text_from[index], outline.text_to[index]
    if last - first < 2 or outline.segment_owner[first] == index:
        return False
    return bool(_QUOTE_LABEL.match(outline.segments[first]))


def _find_headed_boxes(outline: PageOutline, body: int, authors: Collection[str]) -> set[int]:
    """The boxes of a body that begin with a line such as "anna wrote:"."""
    found = set()
    for index in range(body + 1, outline.end[body]):
        if outline.tags[index] not in _HEADER_TAGS or not 3 <= outline.text_length(index) <= _MAX_HEADER:
            continue
        if tells_writer(outline.text(index), authors):
            box = _box_of_header(outline, index, body)
            if box is not None:
                found.add(box)
    return found


def tells_writer(line: str, authors: Collection[str]) -> bool:
    """Whether a line is "anna wrote:". A known name and a colon at the end mean that in any language.

    A whole sentence is none: "Somebody wrote about this years ago." Only a date may end it with a full stop.
    """
    wrote = _WROTE.search(line)
    if wrote and wrote.start():
        return has_date(line) or not ends_as_sentence(line)
    if _SAID_AT_END.search(line):
        return True
    return line.endswith(_HEADER_ENDS) and any(
        author and (line.startswith(author) or line[:-1].endswith(author)) for author in authors
    )


def _box_of_header(outline: PageOutline, header: int, body: int) -> int | None:
    """The smallest element that begins with the header and has words after it, with a label above it."""
    box = header
    while outline.text_to[box] == outline.text_to[header]:
        box = outline.parent[box]
        if box <= body or outline.text_from[box] < outline.text_from[header]:
            return None
    while (up := outline.parent[box]) > body:
        more = outline.text_length(up) - outline.text_length(box)
        if more > _MAX_LABEL or outline.text_to[up] != outline.text_to[box]:
            break
        box = up
    return box


def find_quote_intro(outline: PageOutline, quote: int, authors: Collection[str]) -> int | None:
    """The line right above a quote that tells who is quoted: "@anna said:"."""
    siblings = outline.children[outline.parent[quote]]
    above = [child for child in siblings[: siblings.index(quote)] if outline.tags[child] != "br"]
    if not above:
        return None
    line = above[-1]
    adjacent = outline.text_to[line] == outline.text_from[quote]  # no words between the two
    if not adjacent or outline.tags[line] not in _HEADER_TAGS or outline.text_length(line) > _MAX_HEADER:
        return None
    words = outline.text(line)
    ends = words.endswith(":") or outline.tags[line] in {"cite", "legend"}
    return line if ends and tells_writer(words.lstrip("@"), authors) else None


def text_around_quotes(
    outline: PageOutline, body: int, quotes: Sequence[int], without: frozenset[int], authors: Collection[str]
) -> tuple[str, dict[int, str]]:
    """The text of a body without its quotes, and the lines of it that tell who is quoted, by quote.

    Such a line stands right above the quote and is no element of its own: "<b>anna</b> wrote:<br>". Lines
    that only have the number of another post (">>12") are left out as well.
    """
    marks = {quote: f"{_MARK}{number}" for number, quote in enumerate(quotes)}
    lines = element_text(outline, body, without, marks).split("\n")
    kept: list[str] = []
    found: dict[int, str] = {}
    for above, line in pairwise(("", *lines)):
        if not line.startswith(_MARK):
            kept += [] if _REFERENCE.fullmatch(line) else [line]
        elif (
            above.endswith(_HEADER_ENDS)
            and len(above) <= _MAX_HEADER
            and tells_writer(above.lstrip("@"), authors)
        ):
            found[quotes[int(line[len(_MARK) :])]] = kept.pop()
    return "\n".join(kept), found


def split_marked_lines(text: str, others: Sequence[tuple[str, str]]) -> tuple[str, Quote | None]:
    """A text without the lines that begin with the mark of a quote in mail ("> ", ": "), and these lines.

    A command prompt looks like such a mark. It is one where the line above names the author of another post,
    or where another post has these words. `others` are names and texts.
    """
    own: list[str] = []
    quoted: list[str] = []
    name = None
    for line in text.split("\n"):
        if not line.startswith(_LINE_MARKS):
            own.append(line)
            continue
        if not quoted and own and len(own[-1]) <= _MAX_HEADER and (_COLON.search(own[-1]) or len(own) == 1):
            name = max((one for one, _ in others if one and one in own[-1]), key=len, default=None)
            own = own[:-1] if name else own
        quoted.append(line[2:])
    known = name or any(words and words in said for words in quoted for _, said in others)
    return ("\n".join(own).strip(), Quote("\n".join(quoted), name)) if known else (text, None)


def split_repeated_quote(text: str, others: Sequence[tuple[str, str]]) -> tuple[str, Quote | None]:
    """A text without the quote at its begin, where only its words tell that it is one.

    Its first line names somebody, and that person wrote the lines below it in another post of the page: no
    word of any language is needed. A rule may part them from the words below. `others` are names and texts.
    """
    header, _, below = text.partition("\n")
    if len(header) > _MAX_HEADER or not below:
        return text, None
    lines = below.split("\n")
    best = (0, "")
    for name, said in others:
        if name and name in header:
            count = 0
            while count < len(lines) and "\n".join(lines[: count + 1]) in said:
                count += 1
            best = max(best, (count, name))
    count, name = best
    if not count or not any(map(str.isalnum, below)):
        return text, None
    rest = lines[count:]
    while rest and not any(map(str.isalnum, rest[0])):
        rest = rest[1:]
    return "\n".join(rest), Quote("\n".join(lines[:count]), name)


def split_signature(text: str) -> tuple[str, str]:
    """A text without the signature below a rule of underscores at its end, and that signature."""
    rules = list(_SIGNATURE_RULE.finditer(text))
    if not rules or len(text) - rules[-1].end() > _MAX_SIGNATURE:
        return text, ""
    return text[: rules[-1].start()].rstrip(), text[rules[-1].end() :].strip()


def split_edit_note(text: str) -> tuple[str, str]:
    """A text without the edit note in its last line, and that note. It begins with its word and has a date.

    Such a note is no element of its own: "<br>Edited 1 time(s). Last edit at 12/13/2024 by anna."
    """
    words, _, line = text.rpartition("\n")
    edited = EDIT_WORDS.search(line)
    is_note = edited is not None and edited.start() <= _MAX_LABEL and has_date(line)
    return (words.rstrip(), line) if words and is_note else (text, "")


def read_quote(
    outline: PageOutline, index: int, authors: Collection[str], intro: int | None = None, line: str = ""
) -> Quote:
    """The words of a quote and who wrote them.

    `intro` is the element above it, from `find_quote_intro`; `line` the text above it where there is none.
    """
    headers = _find_headers(outline, index) or ([intro] if intro is not None else [])
    header = " ".join(outline.text(part) for part in headers) or outline.attribute(index, "cite") or line
    links = (outline.hrefs[i] for part in headers for i in range(part, outline.end[part]))
    url = next((href for href in links if href), None)
    name = _name_in_markup(outline, index) or _name_in_header(header, authors)
    if not name and (link := _first_link_to_writer(outline, index, authors)) is not None:
        name = outline.text(link, _MAX_NAME).lstrip("@")
        headers, url = [*headers, link], url or outline.hrefs[link]
    left_out = frozenset((*headers, *_find_expand_buttons(outline, index)))
    return Quote(element_text(outline, index, left_out), name or None, url)


def _first_link_to_writer(outline: PageOutline, index: int, authors: Collection[str]) -> int | None:
    """The link a quote begins with, if it names an author of this page or if "wrote" follows it."""
    first = outline.text_from[index]
    if first == outline.text_to[index]:
        return None
    link = outline.segment_owner[first]
    while link > index and not outline.hrefs[link]:
        link = outline.parent[link]
    if link <= index or not 1 < outline.text_length(link) <= _MAX_NAME:
        return None
    after = outline.segments[outline.text_to[link]] if outline.text_to[link] < outline.text_to[index] else ""
    known = outline.text(link, _MAX_NAME).lstrip("@") in authors
    return link if known or _WROTE.match(after) else None


def _find_expand_buttons(outline: PageOutline, index: int) -> Iterator[int]:
    """ "Click to expand" at the end of a quote."""
    last = outline.text_to[index]
    for inner in range(index + 1, outline.end[index]):
        at_end = outline.text_to[inner] == last and outline.text_length(inner) <= 40
        if at_end and "expand" in (outline.attribute(inner, "class") or "").lower():
            yield inner


def _name_in_markup(outline: PageOutline, index: int) -> str | None:
    """The name in an attribute made for it: data-author, data-username and the like."""
    for name, value in outline.elements[index].attrs.items():
        if _NAME_ATTRIBUTE.match(name) and isinstance(value, str) and 0 < len(value) <= 60:
            return value
    return None


def _find_headers(outline: PageOutline, index: int) -> list[int]:
    """The short first elements of a quote, before the quoted words: "Quote:", "anna wrote:"."""
    found: list[int] = []
    while len(found) < 3 and (header := _next_header(outline, index, found)) is not None:
        found.append(header)
    return found


def _next_header(outline: PageOutline, index: int, known: list[int]) -> int | None:
    start = outline.text_to[known[-1]] if known else outline.text_from[index]
    first = outline.end[known[-1]] if known else index + 1
    for inner in range(first, min(outline.end[index], first + 8)):
        length = outline.text_length(inner)
        begins = outline.text_from[inner] == start and outline.text_to[inner] < outline.text_to[index]
        if not begins or not 0 < length <= _MAX_HEADER_INSIDE:
            continue
        if outline.tags[inner] == "cite" or _WROTE_AND_REST.search(outline.text(inner)):
            return inner
    return None


def _name_in_header(header: str, authors: Iterable[str]) -> str:
    header = header.lstrip("@")
    named = [author for author in authors if author and author in header]
    if (
        named
    ):  # the first, because a quote may begin with another one; "Anna-Maria wrote" has "Anna" in it too
        return min(named, key=lambda author: (header.index(author), -len(author)))
    return _WROTE_AND_REST.sub("", header).strip(" :,\n\t") if len(header) <= _MAX_HEADER_INSIDE else ""


_SIGNATURE_NAME = re.compile(r"signat|(?:^|[-_ ])sign?(?:$|[-_ ])", re.IGNORECASE)
_EDIT_CLASS = re.compile(r"edit", re.IGNORECASE)
_MODERATOR_CLASS = re.compile(r"moderat", re.IGNORECASE)  # "This thread was moved": not the author's words
EDIT_WORDS = re.compile(
    r"\bedited\b|\bmodified\b|\bbearbeitet\b|\bgeändert\b|\bmodifi|\bédit|\beditado\b|\bmodificato\b|\bgewijzigd\b|"
    r"редактировал|измен[её]н|编辑|編輯|\bmuokattu\b|\bedytowan|\bupraven|\bdüzenle|\bredigerad\b|\bändrad\b|\beditat\b|\bedit:(?=.{0,40}\d:\d\d)",
    re.IGNORECASE,
)
# phpBB 2 has 17 underscores, UBB 20 dashes, mail two, others three
_SIGNATURE_RULE = re.compile(r"^(?:_{8,}|-{20}|-{2,3})$", re.MULTILINE)
_MAX_SIGNATURE = 400  # characters; forums allow 255 to 500
_MAX_NOTE = 220  # characters of an edit note
_LINE_LABEL = re.compile(r"(?<![^\s|·•,;(])([^\W\d_][^\W_]{0,14}(?: [^\W_]{1,14})?):(?=\s)")
_MIN_LABELS = 2  # of a line about the author: "Posts: 248 | Registered: Mar 2012 | IP: Logged"
_NEARLY_ALL = 0.8  # of the posts have it
_COMPARED = 300  # characters of an ending that are compared with other posts of the author


def begins_as_quote_or_note(text: str) -> bool:
    """Whether the begin of a box tells who is quoted or who changed the post: "anna wrote:", "Edited by"."""
    edited = EDIT_WORDS.search(text)
    if _QUOTE_LABEL.match(text) or (edited and edited.start() <= _MAX_LABEL):
        return True
    wrote = _WROTE.search(text)
    return bool(wrote and wrote.start() and _COLON.search(text, wrote.end()))


def find_signatures_and_notes(
    outline: PageOutline, bodies: dict[int, int], authors: dict[int, str], members: Sequence[Sequence[int]]
) -> tuple[dict[int, int], dict[int, int]]:
    """The signature and the edit note of each record, inside its body or after it."""
    signatures = _find_lines_about_authors(outline, bodies)
    notes: dict[int, int] = {}
    endings = _count_endings(outline, bodies, authors)
    for number, body in bodies.items():
        for index in range(body + 1, outline.end[body]):
            if is_named_signature(outline, index):
                signatures.setdefault(number, index)
            elif _is_edit_note(outline, index, body):
                notes.setdefault(number, index)
        if number not in signatures:
            ending = _find_repeated_ending(outline, body, endings[authors.get(number, "")])
            if ending is not None:
                signatures[number] = ending
        for index in _elements_after(outline, body, members[number]):
            if number not in signatures and is_named_signature(outline, index):
                signatures[number] = index
            elif number not in notes and is_edit_note_alone(outline, index):
                notes[number] = index
    return signatures, notes


def _find_lines_about_authors(outline: PageOutline, bodies: dict[int, int]) -> dict[int, int]:
    """The last element of each body, if nearly all have the same labels: "Posts:", "Registered:"."""
    last = {number: outline.children[body][-1] for number, body in bodies.items() if outline.children[body]}
    labels = {
        number: set(_LINE_LABEL.findall(outline.text(index)))
        for number, index in last.items()
        if outline.text_length(index) <= _MAX_NOTE
        and outline.text_to[index] == outline.text_to[bodies[number]]
    }
    counts = Counter(label for found in labels.values() for label in found)
    usual = {label for label, count in counts.items() if count > 1 and count >= _NEARLY_ALL * len(bodies)}
    if len(usual) < _MIN_LABELS:
        return {}
    return {number: last[number] for number, found in labels.items() if usual <= found}


def _count_endings(
    outline: PageOutline, bodies: dict[int, int], authors: dict[int, str]
) -> dict[str, Counter[str]]:
    """How many posts of each author end with a text: the last two elements of a body count."""
    endings: dict[str, Counter[str]] = defaultdict(Counter)
    for number, body in bodies.items():
        last = [child for child in outline.children[body][-2:] if outline.text_length(child) > 3]
        # A text counts once for each post: an author may say a thing twice in a row.
        endings[authors.get(number, "")].update({outline.text(child, _COMPARED) for child in last})
    return endings


def _find_repeated_ending(outline: PageOutline, body: int, endings: Counter[str]) -> int | None:
    """The last element of a body, if other posts of the author end with it and the body has other words."""
    children = outline.children[body]
    if not children:
        return None
    last = children[-1]
    quoted = sum(outline.text_length(quote) for quote in find_quotes(outline, body) if quote != last)
    own = outline.text_length(body) - outline.text_length(last) - quoted
    # A paragraph may be a phrase the author likes.
    paragraph = any(outline.symbols[child] == outline.symbols[last] for child in children[:-1])
    needed = 3 if paragraph or outline.tags[last] == "p" else 2
    is_last_text = outline.text_to[last] == outline.text_to[body]
    return last if own > 0 and is_last_text and endings[outline.text(last, _COMPARED)] >= needed else None


def _elements_after(outline: PageOutline, body: int, members: Sequence[int]) -> Iterator[int]:
    """The elements of a record after its body that have text."""
    return (index for index in members if index >= outline.end[body] and outline.text_length(index) > 0)


def _names_of(outline: PageOutline, index: int) -> str:
    """All names that the markup gives an element."""
    names = (outline.attribute(index, name) or "" for name in ("class", "id", "data-role"))
    return " ".join(names)


def is_named_signature(outline: PageOutline, index: int) -> bool:
    """Whether the markup calls an element a signature."""
    return bool(_SIGNATURE_NAME.search(_names_of(outline, index)))


def is_edit_note_alone(outline: PageOutline, index: int) -> bool:
    """Whether an element outside a body is an edit note: a few words with a number."""
    text = outline.text(index, _MAX_NOTE + 20)
    short = len(text) <= _MAX_NOTE and outline.tags[index] not in {"a", "button", "li"}
    return short and any(c.isdigit() for c in text) and bool(EDIT_WORDS.search(text))


def _is_edit_note(outline: PageOutline, index: int, body: int) -> bool:
    """Whether an element at the begin or end of a body is an edit note, or a note of a moderator."""
    length = outline.text_length(index)
    if not 0 < length <= _MAX_NOTE or outline.tags[index] in {"a", "br"}:
        return False
    at_end = outline.text_to[index] >= outline.text_to[body] - 3
    if not at_end and outline.text_from[index] != outline.text_from[body]:
        return False
    if _MODERATOR_CLASS.search(outline.symbols[index]):
        return True
    text = outline.text(index)
    named = bool(_EDIT_CLASS.search(outline.symbols[index]))
    return (named or any(c.isdigit() for c in text)) and bool(EDIT_WORDS.search(text))
