"""Exports posts as plain dictionaries, with filters and optional pseudonyms for authors."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, func, or_, select

from threadmill.errors import URLError, UsageError
from threadmill.store.crawl.jobs import job
from threadmill.store.forum.accounts import latest_account
from threadmill.store.forum.forums import board, forum
from threadmill.store.forum.posts import post, read_posts, wording
from threadmill.store.forum.threads import thread
from threadmill.types import Moment, StoredBoard, StoredThread
from threadmill.urls import canonicalise

FIELDS = (
    "id", "post_id", "url", "thread_url", "thread_title", "board_url", "author", "author_url", "date",
    "position", "parent", "text", "html", "quotes", "first_seen", "vanished",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PostFilter:
    """Which posts to export. None means no restriction."""

    since: str | None = None  # ISO date, as `read_since` returns it: posts of this day or later
    board: str | None = None
    thread: str | None = None
    author: str | None = None
    until: str | None = None  # ISO date, as `read_since` returns it: posts of this day or earlier
    forum: str | None = None  # the URL given to the crawl, or the start page
    new_since: datetime | None = None  # posts that crawls saw for the first time then or later
    words: tuple[str, ...] = ()  # all stand in the text, in any case
    edited: bool = False  # posts with earlier wordings only
    vanished: bool = False  # posts that the forum no longer shows only

    def conditions(self) -> Iterator[ColumnElement[bool]]:
        """Yield the filter as SQL conditions."""
        if self.since is not None:
            yield post.c.date >= self.since
        if self.board is not None:
            yield board.c.url.in_(_spellings(self.board))
        if self.thread is not None:
            yield thread.c.url.in_(_spellings(self.thread))
        if self.author is not None:
            yield post.c.author == self.author
        if self.until is not None:
            yield post.c.date < f"{self.until}~"  # a sign after all that follows a day in ISO dates
        if self.forum is not None:
            yield thread.c.forum.in_(forums_at(self.forum))
        if self.new_since is not None:
            yield post.c.first_seen >= self.new_since
        yield from self._text_conditions()

    def _text_conditions(self) -> Iterator[ColumnElement[bool]]:
        yield from (post.c.text.icontains(word, autoescape=True) for word in self.words)
        if self.edited:
            yield post.c.id.in_(select(wording.c.post))
        if self.vanished:
            yield post.c.vanished.is_not(None)


def forums_at(url: str) -> Select[int]:
    """The forums with this start page, or that were crawled from this URL."""
    spellings = _spellings(url)
    at = or_(forum.c.entry.in_(spellings), job.c.url.in_(spellings))
    return select(forum.c.id).join(job, job.c.id == forum.c.job).where(at)


_YEAR = re.compile(r"[0-9]{4}", re.ASCII).fullmatch
_YEAR_FIRST = re.compile(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})", re.ASCII).fullmatch
_WITH_TIME = re.compile(r"\s*[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]+[0-9]", re.ASCII).match
_SHORT_NUMBER = re.compile(r"(?<![0-9])[0-9]{1,2}(?![0-9])", re.ASCII)
_LEAST_IN_ANY_CASE = 3  # characters of a name


def read_since(text: str, now: datetime) -> str:
    """Read the day from which on posts are wanted: "2025-05-01", "1 May 2025", "yesterday", "2025".

    The result is the beginning of an ISO date. A text that names no day, or two possible days, is refused.
    """
    from threadmill.dates import parse_date  # it loads the words of all languages

    text = text.strip()
    if _YEAR(text):
        return text
    if _WITH_TIME(text):  # many posts show no time, and forums their own time zones
        raise UsageError(f"expected a day such as {text[:10]}, without a time, not {text!r}")
    if found := _YEAR_FIRST(text):  # only this order is meant: 2016-13-01 is no 13 January
        try:
            return date(*map(int, found.group(1, 3, 4))).isoformat()
        except ValueError:
            raise UsageError(f"expected a day as YYYY-MM-DD, but there is no {text}") from None
    # With dots the day comes first everywhere. With slashes it does not.
    orders = ("dmy", "mdy") if "/" in text or "-" in text else ("dmy",)
    dates = {parse_date(text, now, order=order) for order in orders} - {None}
    if any(_is_another_day(moment, text, now) for moment in dates if moment is not None):
        raise UsageError(f"expected a day of the calendar, but there is no {text}")
    days = sorted(moment.isoformat()[:10] for moment in dates if moment is not None)
    if len(days) == 1:
        return days[0]
    if days:
        raise UsageError(f"{text!r} is {days[0]} or {days[1]}; write the date as YYYY-MM-DD")
    raise UsageError(f"expected a date such as 2025-05-01 or yesterday, not {text!r}")


def _is_another_day(moment: Moment, text: str, now: datetime) -> bool:
    """Was an impossible day read as the last one of its month? Pages may mean that; people mistype."""
    from threadmill.dates import parse_date

    numbers = {int(number) for number in _SHORT_NUMBER.findall(text)}
    day = moment.date.day
    if day in numbers or max(numbers, default=0) <= day or not _ends_month(moment.date):
        return False
    tomorrow = parse_date(text, now + timedelta(days=1), order="dmy")
    return tomorrow is None or tomorrow.date == moment.date  # otherwise it is an age, such as "30 days ago"


def _ends_month(day: date) -> bool:
    return (day + timedelta(days=1)).day == 1


def read_moment(text: str, now: datetime) -> datetime:
    """Read a moment in ISO 8601, or the beginning of a day, month or year, at the user's place."""
    if _WITH_TIME(text):
        try:
            return datetime.fromisoformat(text.strip()).astimezone()
        except ValueError:
            raise UsageError(f"expected a moment such as 2025-05-01T18:30, not {text!r}") from None
    day = read_since(text, now)
    return datetime.fromisoformat(f"{day}-01-01"[:10]).astimezone()


