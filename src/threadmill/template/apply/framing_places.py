"""The framing places of a site as a small tree of steps, and the elements of a page that stand in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import turbohtml

from threadmill.template.places.judge_places import FramingPlace, JudgedPlaces
from threadmill.template.places.loose_texts import LooseTexts, line_of, texts_in
from threadmill.template.places.paths import ROOT, PlacePaths, from_end, from_start, step_of
from threadmill.template.places.text_outline import (
    HEADING_TAGS,
    INLINE_TAGS,
    LINK_TAGS,
    UNREAD_TAGS,
    TextKind,
    body_of,
    hash_wording,
    normalise_text,
    text_kind,
    title_and_heading_texts,
    tokens_of,
)

# A framing place stays on a page where it holds this much text that was never seen before: somebody wrote
# into the menu.
_NEW_CHARACTERS = 200
_NEW_SHARE = 0.5
# This does not apply to a footer with a copyright: licences differ between the parts of a site.
_OWNED = re.compile(r"©|\(c\)\s|\bcopyright\b", re.IGNORECASE)
# A place that was found by its name only must also have familiar text. "Next:", "Up:" and "Contents" are a
# third of a bar whose rest are titles of other pages. 8 % of new text is what PlaceSettings allows any place.
_KNOWN_SHARE, _KNOWN_BESIDE_LINKS, _NEW_BESIDE_LINKS = 0.5, 0.25, 0.08
_NEW_RENAMED = 0.25  # what PlaceSettings allows a menu
# Elements that a page itself calls header, footer, menu or path; none of them belongs to an article.
_LANDMARKS = "header, footer, nav, [role=banner], [role=contentinfo], [role=navigation]"
_BREADCRUMBS = "[class*=breadcrumb i], [id*=breadcrumb i]"
# Links from page to page, which also stand inside of the main text: the pages of a list, the articles before
# and after. All of their text is linked, and they do not lead to places of the page itself.
_PAGE_LINK_WORDS = ("paginat", "pager", "paging", "pagenav", "page-nav", "post-nav", "prevnext", "prev-next")
_PAGE_LINKS = "nav, [role=navigation], " + ", ".join(
    f"[class*={word} i], [id*={word} i]" for word in _PAGE_LINK_WORDS
)
_MAIN_TEXT = "main, article, [role=main]"
_MAX_LANDMARKS = 40
_NEW_IN_PATH = 100.0  # characters; more than titles have
_NO_PLACE = -1  # for an element that stands in no known place
_MAX_ANCHORED = 4  # framing stands once on a page, or above and below the content


@dataclass(frozen=True, slots=True)
class FramingPlaces:
    """The framing places of one site: all that is needed to find them on a new page."""

    tokens: frozenset[str]
    steps: dict[tuple[int, str], int]  # only the steps that lead to a framing place
    places: dict[int, FramingPlace]
    wordings: frozenset[int]
    # id, or tag and classes → a place that is framing wherever it stands
    anchors: dict[str, int] = field(default_factory=dict)
    loose: LooseTexts = field(default_factory=dict)  # texts without an element of their own
    repeated: frozenset[int] = frozenset()  # texts of blocks that several pages have, in any place
    trails: frozenset[int] = frozenset()  # first links of lines that lead from the start page to this one

    def above(self) -> dict[int, int]:
        """Map each place to the place above it."""
        return {child: parent for (parent, _), child in self.steps.items()}

    def path(self, number: int) -> str:
        """Return the steps from the body to a place, for people."""
        above = {child: (parent, step) for (parent, step), child in self.steps.items()}
        steps = []
        while number != ROOT:
            number, step = above[number]
            steps.append(step)
        return " > ".join(reversed(steps))

    def outermost(self) -> list[int]:
        """Return the places that stand in no other framing place, in the order of their steps."""
        above, places = self.above(), set(self.places)
        return [number for number in sorted(places) if not _is_inside(number, places, above)]


@dataclass(frozen=True, slots=True)
class FramingMatch:
    """An element of a page that is framing as a whole."""

    element: turbohtml.Element
    place: int
    characters: int
    known: int  # how many of these characters belong to wordings known from the site
    new: int  # how many belong to texts that are neither known nor links, echoes or signs

    @property
    def is_familiar(self) -> bool:
        """Whether its text alone shows framing: half of it is known, or a quarter and the rest are links."""
        known, new = self.known / max(1, self.characters), self.new / max(1, self.characters)
        return known >= _KNOWN_SHARE or (known >= _KNOWN_BESIDE_LINKS and new <= _NEW_BESIDE_LINKS)


def keep_framing_places(judged: JudgedPlaces) -> FramingPlaces:
    """Keep of a judgement what is needed to find the places again."""
    above = {child: parent for (parent, _), child in judged.paths.children.items()}
    kept: set[int] = set()
    for wanted in [*(place.number for place in judged.places), *judged.loose]:
        number = wanted
        while number != ROOT and number not in kept:
            kept.add(number)
            number = above[number]
    steps = {key: child for key, child in judged.paths.children.items() if child in kept}
    return _renumber(judged, steps, _find_anchors(judged))


_ID = re.compile(r"#([A-Za-z][\w-]*)")
_CLASSES = re.compile(r"[a-z][a-z0-9]*(?:\.[A-Za-z][\w-]*)+")


def _anchor_name(step: str) -> str:
    """Return the name of an element in any place: its id, or its tag with its classes; often empty."""
    name = _ID.search(step)
    found = name.group(1) if name else step if _CLASSES.fullmatch(step) else ""
    return "" if "0" in found else found  # 0 stands for any number


def _find_anchors(judged: JudgedPlaces) -> dict[str, int]:
    """Return names that occur at framing places only. On a page of a new kind they still mark the header.

    An id means one thing on a site. Classes are used for many things, so they count only where framing of the
    same name was found in two places, and not as a part of other framing: a list in a menu is a list
    elsewhere too.
    """
    framing = {place.number for place in judged.places}
    above = {child: parent for (parent, _), child in judged.paths.children.items()}
    found: dict[str, list[int]] = {}
    other: set[str] = set()
    for (_, step), child in judged.paths.children.items():
        name = _anchor_name(step)
        if name and child in framing and not ("." in name and _is_inside(child, framing, above)):
            found.setdefault(name, []).append(child)
        elif name and child in judged.refuted:
            other.add(name)
    return {
        name: places[0]
        for name, places in found.items()
        if name not in other and (len(places) > 1 or "." not in name)
    }


def _is_inside(place: int, framing: set[int], above: dict[int, int]) -> bool:
    while (place := above[place]) != ROOT:
        if place in framing:
            return True
    return False


def _renumber(
    judged: JudgedPlaces, steps: dict[tuple[int, str], int], anchors: dict[str, int]
) -> FramingPlaces:
    """Return the same framing with small numbers, in the order of the steps."""
    ours = {place.number: place for place in judged.places}
    paths = PlacePaths()
    numbers = {ROOT: ROOT}
    for (parent, step), child in sorted(steps.items(), key=lambda item: item[1]):
        if parent in numbers:
            numbers[child] = paths.child(numbers[parent], step)
    named = {
        numbers[old]: replace(place, number=numbers[old]) for old, place in ours.items() if old in numbers
    }
    anchored = {name: numbers[old] for name, old in anchors.items()}
    loose = {numbers[old]: names for old, names in judged.loose.items() if old in numbers}
    return FramingPlaces(
        judged.tokens, paths.children, named, judged.wordings, anchored, loose, trails=judged.trails
    )


def match_framing(
    document: turbohtml.Document, framing: FramingPlaces, loose: list[turbohtml.Text] | None = None
) -> list[FramingMatch]:
    """Return the outermost elements of a page that are framing as a whole, in document order.

    Framing texts without an element of their own are added to `loose`.
    """
    body = body_of(document)
    if body is None or not (framing.places or framing.loose or framing.trails):
        return []
    echoes = title_and_heading_texts(document)
    above = framing.above()
    leading = set(above.values())
    found: list[FramingMatch] = []
    waiting: list[tuple[turbohtml.Element, frozenset[int]]] = [(body, frozenset([ROOT]))]
    while waiting:
        element, numbers = waiting.pop()
        if loose is not None:
            loose += _match_loose_texts(element, numbers, framing, echoes)
        inner = []
        for child, places in _children(element, numbers, framing):
            match = _match_element(child, places, framing, echoes)
            anchor = _id_anchor(child, framing)
            if match is None and anchor is not None and above[anchor] in numbers:
                match = _match_renamed(child, anchor, framing, echoes)
            if match is not None:
                found.append(match)
            elif not places.isdisjoint(leading) or not framing.loose.keys().isdisjoint(places):
                inner.append((child, places))
        waiting.extend(reversed(inner))
    found += _match_anchors(document, framing, echoes, found)
    found += list(_match_landmarks(document, framing, echoes, found))
    return found + _match_trail(document, framing, echoes, found, loose)


def _match_loose_texts(
    element: turbohtml.Element, numbers: frozenset[int], framing: FramingPlaces, echoes: frozenset[str]
) -> Iterator[turbohtml.Text]:
    """Yield texts directly in an element that are framing there, in lines without new text."""
    names = frozenset(name for number in numbers for name in framing.loose.get(number, ()))
    if not names:
        return
    for child in element.children:
        if isinstance(child, turbohtml.Text) and hash_wording(normalise_text(child.data)) in names:
            line = texts_in(line_of(child))
            said = [normalise_text(text.data) for text in line if not _is_linked(text, element)]
            if all(hash_wording(text) in names or _is_sign(text, echoes) for text in said):
                yield child


def _is_sign(text: str, echoes: frozenset[str]) -> bool:
    return text_kind(text, echoes, linked=False, heading=False) is not TextKind.PLAIN


def _is_linked(text: turbohtml.Text, above: turbohtml.Element) -> bool:
    node = text.parent
    while isinstance(node, turbohtml.Element) and node is not above:
        if node.tag in LINK_TAGS:
            return True
        node = node.parent
    return False


def _match_trail(
    document: turbohtml.Document,
    framing: FramingPlaces,
    echoes: frozenset[str],
    found: list[FramingMatch],
    loose: list[turbohtml.Text] | None,
) -> list[FramingMatch]:
    """Match the first line of links that ends with the page's own title: "Home > Travel > To the sea"."""
    if not framing.trails:
        return []
    taken = {match.element for match in found}
    for link in document.iter_elements(["a"]):
        if hash_wording(normalise_text(link.text)) not in framing.trails or _is_within(link, taken):
            continue
        node = link
        while isinstance(node.parent, turbohtml.Element) and node.parent.tag in INLINE_TAGS:
            node = node.parent
        block, line = node.parent, line_of(node)
        if not isinstance(block, turbohtml.Element) or block.tag in HEADING_TAGS:
            continue
        if not _is_trail(texts_in(line), block, echoes):
            continue
        whole = [text for text in texts_in([block]) if text.data.strip()]
        if block.tag != "body" and len(whole) == sum(bool(text.data.strip()) for text in texts_in(line)):
            return [_count_texts(block, _NO_PLACE, framing, echoes)]
        if loose is not None:
            loose += [text for text in line if isinstance(text, turbohtml.Text) and text.data.strip()]
        elements = [element for element in line if isinstance(element, turbohtml.Element)]
        return [_count_texts(element, _NO_PLACE, framing, echoes) for element in elements]
    return []


