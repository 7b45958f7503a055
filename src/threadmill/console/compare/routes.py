"""The pages of comparing extractions: sets of pages, the next page to vote on, the tally, downloads.

The tally has the share of each reading with its confidence interval, and tells how far voters agree.
"""

from __future__ import annotations

import csv
import io
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import combinations
from math import sqrt

from fastapi import APIRouter, HTTPException, Request
from sqlalchemy import Connection
from starlette.datastructures import FormData, UploadFile
from starlette.responses import HTMLResponse, Response

from threadmill.console.compare.readings import shuffled
from threadmill.console.compare.set_pages import SetPages
from threadmill.console.context import ConsoleContext
from threadmill.console.page_renderer import redirect
from threadmill.console.security.sessions import SESSION, current_session
from threadmill.errors import ArchiveError, UsageError
from threadmill.sites.report.results import without_formula
from threadmill.store.crawl.captures import sample_pages
from threadmill.store.votes import (
    Vote,
    VoteSet,
    add_vote_set,
    list_vote_sets,
    load_vote_set,
    put_vote,
    votes_of,
)

_MOST_SETS = 100
_MOST_PAGES = 500
_MOST_READINGS = 3
_LARGEST = 2**62
_LONGEST_VOTE = 3600.0  # seconds; a page that stays open overnight says nothing
EQUAL = "equal"
_Z = 1.959964  # of a 95 % interval


def make_router(context: ConsoleContext) -> APIRouter:
    """The routes of comparing extractions."""
    router = APIRouter(prefix="/compare")
    pages = SetPages(context)
    _add_sets(router, context, pages)
    _add_voting(router, context, pages)
    _add_results(router, context, pages)
    return router


def _add_sets(router: APIRouter, context: ConsoleContext, pages: SetPages) -> None:
    @router.get("")
    async def all_sets(request: Request) -> HTMLResponse:
        sets = await context.access.read(lambda connection: list_vote_sets(connection, _MOST_SETS))
        return context.renderer.page(
            request, "compare/sets.html", sets=sets, names=pages.names, most=_MOST_PAGES
        )

    @router.post("")
    async def add_set(request: Request) -> Response:
        form = await request.form()
        readings = [name for name in pages.names if name in form.getlist("reading")]
        if not 2 <= len(readings) <= _MOST_READINGS:
            raise UsageError(f"choose two or three readings to compare, not {len(readings)}")
        keys = await _uploaded(form, pages) or await context.access.read(
            lambda connection: _archived(connection, form)
        )
        if not keys:
            raise UsageError("expected at least one page: none of the archive fits, and no file came")
        name = " ".join(str(form.get("name") or "").split())[:80] or f"{len(keys)} pages"
        who, now = current_session(request).name or "somebody", datetime.now(UTC)
        number = await context.access.write(
            lambda connection: add_vote_set(connection, name, readings, keys, who=who, at=now)
        )
        return redirect(request, f"/compare/{number}")


async def _uploaded(form: FormData, pages: SetPages) -> list[str]:
    files = [file for file in form.getlist("file") if isinstance(file, UploadFile) and file.filename]
    return [pages.keep_upload(await file.read()) for file in files[:_MOST_PAGES]]


def _archived(connection: Connection, form: FormData) -> list[str]:
    """A random sample of the archived pages whose URL has some text in it."""
    text = str(form.get("count") or "20")
    count = min(int(text), _MOST_PAGES) if text.isascii() and text.isdigit() and len(text) < 6 else 20
    found = sample_pages(connection, str(form.get("contains") or "")[:200])
    chosen = random.SystemRandom().sample(found, min(max(count, 1), len(found)))
    return [f"c{number}" for number in sorted(chosen)]


async def _load_set(context: ConsoleContext, number: int) -> tuple[VoteSet, list[Vote]]:
    def read(connection: Connection) -> tuple[VoteSet | None, list[Vote]]:
        if not 0 < number < _LARGEST:
            return None, []
        return load_vote_set(connection, number), votes_of(connection, number)

    found, votes = await context.access.read(read)
    if found is None:
        raise HTTPException(404, "There is no such set of pages.")
    return found, votes


def _add_voting(router: APIRouter, context: ConsoleContext, pages: SetPages) -> None:
    @router.get("/{number}")
    async def next_page(request: Request, number: int) -> Response:
        """Lead to the first page that this person has not voted on, or to the tally."""
        found, votes = await _load_set(context, number)
        who = current_session(request).name
        done = {vote.page for vote in votes if vote.who == who}
        left = [page for page in range(len(found.pages)) if page not in done]
        return redirect(request, f"/compare/{number}/{left[0]}" if left else f"/compare/{number}/tally")

    @router.get("/{number}/{page:int}")
    async def vote_page(request: Request, number: int, page: int) -> HTMLResponse:
        found, votes = await _load_set(context, number)
        if not 0 <= page < len(found.pages):
            raise HTTPException(404, "There is no such page in this set.")
        who = current_session(request).name
        capture, read = await pages.readings(found, page)
        by_name = {reading.name: reading for reading in read}
        shown = [by_name[name] for name in shuffled(found.readings, who, number, page)]
        mine = {vote.page: vote.choice for vote in votes if vote.who == who and who}
        return context.renderer.page(
            request,
            "compare/page.html",
            found=found,
            page=page,
            key=found.pages[page],
            capture=capture,
            shown=list(zip("ABC", shown, strict=False)),
            mine=mine,
            seen=int(time.time()),
        )

    @router.post("/{number}/{page:int}")
    async def cast(request: Request, number: int, page: int) -> Response:
        found, _ = await _load_set(context, number)
        form = await request.form()
        who = " ".join(str(form.get("name") or current_session(request).name).split())[:60]
        letter = str(form.get("choice") or "")
        session = current_session(request)
        order = dict(zip("ABC", shuffled(found.readings, session.name, number, page), strict=False))
        if not who:
            raise UsageError("say your name first: votes are counted by person")
        if not 0 <= page < len(found.pages) or letter not in {*order, EQUAL}:
            raise UsageError("expected a choice among the readings of a page")
        seen = str(form.get("seen") or "")
        spent = time.time() - int(seen) if seen.isdigit() and len(seen) < 12 else 0.0
        seconds = min(max(spent, 0.0), _LONGEST_VOTE)
        given = Vote(page, who, order.get(letter, EQUAL), seconds, datetime.now(UTC))
        await context.access.write(lambda connection: put_vote(connection, number, given))
        request.scope[SESSION] = replace(session, name=who)
        return redirect(request, f"/compare/{number}")


