"""Reads posts from records: their columns, the comments inside them, their texts, links and quotes."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from html import escape
from itertools import pairwise, takewhile
from statistics import median, median_low
from urllib.parse import urljoin

from threadmill.forum.link_urls import names_service_page, same_site
from threadmill.forum.posts.adverts import find_adverts, find_list_entries, is_subject
from threadmill.forum.posts.author_names import bare_author_at, common_prefix
from threadmill.forum.posts.bodies import find_remarks, find_sentences
from threadmill.forum.posts.message_lines import split_mail_lines
from threadmill.forum.posts.post_columns import PostColumns, find_post_columns, id_in_link, numbered_ids
from threadmill.forum.posts.post_records import PageSplit
from threadmill.forum.posts.quotes_and_signatures import (
    begins_as_quote_or_note,
    find_quote_intro,
    find_quotes,
    find_signatures_and_notes,
    is_in_quote,
    read_quote,
    split_edit_note,
    split_marked_lines,
    split_repeated_quote,
    split_signature,
    text_around_quotes,
)
from threadmill.forum.records.date_columns import has_date, read_page_dates, sort_key
from threadmill.forum.records.page_outline import PageOutline, element_text
from threadmill.forum.records.record_table import PageRecord, RecordTable
from threadmill.types import Link, Post

_MOST = 0.8  # share of the comments that have a name, a date and words
_MIN_WORDS = 15  # characters of a usual comment; "edited by anna" has no words besides name and date
_CLEARLY_MORE = 0.2  # of the records
_MAX_OUTER = 4  # splits into fewer records
_MAX_TRIED = 8  # splits, those with the most records first
_MAX_HEADER = 60  # characters in which a quote tells who wrote it
_FIRST_ELEMENTS = 6  # of a record, one of which has its id
_LABELLED_LINE = re.compile(r"\s*([^\s:：][^:：\n]{0,20})[:：]\s*\S")
_MIN_HEAD, _MAX_HEAD = 2, 6  # lines of the head of a mail
_MIN_POSTS = 2  # whose heads can be compared
_COMPARED = 40  # characters of a comment that are looked for in other posts

PostTable = tuple[RecordTable, PostColumns]


def read_columns(table: RecordTable, splits: list[PageSplit], now: datetime) -> PostTable:
    """The posts of a page with their columns. Comments inside posts become records of their own.

    Where posts and comments on them were taken for records of one kind, few have all columns. Then the posts
    around them are tried.
    """
    best = _read_with_comments(table, splits, now)
    if share_whole(best) >= _MOST:
        return best
    for outer in _find_outer_tables(table, splits):
        found = _read_with_comments(outer, splits, now)
        as_many = len(found[0].records) >= _MOST * len(table.records)
        if as_many and share_whole(found) >= share_whole(best) + _CLEARLY_MORE:
            best = found
    return best


def share_whole(posts: PostTable) -> float:
    """The share of the records that have a body, an author and a date."""
    table, columns = posts
    return len(columns.bodies.keys() & columns.authors.keys() & columns.dates.keys()) / len(table.records)


def _find_outer_tables(table: RecordTable, splits: list[PageSplit]) -> Iterator[RecordTable]:
    """Other splits of the page into fewer records that stand side by side and hold those of a table."""
    outline, anchors = table.outline, [record.anchor for record in table.records]
    tried = 0
    for split in splits:
        records = split.records
        if (
            2 <= len(records) < len(anchors)
            and all(outline.end[one.roots[-1]] <= other.start for one, other in pairwise(records))
            and all(any(record.holds(outline, anchor) for record in records) for anchor in anchors)
        ):
            yield RecordTable(outline, records, table.dates)
            tried += 1
            if tried == _MAX_OUTER:
                return


def _read_with_comments(table: RecordTable, splits: list[PageSplit], now: datetime) -> PostTable:
    posts = _without_inserts(table, now)
    table = posts[0]
    found = _find_comments(posts, splits, now)
    if found is None:
        return posts
    without = RecordTable(table.outline, table.records, table.dates, without=found[0].records)
    return _merge((without, find_post_columns(without, now)), found)


def _without_inserts(table: RecordTable, now: datetime) -> PostTable:
    """The posts without adverts between them. Below a single post, a list of its thread is left out.

    The list has shown which name and which date belong together, so the post keeps them.
    """
    columns = find_post_columns(table, now)
    adverts, entries = find_adverts(table, columns), find_list_entries(table, columns)
    if not adverts and not entries:
        return table, columns
    left_out = adverts | entries
    kept = [record for number, record in enumerate(table.records) if number not in left_out]
    if not kept:
        return table, columns
    without = RecordTable(table.outline, kept, table.dates)
    found = find_post_columns(without, now)
    if entries:
        authors = {n: author for n, author in columns.authors.items() if n < len(kept)}
        dates = {n: date for n, date in columns.dates.items() if n < len(kept)}
        found = replace(found, authors=authors or found.authors, dates=dates or found.dates)
    return without, found


def _find_comments(posts: PostTable, splits: list[PageSplit], now: datetime) -> PostTable | None:
    """The best split of what stands inside posts into comments; None when there are none."""
    table = posts[0]
    tried = [split.records for split in splits] + _split_by_ids(posts) + _split_by_dates(posts)
    inner = [inside for records in tried if (inside := _inside_posts(posts, records))]
    # A split by the path from the root may find the comments of one post only. So the largest comes first.
    for records in sorted(inner, key=lambda records: -len(records))[:_MAX_TRIED]:
        comments = RecordTable(table.outline, records, table.dates)
        columns = find_post_columns(comments, now)
        if _are_comments(posts, comments, columns) and not _are_parts_of_posts(
            posts, (comments, columns), now
        ):
            return comments, _with_bare_names(comments, columns)
    return None


def _with_bare_names(table: RecordTable, columns: PostColumns) -> PostColumns:
    """The columns with names that stand as bare text in the line of the date: "anna <time>…</time>"."""
    outline = table.outline
    authors = {
        number: author
        for number, date in columns.dates.items()
        if (line := outline.parent[date.element]) != columns.bodies.get(number)
        and (author := columns.authors.get(number) or bare_author_at(outline, line))
    }
    return replace(columns, authors=columns.authors | authors)


def _split_by_ids(posts: PostTable) -> list[tuple[PageRecord, ...]]:
    """Elements inside posts that have a date and a number in their id: one split for each shape of id.

    Other attributes do not count: a quote may tell there what it quotes.
    """
    table, columns = posts
    outline = table.outline
    around_posts = _elements_around_parts(outline, columns)
    found: dict[str, dict[int, PageRecord]] = defaultdict(dict)
    for date in table.dates:
        around_date = (date.element, *outline.ancestors(date.element))
        for up in around_date if table.owner[date.element] >= 0 else ():
            if up in around_posts:
                break
            if up != date.element and outline.text_length(up) <= len(date.text):
                continue
            for shape, number in numbered_ids(table, up):
                if "=" not in shape and not _is_id_of_post(table, up, number):
                    found[shape].setdefault(up, PageRecord(date.element, (up,)))
    return [tuple(records.values()) for records in found.values()]


def _is_id_of_post(table: RecordTable, index: int, number: str) -> bool:
    """Whether another element of the post has the same number in its id."""
    members = table.members[table.owner[index]]
    return any(
        value == number
        for other in members
        if not table.outline.is_under(other, index)
        for _, value in numbered_ids(table, other)
    )


def _split_by_dates(posts: PostTable) -> list[tuple[PageRecord, ...]]:
    """Splits by dates inside posts that are not the dates of the posts: one for each kind of element.

    All records of a split reach equally far up from their date: as far as none of them holds another of the
    dates or a part of a post. A post with one comment does not show where it ends. A post with two does.
    """
    table, columns = posts
    outline = table.outline
    kinds: dict[str, list[int]] = defaultdict(list)
    for date in table.dates:
        number = table.owner[date.element]
        if number >= 0 and not any(outline.is_under(date.element, part) for part in columns.parts_of(number)):
            kinds[outline.kind(date.element)].append(date.element)
    around_posts = _elements_around_parts(outline, columns)
    splits = []
    for dates in kinds.values():
        ancestors = [list(outline.ancestors(date)) for date in dates]
        shared = {up for up, count in Counter(up for ups in ancestors for up in ups).items() if count > 1}
        level = min(_free_levels(ups, shared | around_posts) for ups in ancestors)
        if level:
            splits.append(
                tuple(PageRecord(date, (ups[level - 1],)) for date, ups in zip(dates, ancestors, strict=True))
            )
    return splits


def _free_levels(ancestors: list[int], taken: set[int]) -> int:
    """How many ancestors come before the first that is taken."""
    return next((level for level, up in enumerate(ancestors) if up in taken), len(ancestors))


def _elements_around_parts(outline: PageOutline, columns: PostColumns) -> set[int]:
    """The elements that hold the author or date of a post, or that are its body."""
    return {
        up
        for number in columns.bodies
        for part in columns.byline_of(number)
        for up in outline.ancestors(part)
    } | set(columns.bodies.values())


def _inside_posts(posts: PostTable, records: tuple[PageRecord, ...]) -> tuple[PageRecord, ...]:
    """The records that stand inside posts; none when most stand elsewhere or hold posts or parts of them."""
    table, columns = posts
    outline = table.outline
    starts = sorted(table.roots)
    inside = tuple(
        record
        for record in records
        if table.owner[record.start] >= 0
        and not any(
            bisect_left(starts, begin) < bisect_left(starts, end) for begin, end in record.spans(outline)
        )
    )
    if not inside or 2 * len(inside) <= len(records):
        return ()
    for record in inside:
        number = table.owner[record.start]
        body = columns.bodies.get(number, -1)
        if any(record.holds(outline, part) for part in (*columns.byline_of(number), body)):
            return ()
    return inside


def _are_comments(posts: PostTable, table: RecordTable, columns: PostColumns) -> bool:
    """Whether most records have a name, a date and words of their own, and the words differ.

    A single one must be by somebody who leads to the same kind of URL as the authors of posts. With ids like
    those of posts, a few words are enough, and names may be missing.
    """
    enough = _MOST * len(table.records)
    numbered = _have_ids_of_posts(posts, table)
    named = len(table.records) if numbered else len(columns.authors)
    if min(len(columns.bodies), named, len(columns.dates)) < enough:
        return False
    if len(table.records) == 1 and not numbered and not _is_by_member(posts, columns):
        return False
    outline = table.outline
    lengths = [_own_length(outline, columns, number) for number in columns.bodies]
    texts = {outline.text(body, 200) for body in columns.bodies.values()}
    if median(lengths) < (1 if numbered else _MIN_WORDS) or len(texts) < enough:
        return False
    return not _are_quotes(posts, table, columns)


def _have_ids_of_posts(posts: PostTable, table: RecordTable) -> bool:
    """Whether all records have ids of the same shape as the posts around them, and other numbers.

    The id of a post stands at its begin. Parts of a post have its number again.
    """
    shapes = _shapes_of_ids(posts)
    return bool(shapes) and all(
        any(
            shape in shapes and not _is_id_of_post(posts[0], record.start, value)
            for shape, value in numbered_ids(table, record.start)
        )
        for record in table.records
    )


def _shapes_of_ids(posts: PostTable) -> set[str]:
    """The shapes of the ids of posts."""
    return {
        shape
        for number, post_id in posts[1].ids.items()
        for index in posts[0].members[number][:_FIRST_ELEMENTS]
        for shape, value in numbered_ids(posts[0], index)
        if value == post_id
    }


def _are_parts_of_posts(posts: PostTable, comments: PostTable, now: datetime) -> bool:
    """Whether records are something else that tells a name and a date: a panel, a note, a list of posts.

    Comments are sentences by people who lead to profiles as other authors do, in the order of their dates.
    """
    table, columns = comments
    outline, size = table.outline, len(table.records)
    dated = {date.element for date in table.dates}
    said = sum(
        any(
            any(True for _ in find(outline, root, dated))
            for root in record.roots
            for find in (find_sentences, find_remarks)
        )
        for record in table.records
    )
    if _have_ids_of_posts(posts, table):
        return False
    if 2 * said < size:
        return True
    linked = sum(author.href is not None for author in columns.authors.values())
    members = sum(author.href is not None for author in posts[1].authors.values())
    if 2 * members > len(posts[0].records) and 2 * linked < size:
        return True
    numbers = Counter(posts[0].owner[record.start] for record in table.records)
    if len(posts[0].records) > 2 and set(numbers.values()) == {1} and len(numbers) == len(posts[0].records):
        return True
    return _falls(posts, comments, now)


def _falls(posts: PostTable, comments: PostTable, now: datetime) -> bool:
    """Whether most dates of records in one post are earlier than the date before them."""
    table, columns = comments
    moments = dict(zip(columns.dates, read_page_dates(list(columns.dates.values()), now), strict=True))
    up = down = 0
    for one, other in pairwise(sorted(moments)):
        first, second = moments[one], moments[other]
        around = {posts[0].owner[table.records[number].start] for number in (one, other)}
        if len(around) == 1 and first is not None and second is not None:
            up += sort_key(second) >= sort_key(first)
            down += sort_key(second) < sort_key(first)
    return down > up


def _is_by_member(posts: PostTable, columns: PostColumns) -> bool:
    href = columns.authors[0].href if 0 in columns.authors else None
    known = [author.href for author in posts[1].authors.values() if author.href]
    prefix = common_prefix([*known, href]) if href else ""
    return bool(href and (href in known or prefix)) and not _stands_in_body(posts, columns)


def _stands_in_body(posts: PostTable, columns: PostColumns) -> bool:
    body = columns.bodies[0]
    return any(posts[0].outline.is_under(body, other) for other in posts[1].bodies.values())


def _are_quotes(posts: PostTable, table: RecordTable, columns: PostColumns) -> bool:
    """Whether most records repeat words of another post, or have words of their post behind them."""
    outline = table.outline
    texts = {number: outline.text(body) for number, body in posts[1].bodies.items()}
    quotes = 0
    for number, body in columns.bodies.items():
        record = table.records[number]
        words = outline.text(body, _COMPARED + 20)[-_COMPARED:]
        around = posts[0].owner[record.start]
        repeated = any(words in text for other, text in texts.items() if other != around)
        marked = any(is_in_quote(outline, part) for part in (record.start, record.anchor, body))
        quotes += repeated or marked or _is_answered(posts, table, number)
    return 2 * quotes > len(table.records)


def _is_answered(posts: PostTable, table: RecordTable, number: int) -> bool:
    """Whether words of the post follow a record in its body, or whether it begins as quotes do."""
    outline, record = table.outline, table.records[number]
    if begins_as_quote_or_note(outline.text(record.start, _MAX_HEADER)):
        return True
    body = posts[1].bodies.get(posts[0].owner[record.start])
    if body is None or not outline.is_under(record.start, body):
        return False
    end = outline.text_to[record.roots[-1]]
    dated = {date.element for date in table.dates}
    return any(
        segment >= end and table.owner[outline.segment_owner[segment]] < 0
        for find in (find_sentences, find_remarks)
        for segment in find(outline, body, dated)
    )


def _own_length(outline: PageOutline, columns: PostColumns, number: int) -> int:
    """The length of the body of a comment without its author and date."""
    body = columns.bodies[number]
    others = [part for part in columns.parts_of(number) if part != body and outline.is_under(part, body)]
    return outline.unlinked_length(body) - sum(outline.unlinked_length(part) for part in others)


def _merge(posts: PostTable, comments: PostTable) -> PostTable:
    """Posts and comments in one table, in the order of the page."""
    records = [
        (record, columns, number)
        for table, columns in (posts, comments)
        for number, record in enumerate(table.records)
    ]
    records.sort(key=lambda item: item[0].start)
    merged = PostColumns()
    for place, (_, columns, number) in enumerate(records):
        for target, source in (
            (merged.bodies, columns.bodies),
            (merged.authors, columns.authors),
            (merged.dates, columns.dates),
            (merged.links, columns.links),
            (merged.ids, columns.ids),
        ):
            if number in source:
                target[place] = source[number]  # type: ignore[assignment]
    table = posts[0]
    return RecordTable(table.outline, [record for record, _, _ in records], table.dates), merged


_MAX_BYLINE = 150  # characters
_MAX_BARE_BYLINE = 60  # characters: "geschrieben am Donnerstag, 12. September 2019, 17:05:33 Uhr"
_MAX_BUTTON = 24  # characters of a link that is a button
_BUTTON_BOXES = frozenset(("div", "ul", "ol", "table", "footer", "nav", "menu", "section"))
# Elements of a page template. An author writes paragraphs.
_BOXES = _BUTTON_BOXES | {"header", "h1", "h2", "h3", "h4", "h5", "h6", "dl"}
_BLOCKS = _BOXES | {"p", "blockquote", "pre", "article"}


def read_posts(table: RecordTable, columns: PostColumns, now: datetime, order: str = "") -> list[Post]:
    """One post for each record, in the order of the page.

    `order` is the order of day, month and year in dates, where other pages of the site have shown it.
    """
    outline = table.outline
    names = {number: author.name for number, author in columns.authors.items()}
    signatures, notes = find_signatures_and_notes(outline, columns.bodies, names, table.members)
    moments = dict(zip(columns.dates, read_page_dates(list(columns.dates.values()), now, order), strict=True))
    known = set(names.values())
    parents = _find_parents(table)
    heads = _find_heads(table, columns)
    posts: list[Post] = []
    for number in range(len(table.records)):
        author = columns.authors.get(number)
        apart = frozenset(part[number] for part in (signatures, notes) if number in part)
        whole = outline.text_length(columns.bodies.get(number, 0))
        apart = frozenset(part for part in apart if outline.text_length(part) < whole)
        apart |= _find_inner_records(table, columns, number) | heads.get(number, frozenset())
        url, post_id = _find_url_and_id(table, columns, number)
        parent = parents[number]
        read = _read_body(outline, columns, number, known, apart)
        posts.append(
            replace(
                read,
                author=author.name if author else None,
                author_url=_absolute(outline, author.href) if author and author.href else None,
                date=moments.get(number),
                url=url,
                post_id=post_id,
                position=number + 1,
                parent=posts[parent].post_id if parent is not None else None,
                signature=element_text(outline, signatures[number])
                if number in signatures
                else read.signature,
                edit_note=element_text(outline, notes[number]) if number in notes else read.edit_note,
            )
        )
    posts = _with_bare_words(table, columns, posts)
    return _without_repeated_quotes(_without_mail_heads(posts))


def _with_bare_words(table: RecordTable, columns: PostColumns, posts: list[Post]) -> list[Post]:
    """The posts with the bare text below their bylines, where that is more than what elements say.

    "<p>anna, 3 May</p><h3>Pump</h3>It is loud.<br>Very loud.<p>bert, 4 May</p>": no element holds the words.
    """
    texts = [_bare_words(table, columns, number) for number in range(len(posts))]
    if sum(map(len, texts)) <= sum(len(post.text) for post in posts):
        return posts
    return [
        replace(post, text=text, html=f"<p>{escape(text, quote=False)}</p>".replace("\n", "<br>"))
        if len(text) > len(post.text)
        else post
        for post, text in zip(posts, texts, strict=True)
    ]


def _bare_words(table: RecordTable, columns: PostColumns, number: int) -> str:
    """The text beside the elements of a record, from its byline to the next record or box.

    Links and bold words in it belong to it. It is empty if no word stands bare.
    """
    outline, record = table.outline, table.records[number]
    above, bylines = outline.parent[record.start], list(columns.byline_of(number))
    tops = [root for root in record.roots if any(outline.is_under(part, root) for part in bylines)]
    if above < 0 or not tops:
        return ""
    siblings, starts = outline.children[above], table.roots - set(record.roots)
    following = siblings[bisect_right(siblings, tops[-1]) :]
    ends = (one for one in following if one in starts or outline.tags[one] in _BUTTON_BOXES)
    last = next((outline.text_from[one] for one in ends), outline.text_to[above])
    lines: list[str] = []
    is_bare = False
    for segment in range(outline.text_to[tops[-1]], last):
        owner = outline.segment_owner[segment]
        if owner != above and outline.tags[outline.child_towards(above, owner)] in _BLOCKS:
            continue
        is_bare = is_bare or owner == above
        lines.append(outline.segments[segment].strip())
    return "\n".join(filter(None, lines)) if is_bare else ""


def _without_repeated_quotes(posts: list[Post]) -> list[Post]:
    """The posts without quotes that no markup tells, but another post of the page that has their words."""
    found: list[Post] = []
    for number, one in enumerate(posts):
        post = one
        others = [(other.author or "", other.text) for other in (*found, *posts[number + 1 :])]
        for split in (split_repeated_quote, split_marked_lines):
            text, quote = split(post.text, others)
            post = replace(post, text=text, quotes=(*post.quotes, quote)) if quote else post
        found.append(post)
    return found


def _without_mail_heads(posts: list[Post]) -> list[Post]:
    """The posts without the head of a mail above the words, where all begin with lines of the same labels.

    "From: anna (Leeds), Board: Bikes", "Subject: Chain", "Site: Bikes (Sat Jan 10 13:31:11 2015)"
    """
    heads = [[_LABELLED_LINE.match(line) for line in post.text.split("\n")[:_MAX_HEAD]] for post in posts]
    labels = [tuple(match[1] for match in takewhile(bool, head) if match) for head in heads]
    size = median_low(map(len, labels)) if labels else 0
    while size >= _MIN_HEAD and (usual := _usual_begin(labels, size)) is None:
        size -= 1
    if len(posts) < _MIN_POSTS or size < _MIN_HEAD:
        return posts
    return [
        replace(post, text="\n".join(post.text.split("\n")[size:]).strip())
        if found[:size] == usual and any(map(has_date, post.text.split("\n")[:size]))
        else post
        for post, found in zip(posts, labels, strict=True)
    ]


def _usual_begin(labels: list[tuple[str, ...]], size: int) -> tuple[str, ...] | None:
    """The first labels that nearly all texts begin with; None where they differ."""
    usual, count = Counter(found[:size] for found in labels).most_common(1)[0]
    return usual if count >= _MOST * len(labels) and len(usual) == size else None


def _read_body(
    outline: PageOutline, columns: PostColumns, number: int, authors: set[str], apart: frozenset[int]
) -> Post:
    """A post with what its body shows. The elements in `apart` are not part of its text."""
    body = columns.bodies.get(number)
    if body is None:
        return Post("", "")
    if outline.tags[body] == "pre":
        return _read_preformatted(outline, body)
    bylines = _find_bylines(outline, columns, number)
    quotes = [
        quote
        for quote in find_quotes(outline, body, authors)
        if not any(outline.is_under(quote, line) or outline.is_under(line, quote) for line in bylines)
    ]
    intros = {quote: find_quote_intro(outline, quote, authors) for quote in quotes}
    left_out = apart | bylines | {intro for intro in intros.values() if intro is not None}
    left_out |= _find_buttons(outline, body)
    text, lines = text_around_quotes(outline, body, quotes, left_out, authors)
    text, signature = split_signature(_without_bare_byline(text, columns, number))
    text, note = split_edit_note(text)
    return Post(
        text=text,
        signature=signature,
        edit_note=note,
        html=outline.elements[body].html,
        quotes=tuple(
            read_quote(outline, quote, authors, intro, lines.get(quote, ""))
            for quote, intro in intros.items()
        ),
        links=_find_links(outline, body),
    )


def _read_preformatted(outline: PageOutline, body: int) -> Post:
    """A post whose body is preformatted. Such text is mail: its lines tell what is quoted."""
    text, quotes, signature = split_mail_lines(outline.elements[body].text.splitlines())
    html = outline.elements[body].html
    return Post(text=text, html=html, quotes=quotes, signature=signature, links=_find_links(outline, body))


def _find_buttons(outline: PageOutline, body: int) -> frozenset[int]:
    """The boxes at the end of a body that only hold short links into the site: "Reply", "Quote"."""
    found: list[int] = []
    for child in reversed(outline.children[body]):
        if not outline.text_length(child):
            continue
        if outline.tags[child] not in _BUTTON_BOXES or not _holds_buttons(outline, child):
            break
        found.append(child)
    own = outline.text_length(body) - sum(map(outline.text_length, found))
    return frozenset(found) if own > 0 else frozenset()


def _holds_buttons(outline: PageOutline, box: int) -> bool:
    if any(c.isalnum() for c in _unlinked_text(outline, box)):
        return False
    links = [index for index in range(box, outline.end[box]) if outline.hrefs[index] is not None]
    return all(
        outline.text_length(index) <= _MAX_BUTTON and "://" not in (outline.text(index, _MAX_BUTTON))
        for index in links
    ) and all(same_site(outline.hrefs[index] or "", outline.base) for index in links)


def _unlinked_text(outline: PageOutline, box: int) -> str:
    numbers = range(outline.text_from[box], outline.text_to[box])
    return "".join(
        outline.segments[number] for number in numbers if not outline.in_link[outline.segment_owner[number]]
    )


def _find_inner_records(table: RecordTable, columns: PostColumns, number: int) -> frozenset[int]:
    """The elements of other records that stand inside the body of a post: comments and replies."""
    body = columns.bodies.get(number)
    if body is None:
        return frozenset()
    inside = range(body + 1, table.outline.end[body])
    return frozenset(root for root in table.roots if root in inside and table.owner[root] != number)


def _find_heads(table: RecordTable, columns: PostColumns) -> dict[int, frozenset[int]]:
    """The elements at the beginning of bodies that only show a subject, a label or the permalink.

    Nearly all bodies of a page have them. In a single one, an author may have written these words.
    """
    found = {number: heads for number in columns.bodies if (heads := _find_heads_of(table, columns, number))}
    return found if len(found) >= _MOST * len(columns.bodies) else {}


def _find_heads_of(table: RecordTable, columns: PostColumns, number: int) -> frozenset[int]:
    outline, body = table.outline, columns.bodies[number]
    children = [child for child in outline.children[body] if outline.text_length(child)]
    found: list[int] = []
    reached = outline.text_from[body]
    for child, following in pairwise(children):
        # Words of the body itself stand before the element, or it is a word of a line.
        if outline.text_from[child] > reached or outline.text_from[following] > outline.text_to[child]:
            break
        if outline.tags[child] not in _BOXES and outline.tags[following] not in _BOXES:
            break
        text = outline.text(child, _MAX_BYLINE)
        if not (
            (len(columns.bodies) > 2 and text in table.repeated_texts)
            or is_subject(text, outline.title)
            or _is_permalink(outline, child, columns.links.get(number, -1))
        ):
            break
        found.append(child)
        reached = outline.text_to[child]
    return frozenset(found)


def _is_permalink(outline: PageOutline, index: int, link: int) -> bool:
    return link in range(index, outline.end[index]) and _is_linked(outline, index)


def _is_linked(outline: PageOutline, index: int) -> bool:
    return not any(map(str.isalnum, _unlinked_text(outline, index)))


def _find_bylines(outline: PageOutline, columns: PostColumns, number: int) -> frozenset[int]:
    """The elements inside a body that only show the author or the date."""
    body = columns.bodies[number]
    parts = [columns.authors[number].element] if number in columns.authors else []
    parts += [columns.dates[number].element] if number in columns.dates else []
    found = set()
    for part in parts:
        if part != body and outline.is_under(part, body):
            top = outline.child_towards(body, part)
            # Words may stand in one element with the date.
            if outline.text_length(part) <= min(_MAX_BYLINE, outline.text_length(body) - 1):
                found.add(top if outline.text_length(top) <= _MAX_BYLINE else part)
    return frozenset(found)


def _without_bare_byline(text: str, columns: PostColumns, number: int) -> str:
    """A text without the line of its date that is no element: "<a>anna</a> wrote 3 May 2019, 5:00:<br>"."""
    line, _, below = text.partition("\n")
    date = columns.dates.get(number)
    if not below or date is None or date.element != columns.bodies[number]:
        return text
    return below if len(line) <= _MAX_BARE_BYLINE and line in date.text and has_date(line) else text


def _find_url_and_id(table: RecordTable, columns: PostColumns, number: int) -> tuple[str | None, str | None]:
    href = table.outline.hrefs[columns.links[number]] if number in columns.links else None
    post_id = columns.ids.get(number) or (id_in_link(href) if href else None)
    url = _absolute(table.outline, href) if href else None
    is_form = url is not None and "#" not in url and names_service_page(url)
    return (None if is_form else url), post_id  # a form for answering tells the id, but shows no post


def _find_parents(table: RecordTable) -> list[int | None]:
    """For each record the record it answers, on pages where replies are nested; else None."""
    found: list[int | None] = []
    enclosing: list[int] = []
    for number in range(len(table.records)):
        while enclosing and not _encloses(table, enclosing[-1], number):
            enclosing.pop()
        found.append(enclosing[-1] if enclosing else None)
        enclosing.append(number)
    if all(parent is not None for parent in found[1:]) and not _first_holds_any(table):
        return [parent or None for parent in found]  # replies beside the first post answer the whole thread
    return found


def _first_holds_any(table: RecordTable) -> bool:
    """Whether another record stands inside the first one."""
    outline = table.outline
    return any(table.records[0].holds(outline, outline.parent[record.start]) for record in table.records[1:])


def _encloses(table: RecordTable, outer: int, inner: int) -> bool:
    """Whether a record stands inside another one, or deeper than it inside its parent element."""
    outline = table.outline
    one, other = table.records[outer], table.records[inner]
    if one.holds(outline, outline.parent[other.start]):
        return True
    return (
        outline.depth[other.anchor] > outline.depth[one.anchor]
        and outline.kind(other.anchor) == outline.kind(one.anchor)
        and outline.is_under(other.start, outline.parent[one.start])
    )


def _find_links(outline: PageOutline, body: int) -> tuple[Link, ...]:
    """The links and images of a body."""
    found = []
    for index in range(body, outline.end[body]):
        href = outline.hrefs[index]
        if href and not href.startswith(("#", "javascript:")):
            found.append(Link(_absolute(outline, href), outline.text(index, 200), 0, 0))
        elif outline.tags[index] == "img":
            source = outline.attribute(index, "data-src") or outline.attribute(index, "src")
            if source and not source.startswith("data:"):
                alt = outline.attribute(index, "alt") or ""
                found.append(Link(_absolute(outline, source), alt, 0, 0, "image"))
    return tuple(found)


def _absolute(outline: PageOutline, href: str) -> str:
    try:
        return urljoin(outline.base, href)
    except ValueError:  # "http://[" is no URL and stays as it is
        return href