def _is_trail(texts: list[turbohtml.Text], block: turbohtml.Element, echoes: frozenset[str]) -> bool:
    """Whether a line has links only, and behind them the page's own title."""
    said = [(text, normalise_text(text.data)) for text in texts]
    kinds = [
        (text_kind(words, echoes, linked=False, heading=False), _is_linked(text, block))
        for text, words in said
        if words
    ]
    kinds = [(kind, linked) for kind, linked in kinds if kind is not TextKind.SIGNS]
    return len(kinds) > 1 and kinds[-1] == (TextKind.ECHO, False) and all(linked for _, linked in kinds[:-1])


def _match_landmarks(
    document: turbohtml.Document, framing: FramingPlaces, echoes: frozenset[str], found: list[FramingMatch]
) -> Iterator[FramingMatch]:
    """Match headers, footers and menus that the makers of a page call so, where their text is familiar.

    Some pages have a footer with other classes than the rest of the site. It stands in no known place.
    """
    taken = {match.element for match in found}
    for element in document.select(f"{_LANDMARKS}, {_BREADCRUMBS}, {_PAGE_LINKS}")[:_MAX_LANDMARKS]:
        is_path = element.matches(_BREADCRUMBS) or _leads_to_pages(element)
        if _is_within(element, taken) or (not is_path and element.closest(_MAIN_TEXT) is not None):
            continue
        match = _count_texts(element, _NO_PLACE, framing, echoes)
        least = 0 if is_path else max(1.0, _KNOWN_BESIDE_LINKS * match.characters)
        most_new = _new_in_path(element) if is_path else _NEW_BESIDE_LINKS * match.characters
        fits = match.characters > 0 and match.known >= least and match.new <= most_new
        if (
            fits
            and not ((match.new or not is_path) and _holds_main_text(element))
            and not _holds_title(element, framing)
            and not (is_path and _is_most_of_page(match, document, found))
        ):
            taken.add(element)
            yield match


