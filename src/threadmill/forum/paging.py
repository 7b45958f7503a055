"""How a page's siblings are called: next, previous, first, last, page k, from the number that differs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd
from urllib.parse import unquote

from threadmill.forum.addresses import Slot, absolute, clean, same_site, slots
from threadmill.forum.cursors import find_cursor, is_step, parameters
from threadmill.forum.outline import Outline

_COUNT = re.compile(r"^\W*(\d{1,6})\W*$")
# Words for "next" and "previous" are weak evidence: they only count when the address agrees.
_NEXT = re.compile(
    r"^\W*(?:next|weiter|nächste|suivant|siguiente|próxim|success?iv|volgende|далее|след|вперед|下一|下页|次|다음|"
    r"sonraki|następn|další|seuraava|nästa|neste|urm|selanjutnya|berikutnya|بعد)\w*(?:\W+\w+){0,2}\W*$",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"^\W*(?:prev|first|zurück|vorherig|erste|précéd|premi|anterior|primer|preced|prima|vorige|eerste|назад|пред|перв|"
    r"上一|首页|前|이전|처음|önceki|ilk|poprzed|pierwsz|předch|prvn|edellin|föreg|forrige|prethod)\w*\W*$",
    re.IGNORECASE,
)
_BACK_NAME = re.compile(r"(?:^|[-_ ])(?:prev|previous|first)(?:$|[-_ ])")
_ARROW_BACK = frozenset(("‹", "«", "<", "<<", "←", "≪", "◀", "⟨"))
_LONE_PAGER = 40  # characters of "Pages: 1 2" and the like
_NEXT_NAME = re.compile(r"(?:^|[-_ ])next(?:$|[-_ ])")
_PAGE_NAME = re.compile(r"(?<![a-z])(?:p|pg|page|pageno|seite|pagina|sivu)[-=/]?$", re.IGNORECASE)
_OFFSET_NAME = re.compile(r"(?<![a-z])(?:start|offset|from|skip)[-=/]?$", re.IGNORECASE)
_ARROW_NEXT = frozenset(("›", "»", ">", ">>", "→", "≫", "▶", "⟩"))
_DIGITS = re.compile(r"\d+")
# A thread's own number; pages have fewer digits, and a year names no thread.
_LONG_NUMBER = re.compile(r"(?<!\d)(?!(?:19|20)\d\d(?!\d))\d{3,}")
_MAX_LINKS = 4000
_MAX_SHOWN = 12  # words of a pager's link
_MOST_A_PAGE = (
    500  # rows or posts; engines let their owners set 10 to 200, a larger first step is a post's number
)


@dataclass(frozen=True, slots=True)
class Paging:
    """Where a page stands among its siblings."""

    number: int | None = None  # of this page, from 1
    count: int | None = None  # pages that the page knows of
    next: str | None = None
    previous: str | None = None
    first: str | None = None
    last: str | None = None
    slot: Slot | None = None
    step: int = 1  # what the number grows by from page to page
    start: int = 1  # the number of page 1

    def url_of(self, page: int) -> str | None:
        """The address of page k, where it can be computed."""
        if page == 1 and self.first:
            return self.first
        return self.slot.fill(self.start + self.step * (page - 1)) if self.slot else None


_Addresses = list[tuple[str, float]]  # what this page is called, with how much that is believed


@dataclass(frozen=True, slots=True)
class _Entry:
    element: int
    number: int
    label: int | None
    url: str  # as linked, session id and all


@dataclass(frozen=True, slots=True)
class _Line:
    step: int
    start: int

    def page(self, number: int) -> int | None:
        page, rest = divmod(number - self.start, self.step)
        return page + 1 if rest == 0 and page >= 0 else None


def find_paging(outline: Outline, avoid: Sequence[tuple[int, int]] = ()) -> Paging:
    """The paging of a page; links inside the ranges to avoid (records) do not count."""
    url = clean(outline.tree.url)
    related = _related(outline)
    open_links = _open_links(outline, avoid)
    groups = _groups(outline, url, open_links)
    backs = _back_links(outline, open_links, related)
    for slot, _ in slots(ordered(url)):  # the last page of two may link to nothing but page one
        if any(slot.is_first(ordered(back.url)) for back in backs):
            groups.setdefault(slot, [])
    best: tuple[float, Paging] | None = None
    for slot, entries in groups.items():
        judged = _judge(outline, url, slot, entries, backs, related)
        if judged and (best is None or judged[0] > best[0]):
            best = judged
    if best:
        return best[1]
    forward, back = related.get("next"), related.get("prev") or related.get("previous")
    if forward is not None and not same_thing(url, forward):
        forward = None  # the next thread or article, not the next page of this one
    if forward is None:
        forward = _lone_next(outline, url, open_links)
    if forward is None:
        forward, behind = find_cursor(outline, url, open_links)
        back = back or behind
    return Paging(next=forward, previous=back, first=related.get("first"), last=related.get("last"))


def same_thing(url: str, target: str) -> bool:
    """Whether two addresses can be pages of one thing: they differ by a number or a cursor, not by words."""
    if not url or not target:
        return True
    path, _, query = url.partition("?")
    other_path, _, other_query = target.partition("?")
    mine, theirs = _parameters(query), _parameters(other_query)
    if path.rstrip("/") == other_path.rstrip("/"):
        changed = [theirs[name] for name in theirs if theirs[name] != mine.get(name)]
        return not changed or any(character.isdigit() for value in changed for character in value)
    named = [number for number in _LONG_NUMBER.findall(path) if number in _LONG_NUMBER.findall(other_path)]
    if named or other_path.startswith(path.rstrip("/")):
        return True
    if _DIGITS.sub("0", path) != _DIGITS.sub("0", other_path):
        return False
    places = [m.start() for m in _DIGITS.finditer(path)]
    # The only number of an address names the thing itself, unless it is called a page.
    return len(places) > 1 or bool(places and _PAGE_NAME.search(path[: places[0]]))


def _related(outline: Outline) -> dict[str, str]:
    """What <link rel> and <a rel> say of next and previous."""
    found: dict[str, str] = {}
    for tag in ("link", "a"):
        for element in outline.tree.document.iter_elements(tag):
            rel = element.attr("rel")
            href = element.attr("href")
            if not rel or not href:
                continue
            for word in rel.lower().split():
                if word in {"next", "prev", "previous", "first", "last", "canonical"}:
                    url = absolute(outline.base, href)
                    if url:
                        found.setdefault(word, url)
    return found


def _open_links(outline: Outline, avoid: Sequence[tuple[int, int]]) -> list[tuple[int, str]]:
    """The links outside the ranges to avoid; of very many the first and last ones, where pagers stand."""
    inside = bytearray(len(outline))
    for start, end in avoid:
        inside[start:end] = b"\x01" * (end - start)
    links = [(index, href) for index, href in enumerate(outline.hrefs) if href and not inside[index]]
    return links if len(links) <= _MAX_LINKS else links[: _MAX_LINKS // 2] + links[-_MAX_LINKS // 2 :]


def _groups(outline: Outline, url: str, links: list[tuple[int, str]]) -> dict[Slot, list[_Entry]]:
    groups: dict[Slot, list[_Entry]] = defaultdict(list)
    for index, href in links:
        words = outline.text(index, 60)
        if len(words.split()) > _MAX_SHOWN or (len(words) > 24 and not _NEXT.match(words)):
            continue
        target = absolute(outline.base, href)
        if target is None or not same_site(target, url):
            continue
        shown = _COUNT.match(words)
        for slot, number in slots(ordered(target)):
            groups[slot].append(_Entry(index, number, int(shown[1]) if shown else None, target))
    return groups


def _back_links(outline: Outline, links: list[tuple[int, str]], related: dict[str, str]) -> list[_Entry]:
    """Links that may lead to page one without its number: called 1, first or previous."""
    found = []
    for index, href in links:
        shown = _COUNT.match(outline.text(index, 60))
        label = int(shown[1]) if shown else None
        if label == 1 or (label is None and _is_back(outline, index)):
            target = absolute(outline.base, href)
            if target:
                found.append(_Entry(index, 0, label, target))
    return found + [_Entry(-1, 0, None, related[w]) for w in ("prev", "previous", "first") if w in related]


def _is_back(outline: Outline, index: int) -> bool:
    words = outline.text(index, 24) or outline.attribute(index, "title") or ""
    marks = f"{outline.attribute(index, 'rel') or ''} {outline.attribute(index, 'class') or ''}".lower()
    return words.strip() in _ARROW_BACK or bool(_BACK.match(words) or _BACK_NAME.search(marks))


def _judge(  # noqa: PLR0917 -- the parts of one decision
    outline: Outline,
    url: str,
    slot: Slot,
    entries: list[_Entry],
    backs: list[_Entry],
    related: dict[str, str],
) -> tuple[float, Paging] | None:
    """How much a family of links looks like this page's pager."""
    firsts = [back for back in backs if slot.is_first(ordered(back.url))]
    own = slot.number_in(ordered(url))
    if not firsts and all(entry.number == own for entry in entries):
        return None  # a counter that is a link to this very page
    shown = _unlinked_number(outline, [*entries, *(back for back in firsts if back.element >= 0)])
    point = (shown, own) if own is not None and shown is not None else None
    named = _line_by_name(outline, ordered(url), slot, entries)
    line = _line(entries, point) or _line_by_next(outline, ordered(url), slot, entries) or named
    if line is None:
        return None
    labelled = {entry.label for entry in (*entries, *firsts) if entry.label is not None}
    canonical = ordered(related.get("canonical", ""))
    here, sure = _current(outline, [(ordered(url), 2.0), (canonical, 1.5)], slot, line, entries)
    if here is None:
        return None
    pages = {page: entry.url for entry in entries if (page := line.page(entry.number)) is not None}
    agrees = [
        slot.number_in(ordered(related[word])) is not None for word in ("next", "prev") if word in related
    ]
    score = (
        sure
        + min(len(labelled), 6) * 0.2
        + (0.5 if agrees and all(agrees) else 0.0)
        - len(slot.after) * 0.001
    )
    if not labelled and not agrees and not named and not _says_next(outline, entries):
        return None
    count = max((*pages, here))
    bare = next((back.url for back in sorted(firsts, key=lambda back: back.label != 1)), None)
    first = pages.get(1) or bare or (url if here == 1 else None)
    return score, Paging(
        number=here,
        count=count,
        next=pages.get(here + 1) or (slot.fill(line.start + line.step * here) if count > here else None),
        previous=(pages.get(here - 1) or (first if here == 2 else None)) if here > 1 else None,
        first=first,
        last=pages.get(count) or url,
        slot=slot,
        step=line.step,
        start=line.start,
    )


