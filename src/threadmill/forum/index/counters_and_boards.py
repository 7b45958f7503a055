"""Reads the counters of rows, such as "5 replies" or "1.2k", and tells whether rows are boards or threads.

All that rows show together tells it. The weights are those of a logistic regression.
`python -m tools.train_boards` learns them from random forums, simulated ones and pages made by hand.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from statistics import median
from urllib.parse import urlsplit

from threadmill.forum.link_urls import (
    absolute_url,
    fits_values,
    is_unnamed,
    kind_named_by_url,
    same_site,
    url_fields,
)
from threadmill.forum.records.date_columns import has_date, sort_key
from threadmill.forum.records.page_outline import PageOutline, once_per_page
from threadmill.forum.records.record_table import RecordTable
from threadmill.types import ThreadRow

REPLIES = re.compile(
    r"repl|answ|antw|répon|respuest|rispost|respost|ответ|сообщ|відпов|отговор|одговор|回复|回覆|回帖|返信|レス|odpowied|odpov|"
    r"svar|vastau|yanıt|cevap|válasz|răspuns|απαντ|댓글|답글|답변|balasan|trả lời|ตอบ|"
    r"ردود|תגוב|پاسخ|posts?\b",
    re.IGNORECASE,
)
VIEWS = re.compile(
    r"view|hits|aufruf|vue|visit|vist|visual|vizual|просмотр|перегляд|преглед|查看|浏览|瀏覽|閲覧|odsłon|wyświetl|zobraz|"
    r"visning|luettu|katselu|okunma|görüntül|gelesen|zugriff|megtekint|προβολ|조회|dilihat|lượt xem|เข้าชม|"
    r"مشاهد|צפי|بازدید|read\b",
    re.IGNORECASE,
)
# Who is there now, beside the name of a board: no views of its pages.
VISITORS = re.compile(
    r"viewing|browsing|watching|online|en ligne|en línea|viendo|in linea|betracht|besucher|anwesend|visiteur|"
    r"visitor|просматрива|смотрят|онлайн|在线|在線|閲覧中",
    re.IGNORECASE,
)
# The number stands alone or with words around it. It is not the end of a name such as "anna77".
# The size of a file and the number in its name count nothing: "43.2 KB", "225.jpg".
_NO_FILE = r"(?!\s*(?:[kKmMgG]i?[bBo]|[кКмМгГ][бБ]|[bB]ytes?|px)(?!\w)|\.[a-zA-Z][a-zA-Z0-9]{1,3}(?!\w))"
_COUNTER = re.compile(
    r"^(?:[^\d\n]{0,24}?(?<![a-zA-Z\u00c0-\u024f\u0400-\u04ff_.\-]))?(\d{1,3}(?:[.,\s\u00a0\u202f']\d{3})+|\d+(?:[.,]\d+)?)"
    + _NO_FILE
    + r"\s*([kKmM万]?)(?![a-zA-Z0-9])[^\d\n]{0,24}$"
)
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000, "万": 10_000}
_MAX_DIGITS = 12
_MAX_COUNTER = 30  # characters of a counter with its label
_MAX_LINES = 3  # counters in one cell
_WORD = re.compile(r"[^\W\d_]+")
_MIN_NAME_WORDS = 3  # "5 new replies" has two
# What separates counters in one line: "20 threads, 169 posts", "3/40".
_SEPARATOR = re.compile(r"[,;·•]\s+|\s*[/|]\s*")
_COUNTED = re.compile(r"\d[\d.,]*\s[^\W\d_]+(?=\s)")  # "10 posts" of "10 posts spanning 2.6 days"
_DIGIT = re.compile(r"\d")
_STARTS_WITH_NUMBER = re.compile(r"\W*\d")
_AT_END = re.compile(r"\s*[(\[（【]\s*(\d{1,6})\s*[)\]）】]\s*$")  # "(25)" behind a title
_REPLIES_IN_TITLE = "posts"  # what the number in a title counts
_MIN_TITLES, _MOST_TITLES = 4, 0.9
_NEAR_CELLS, _MAX_CELLS = 2, 9  # a table knows the first three elements of a kind, and a row may be one
_MAX_TEXTS = 12  # behind the title of a line
# "8 replies" of "8 replies 14 views"
_NUMBERED_PART = re.compile(rf"\d[\d.,]*+{_NO_FILE}\s?[kKmM万]?(?!\w)[^\d]{{0,20}}")
_MIN_COVER = 0.5  # of the records must have a counter
_MIN_STEPS = 4  # between numbers that count the rows
_MOST_STEPS = 0.9  # of them are the same: a sticky row may have another number

Counts = dict[int, int]  # number of the record → value


@dataclass(frozen=True, slots=True)
class CounterColumn:
    """The numbers that one column shows."""

    cells: dict[int, int]  # record → element
    values: Counts
    words: str = ""  # the text of a number, if the cell has several

    def numbers_rows(self, titles: dict[int, int]) -> bool:
        """Whether these are the numbers of the rows, which stand before their titles."""
        first = all(index < titles.get(number, -1) for number, index in self.cells.items())
        return bool(self.cells) and first and counts_rows(self.values)

    def is_in(self, outline: PageOutline, titles: dict[int, int]) -> bool:
        """Whether the numbers are words of titles, such as "3 days with it"."""
        return any(
            outline.is_under(self.cells[n], titles[n])
            or (outline.is_under(titles[n], self.cells[n]) and not _has_own_number(outline, self.cells[n]))
            for n in self.values
            if n in titles and n in self.cells
        )


def _has_own_number(outline: PageOutline, index: int) -> bool:
    """Whether an element has a number outside its links: "<a>Lounge</a> (12/80)"."""
    return any(
        outline.segment_owner[number] == index and _STARTS_WITH_NUMBER.match(outline.segments[number])
        for number in range(outline.text_from[index], outline.text_to[index])
    )


def find_counter_columns(table: RecordTable) -> list[CounterColumn]:
    """Columns whose cells have one number each, or several in lines ("Posts: 5", "Topics: 2")."""
    found = []
    least = _MIN_COVER * len(table.records)
    for cells in (*table.columns.values(), *_find_far_cells(table)):
        if len(cells) < least:
            continue
        texts: dict[int, list[str]] = {
            number: own for number, index in cells.items() if (own := _counter_texts(table, index))
        }
        for place in range(max(map(len, texts.values()), default=0)):
            shown = {number: lines[place] for number, lines in texts.items() if len(lines) > place}
            values = {n: value for n, text in shown.items() if (value := read_counter(text)) is not None}
            if len(values) >= least:
                first = next(iter(values))
                words = shown[first] if len(texts[first]) > 1 else ""
                found.append(CounterColumn(cells, values, words))
    return found + _find_bare_counters(table)


def _find_bare_counters(table: RecordTable) -> list[CounterColumn]:
    """Columns of the texts between the elements of rows: rows that are lines have no cells."""
    columns: dict[int, dict[int, str]] = defaultdict(dict)
    for number, text in enumerate(find_texts_between(table)):
        parts = split_numbers(text)
        for place, part in enumerate(parts if len(parts) <= _MAX_LINES else ()):
            columns[place][number] = part
    found = []
    for shown in columns.values():
        values = {n: value for n, part in shown.items() if (value := read_counter(part)) is not None}
        if len(values) >= _MIN_COVER * len(table.records):
            found.append(CounterColumn({}, values, next(iter(shown.values()))))
    return found


def split_numbers(text: str) -> list[str]:
    """The parts of a text that begin with a number: "8 replies" and "14 views" of "8 replies 14 views"."""
    return [str(part) for part in _NUMBERED_PART.findall(text)]


def find_texts_between(table: RecordTable) -> list[str]:
    """The text of each row that stands in no element of it, behind its first element. Dates are left out.

    Rows that are lines may begin with their numbers: "14 replies <a>Title</a><br>". Then the text before
    the first element counts, back to the line break.
    """
    outline = table.outline
    dated = {date.element for date in table.dates}
    starts = [record.start for record in table.records]
    befores = [_text_before(outline, start) for start in starts]
    lead = sum(bool(before) for before in befores) >= _MIN_COVER * len(starts) and bool(befores[0])
    found = []
    for number, start in enumerate(starts):
        parent = outline.parent[start]
        if parent < 0 or parent in dated:
            found.append("")
            continue
        following = number + 1
        same = following < len(starts) and outline.parent[starts[following]] == parent
        last = outline.text_from[starts[following]] if same else outline.text_to[parent]
        behind = range(outline.text_to[start], min(last, outline.text_to[start] + _MAX_TEXTS))
        own = [n for n in behind if not (lead and same and n in befores[following])]
        texts = [
            outline.segments[n]
            for n in (*(befores[number] if lead else ()), *own)
            if outline.segment_owner[n] == parent
        ]
        found.append(" ".join(text for text in texts if len(text) <= 2 * _MAX_COUNTER and not has_date(text)))
    return found


def _text_before(outline: PageOutline, start: int) -> range:
    """The segments between the line break before an element and the element. It may begin its parent."""
    siblings, place = outline.children[outline.parent[start]], outline.child_position[start]
    if not place:
        return range(outline.text_from[outline.parent[start]], outline.text_from[start])
    before = siblings[place - 1]
    is_break = outline.tags[before] == "br"
    return range(outline.text_to[before], outline.text_from[start]) if is_break else range(0)


def _find_far_cells(table: RecordTable) -> list[dict[int, int]]:
    """The cells of rows without classes by their place, behind those that the table knows by their kind."""
    outline = table.outline
    cells: dict[int, dict[int, int]] = defaultdict(dict)
    for number, record in enumerate(table.records):
        children = outline.children[record.start] if len(record.roots) == 1 else record.roots
        for place, child in enumerate(children[_NEAR_CELLS:_MAX_CELLS]):
            if "." not in outline.symbols[child]:
                cells[place][number] = child
    return list(cells.values())


def find_title_counters(table: RecordTable, titles: dict[int, int]) -> Counts:
    """The numbers in brackets at the end of titles, where nearly all have one: "Chain slips (25)"."""
    outline = table.outline
    found = {
        number: int(match[1])
        for number, index in titles.items()
        if (match := _AT_END.search(outline.text(index))) is not None
    }
    enough = len(found) >= max(_MIN_TITLES, _MOST_TITLES * len(titles))
    return found if enough and len(set(found.values())) > 1 else {}


def without_counter(title: str) -> str:
    """A title without the number in brackets at its end."""
    return _AT_END.sub("", title).rstrip()


def _counter_texts(table: RecordTable, index: int) -> list[str]:
    """The text of a cell, or its parts if each of them may be a counter."""
    outline = table.outline
    if index in table.dated or outline.text_length(index) > _MAX_LINES * _MAX_COUNTER:
        return []
    if not table.dated.isdisjoint(range(index + 1, outline.end[index])) and not _has_other_number(
        table, index
    ):
        return []  # "5 months ago"
    known = _texts_of_counters(outline)
    if index not in known:
        known[index] = _read_counter_texts(table.outline, index)
    return known[index]


def _has_other_number(table: RecordTable, index: int) -> bool:
    """Whether a cell has a number outside the dates in it."""
    outline = table.outline
    return any(
        _DIGIT.search(outline.segments[number])
        for number in range(outline.text_from[index], outline.text_to[index])
        if outline.segment_owner[number] not in table.dated
    )


@once_per_page
def _texts_of_counters(outline: PageOutline) -> dict[int, list[str]]:  # noqa: ARG001 -- one memory a page
    """What `_counter_texts` found on the page so far."""
    return {}


def _read_counter_texts(outline: PageOutline, index: int) -> list[str]:
    first, last = outline.text_from[index], outline.text_to[index]
    if first == last or outline.text_length(index) > _MAX_LINES * _MAX_COUNTER:
        return []
    own = [
        outline.segments[number] for number in range(first, last) if outline.segment_owner[number] == index
    ]
    if 1 < len(own) <= _MAX_LINES and len(own) == last - first:
        return own
    if is_link_name(outline, index):
        return []
    whole = outline.text(index) if outline.text_length(index) <= _MAX_COUNTER * 2 else ""
    if len(own) < last - first and len(own) == 1 and read_counter(whole) is None:
        whole = own[0]  # "(12)" or "3/40" beside a link
    parts = [part for part in _SEPARATOR.split(whole) if part]
    if 1 < len(parts) <= _MAX_LINES and all(read_counter(part) is not None for part in parts):
        return parts
    counted = _COUNTED.match(whole) if read_counter(whole) is None else None
    if counted and (REPLIES.search(counted[0]) or VIEWS.search(counted[0])):
        return [counted[0]]
    return [whole] if 0 < len(whole) <= _MAX_COUNTER else []


def is_link_name(outline: PageOutline, index: int) -> bool:
    """Whether an element shows the name of what it links to ("Broken after 4 hours"), not a counter."""
    if outline.unlinked_length(index) > 0:
        return False
    return len(_WORD.findall(outline.text(index))) >= _MIN_NAME_WORDS


@lru_cache(maxsize=8192)
def read_counter(text: str) -> int | None:
    """The value of a counter as forums write it: "1,234", "1.2k" or "5 replies". None if it is no counter."""
    match = _COUNTER.match(text)
    if not match:
        return None
    digits, unit = match[1], match[2].lower()
    if unit:
        if digits.count(".") + digits.count(",") > 1 or len(digits) > _MAX_DIGITS:
            return None
        return int(float(digits.replace(",", ".")) * _UNITS[unit])
    whole = re.sub(r"[.,\s\u00a0\u202f']", "", digits)
    return int(whole) if len(whole) <= _MAX_DIGITS else None


def find_replies_and_views(
    table: RecordTable, titles: dict[int, int], page_links: Collection[int] = ()
) -> tuple[Counts, Counts]:
    """The replies and the views of each row, by column labels. Without labels, views sum up to more.

    Links to the pages of threads ("1 2 3") are no counters, and numbers of the rows are none.
    """
    outline = table.outline
    found: list[tuple[str, Counts]] = []
    for column in find_counter_columns(table):
        if column.is_in(outline, titles) or any(index in page_links for index in column.cells.values()):
            continue
        label = column.words or _column_label(table, column.cells)
        if VISITORS.search(label):
            continue
        is_named = REPLIES.search(label) or VIEWS.search(label)
        if (is_named or not column.numbers_rows(titles)) and all(column.values != one for _, one in found):
            found.append((label, column.values))
    if in_titles := find_title_counters(table, titles):
        found.append((_REPLIES_IN_TITLE, in_titles))
    replies = next((values for label, values in found if REPLIES.search(label)), None)
    views = next((values for label, values in found if VIEWS.search(label) and values is not replies), None)
    unlabelled = [values for _, values in found if values is not replies and values is not views]
    unlabelled.sort(key=lambda values: sum(values.values()))
    if replies is None and views is None and len(unlabelled) >= 2:
        replies, views = unlabelled[0], unlabelled[-1]
    elif replies is None and unlabelled:
        replies = unlabelled[0]
    return replies or {}, views or {}


def counts_rows(column: Counts) -> bool:
    """Is this the number of the row itself? It grows or falls by one from row to row."""
    values = [column[number] for number in sorted(column)]
    steps = [other - one for one, other in pairwise(values)]
    usual, count = Counter(steps).most_common(1)[0] if steps else (0, 0)
    return abs(usual) == 1 and count >= max(_MIN_STEPS, _MOST_STEPS * len(steps))


def _column_label(table: RecordTable, cells: dict[int, int]) -> str:
    """The words that may label a column of numbers: in the cell, beside it, or in its class."""
    outline = table.outline
    index = next(iter(cells.values()))
    near = [outline.symbols[index], outline.symbols[outline.parent[index]], outline.text(index)]
    near.append(outline.attribute(index, "title") or "")
    siblings = outline.children[outline.parent[index]]
    place = outline.child_position[index]
    if (
        place
        and outline.text_length(siblings[place - 1]) < _MAX_COUNTER
        and outline.tags[index] in {"dd", "span", "b", "strong"}
    ):
        near.append(outline.text(siblings[place - 1]))
    return " ".join(near)


_TOPICS = re.compile(
    r"topic|thread|thema|themen|sujet|tém|tem[aey]\b|тем[аыу]?\b|主[题題]|スレッド|トピック|wątk|temat|konu|discuss|"
    r"onderwerp|tópico|emner?\b|ämne|aihe|주제|vlák",
    re.IGNORECASE,
)
_ANSWERS = re.compile(
    r"repl|answ|antw|répon|respuest|rispost|respost|ответ|відпов|回[复覆帖]|レス|返信|odpow|odpov|svar|vastau|yanıt|cevap|"
    r"reacti|comment|kommentar|댓글|답글",
    re.IGNORECASE,
)
# Boards are on the site that lists them. No list that the weights were learnt from leads to other sites.
_ELSEWHERE = 8.0
_DIGIT = re.compile(r"\d")
_QUESTION = re.compile(r"[?!？！:：…]|\.\.\.")
_START_FILE = re.compile(r"(?:index|default|main|home|forums?|start)\.\w+$|$", re.IGNORECASE)
_LONG_TITLE = 40  # letters
_LONG_ROW = 80  # letters outside links
_FULL_LIST = 6  # dates from which a falling order is no chance
_MAX_HEADERS = 12  # texts above the first row
_MOST_URLS = 0.8  # share of the URLs that shows what is usual
_MAX_FOLDER = 12  # characters of a folder that is no name of a board
_MIN_SECOND_TITLE = 14  # characters of the title of a last thread
_REPLY = re.compile(
    r"\s*(?:\[[^\]]{1,40}\]\s*)?(?:re|aw|sv|vs|antw|odp|ynt|réf|ref|rif|res|rv|отв|ha|回复|回覆|答复|返信|답장)\s?(?:\[\d+\])?\s?[:：]",
    re.IGNORECASE,
)


def rate_boardness(
    table: RecordTable, titles: dict[int, int], rows: Sequence[ThreadRow], *, two_dates: bool
) -> float:
    """How much rows look like boards (above 0) or threads (below 0): the logarithm of the odds."""
    numbers = board_features(table, titles, rows, two_dates=two_dates)
    home = table.outline.base
    elsewhere = _share(not same_site(row.url, home) for row in rows)
    return _BIAS + sum(_WEIGHTS[name] * value for name, value in numbers.items()) - _ELSEWHERE * elsewhere


def board_features(
    table: RecordTable, titles: dict[int, int], rows: Sequence[ThreadRow], *, two_dates: bool
) -> dict[str, float]:
    """What speaks for boards or threads, by name. Each lies roughly between -1 and 2."""
    outline, size = table.outline, len(rows)
    density = outline.script_density
    names = [row.title for row in rows]
    urls = [row.url for row in rows]
    family = 0.0 if _links_itself_first(outline) else _compare_family(outline.tree.url, urls)
    kinds = _named_kinds(outline.tree.url, urls)
    labels = _labels(table)
    counts = [max(row.replies or 0, row.views or 0) for row in rows]
    records = table.records
    unlinked = sum(outline.unlinked_length(root) for record in records for root in record.roots)
    return {
        "length": min(2.0, density * sum(map(len, names)) / size / _LONG_TITLE),
        "marks": _share(bool(_QUESTION.search(name)) for name in names),
        "answers": _share(map(is_reply_title, names)),
        "repeats": 1.0 - len(set(names)) / size,
        "second": float(_has_second_titles(table, titles)),
        "paged": _share(bool(row.page_urls) for row in rows),
        "falling": _rate_order(rows),
        "two_dates": float(two_dates),
        "words": min(2.0, density * unlinked / len(records) / _LONG_ROW),
        "named": _share(row.author is not None for row in rows),
        "last": _share(row.active_url is not None for row in rows),
        "counted": _share(row.replies is not None for row in rows),
        "counted_twice": _share(row.views is not None for row in rows),
        "large": math.log1p(median(counts)) / 8,
        "size": math.log1p(size) / 4,
        "url_index": _share(kind == "index" for kind in kinds),
        "url_thread": _share(kind == "thread" for kind in kinds),
        "word_topics": float(bool(_TOPICS.search(labels))),
        "word_answers": float(bool(_ANSWERS.search(labels))),
        "word_views": float(bool(VIEWS.search(labels))),
        "same_family": float(family > 0),
        "other_family": float(family < 0),
    }


def is_reply_title(title: str) -> bool:
    """Whether a title is the subject of an answer: "Re: Chain slips"."""
    return bool(_REPLY.match(title))


def subject_of(title: str) -> str:
    """The subject of a conversation: the title of a message without the marks of answers."""
    while match := _REPLY.match(title):
        title = title[match.end() :]
    return title.strip().casefold()


def _share(values: Iterable[bool]) -> float:
    found = list(values)
    return sum(found) / len(found)


def _named_kinds(page: str, urls: Sequence[str]) -> list[str]:
    """The kinds that words of the URLs suggest, without the parts that the URL of the page has too."""
    shared = set(url_fields(page).values())
    return [
        kind_named_by_url(
            "/".join(
                f"{name if not is_unnamed(name) else ''}/{value}"
                for name, value in url_fields(url).items()
                if value not in shared
            )
        )
        for url in urls
    ]


def _rate_order(rows: Sequence[ThreadRow]) -> float:
    """1 where dates fall from row to row, 0 where they do not, nearer to 0 the fewer there are."""
    moments = [sort_key(row.active) for row in rows if row.active]
    if len(moments) < 2:
        return 0.0
    falling = sum(one >= other for one, other in pairwise(moments)) / (len(moments) - 1)
    # Boards stand in any order. A list that begins with the oldest thread is no list of boards for that.
    return max(0.0, 2 * falling - 1) * min(1.0, (len(moments) - 1) / _FULL_LIST)


def _labels(table: RecordTable) -> str:
    """The words that may label counters: short texts with a number, and short texts above the first row."""
    outline = table.outline
    start = table.records[0].start
    parent = outline.parent[start]
    before = range(outline.text_from[parent] if parent >= 0 else 0, outline.text_from[start])
    texts = [outline.segments[number] for number in before][-_MAX_HEADERS:]
    for segments in table.segments[:2]:
        texts += [outline.segments[n] for n in segments if _DIGIT.search(outline.segments[n])]
    return " ".join(text for text in texts if len(text) <= _MAX_COUNTER)


def _compare_family(page: str, urls: Sequence[str]) -> float:
    """1 if the URL of the page is built like those of its rows: boards in a board. -1 if it is not.

    0 for a start page, whose URL tells nothing.
    """
    if _may_be_start(page, urls):
        return 0.0
    mine, theirs = url_fields(page), [url_fields(url) for url in urls]
    names = [name for name in theirs[0] if sum(name in other for other in theirs) >= _MOST_URLS * len(theirs)]
    fits = all(
        name in mine and fits_values(mine[name], [other[name] for other in theirs if name in other])
        for name in names
    )
    return 1.0 if fits else -1.0


def _links_itself_first(outline: PageOutline) -> bool:
    """Whether the first link of the page leads to the page itself: the name of the site on its start page."""
    here = absolute_url(outline.base, outline.tree.url)
    targets = (absolute_url(outline.base, href) for href in outline.hrefs if href)
    return next((target == here for target in targets if target and same_site(target, outline.base)), False)


def _may_be_start(url: str, rows: Sequence[str]) -> bool:
    """Whether a URL may be that of a start page: no query, and a folder or an index file at the end."""
    parts = urlsplit(url)
    *folders, last = parts.path.split("/")
    if parts.query or _DIGIT.search(parts.path):
        return False
    if not _START_FILE.match(last) and not any(urlsplit(row).path == parts.path for row in rows):
        return len(folders) == 1 and all(urlsplit(row).path.startswith(f"{parts.path}/") for row in rows)
    return all(len(folder) <= _MAX_FOLDER for folder in folders)


def _has_second_titles(table: RecordTable, titles: dict[int, int]) -> bool:
    """Whether rows have a second column of long links with other targets: the last thread of each board."""
    outline = table.outline
    least = _MIN_SECOND_TITLE / outline.script_density
    for cells in (*table.columns.values(), *table.loose_columns.values()):
        links = {
            number: index
            for number, index in cells.items()
            if outline.hrefs[index] and index not in table.dated and number in titles
        }
        if len(links) < 0.5 * len(table.records):
            continue
        others = [
            index
            for number, index in links.items()
            if outline.hrefs[index] != outline.hrefs[titles[number]] and outline.text_length(index) >= least
        ]
        targets = {outline.hrefs[index] for index in others}
        if len(others) >= 0.4 * len(table.records) and len(targets) >= 0.7 * len(others):
            return True
    return False


_BIAS = 3.49
_WEIGHTS = {
    "answers": -0.33,
    "counted": -0.13,
    "counted_twice": 0.50,
    "falling": -3.48,
    "large": 1.18,
    "last": -1.23,
    "length": -1.86,
    "marks": -2.72,
    "named": -0.26,
    "other_family": -2.00,
    "paged": -1.06,
    "repeats": -0.86,
    "same_family": 0.86,
    "second": 1.61,
    "size": -1.24,
    "two_dates": -0.42,
    "url_index": 3.30,
    "url_thread": -0.66,
    "word_answers": -1.32,
    "word_topics": 0.46,
    "word_views": -0.38,
    "words": -1.22,
}