def _new_in_path(element: turbohtml.Element) -> float:
    """How much new text a breadcrumb or pager may have: the name of this page, "page 2 of 3"."""
    if element.select_one("h1, h2, h3, p p, input, article") is not None or element.find("a") is None:
        return 0.0
    return _NEW_IN_PATH


def _leads_to_pages(element: turbohtml.Element) -> bool:
    """Whether it is called links from page to page, and is no table of contents of this page."""
    if not element.matches(_PAGE_LINKS):
        return False
    addresses = [link.attrs.get("href") for link in element.select("a[href]")]
    inside = sum(isinstance(address, str) and address.startswith("#") for address in addresses)
    return 2 * inside < len(addresses)


def _holds_main_text(element: turbohtml.Element) -> bool:
    return element.select_one(_MAIN_TEXT) is not None


def _holds_title(element: turbohtml.Element, framing: FramingPlaces) -> bool:
    """Whether it has a main heading that few pages say: the title of the page, not the name of the site."""
    headings = (normalise_text(heading.text) for heading in element.iter_elements(["h1"]))
    return any(hash_wording(text) not in framing.repeated for text in headings if text)


def _id_anchor(element: turbohtml.Element, framing: FramingPlaces) -> int | None:
    name = element.attrs.get("id")
    return framing.anchors.get(name) if isinstance(name, str) else None