def read_filter(
    now: datetime, *, since: str | None, until: str | None, new_since: str | None, **others: Any
) -> PostFilter:
    """A filter whose days are as people write them; `others` are its other fields."""
    first, last = (read_since(text, now) if text is not None else None for text in (since, until))
    # "2025-05-02" is not after "2025".
    if first is not None and last is not None and first[: len(last)] > last[: len(first)]:
        raise UsageError(f"--since {since} is after --until {until}; no post can meet both")
    seen = read_moment(new_since, now) if new_since is not None else None
    return PostFilter(since=first, until=last, new_since=seen, **others)


class Pseudonyms:
    """Replaces names by keyed hashes. One name has one pseudonym. Only the key can link them.

    In texts, names are replaced where they are whole words: names of all who wrote in the thread or are
    quoted in the post, in any case ("thanks anna"); names of all other authors only as a mention (@name), at
    the start of a line that ends with a colon ("name wrote:"), or if they cannot be words ("anna_92").
    Otherwise an author named Summer would change every text about the summer.
    """

    def __init__(self, key: str, authors: Iterable[str] = ()) -> None:
        if not key.strip():
            raise UsageError("the key of the pseudonyms is empty; is the variable set that should hold it?")
        self._key = key.encode("utf-8", "surrogatepass")
        self._authors = _NamesByWord(authors)

    def of(self, name: str | None) -> str | None:
        """Return the pseudonym of a name."""
        if name is None:
            return None
        return "author-" + hmac.new(self._key, name.encode(), hashlib.sha256).hexdigest()[:16]

    def hide(self, exported: dict[str, Any], near: Iterable[str] = ()) -> dict[str, Any]:
        """Return a post without names. Its HTML is left out: names are in its links and attributes, too."""
        names = {exported["author"], *(quote["author"] for quote in exported["quotes"]), *near} - {None, ""}
        hidden = dict(exported)
        hidden["author"] = self.of(exported["author"])
        hidden["author_url"] = None  # the URL of a profile often has the name in it
        hidden["quotes"] = [
            {
                "text": self._replace_names(names, quote["text"]),
                "author": self.of(quote["author"]),
                "url": None,
            }
            for quote in exported["quotes"]
        ]
        hidden["html"] = ""
        for field in ("text", "thread_title"):
            hidden[field] = self._replace_names(names, exported[field])
        return hidden

    def _replace_names(self, names: set[str], text: str) -> str:
        """Replace names in a text, only where they are whole words."""
        if names:
            by_lower = {name.lower(): name for name in sorted(names)}
            wanted = "|".join(map(_pattern_of, sorted(names, key=len, reverse=True)))
            text = re.sub(
                rf"(?<!\w)(?:{wanted})(?!\w)",
                lambda match: str(self.of(_as_known(match[0], names, by_lower))),
                text,
            )
        return self._authors.replace(text, lambda name: str(self.of(name)))


def _pattern_of(name: str) -> str:
    """A name in any case. Short ones only as they are written: "al" is a word in many languages."""
    pattern = re.escape(name)
    return f"(?i:{pattern})" if len(name) >= _LEAST_IN_ANY_CASE else pattern


