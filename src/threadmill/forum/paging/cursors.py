"""Finds the next page by cursors and words where no numbers lead on; tells which URLs are of one thread."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

from threadmill.forum.link_urls import (
    FILE_ENDING,
    absolute_url,
    changed_parameter,
    differing_fields,
    is_back,
    is_marked_step,
    is_next,
    is_step,
    is_unnamed,
    names_file,
    names_page,
    names_page_or_offset,
    names_service_page,
    names_thread,
    number_slots,
    only_names,
    same_site,
    says_next,
    strip_session,
    url_fields,
)
from threadmill.forum.records.page_outline import PageOutline

TITLE = re.compile(r"[^\W\d_]{2,}[-_+ ](?:[^\W_]+[-_+ ])*[^\W\d_]{2,}")  # two words: another thread
# A cursor has a digit, or it is a code with letters of both cases. A plain word such as "nextoldest" is a
# command that leads to another thread.
_CURSOR_VALUE = re.compile(r"\d|^(?=.*[a-z])(?=.*[A-Z])[\w\-=%.]{8,}$")
PAGE_WORD = re.compile(
    r"\bpages?\b|seite|página|pagina|страниц|стор[іи]нк|页|頁|ページ|페이지|쪽|\bsidan?\b|\bside\b|stron[aęy]|sayfa|sivu|"
    r"strán?k|oldal|halaman|صفحة",
    re.IGNORECASE,
)
# "Page 1 of 3", "Sayfa 1 / 3", "第 1 页，共 3 页": the number of this page and that of all pages.
_PAGE_OF_PAGES = re.compile(
    r"(?<!\d)(\d{1,5})\W{0,3}(?:/|[^\W\d_]{1,8}(?:\W{1,3}[^\W\d_]{1,8})?)\W{0,3}(\d{1,5})\W*(?:[^\W\d_]{1,6}\W*)?$"
)
_MAX_COUNT = 40  # characters of such a text
_MAX_PAGER = 80  # characters of the text and the links beside it
_MAX_PAGER_LINKS = 6  # to the first, previous, next and last page, and two more
_HEAD = re.compile(r"[^\W\d_]+[-_.:]")  # "from-" of "from-dGhyZWFk"
# Words of links that lead to younger threads, so back to the beginning of a list.
_NEWER = re.compile(
    r"\b(?:newer|newest|later|neuere|jüngere|nieuwere|récent|reciente|recent[ei]|nuov[io]|nowsze|novější|nyare|nyere|"
    r"uudemmat|yeni|novij|novost)\w*|новые|новее|нови|新しい|较新|更新|최신|새로운",
    re.IGNORECASE,
)
# A cursor behind the URL of page one, with the words before it: "-from-e3779b16", ",from,cG9zdDox".
_WORDS_AND_CURSOR = re.compile(r"((?:[-/,;._][^\W\d_]+)+[-/,;._=])[^/?&#,;]+")
_SEPARATOR = re.compile(r"[-/,;._]")
_WORD_BEFORE = re.compile(r"[-/,;._][^\W\d_]+[-/,;._=]")
# Behind a single letter it must be a code or a number: "-c447494f3".
_LETTER_AND_CODE = re.compile(
    r"([-/,;._][a-z])(?:\d+|(?=[a-f]*\d)[\da-f]{6,}|(?=[^\W_]*[A-Z])(?=[^\W_]*\d)[^\W_]{6,})"
)
_CURSOR_WORD = re.compile(r"(?:after|before|cursor|since|until|next|older)[-/,;._=]$", re.IGNORECASE)
_NUMBER_OR_ARROW = re.compile(r"\W*(\d{0,5})\W*")
_NUMBER_BEHIND_NAME = re.compile(r"[-_.,]\d")
# The ID of a thread has three digits or more. Page numbers have fewer, and a year is no ID.
_LONG_NUMBER = re.compile(r"(?<!\d)(?!(?:19|20)\d\d(?!\d))\d{3,}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_FILE_ENDING = re.compile(r"\.[a-z]{3,5}$", re.IGNORECASE)
_PAGE_BEHIND = re.compile(r"[-_.,](?:[a-z]{1,5}[-_.,]?)?(\d+)$", re.IGNORECASE)  # "-2", "-c153", "-from-111"
_LAST_SEPARATOR = re.compile(r"[-_.,:;/](?=[^-_.,:;/]*$)")
_PAGE_LETTER = re.compile(r"(?:p|pg|page|s|c)(?=\d+$)", re.IGNORECASE)  # "p" of "p3"
_PAGE_WORD = re.compile(r"[^\W\d_]+[-_.:](?=\w+$)")  # "from-" of "from-388"
_DIGITS = re.compile(r"\d+")
_MAX_LINK_TEXT = 12  # characters of a number or an arrow


def find_next_of_list(outline: PageOutline, url: str, links: list[tuple[int, str]]) -> str | None:
    """The link of a list that says "next" or "older", whatever its URL: lists lead to no next thread.

    The start page of a forum may have another URL than the list that it shows: "/" and "/latest?page=2".
    """
    for says_so in (is_next, is_step):
        found = {
            target
            for index, href in links
            if says_so(outline, index)
            and not is_back(outline, index)
            and not _is_newer(outline, index)
            and (target := absolute_url(outline.base, href))
            and target != url
            and same_site(target, url)
            # A name may begin like "more": "mehrant". "/search?before=12" may be the second page of the list.
            and (not names_service_page(target) or is_marked_step(outline, index))
            and (may_be_cursor(url, target) or _differs_in_cursor(url, target))
        }
        if len(found) == 1:
            return found.pop()
    return None


def find_next_beside_count(
    outline: PageOutline,
    url: str,
    links: Sequence[tuple[int, str]],
    avoid: Sequence[tuple[int, int]] = (),
) -> tuple[int, int, str | None] | None:
    """The number of this page, the number of pages, and the next page by a pager that says "page 1 of 3".

    The link with an arrow beside these words leads on. So does a single link of page 1 in their element.
    """
    for place, text in enumerate(outline.segments):
        found = _PAGE_OF_PAGES.search(text) if len(text) <= _MAX_COUNT and PAGE_WORD.search(text) else None
        owner = outline.segment_owner[place]
        if found is None or outline.in_link[owner] or any(start <= owner < end for start, end in avoid):
            continue
        number, pages = int(found[1]), int(found[2])
        if not 1 <= number <= pages or pages == 1:
            continue
        beside = _links_beside(outline, owner, links)
        leads_on = [
            href for index, href in beside if is_next(outline, index) and not is_back(outline, index)
        ] or [href for index, href in beside if number == len(beside) == 1 and outline.is_under(index, owner)]
        targets = (absolute_url(outline.base, href) for href in leads_on if number < pages)
        onward = next((one for one in targets if one and one != url and same_site(one, url)), None)
        return number, pages, onward
    return None


def _links_beside(
    outline: PageOutline, index: int, links: Sequence[tuple[int, str]]
) -> list[tuple[int, str]]:
    """The links in the smallest element around a short text that has some. Empty if there are too many."""
    while index >= 0 and outline.text_length(index) <= _MAX_PAGER:
        beside = [link for link in links if index < link[0] < outline.end[index]]
        if beside:
            return beside if len(beside) <= _MAX_PAGER_LINKS else []
        index = outline.parent[index]
    return []


def _is_newer(outline: PageOutline, index: int) -> bool:
    """Whether a link says "newer"."""
    return bool(_NEWER.search(outline.text(index, 60) or outline.attribute(index, "title") or ""))


def _differs_in_cursor(url: str, target: str) -> bool:
    """Whether the URL of another page of a list differs in one field only, which page one may lack.

    Its value may be anything, even the title of a thread: "?from=chain-slips", "/from-dGhyZWFk".
    """
    names = differing_fields(url, target)
    if len(names) != 1:
        return False
    name = names.pop()
    mine, theirs = url_fields(url).get(name, ""), url_fields(target).get(name, "")
    head = _HEAD.match(theirs)
    if not theirs or not (head or not is_unnamed(name)):
        return False
    return not mine or not is_unnamed(name) or bool(head and mine.startswith(head[0]))


def may_be_cursor(url: str, target: str) -> bool:
    """Whether a URL differs in a value that may be a page or a cursor, and in no title."""
    values = [url_fields(target).get(name, "") for name in differing_fields(url, target)]
    return any(map(_CURSOR_VALUE.search, values)) and not any(map(TITLE.search, values))


def find_appended(first: str, later: str) -> tuple[str, str] | None:
    """What stands before a cursor that is appended to the URL of page one, and what stands behind both.

    "t-12.html" and "t-12-from-e3779b16.html" give "-from-" and ".html". None if no cursor is appended.
    """
    ending = FILE_ENDING.search(first)
    tail = ending[0] if ending and later.endswith(ending[0]) else ""
    stem, longer = first.removesuffix(tail).rstrip("/"), later.removesuffix(tail)
    mark = mark_of_cursor(longer[len(stem) :]) if longer.startswith(stem) else ""
    return (mark, tail) if mark else None


def mark_of_cursor(part: str) -> str:
    """What stands before the cursor in the part of a URL that page one lacks. Empty if it has no cursor."""
    if found := _LETTER_AND_CODE.fullmatch(part):
        return found[1]
    if not _WORDS_AND_CURSOR.fullmatch(part):
        return ""
    words = [match.end() for match in re.finditer(r"(?<=[^\W\d_])[-/,;._=]", part)]
    named = [end for end in words if names_cursor(part[:end])]  # "/index-from-" of "/index-from-e37"
    return part[: (named or words)[0]]


def is_next_by_cursor(url: str, target: str) -> bool:
    """Whether a URL differs from that of this page in an appended cursor alone, which page one lacks.

    The word before the cursor names a page, or the cursor has a letter before it and stands behind an ID:
    "t-12" and "t-13" are two threads.
    """
    stem, mark, _ = _split_appended(target)
    if not mark or not (names_cursor(mark) or re.search(r"\d", stem.rpartition("/")[2])):
        return False
    mine, own, _ = _split_appended(url)
    if find_appended(url, target) is not None:
        return True
    return bool(own) and (mine, own) == (stem, mark)


def names_cursor(mark: str) -> bool:
    """Whether the word before a value tells that it is a page, an offset or a cursor: "page=", "before="."""
    return names_page_or_offset(mark) or bool(_CURSOR_WORD.search(mark))


def _split_appended(url: str) -> tuple[str, str, str]:
    """A URL with a cursor at its end: what stands before it, its mark and its tail. Else the URL alone."""
    ending = FILE_ENDING.search(url)
    tail = ending[0] if ending else ""
    longer = url.removesuffix(tail)
    places = [match.start() for match in _SEPARATOR.finditer(longer)]
    for place in reversed(places):
        word = _WORD_BEFORE.match(longer, place)
        if word and names_cursor(word[0]) and _CURSOR_VALUE.search(value := longer[word.end() :]):
            # A title may have the same words: "noise-from-the-kitchen-12".
            return (longer[:place], word[0], tail) if not TITLE.search(value) else (url, "", tail)
    letter = _LETTER_AND_CODE.fullmatch(longer, places[-1]) if places else None
    return (longer[: places[-1]], letter[1], tail) if letter else (url, "", tail)


def find_cursor(
    outline: PageOutline, url: str, links: Sequence[tuple[int, str]], *, is_list: bool = False
) -> tuple[str | None, str | None]:
    """The next and the previous page, by links that say "older", "newer" or "more".

    Such a link counts only if its URL differs from the URL of this page in one parameter: `?before=991`,
    `?after=t3_x`. On page one every such link leads forward. Later pages also have one that leads back.
    """
    steps: dict[str, list[str]] = defaultdict(list)  # place of the cursor → URLs that differ in it
    back: list[str] = []
    for index, href in links:
        target = absolute_url(outline.base, href) if is_step(outline, index) else None
        if not target or target == url or (not is_list and names_thread(outline, index)):
            continue
        if names_service_page(target) and not is_marked_step(outline, index):
            continue  # "new topic" is a page for writing
        place, leads_back = _cursor_place(url, target)
        if leads_back or (is_list and _is_newer(outline, index)):
            back.append(target)
        elif place:
            steps[place].append(target)
    return _choose_steps(steps, back[0] if back else None, url)


def _cursor_place(url: str, target: str) -> tuple[str, bool]:
    """Where a URL has a cursor that this page lacks or has otherwise, and whether it is page one instead.

    The place is the name of a parameter, or what stands before a number: "http://a/forum-2-c".
    """
    if is_next_by_cursor(url, target):
        stem, mark, _ = _split_appended(target)
        return stem + mark, False
    if find_appended(target, url) is not None and is_next_by_cursor(target, url):
        return "", True
    name = changed_parameter(url, target)
    if name and not is_unnamed(name):
        value = url_fields(target).get(name)
        if value is None:
            return "", True
        return (name if _CURSOR_VALUE.search(value) else ""), False
    for slot, _ in number_slots(url):
        if slot.is_first(target):
            return "", True
    for slot, _ in number_slots(target):
        if slot.is_first(url) or slot.number_in(url) is not None:
            return slot.before, False
    return "", False


def _choose_steps(steps: dict[str, list[str]], back: str | None, url: str) -> tuple[str | None, str | None]:
    for name, found in steps.items():
        targets = list(dict.fromkeys(found))
        has_value = name in url_fields(url) or url.startswith(name)
        names_thread_itself = only_names(url, name) and not names_cursor(f"{name}=")
        if has_value and back is None and (names_thread_itself or _is_first_number(url, name)):
            continue  # the only value names the thread itself: these links lead to other threads
        if len(targets) == 1:
            return targets[0], back
        if len(targets) == 2 and has_value:  # one forward, one back: the link back stands first
            return targets[1], targets[0]
    return None, back


def _is_first_number(url: str, before: str) -> bool:
    """Whether a number of a URL, by what stands before it, is the first one of its path and query.

    A number that is called a page or an offset is none: the thread before it is named by words alone.
    """
    if names_page_or_offset(before):
        return False
    return url.startswith(before) and not any(slot.before != before for slot, _ in number_slots(before + "0"))


def ends_with_page(
    outline: PageOutline, url: str, number: int, read: Collection[str], is_known: Callable[[str], bool]
) -> bool:
    """Whether no link of page `number` of a list may lead to a later page of the list at `url`.

    Such a link shows a number or an arrow, or its URL is that of the list and more. Links that are known to
    lead to threads or boards are none, and those to pages that were read are none. A broad pattern of boards
    fits later pages of lists too: a link that says "next" leads on, if its URL may be that of such a page.
    """
    seen = {strip_session(one) for one in read} | {strip_session(url)}
    return not any(
        (is_next(outline, index) and may_be_pages_of_one_thread(url, target))
        or (not is_known(target) and _may_lead_on(outline, index, url, target, number))
        for index, href in enumerate(outline.hrefs)
        if href
        and (target := absolute_url(outline.base, href)) is not None
        and strip_session(target) not in seen
        and same_site(target, url)
        and not names_service_page(target)
        and not names_file(target)
    )


def _may_lead_on(outline: PageOutline, index: int, url: str, target: str, number: int) -> bool:
    text = outline.text(index, _MAX_LINK_TEXT).strip()
    if not text and is_next(outline, index) and not is_back(outline, index):
        return True  # an icon
    shown = _NUMBER_OR_ARROW.fullmatch(text) if text else None
    if shown:
        return not shown[1] or int(shown[1]) > number
    mine, theirs = url_fields(url), url_fields(target)
    own = {name: value for name, value in mine.items() if value}
    return len(theirs) > len(own) > 0 and all(theirs.get(name) == value for name, value in own.items())


def find_next_by_words(outline: PageOutline, url: str, links: list[tuple[int, str]]) -> str | None:
    """A link that says "next" and whose URL differs from this one in a single value: a page or a cursor."""
    for index, href in links:
        if not says_next(outline.text(index, 60)):
            continue
        target = absolute_url(outline.base, href)
        if target is None or target == url:
            continue
        if _continues_path(url.partition("?")[0], target.partition("?")[0]) or is_next_by_cursor(url, target):
            return target
        name = changed_parameter(url, target)
        if not name or (only_names(url, name) and not names_cursor(f"{name}=")):
            continue  # the only parameter names the thread itself: this is the next thread
        if may_be_cursor(url, target):
            return target
    return None


def _continues_path(path: str, other: str) -> bool:
    """Whether another path has the last word of this one and a number: "a/HIT.html", "b/HIT_101.html"."""
    word = path.rpartition("/")[2].partition(".")[0]
    piece = other.rpartition("/")[2]
    return len(word) > 2 and piece.startswith(word) and bool(_NUMBER_BEHIND_NAME.match(piece[len(word) :]))


def may_be_pages_of_one_thread(url: str, target: str) -> bool:
    """Whether two URLs can be pages of one thread or board: they differ in a number, not in words."""
    if not url or not target or is_next_by_cursor(url, target):
        return True
    path, other_path = url.partition("?")[0], target.partition("?")[0]
    mine, theirs = url_fields(url), url_fields(target)
    if path.rstrip("/") == other_path.rstrip("/"):
        # A value without a name that differs is another thread: "?1,1003", "?1,1005". "from-9" is a page.
        unnamed = [name for name in mine if name[0] == "?" and mine[name] and mine[name] != theirs.get(name)]
        if any(
            not _continues_last(name, mine, theirs) and not _is_continued(mine[name], theirs.get(name, ""))
            for name in unnamed
        ):
            return False
        changed = [theirs[name] for name in theirs if name[0] != "/" and theirs[name] != mine.get(name)]
        return not changed or any(character.isdigit() for value in changed for character in value)
    if not _differ_in_number(url, target):
        # "t=106.html" and "t=106&view=next.html"
        return _differ_in_cursor(path, other_path)
    folder, _, piece = path.rpartition("/")
    other_folder, _, other_piece = other_path.rpartition("/")
    continued = folder == other_folder and _is_continued(piece, other_piece)
    shared_ids = set(_LONG_NUMBER.findall(path)) & set(_LONG_NUMBER.findall(other_path))
    continued = continued or _differ_in_cursor(path, other_path)
    if continued or shared_ids or other_path.startswith(path.rstrip("/")):
        return True
    if _DIGITS.sub("0", path) != _DIGITS.sub("0", other_path):
        return False
    places = [match.start() for match in _DIGITS.finditer(path) if not _YEAR.fullmatch(match[0])]
    # The only number of a URL is the ID of the thread, unless it is called a page.
    return len(places) > 1 or bool(places and names_page(path[: places[0]]))


def _is_continued(one: str, other: str) -> bool:
    """Whether two values have a word or ID in common, and differ in a number behind it: "t-18", "t-18-c153".

    What they have in common ends with the ID: "thread-143" and "thread-144" are two threads.
    """
    ending = _FILE_ENDING.search(one)
    if ending and other.endswith(ending[0]):
        one, other = one.removesuffix(ending[0]), other.removesuffix(ending[0])
    if one != other and other.startswith(one):
        return bool(_PAGE_BEHIND.fullmatch(other[len(one) :]))
    mine, theirs = _PAGE_BEHIND.search(one), _PAGE_BEHIND.search(other)
    if not mine or not theirs or one[: mine.start(1)] != other[: theirs.start(1)]:
        return False
    shared = one[: mine.start(1)]
    return bool(_DIGITS.search(shared)) or names_page_or_offset(shared)


def _continues_last(name: str, mine: Mapping[str, str], theirs: Mapping[str, str]) -> bool:
    """Whether the last value of a query names a page by a word before its number: "a.46/from-9".

    What stands before it names the thread: it has a number too, unless the word surely names a page.
    """
    unnamed = [one for one in mine if one[0] == "?"]
    head = _PAGE_WORD.match(mine[name]) or _PAGE_LETTER.match(mine[name])
    before = [mine[one] for one in unnamed[:-1]]
    return bool(
        head
        and name == unnamed[-1]
        and theirs.get(name, "").startswith(head[0])
        and (any(map(_DIGITS.search, before)) or (before and names_page_or_offset(_number_cut(mine[name]))))
    )


def _number_cut(value: str) -> str:
    """A value without the number at its end."""
    return value.rstrip("0123456789")


def _differ_in_cursor(one: str, other: str) -> bool:
    """Whether two paths differ behind a word for a page alone: "t,dGhy,from,cG9zdA", "t,dGhy,from,dGhyZQ"."""
    start = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    cut = _LAST_SEPARATOR.search(one[:start])
    return cut is not None and names_page_or_offset(one[: cut.end()])


def _differ_in_number(one: str, other: str) -> bool:
    """Whether the part in which two URLs differ has a digit."""
    start = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    rest, other_rest = one[start:], other[start:]
    while rest and other_rest and rest[-1] == other_rest[-1]:
        rest, other_rest = rest[:-1], other_rest[:-1]
    return any(map(str.isdigit, rest + other_rest))