def _match_renamed(
    element: turbohtml.Element, place: int, framing: FramingPlaces, echoes: frozenset[str]
) -> FramingMatch | None:
    """Match a framing place by its id where it always is, but with other classes: an unfolded menu."""
    match = _match_element(element, frozenset([place]), framing, echoes)
    return match if match and match.new <= _NEW_RENAMED * match.characters else None


def _match_anchors(
    document: turbohtml.Document, framing: FramingPlaces, echoes: frozenset[str], found: list[FramingMatch]
) -> list[FramingMatch]:
    """Match places on new paths by their names, where their text is familiar."""
    seen = {match.place for match in found}
    taken = {match.element for match in found}
    extra = []
    for name, place in framing.anchors.items():
        if "." in name:
            elements = [e for e in _elements_named(document, name, framing) if not _is_within(e, taken)]
        else:
            elements = [] if place in seen else document.select(f"#{name}")[:1]
        for element in elements:
            match = _match_element(element, frozenset([place]), framing, echoes)
            if match and match.is_familiar and not _is_most_of_page(match, document, found):
                extra.append(match)
                taken.add(element)
    return extra


def _is_most_of_page(match: FramingMatch, document: turbohtml.Document, found: list[FramingMatch]) -> bool:
    """Whether it is most of what is left of the page. Then it is the content: a table of contents."""
    body = body_of(document)
    whole = sum(len(text) for text, _, _ in _texts(body)) if body is not None else 0
    return 2 * match.characters > whole - sum(other.characters for other in found)