def _as_known(written: str, names: Container[str], by_lower: Mapping[str, str]) -> str:
    """The name as its owner writes it, so that it has one pseudonym."""
    return written if written in names else by_lower.get(written.lower(), written)


class _NamesByWord:
    """Names of authors, found in a text in one pass however many there are."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names: dict[str, list[str]] = {}  # first word in lower case → names, the longest first
        for name in names:
            first = _FIRST_WORD(name)
            if first is not None:
                self._names.setdefault(first[0].lower(), []).append(name)
        for same in self._names.values():
            same.sort(key=len, reverse=True)

    def replace(self, text: str, new: Callable[[str], str]) -> str:
        """Replace mentions and lines that introduce a quote, and names that cannot be ordinary words."""
        if not self._names:
            return text
        parts: list[str] = []
        done = 0
        for word in _WORD(text):
            if word.start() < done:
                continue
            for name in self._names.get(word[0].lower(), ()):
                start = word.start() - name.lower().find(word[0].lower())
                end = start + len(name)
                if start >= done and self._stands_at(text, start, end, name):
                    parts += (text[done:start], new(name))
                    done = end
                    break
        return "".join((*parts, text[done:])) if parts else text

    @staticmethod
    def _stands_at(text: str, start: int, end: int, name: str) -> bool:
        found = text[start:end]
        if found.lower() != name.lower() or text[end : end + 1].isalnum() or text[end : end + 1] == "_":
            return False
        if text[start - 1 : start] == "@":
            return True
        if found != name:
            return False
        rest = text[end : end + _HEADER].partition("\n")[0].rstrip()
        begins = text[max(0, start - _HEADER) : start].rpartition("\n")[2].strip(" \t\"'>«„“*") == ""
        return (begins and rest.endswith(":")) or _NO_WORD(name) is not None


_WORD = re.compile(r"\w+").finditer
_FIRST_WORD = re.compile(r"\w+").search
# A digit or a sign within a name, a capital within a word, two words: no ordinary word is so.
_NO_WORD = re.compile(r"\w*[0-9_.][\w.-]*\Z|\w*[a-z][A-Z]\w*\Z|\w{2,}[ -]\w{2,}[\w -]*\Z").match
_HEADER = 60  # characters of a line that introduces a quote


def export_posts(
    connection: Connection,
    wanted: PostFilter | None = None,
    pseudonyms: Pseudonyms | None = None,
    *,
    versions: bool = False,
) -> Iterator[dict[str, Any]]:
    """Yield posts as dictionaries, thread by thread, in the order of the thread.

    With `versions`, earlier wordings of a post come before it. `version` numbers them from 1, and `until`
    says when a crawl first saw the next one.
    """
    near: tuple[int, list[str]] = (0, [])
    for row in read_posts(connection, *(wanted or PostFilter()).conditions()):
        if pseudonyms is not None and near[0] != row.thread:
            near = row.thread, authors_of(connection, row.thread)
        exported = {
            "id": row.identity,
            "post_id": row.post_id,
            "url": row.url,
            "thread_url": row.thread_url,
            "thread_title": row.thread_title,
            "board_url": row.board_url,
            "author": row.author,
            "author_url": row.author_url,
            "date": row.date,
            "position": row.position,
            "parent": row.parent,
            "text": row.text,
            "html": row.html,
            "quotes": row.apart["quotes"],
            "first_seen": row.first_seen.isoformat(timespec="seconds"),
            "vanished": row.vanished.isoformat(timespec="seconds") if row.vanished else None,
        }
        for one in _versions(connection, row.id, exported) if versions else (exported,):
            yield pseudonyms.hide(one, near[1]) if pseudonyms else one


def _versions(connection: Connection, number: int, exported: dict[str, Any]) -> Iterator[dict[str, Any]]:
    earlier = select(wording.c.text, wording.c.html, wording.c.until).where(wording.c.post == number)
    version = 1
    for row in connection.execute(earlier.order_by(wording.c.id)).all():
        until = row.until.isoformat(timespec="seconds")
        # The quotes of earlier wordings are not kept.
        yield exported | {
            "text": row.text,
            "html": row.html,
            "quotes": [],
            "version": version,
            "until": until,
        }
        version += 1
    yield exported | {"version": version, "until": None}


def authors_of(connection: Connection, thread_id: int | None = None) -> list[str]:
    """Return the names of all authors, or of those of one thread."""
    wanted = select(post.c.author).where(post.c.author.is_not(None)).distinct()
    if thread_id is not None:
        wanted = wanted.where(post.c.thread == thread_id)
    return [name for name in connection.execute(wanted).scalars() if name.strip()]


def why_nothing(connection: Connection, wanted: PostFilter) -> str:
    """Why no post meets a filter, as the end of a sentence. Empty if every part of it alone meets some."""
    alone = {
        "no board with this URL": (board, board.c.url.in_(_spellings(wanted.board)), wanted.board),
        "no thread with this URL": (thread, thread.c.url.in_(_spellings(wanted.thread)), wanted.thread),
        "no post of this author": (post, post.c.author == wanted.author, wanted.author),
        "no forum with this URL": (
            forum,
            forum.c.id.in_(forums_at(wanted.forum or "")),
            wanted.forum,
        ),
    }
    for reason, (table, condition, value) in alone.items():
        if value is not None and not connection.execute(select(table.c.id).where(condition).limit(1)).first():
            hint = hint_at_spelling(connection, wanted.author) or _hint_at_title(connection, table, value)
            return f"{reason}: {value}{hint}"
    return ""


def _hint_at_title(connection: Connection, table: Table, value: str) -> str:
    """The end of a sentence: the URL of a board or thread that was named by its title, or who lists them."""
    if table not in {board, thread}:
        return ""
    named = select(table.c.url).where(func.lower(table.c.title) == value.strip().lower()).limit(1)
    url = connection.execute(named).scalar()
    return f"; it is {url}" if url else f"; see `threadmill {table.name}s`"


def hint_at_spelling(connection: Connection, name: str | None) -> str:
    """The end of a sentence: how the name of an author is written that differs only in case or spaces."""
    if not name or not name.strip():
        return ""
    wanted = " ".join(name.split()).casefold()
    for author in authors_of(connection):
        if " ".join(author.split()).casefold() == wanted and author != name:
            return f"; names are compared letter by letter: there is {author!r}"
    return ""


def _spellings(url: str | None) -> list[str]:
    """A URL as the user wrote it and as crawls store it."""
    try:
        return [url, canonicalise(url)] if url is not None else []
    except URLError:
        return [url] if url is not None else []


def export_threads(connection: Connection, board_url: str | None = None) -> Iterator[StoredThread]:
    """Threads in the order in which crawls found them."""
    held = func.count(post.c.id)
    wanted = (
        select(
            thread.c.url,
            thread.c.title,
            board.c.url.label("board_url"),
            held.label("posts"),
            thread.c.pages,
            thread.c.visited,
            thread.c.gone,
            func.min(post.c.date).label("first_post"),
            func.max(post.c.date).label("last_post"),
            func.count(func.distinct(post.c.author)).label("authors"),
        )
        .outerjoin(board, board.c.id == thread.c.board)
        .outerjoin(post, post.c.thread == thread.c.id)
        .group_by(thread.c.id, board.c.url)
        .order_by(thread.c.id)
    )
    if board_url is not None:
        wanted = wanted.where(board.c.url.in_(_spellings(board_url)))
    for row in connection.execution_options(yield_per=1000).execute(wanted):
        yield StoredThread(**row._mapping)


def export_boards(connection: Connection) -> Iterator[StoredBoard]:
    """Boards in the order in which crawls found them."""
    above = board.alias()
    held = select(func.count()).where(thread.c.board == board.c.id).scalar_subquery()
    kept = (
        select(func.count())
        .select_from(post.join(thread, thread.c.id == post.c.thread))
        .where(thread.c.board == board.c.id)
        .scalar_subquery()
    )
    claims = _claims_of_boards(connection)
    wanted = (
        select(
            board.c.url,
            board.c.title,
            above.c.url.label("parent_url"),
            held.label("threads"),
            board.c.visited,
            kept.label("posts"),
        )
        .outerjoin(above, above.c.id == board.c.parent)
        .order_by(board.c.id)
    )
    for row in connection.execution_options(yield_per=1000).execute(wanted):
        yield StoredBoard(**row._mapping, claimed_posts=claims.get(row.url))


def _claims_of_boards(connection: Connection) -> dict[str, int | None]:
    """Posts that forums claim for their boards, by the URL of the board."""
    jobs = connection.execute(select(forum.c.job)).scalars().all()
    accounts = (latest_account(connection, job) for job in jobs)
    return {line.url: line.claimed for account in accounts if account for line in account.boards}
