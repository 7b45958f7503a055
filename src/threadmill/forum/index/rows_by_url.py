"""Reads the rows of an index page by their URLs, once it is known which URLs lead to threads and boards.

Each link to a known thread or board is one row. A statistics box tells how many posts and threads there are.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from threadmill.forum.index.counters_and_boards import (
    REPLIES,
    VIEWS,
    VISITORS,
    Counts,
    counts_rows,
    is_link_name,
    read_counter,
)
from threadmill.forum.index.row_lists import RowList
from threadmill.forum.index.rows import ParsedRowList, page_links_of_row, parse_row_list
from threadmill.forum.link_urls import absolute_url
from threadmill.forum.read_page import PageAnalysis
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable, split_records
from threadmill.types import ThreadRow

_REPEATED = 1.3  # links to each ID, on average: titles lead to another ID in each row
_MIN_VISITS = 6  # links that show it
_MIN_ROWS = 2  # one link shows no boundary between rows
_MOST = 0.6  # share of the rows or links that stands for most of them
_NEAR_TAGS = 4  # tags around a link that tell a heading from a row
_DIGIT = re.compile(r"\d")
_WORDS = re.compile(r"[^\W\d_]+")
_PAIR = re.compile(r"[(\[]?\s*(\d{1,9})\s*[/|]\s*(\d{1,9})\s*[)\]]?")
_SEPARATORS = " \t\n\r\xa0-–—|·•,;"  # between the parts of a row that stand in one line
_JOINT = re.compile(r"\s+[-–—|·•]\s+|,\s+")  # between two parts of a line
_NUMBER_AND_WORD = re.compile(r"(?<![\w:./-])\d[\d.,]*\s?[^\W\d_]+")
_MAX_LINE = 120  # characters of a line with author, counter and date
_MAX_COUNTER = 30  # characters of a counter with its label; a longer text is a sentence
_MIN_COVER = 0.8  # of the rows must have a counter
LINES = "dates"  # the name of a column that is not shown: how many dates a row has
_MAX_DATES = 2  # of a usual row: when it began, and its last post
_LABEL_STEM = 4  # letters of a word that its forms share
_BADGE = re.compile(r"\W*(\d{1,6})\W*")  # all of an element inside the link of a title: its number of replies
IN_TITLE = "title "  # how the names of such columns begin
_MIN_TITLED = 0.3  # of the rows; those without replies show no number
_ANY = 0.0  # where the name of the column tells what it is, one row with replies is enough
_MIN_NUMBERED = 0.2  # of the rows, where the others have words for none in the place of the number
_NEARLY_ALL = 0.9  # of the rows have the cell of a number
_MAX_NUMBERS = 10  # columns of numbers; a row with more is a table of figures

# The ID of the thread or board that a URL leads to. None if it leads to neither.
IdOfUrl = Callable[[str], str | None]


def find_rows_by_url(
    analysis: PageAnalysis, id_of: IdOfUrl, shape: str | None = None
) -> ParsedRowList | None:
    """The rows whose titles lead to URLs with an ID. None if the page has fewer than two.

    One link alone shows no boundary between rows. It still makes a row if it stands where the titles of other
    pages stand: in a row of the `shape` that those pages showed. The other links are in a breadcrumb then.
    """
    outline = analysis.outline
    anchors = _find_title_links(analysis, id_of)
    records = split_records(outline, anchors) if len(anchors) >= _MIN_ROWS else []
    found = _read_records(analysis, records) if records else None
    is_list = found is not None and (_common_shape(outline, records) == shape or _is_counted(found.rows))
    if shape and not is_list and (single := _find_single_row(analysis, id_of, shape)):
        return _read_records(analysis, [single])
    return found


def _read_records(analysis: PageAnalysis, records: list[PageRecord]) -> ParsedRowList:
    """What rows say, with their counters."""
    table = RecordTable(analysis.outline, records, analysis.dates)
    titles = {number: record.anchor for number, record in enumerate(records)}
    parsed = parse_row_list(RowList(table, titles, 1.0), analysis.now)
    replies, views = _find_replies_and_views(table, titles)
    numbers = _find_number_columns(table, titles)
    rows = tuple(
        replace(row, replies=replies.get(number), views=views.get(number), numbers=numbers[number])
        for number, row in enumerate(parsed.rows)
    )
    shape = _common_shape(analysis.outline, records) if _is_counted(rows) else ""
    return replace(parsed, rows=rows, shape=shape)


def _is_counted(rows: Sequence[ThreadRow]) -> bool:
    """Whether most rows have a counter. A box of the latest threads has rows too, but hardly any counter."""
    return sum(row.replies is not None for row in rows) >= _MOST * len(rows)


def find_ids_outside_list(analysis: PageAnalysis, id_of: IdOfUrl) -> list[str]:
    """The IDs that are linked outside the main list, in order: those of a box of the latest threads."""
    outline = analysis.outline
    links = _find_links_by_id(analysis, id_of)
    main_list = _find_main_list(outline, sorted(found[-1] for found in links.values()))
    places = {
        name: min(outside)
        for name, found in links.items()
        if (outside := [index for index in found if not outline.is_under(index, main_list)])
    }
    return sorted(places, key=lambda name: places[name])


def find_ids_in_rows_of(analysis: PageAnalysis, id_of: IdOfUrl, owner_of: IdOfUrl) -> set[str]:
    """The IDs that only rows of others name: the row of a board names the thread of its last post.

    Such a row is the largest element around the link of a board that holds no other board and at most one
    thread, which comes after the board. Rows of threads may name their boards too: then most threads do so.
    """
    outline = analysis.outline
    threads, owners = _links_in_order(analysis, id_of), _links_in_order(analysis, owner_of)
    named = {index for link in owners if (index := _last_link_of_row(outline, link, owners, threads)) >= 0}
    inside = {threads[index] for index in named}
    outside = {name for index, name in threads.items() if index not in named}
    return inside - outside if len(inside) < len(outside) else set()


def _links_in_order(analysis: PageAnalysis, id_of: IdOfUrl) -> dict[int, str]:
    """The IDs of links with a text, by their elements."""
    outline = analysis.outline
    found: dict[int, str] = {}
    for index, href in enumerate(outline.hrefs):
        target = absolute_url(outline.base, href) if href and outline.text_length(index) else None
        if target and (name := id_of(target)) is not None:
            found[index] = name
    return found


def _last_link_of_row(
    outline: PageOutline, link: int, owners: dict[int, str], threads: dict[int, str]
) -> int:
    """The link to a thread in the row of a board. -1 if it has none."""
    top, found = link, -1
    while (top := outline.parent[top]) >= 0:
        inside = [index for index in threads if outline.is_under(index, top)]
        others = {name for index, name in owners.items() if outline.is_under(index, top)}
        if len(others) > 1 or len({threads[index] for index in inside}) > 1:
            break
        found = min(inside, default=-1)
    return found if found > link else -1


# ---- title links ----


def _find_title_links(analysis: PageAnalysis, id_of: IdOfUrl) -> list[int]:
    """The link of each ID that looks most like a title, of those in the main list of the page."""
    outline = analysis.outline
    links = _find_links_by_id(analysis, id_of)
    main_list = _find_main_list(outline, sorted(found[-1] for found in links.values()))
    # A box of the latest threads links some of them a second time, outside the list.
    inside = [[index for index in found if outline.is_under(index, main_list)] for found in links.values()]
    titles = [found[-1] for found in inside if found]
    # Each group of boards may have a list of its own.
    places = Counter(outline.chain(index, _NEAR_TAGS) for index in titles)
    usual = places.most_common(1)[0][0] if places else ""
    elsewhere = [found for found, here in zip(links.values(), inside, strict=True) if not here]
    titles += [found[-1] for found in elsewhere if outline.chain(found[-1], _NEAR_TAGS) == usual]
    titles.sort()
    return [index for place, index in enumerate(titles) if not place or _begins_row(outline, titles, place)]


def _begins_row(outline: PageOutline, titles: Sequence[int], place: int) -> bool:
    """Whether a link begins a row. The row of a board may name those below it: they follow in its cell.

    Between two rows stands at least a number or a date.
    """
    index, before = titles[place], titles[place - 1]
    cell = outline.parent[index]
    if cell != outline.parent[before] or len({outline.parent[title] for title in titles}) == 1:
        return True
    between = range(outline.text_to[before], outline.text_from[index])
    return any(_DIGIT.search(outline.segments[segment]) for segment in between)


def _find_links_by_id(analysis: PageAnalysis, id_of: IdOfUrl) -> dict[str, list[int]]:
    """All links to URLs with an ID. For each ID, the likeliest title comes last."""
    outline = analysis.outline
    dated = {cell.element for cell in analysis.dates}
    links: dict[str, list[int]] = defaultdict(list)
    by_place: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for index, href in enumerate(outline.hrefs):
        if not href or not outline.text_length(index):
            continue
        target = absolute_url(outline.base, href)
        name = id_of(target) if target else None
        if name is not None:
            by_place[outline.chain(index, _NEAR_TAGS)].append((name, index))
    for found_here in by_place.values():
        if not _are_mentions(outline, found_here):
            for name, index in found_here:
                links[name].append(index)
    # A heading above a list may link its first row once more. Rows are where most IDs are linked.
    usual = Counter(
        place for found in links.values() for place in {_near_tags(outline, index) for index in found}
    )

    def likeness(index: int) -> tuple[bool, bool, int, int, int]:
        # A link to the last post has a fragment, or a date for its text. A counter is short.
        plain = "#" not in (outline.hrefs[index] or "")
        common = usual[_near_tags(outline, index)]
        return plain, index not in dated, outline.text_length(index), common, -index

    return {name: sorted(found, key=likeness) for name, found in links.items()}


def _are_mentions(outline: PageOutline, links: Sequence[tuple[str, int]]) -> bool:
    """Whether the links at one place of the rows come back to the same IDs: rows of threads name boards.

    A list and a box that repeats some of its rows stand apart. Without classes, their links have one place.
    """
    visits = [links[0], *(other for one, other in pairwise(links) if one[0] != other[0])]
    if len(visits) < _MIN_VISITS or len(visits) <= _REPEATED * len({name for name, _ in visits}):
        return False
    names = [name for name, _ in visits]
    cut = next(place for place, name in enumerate(names) if name in names[:place])
    if len(set(names[cut:])) < len(names) - cut:
        return True
    first, second = (
        outline.common_ancestor(part[0][1], part[-1][1]) for part in (visits[:cut], visits[cut:])
    )
    return outline.is_under(second, first) or outline.is_under(first, second)


def _near_tags(outline: PageOutline, index: int) -> str:
    """The tags of an element and of those around it."""
    tags: list[str] = []
    while index >= 0 and len(tags) < _NEAR_TAGS:
        tags.append(outline.tags[index])
        index = outline.parent[index]
    return " ".join(tags)


def _find_main_list(outline: PageOutline, links: list[int]) -> int:
    """The element of the list that most links stand in. A box beside it has other elements than the list."""
    holder = _find_holder(outline, links)
    places: dict[str, list[int]] = defaultdict(list)
    inside = [index for index in links if outline.is_under(index, holder)]
    for index in inside:
        places[outline.chain(index, _NEAR_TAGS)].append(index)
    alike = max(places.values(), key=len, default=[])
    return _find_holder(outline, alike) if len(inside) < 2 * len(alike) else holder


def _find_holder(outline: PageOutline, links: list[int]) -> int:
    """The lowest element that holds most of the links. A box at the side holds few of them.

    Where a list is short, the box may hold more. Then the list is what stands by the heading of the page.
    """
    wanted = _MOST * len(links)
    heading = next((i for i, tag in enumerate(outline.tags) if tag == "h1" and outline.text_length(i)), -1)
    holder = 0
    while True:
        inside: Counter[int] = Counter(
            outline.child_towards(holder, link)
            for link in links
            if link != holder and outline.is_under(link, holder)
        )
        child, count = inside.most_common(1)[0] if inside else (0, 0)
        if count < wanted or count < _MIN_ROWS:
            by_heading = heading > holder and outline.is_under(heading, holder)
            child = outline.child_towards(holder, heading) if by_heading else -1
            if not inside.get(child):
                return holder
        holder = child


# ---- the shape of a row ----


def _common_shape(outline: PageOutline, records: Sequence[PageRecord]) -> str:
    """The shape of most rows. Empty if rows differ, or if a row is several elements."""
    shapes = Counter(
        _row_shape(outline, record.start, record.anchor) for record in records if len(record.roots) == 1
    )
    shape, count = shapes.most_common(1)[0] if shapes else ("", 0)
    return shape if count >= max(_MIN_ROWS, _MOST * len(records)) else ""


def _row_shape(outline: PageOutline, root: int, anchor: int) -> str:
    """The symbol of a row, and the tags from it down to its title."""
    tags = []
    index = anchor
    while index != root:
        tags.append(outline.tags[index])
        index = outline.parent[index]
    return " ".join((outline.symbols[root], *reversed(tags)))


def _find_single_row(analysis: PageAnalysis, id_of: IdOfUrl, shape: str) -> PageRecord | None:
    """The only row of a known shape on the page. None if there are several."""
    outline = analysis.outline
    symbol, *tags = shape.split(" ")
    found: dict[str, PageRecord] = {}
    for index, href in enumerate(outline.hrefs):
        if not href or not outline.text_length(index):
            continue
        chain, up = [], index
        for _ in tags:
            chain.append(outline.tags[up])
            up = outline.parent[up]
            if up < 0:
                break
        if up < 0 or chain[::-1] != tags or outline.symbols[up] != symbol:
            continue
        target = absolute_url(outline.base, href)
        name = id_of(target) if target else None
        if name is not None:
            found.setdefault(name, PageRecord(index, (up,)))
    return next(iter(found.values())) if len(found) == 1 else None


# ---- numbers in rows ----


def _find_replies_and_views(table: RecordTable, titles: dict[int, int]) -> tuple[Counts, Counts]:
    """The replies and the views of each row, by their labels. Without labels, views sum up to more."""
    columns: dict[tuple[str, str, int], Counts] = defaultdict(dict)  # cell, label, place among the like
    for number, row in enumerate(_find_numbers(table, titles)):
        seen: Counter[tuple[str, str]] = Counter()
        for cell, label, value in row:
            kind = _kind_of_label(label)
            seen[cell, kind] += 1
            columns[cell, kind, seen[cell, kind]][number] = value
    full = {
        key: whole
        for key, column in columns.items()
        if (whole := _as_full_column(table, key[0], column)) and not counts_rows(whole)
    }
    replies = next((column for key, column in full.items() if key[1] == "replies"), None)
    if replies is None:
        replies = next((column for key, column in full.items() if key[1] == "comments"), None)
    if replies is None:
        replies = next((column for key, column in full.items() if key[0].startswith(IN_TITLE)), None)
    views = next((column for key, column in full.items() if key[1] == "views"), None)
    unlabelled = [column for column in full.values() if column is not replies and column is not views]
    unlabelled.sort(key=lambda column: sum(column.values()))
    if replies is None and unlabelled:
        replies = unlabelled.pop(0)
    if views is None and unlabelled:
        views = unlabelled[-1]
    return replies or {}, views or {}


def _kind_of_label(label: str) -> str:
    """What a number counts by its label, the same for "1 reply" and "2 replies"; else the label itself."""
    words = (("replies", REPLIES), ("views", VIEWS), ("comments", _COMMENTS))
    return next((kind for kind, pattern in words if pattern.search(label)), label)


def _find_number_columns(table: RecordTable, titles: dict[int, int]) -> list[dict[str, int]]:
    """Every number of each row, by the name of its column. A column has the same name on all pages of a site.

    What a column counts can be found out later, by threads that were read. The label of a number is no part
    of the name: "1 comment" and "2 comments" are one column.
    """
    columns: dict[str, Counts] = defaultdict(dict)
    labelled: dict[str, Counts] = defaultdict(dict)
    for number, row in enumerate(_find_numbers(table, titles)):
        seen: Counter[str] = Counter()
        for cell, label, value in row:
            seen[cell] += 1
            columns[f"{cell} {seen[cell]}"][number] = value
            if label:
                labelled[f"{cell} {_stem_of_label(label)}"].setdefault(number, value)
    full = [
        (name, whole)
        for name, column in columns.items()
        if (whole := _as_full_column(table, name, column, _ANY)) is not None
    ]
    if (lines := _count_lines(table)) is not None:
        # A row that shows the last posts tells how many it leaves out, unless it shows them all. Its words
        # tell this number from numbers in the posts. They are the same in other rows, but for an ending.
        # Where all rows of a page leave some out, the number would have a second name, on that page only.
        none = dict.fromkeys(range(len(table.records)), 0)
        rest = sorted(labelled.items(), key=lambda item: -len(item[1]))
        named = [(name, none | column) for name, column in rest]
        once = [(name, column) for name, column in full if column not in labelled.values()]
        full = [(LINES, lines), *named, *once]
    return [
        {name: column[number] for name, column in full[:_MAX_NUMBERS] if number in column}
        for number in range(len(table.records))
    ]


def _as_full_column(
    table: RecordTable, cell: str, column: Counts, least_titled: float = _MIN_TITLED
) -> Counts | None:
    """A column if enough rows have its number. Rows whose titles lack the usual number count none."""
    share = len(column) / len(table.records)
    if share >= _MIN_COVER:
        return column
    is_counter = cell.startswith(IN_TITLE) and share >= least_titled
    if is_counter or (share >= _MIN_NUMBERED and _has_words_for_none(table, cell, column)):
        return dict.fromkeys(range(len(table.records)), 0) | column
    return None


def _has_words_for_none(table: RecordTable, cell: str, column: Counts) -> bool:
    """Whether nearly every row has a cell once, by its class, with the same words if it has no number.

    A row without replies says "Reply" or "No comments" in the place of their number.
    """
    outline, symbol = table.outline, cell.rpartition(" ")[0] or cell
    if "." not in symbol or 0 in column.values():
        return False
    cells = Counter(
        number for index, number in enumerate(table.owner) if number >= 0 and outline.symbols[index] == symbol
    )
    words = {
        outline.text(index, _MAX_COUNTER)
        for index, number in enumerate(table.owner)
        if number >= 0 and outline.symbols[index] == symbol and number not in column
    }
    return len(words) == 1 and set(cells.values()) == {1} and len(cells) >= _NEARLY_ALL * len(table.records)


def _stem_of_label(label: str) -> str:
    """The words of a number without their endings: "1 message omitted", "5 messages omitted"."""
    return "-".join(word[:_LABEL_STEM] for word in label.split())


def _count_lines(table: RecordTable) -> Counts | None:
    """How many dates each row has, if some have several: the tree of a thread has one for each post.

    They stand in elements of one name. Dates in the words of posts, and of changes, stand in others.
    """
    by_name: dict[str, Counter[int]] = defaultdict(Counter)
    for date in table.dates:
        if (number := table.owner[date.element]) >= 0:
            by_name[table.outline.symbols[date.element]][number] += 1
    counts = max(by_name.values(), key=lambda found: (len(found), found.total()), default=Counter[int]())
    if len(counts) < _MIN_COVER * len(table.records) or max(counts.values()) <= _MAX_DATES:
        return None
    return dict(counts)


def _find_numbers(table: RecordTable, titles: dict[int, int]) -> Iterator[list[tuple[str, str, int]]]:
    """The numbers of each row: cell, words in the same text, value."""
    outline = table.outline
    dated = table.dated
    roots = {outline.symbols[root] for root in table.roots}
    for number, segments in enumerate(table.segments_with_bare_text):
        found = []
        page_links = page_links_of_row(table, titles, number)
        for segment in segments:
            owner = outline.segment_owner[segment]
            is_bare = owner == outline.parent[table.records[number].start]
            if owner in dated and not is_bare:
                continue
            if number in titles and outline.is_under(owner, titles[number]):
                if owner != titles[number] and (badge := _BADGE.fullmatch(outline.segments[segment])):
                    found.append((IN_TITLE + outline.symbols[owner], "", int(badge[1])))
                continue
            if is_link_name(outline, owner) or any(outline.is_under(owner, link) for link in page_links):
                continue
            # The classes of rows tell odd from even and full from empty ones: they name no column.
            # A row that stands alone in its list has one root more: that list.
            cell = outline.tags[owner] if outline.symbols[owner] in roots else outline.symbols[owner]
            parts = _parts_of_line if owner not in dated else _named_numbers
            for text in parts(outline.segments[segment]):
                label = " ".join(_WORDS.findall(text.lower()))
                if VISITORS.search(label):
                    continue
                found += [(cell, label, value) for value in _read_numbers(text)]
        yield found


def _parts_of_line(text: str) -> list[str]:
    """The short parts of a text that may be counters: "Topics: 9 - Posts: 162" has two."""
    parts = (part.strip(_SEPARATORS) for part in _JOINT.split(text))
    return [part for part in parts if part and len(part) <= _MAX_COUNTER]


def _named_numbers(text: str) -> list[str]:
    """The numbers of a line with author and date that a word names: "Ann 2 replies 11.01.16 09:30"."""
    found = (match[0] for match in _NUMBER_AND_WORD.finditer(text[:_MAX_LINE]))
    return [one for one in found if any(words.search(one) for words in (REPLIES, VIEWS, _POSTS, _COMMENTS))]


def _read_numbers(text: str) -> list[int]:
    """The value of a counter, or both values of "(17/86)"."""
    pair = _PAIR.fullmatch(text)
    if pair:
        return [int(pair[1]), int(pair[2])]
    value = read_counter(text)
    return [] if value is None else [value]


# Words for posts and for threads as statistics boxes write them, in the languages of the forum lists.
_POSTS = re.compile(
    r"\b(?:posts?|messages?|articles|replies|beiträge|antworten|réponses|mensajes|respuestas|mensagens|messaggi|"
    r"berichten|inlägg|innlegg|indlæg|viesti\w*|post\w{1,3}|příspěv\w*|příspevk\w*|hozzászólás\w*|mesaj\w*|"
    r"сообщени\w*|повідомлен\w*|поруке|objav\w*|bài viết)\b|帖子|帖数|回帖|投稿|글|게시물|posty|wiadomości",
    re.IGNORECASE,
)
_THREADS = re.compile(
    r"\b(?:topics?|threads?|discussions?|questions?|subjects?|themen|sujets?|temas?|tópicos|argomenti|discussioni|"
    r"onderwerpen|ämnen|trådar|emner|tråde|aihe\w*|wątk\w*|témat\w*|téma|konu\w*|тем[аы]?|теми|chủ đề)\b|"
    r"主题|主題|话题|トピック|스레드|주제",
    re.IGNORECASE,
)
_COMMENTS = re.compile(
    r"comm?ent|komment|коммент|комент|yorum|opmerking|reactie|コメント|评论|評論|댓글|تعليق|bình luận",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![\w.,:/\-])\d{1,3}(?:[.,\s\u00a0\u202f']\d{3})+(?![\w:/])|(?<![\w.,:/\-])\d+(?![\w:/])"
)
_MAX_TEXT = 120  # characters of a line in a statistics box; longer ones are sentences
_MAX_GAP = 24  # characters between a word and its number


def find_stated_totals(analysis: PageAnalysis) -> dict[str, int]:
    """The largest numbers of posts and threads that the page names outside its lists of rows.

    A number in the text of its word comes first ("1,620 posts"), then one in the next text ("Total posts",
    "1,620"), then one in the text before.
    """
    found: dict[str, int] = {}
    texts = list(_texts_outside_rows(analysis))
    for name, words in (("posts", _POSTS), ("threads", _THREADS)):
        same = [_number_beside(text, words) for text in texts]
        pairs = [(one, other) for one, other in pairwise(texts) if one and other]
        after = [_number_alone(other) for one, other in pairs if words.search(one)]
        before = [_number_alone(one) for one, other in pairs if words.search(other)]
        for numbers in (same, after, before):
            known = [number for number in numbers if number is not None]
            if known:
                found[name] = max(known)
                break
    return found


def _texts_outside_rows(analysis: PageAnalysis) -> Iterator[str]:
    """The short texts of the page that are in no row. Others are empty, so that no pair spans them."""
    outline = analysis.outline
    in_rows: set[int] = set()
    for row_list in analysis.row_lists:
        for record in row_list.table.records:
            for start, end in record.spans(outline):
                in_rows.update(range(start, end))
    for owner, text in zip(outline.segment_owner, outline.segments, strict=True):
        yield "" if owner in in_rows or len(text) > _MAX_TEXT else text


def _number_alone(text: str) -> int | None:
    """The number that is all of a text, but for signs around it."""
    found = _NUMBER.fullmatch(text.strip(" :•·|()[]–-"))
    return read_counter(found[0]) if found else None


def _number_beside(text: str, words: re.Pattern[str]) -> int | None:
    """The number that is nearest to one of the words."""
    word = words.search(text)
    if word is None:
        return None
    near = [
        (max(number.start() - word.end(), word.start() - number.end()), number[0])
        for number in _NUMBER.finditer(text)
    ]
    gap, digits = min(near, default=(_MAX_GAP + 1, ""))
    return read_counter(digits) if gap <= _MAX_GAP else None