def _elements_named(
    document: turbohtml.Document, name: str, framing: FramingPlaces
) -> Iterator[turbohtml.Element]:
    """Yield elements with exactly this tag and these classes; with another id or class they differ."""
    for element in document.select(name)[:_MAX_ANCHORED]:
        if step_of(element.tag, tokens_of(element), framing.tokens) == name:
            yield element


def _is_within(element: turbohtml.Element, taken: set[turbohtml.Element]) -> bool:
    node: turbohtml.Node | None = element
    while node is not None and node not in taken:
        node = node.parent
    return node is not None


def _children(
    element: turbohtml.Element, numbers: frozenset[int], framing: FramingPlaces
) -> Iterator[tuple[turbohtml.Element, frozenset[int]]]:
    """Yield the children that stand in a known place, with its one or two numbers."""
    steps = []
    seen: Counter[str] = Counter()
    for child in element.children:
        if isinstance(child, turbohtml.Element) and child.tag not in UNREAD_TAGS:
            step = step_of(child.tag, tokens_of(child), framing.tokens)
            nameless = step == child.tag
            steps.append((child, step, seen[step] if nameless else -1))
            seen[step] += nameless
    for child, step, before in steps:
        names = [step]
        if before >= 0:
            names = [from_start(step, before), from_end(step, seen[step] - before - 1) or ""]
        places = frozenset(
            framing.steps[number, name]
            for number in numbers
            for name in names
            if (number, name) in framing.steps
        )
        if places or _id_anchor(child, framing) is not None:
            yield child, places


def _match_element(
    element: turbohtml.Element, places: frozenset[int], framing: FramingPlaces, echoes: frozenset[str]
) -> FramingMatch | None:
    place = next((number for number in sorted(places) if number in framing.places), None)
    if place is None:
        return None
    match = _count_texts(element, place, framing, echoes)
    if match.new > _NEW_CHARACTERS and match.new > _NEW_SHARE * match.characters:
        kinds = (
            (text, text_kind(text, echoes, linked=link, heading=head)) for text, link, head in _texts(element)
        )
        if not any(kind is TextKind.PLAIN and _OWNED.search(text) is not None for text, kind in kinds):
            return None
    if match.known < match.characters and framing.places[place].worded:
        return None
    return match


def _count_texts(
    element: turbohtml.Element, place: int, framing: FramingPlaces, echoes: frozenset[str]
) -> FramingMatch:
    """Count the characters of an element, of its known texts and of its new ones."""
    total = known = new = 0
    for text, linked, heading in _texts(element):
        length = len(text)
        total += length
        name = hash_wording(text)
        if name in framing.wordings or (place == _NO_PLACE and name in framing.repeated):
            known += length
        elif text_kind(text, echoes, linked=linked, heading=heading) is TextKind.PLAIN:
            new += length
    return FramingMatch(element, place, total, known, new)


def _texts(element: turbohtml.Element) -> Iterator[tuple[str, bool, bool]]:
    """Yield the texts below an element, and whether each is linked or in a heading."""
    waiting = [(element, element.tag in LINK_TAGS, element.tag in HEADING_TAGS)]
    while waiting:
        parent, linked, heading = waiting.pop()
        for child in parent.children:
            if isinstance(child, turbohtml.Text):
                text = normalise_text(child.data)
                if text:
                    yield text, linked, heading
            elif isinstance(child, turbohtml.Element) and child.tag not in UNREAD_TAGS:
                tag = child.tag
                waiting.append((child, linked or tag in LINK_TAGS, heading or tag in HEADING_TAGS))
