"""Removes an author, a thread or a forum from the store, and blanks quotations of them in what stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, delete, func, select, update

from threadmill.page.redaction import REMOVED, Redactor, Wanted, redact_values
from threadmill.store.crawl.captures import capture, unread_archive
from threadmill.store.crawl.jobs import job, run
from threadmill.store.crawl.url_queue import queue
from threadmill.store.forum.accounts import account
from threadmill.store.forum.browsing import post_count, post_count_mark
from threadmill.store.forum.corrections import correction
from threadmill.store.forum.export import PostFilter
from threadmill.store.forum.forums import board, forum
from threadmill.store.forum.page_visits import page_visit
from threadmill.store.forum.posts import post, wording
from threadmill.store.forum.threads import thread

_ROWS = 1000  # that are read at a time
_FEW = 500  # values in one condition; SQLite takes 32,766


def chosen_posts(chosen: PostFilter) -> Select[tuple[int]]:
    """The ids of the posts that a filter chooses."""
    joined = post.join(thread, thread.c.id == post.c.thread)
    return select(post.c.id).select_from(joined).where(*chosen.conditions())


def count_chosen(connection: Connection, chosen: PostFilter) -> dict[str, int]:
    """How many posts and earlier wordings a filter chooses, and in how many threads."""
    ids = chosen_posts(chosen)
    posts = select(func.count(), func.count(post.c.thread.distinct())).where(post.c.id.in_(ids))
    number, threads = connection.execute(posts).one()
    wordings = select(func.count()).select_from(wording).where(wording.c.post.in_(ids))
    return {
        "posts": int(number),
        "wordings": int(connection.execute(wordings).scalar_one()),
        "threads": int(threads),
    }


def read_wanted(connection: Connection, chosen: PostFilter) -> Wanted:
    """All that has to go with the posts of an author or a thread: their words, titles, addresses, names."""
    ids = chosen_posts(chosen)
    texts, htmls, urls, titles, quoted = set[str](), set[str](), set[str](), set[str](), set[str]()
    own = select(post.c.text, post.c.html, post.c.apart, post.c.author_url).where(post.c.id.in_(ids))
    for row in connection.execute(own):
        texts |= {row.text, row.apart.get("signature") or ""}
        htmls.add(row.html)
        if chosen.author is not None:
            others = (quote for quote in row.apart.get("quotes", ()) if quote.get("author") != chosen.author)
            quoted |= {quote.get("text") or "" for quote in others}
        if chosen.author is not None and row.author_url:
            urls.add(row.author_url)
    earlier = select(wording.c.text, wording.c.html).where(wording.c.post.in_(ids))
    for text, html in connection.execute(earlier):
        texts.add(text)
        htmls.add(html)
    every = post.alias()
    first = select(func.min(every.c.position)).where(every.c.thread == thread.c.id).scalar_subquery()
    begun = (
        select(thread.c.title, thread.c.url)
        .join(post, post.c.thread == thread.c.id)
        .where(post.c.id.in_(ids), post.c.position == first)
    )
    for title, url in connection.execute(begun):
        titles.add(" ".join(title.split()))
        if chosen.thread is not None:
            urls.add(url)
    names = (chosen.author,) if chosen.author is not None else ()
    return Wanted(names, _filled(titles), _filled(urls), _filled(texts), _filled(htmls), _filled(quoted))


def _filled(values: set[str]) -> tuple[str, ...]:
    return tuple(sorted(filter(None, values)))


def remove_posts(connection: Connection, chosen: PostFilter) -> int:
    """Delete posts and their earlier wordings. Return how many posts."""
    numbers = list(connection.execute(chosen_posts(chosen)).scalars())
    for part in _parts(numbers):
        connection.execute(delete(wording).where(wording.c.post.in_(part)))
        connection.execute(delete(post).where(post.c.id.in_(part)))
    connection.execute(delete(post_count))  # counted again when they are next asked for
    connection.execute(delete(post_count_mark))
    return len(numbers)


def remove_threads(connection: Connection, urls: Sequence[str]) -> int:
    """Delete threads without posts. Return how many."""
    return sum(
        connection.execute(delete(thread).where(thread.c.url.in_(part))).rowcount for part in _parts(urls)
    )


def remove_forum(connection: Connection, forum_id: int) -> None:
    """Delete a forum with its crawls and all that they stored."""
    found = connection.execute(
        select(forum.c.job, job.c.url).join(job, job.c.id == forum.c.job).where(forum.c.id == forum_id)
    ).one()
    threads = select(thread.c.id).where(thread.c.forum == forum_id)
    posts = select(post.c.id).where(post.c.thread.in_(threads))
    runs = select(run.c.id).where(run.c.job == found.job)
    boards = board.c.forum == forum_id
    connection.execute(update(board).where(boards).values(parent=None))  # a board may follow its parent
    steps: tuple[tuple[Table, ColumnElement[bool]], ...] = (  # each after those that refer to it
        (wording, wording.c.post.in_(posts)),
        (post, post.c.thread.in_(threads)),
        (thread, thread.c.forum == forum_id),
        (board, boards),
        (post_count, post_count.c.forum == forum_id),
        (forum, forum.c.id == forum_id),
        (page_visit, page_visit.c.run.in_(runs)),
        (account, account.c.run.in_(runs)),
        (run, run.c.job == found.job),
        (capture, capture.c.job == found.job),
        (unread_archive, unread_archive.c.job == found.job),
        (queue, queue.c.job == found.job),
        (job, job.c.id == found.job),
        (correction, correction.c.url == found.url),
    )
    for table, mine in steps:
        connection.execute(delete(table).where(mine))


def redact_rest(connection: Connection, redactor: Redactor) -> int:
    """Blank quotations and names in all other posts, threads and boards. Return how many posts changed."""
    changed = 0
    for number, fresh in _redacted_posts(connection, redactor):
        connection.execute(update(post).where(post.c.id == number).values(fresh))
        changed += 1
    for row in _in_parts(connection, select(wording.c.id, wording.c.text, wording.c.html), wording.c.id):
        texts = {"text": redactor.redact_text(row.text), "html": redactor.redact_html(row.html)}
        if (texts["text"], texts["html"]) != (row.text, row.html):
            connection.execute(update(wording).where(wording.c.id == row.id).values(texts))
    for table in (thread, board):
        for row in _in_parts(connection, select(table.c.id, table.c.title, table.c.said), table.c.id):
            held = redactor.holds_value(row.title, names=False)
            said = redact_values(row.said, redactor)
            if said != row.said or held:
                title = REMOVED if held else row.title
                connection.execute(update(table).where(table.c.id == row.id).values(title=title, said=said))
    for row in connection.execute(select(forum.c.id, forum.c.model)).all():
        # Names of elements in a model may be words that are names of people, too.
        model = redact_values(row.model, redactor, names=False)
        if model != row.model:
            connection.execute(update(forum).where(forum.c.id == row.id).values(model=model))
    return changed


def count_quoting(connection: Connection, chosen: PostFilter, redactor: Redactor) -> int:
    """How many posts of others `redact_rest` would change."""
    own: set[Any] = set(connection.execute(chosen_posts(chosen)).scalars())
    return sum(number not in own for number, _ in _redacted_posts(connection, redactor))


def _redacted_posts(connection: Connection, redactor: Redactor) -> Iterator[tuple[int, dict[str, Any]]]:
    """The numbers of posts that hold something of it, with their new values."""
    columns = (post.c.id, post.c.text, post.c.html, post.c.apart)
    for row in _in_parts(connection, select(*columns), post.c.id):
        fresh = {
            "text": redactor.redact_text(row.text),
            "html": redactor.redact_html(row.html),
            "apart": _redact_apart(row.apart, redactor),
        }
        if any(fresh[name] != getattr(row, name) for name in fresh):
            yield row.id, fresh


def _redact_apart(apart: Mapping[str, Any], redactor: Redactor) -> dict[str, Any]:
    names = redactor.wanted.names
    quotes = [
        {**quote, "text": redactor.redact_text(quote["text"] or "")}
        for quote in apart.get("quotes", ())
        if quote.get("author") not in names
    ]
    rest = {key: redact_values(value, redactor) for key, value in apart.items() if key != "quotes"}
    return {**rest, "quotes": quotes}


def find_rest(connection: Connection, redactor: Redactor) -> Iterator[str]:
    """Yield where the store still holds what should be gone."""
    names = redactor.wanted.names
    columns = (post.c.id, post.c.author, post.c.text, post.c.html, post.c.apart)
    for row in _in_parts(connection, select(*columns), post.c.id):
        quoted = any(quote.get("author") in names for quote in row.apart.get("quotes", ()))
        if row.author in names or quoted or redactor.holds_text(row.text) or redactor.finds(row.html):
            yield f"the post {row.id} of the store"
    for row in _in_parts(connection, select(wording.c.id, wording.c.text, wording.c.html), wording.c.id):
        if redactor.holds_text(row.text) or redactor.finds(row.html):
            yield f"an earlier wording of a post ({row.id}) in the store"
    for table in (thread, board):
        for row in _in_parts(connection, select(table.c.id, table.c.title, table.c.said), table.c.id):
            if redactor.holds_value(row.title, names=False) or redact_values(row.said, redactor) != row.said:
                yield f"the {table.name} {row.id} of the store"


def count_mentions(connection: Connection, name: str) -> int:
    """How many posts of others hold a name in their own words. They stay."""
    wanted = select(func.count()).select_from(post).where(post.c.text.contains(name, autoescape=True))
    return int(connection.execute(wanted).scalar_one())


def rename_captures(
    connection: Connection,
    file: str,
    fresh: str,
    moved: Mapping[int, tuple[str, int, int] | None],
    digests: Mapping[str, str],
) -> None:
    """Let the captures of an archive file name the file that replaces it. Those that were left out go."""
    mine = select(capture.c.id, capture.c.offset, capture.c.digest).where(capture.c.file == file)
    for row in connection.execute(mine).all():
        place = moved.get(row.offset)
        own = capture.c.id == row.id
        if place is None:
            connection.execute(delete(capture).where(own))
            continue
        values = {"file": place[0], "offset": place[1], "length": place[2]}
        fresh_digest = digests.get(row.digest, row.digest)
        connection.execute(update(capture).where(own).values(**values, digest=fresh_digest))
    jobs = select(unread_archive.c.job)
    waiting = set(connection.execute(jobs.where(unread_archive.c.file == file)).scalars())
    known = set(connection.execute(jobs.where(unread_archive.c.file == fresh)).scalars())
    connection.execute(delete(unread_archive).where(unread_archive.c.file == file))
    for number in sorted(waiting - known):
        connection.execute(unread_archive.insert().values(job=number, file=fresh))


def is_file_named(connection: Connection, files: Sequence[str]) -> bool:
    """Do captures name one of these archive files?"""
    return (
        connection.execute(select(capture.c.id).where(capture.c.file.in_(list(files))).limit(1)).first()
        is not None
    )


def _in_parts(connection: Connection, wanted: Select[Any], key: Any) -> Iterator[Any]:
    """Rows in the order of their numbers, some at a time, so that they may be changed meanwhile."""
    last = -1
    while rows := connection.execute(wanted.where(key > last).order_by(key).limit(_ROWS)).all():
        yield from rows
        last = rows[-1].id


def _parts(values: Sequence[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(values), _FEW):
        yield list(values[start : start + _FEW])