def _add_results(router: APIRouter, context: ConsoleContext, pages: SetPages) -> None:
    @router.get("/{number}/tally")
    async def tally_page(request: Request, number: int) -> HTMLResponse:
        found, votes = await _load_set(context, number)
        tally = count_votes(found.readings, votes)
        return context.renderer.page(request, "compare/tally.html", found=found, tally=tally)

    @router.get("/{number}/votes.csv")
    async def export_votes(number: int) -> Response:
        found, votes = await _load_set(context, number)
        urls = await context.access.read(lambda connection: _urls(connection, pages, found))
        headers = {"Content-Disposition": 'attachment; filename="votes.csv"'}
        return Response(votes_as_csv(votes, urls), media_type="text/csv; charset=utf-8", headers=headers)

    @router.get("/{number}/tally.json")
    async def export_tally(number: int) -> Response:
        found, votes = await _load_set(context, number)
        text = tally_as_json(found, count_votes(found.readings, votes))
        headers = {"Content-Disposition": 'attachment; filename="tally.json"'}
        return Response(text, media_type="application/json", headers=headers)


def _urls(connection: Connection, pages: SetPages, found: VoteSet) -> list[str]:
    urls = []
    for key in found.pages:
        try:
            urls.append(pages.load(connection, key).url)
        except (ArchiveError, OSError):
            urls.append(key)
    return urls


@dataclass(frozen=True, slots=True)
class ReadingScore:
    """How often a reading was chosen, among the votes for any reading."""

    name: str
    won: int
    share: float
    low: float  # of the 95 % confidence interval
    high: float


@dataclass(frozen=True, slots=True)
class VoteTally:
    """The result of a vote so far."""

    scores: tuple[ReadingScore, ...]  # best first
    votes: int
    equal: int
    voters: tuple[tuple[str, int], ...]
    pages: int  # with at least one vote
    agreement: float | None  # share of the pairs of votes on one page that are the same; None without any
    seconds: float  # median of a vote


def wilson_interval(won: int, votes: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share (Wilson's score interval), which holds for few votes, too."""
    if not votes:
        return 0.0, 1.0
    share, square = won / votes, _Z * _Z
    middle = share + square / (2 * votes)
    spread = _Z * sqrt(share * (1 - share) / votes + square / (4 * votes * votes))
    whole = 1 + square / votes
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def count_votes(readings: Sequence[str], votes: Sequence[Vote]) -> VoteTally:
    """The tally of a set."""
    chosen = Counter(vote.choice for vote in votes)
    decided = sum(chosen[name] for name in readings)
    scores = [_score(name, chosen[name], decided) for name in readings]
    seconds = sorted(vote.seconds for vote in votes)
    return VoteTally(
        tuple(sorted(scores, key=lambda score: -score.won)),
        len(votes),
        chosen[EQUAL],
        tuple(Counter(vote.who for vote in votes).most_common()),
        len({vote.page for vote in votes}),
        _agreement(votes),
        seconds[len(seconds) // 2] if seconds else 0.0,
    )


def _score(name: str, won: int, votes: int) -> ReadingScore:
    return ReadingScore(name, won, won / max(1, votes), *wilson_interval(won, votes))


def _agreement(votes: Sequence[Vote]) -> float | None:
    by_page: dict[int, list[str]] = defaultdict(list)
    for vote in votes:
        by_page[vote.page].append(vote.choice)
    pairs = [one == other for choices in by_page.values() for one, other in combinations(choices, 2)]
    return sum(pairs) / len(pairs) if pairs else None


def votes_as_csv(votes: Sequence[Vote], urls: Sequence[str]) -> str:
    """One line per vote."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("page", "url", "voter", "choice", "seconds", "at"))
    for vote in votes:
        row = (vote.page + 1, urls[vote.page], vote.who, vote.choice, round(vote.seconds, 1))
        writer.writerow([without_formula(value) for value in (*row, vote.at.isoformat())])
    return out.getvalue()


def tally_as_json(found: VoteSet, tally: VoteTally) -> str:
    """The result with its intervals."""
    value = {
        "name": found.name,
        "pages": len(found.pages),
        "pages_with_votes": tally.pages,
        "votes": tally.votes,
        "equal": tally.equal,
        "voters": dict(tally.voters),
        "agreement": tally.agreement,
        "readings": [
            {
                "name": score.name,
                "won": score.won,
                "share": round(score.share, 4),
                "interval_95": [round(score.low, 4), round(score.high, 4)],
            }
            for score in tally.scores
        ],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