def _line(entries: Iterable[_Entry], here: tuple[int, int] | None = None) -> _Line | None:
    """Page number → number in the address, from links whose text is a number, and from this page's own."""
    points = sorted({(entry.label, entry.number) for entry in entries if entry.label is not None})
    if len(points) < 2 and here is not None:
        points = sorted({*points, here})
    if len(points) >= 2:
        (k1, n1), (k2, n2) = points[0], points[-1]
        if k1 == k2 or (n2 - n1) % (k2 - k1):
            return None
        step = (n2 - n1) // (k2 - k1)
        line = _Line(step, n1 - step * (k1 - 1)) if step > 0 else None
        fits = line and sum(line.page(n) == k for k, n in points) >= 0.8 * len(points)
        return line if line and fits and line.start in {0, 1} else None
    if points:
        label, number = points[0]
        if number == label:
            return _Line(1, 1)
        if number == label - 1:
            return _Line(1, 0)
        if label > 1 and number % (label - 1) == 0 and number // (label - 1) > 1:
            return _Line(number // (label - 1), 0)
    return None


def _line_by_next(outline: Outline, url: str, slot: Slot, entries: list[_Entry]) -> _Line | None:
    """The same where no link shows a number: from this address and the link that says "next"."""
    if any(entry.label is not None for entry in entries):
        return None
    ahead = min((entry.number for entry in entries if is_next(outline, entry.element)), default=None)
    if ahead is None:
        return None
    here = slot.number_in(url)
    if here is not None:
        # The only number of an address names the thing itself, unless it is called a page.
        if len(list(slots(url))) < 2 and not _is_called_page(slot.before):
            return None
        step = ahead - here
        return _Line(step, here % step if step > 1 else 1) if step > 0 else None
    if not slot.is_first(url) or not 1 <= ahead <= _MOST_A_PAGE:
        return None
    return _Line(1, ahead - 1) if ahead <= 2 else _Line(ahead, 0)


def _line_by_name(outline: Outline, url: str, slot: Slot, entries: list[_Entry]) -> _Line | None:
    """The same where links show nothing at all (icons): this very address but for a number called a page."""
    here = slot.number_in(url)
    if here is None and not slot.is_first(url):
        return None
    numbers = {entry.number for entry in entries} - {here}
    if not numbers or any(entry.label is not None for entry in entries):
        return None
    if _PAGE_NAME.search(slot.before):
        if here is None and numbers == {1}:
            return None  # a link of page 1 to itself
        counts_from_zero = 0 in numbers or here == 0 or (here is None and 1 in numbers and 2 not in numbers)
        return _Line(1, 0 if counts_from_zero else 1)
    # "Older" and "newer" lead by a value that need not count anything: find_cursor reads those.
    if _OFFSET_NAME.search(slot.before) and not any(is_step(outline, entry.element) for entry in entries):
        step = gcd(*numbers, here or 0)
        return _Line(step, 0) if 1 < step <= _MOST_A_PAGE else None
    return None


def _current(
    outline: Outline, addresses: _Addresses, slot: Slot, line: _Line, entries: list[_Entry]
) -> tuple[int | None, float]:
    """This page's number, and how sure that this pager is its own."""
    for address, weight in addresses:
        number = slot.number_in(address) if address else None
        if number is not None and (page := line.page(number)) is not None:
            return page, weight
    said = {
        page - 1 for e in entries if is_next(outline, e.element) and (page := line.page(e.number)) is not None
    }
    for address, weight in addresses:
        if address and slot.is_first(address):
            return (min(said) if said and min(said) > 1 else 1), weight - 0.1
    shown = _unlinked_number(outline, entries)
    return (shown, 1.0) if shown is not None else (None, 0.0)


def _unlinked_number(outline: Outline, entries: list[_Entry]) -> int | None:
    """The number that stands among the links of a pager without being one."""
    labelled = [entry for entry in entries if entry.label is not None]
    labels = {entry.label for entry in labelled}
    if not labelled:
        return None
    holder = labelled[0].element
    for entry in labelled[1:]:
        common = outline.common(holder, entry.element)
        if outline.text_length(common) > 200:
            break
        holder = common
    for _ in range(3):  # a lone link: the number of this page stands beside it
        if len(labels) > 1 or outline.parent[holder] < 0:
            break
        if outline.text_length(outline.parent[holder]) > _LONE_PAGER:
            break
        holder = outline.parent[holder]
    for number in range(outline.text_from[holder], outline.text_to[holder]):
        shown = _COUNT.match(outline.segments[number])
        if shown and not outline.in_link[outline.segment_owner[number]]:
            page = int(shown[1])
            if page not in labels and (page - 1 in labels or page + 1 in labels):
                return page
    return None


def _says_next(outline: Outline, entries: list[_Entry]) -> bool:
    return any(is_next(outline, entry.element) for entry in entries)


def is_next(outline: Outline, index: int) -> bool:
    """Whether a link says "next" in some way."""
    words = (
        outline.text(index, 60)
        or outline.attribute(index, "title")
        or outline.attribute(index, "aria-label")
        or ""
    )
    marks = f"{outline.attribute(index, 'rel') or ''} {outline.attribute(index, 'class') or ''}".lower()
    return says_next(words) or bool(_NEXT_NAME.search(marks))


def says_next(words: str) -> bool:
    """Whether a text is a word or an arrow for "next"."""
    return bool(_NEXT.match(words)) or words.strip() in _ARROW_NEXT


def _lone_next(outline: Outline, url: str, links: list[tuple[int, str]]) -> str | None:
    """A link that says "next" and leads to this very address but for one value nobody can compute."""
    path, _, query = url.partition("?")
    mine = parameters(query)
    for index, href in links:
        if not says_next(outline.text(index, 60)):
            continue
        target = absolute(outline.base, href)
        if target is None or target == url:
            continue
        other_path, _, other_query = target.partition("?")
        theirs = parameters(other_query)
        differing = {name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name)}
        if other_path == path and len(differing) == 1:
            name = differing.pop()
            value = theirs.get(name, "")
            if name in mine and len(mine) == 1 and not _is_called_page(f"{name}="):
                continue  # the only parameter names the thing itself: this is the next thing
            if any(character.isdigit() for character in value):
                return target
    return None


def _is_called_page(before: str) -> bool:
    return bool(_PAGE_NAME.search(before) or _OFFSET_NAME.search(before))


def _parameters(query: str) -> dict[str, str]:
    return dict(part.partition("=")[::2] for part in re.split("[&;]", query) if part)


def ordered(url: str) -> str:
    """An address for comparison: parameters by name, without empty ones and those of where one came from."""
    path, mark, query = url.partition("?")
    if not mark or "&" not in query or ";" in query:
        return url
    parts = [part for part in query.split("&") if "=" not in part or _says_something(part)]
    return f"{path}?{'&'.join(sorted(parts))}"


def _says_something(parameter: str) -> bool:
    value = unquote(parameter.partition("=")[2])
    return bool(value) and "=" not in value
