"""Says which pages later crawls of a simulated forum fetched without news, and which news they missed."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from itertools import pairwise

from threadmill.lab.evaluate.forum_experiment import ForumRunRecord, crawl_dates
from threadmill.lab.judge.judge_crawl import page_of_entry, share_of_new
from threadmill.lab.judge.post_matching import PostMatcher
from threadmill.lab.judge.truth import all_pages, find_new_content, true_posts, visible_posts
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.url_keys import url_key
from threadmill.lab.simulate.view import ForumView

_HOST = re.compile(r"http://127\.0\.0\.1:\d+")
_UNSET = re.compile(r"(?:count|other|active|active_url)=None, |, numbers={}|precision='', ")
MOST_LINES = 25  # of one kind for one date


class SpokenReasons(logging.Handler):
    """Keeps what the crawl says about rows, lists and pages, by date."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.date = ""
        self.by_date: dict[str, list[str]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one message."""
        line = _HOST.sub("", record.getMessage()).replace("RowState", "")
        self.by_date.setdefault(self.date, []).append(_UNSET.sub("", line))

    def begin(self, sentence: str) -> None:
        """Begin a date. The experiment says "forum date"."""
        self.date = sentence.rpartition(" ")[2]

    def about(self, date: str, urls: Sequence[str]) -> list[str]:
        """What was said about some URLs."""
        ends = tuple(f"{url}{mark}" for url in urls for mark in (":", ";", " "))
        return [line for line in self.by_date.get(date, []) if any(end in f"{line} " for end in ends)]


def explain_later(forum: SimulatedForum, dates: Sequence[str], *, rows: bool) -> None:
    """Crawl a forum at all dates. Print for each later one what was fetched in vain, and what was missed."""
    said = SpokenReasons()
    logger = logging.getLogger("threadmill.crawl")
    level, logger.propagate = logger.level, False
    logger.setLevel(logging.DEBUG)
    logger.addHandler(said)
    try:
        run = crawl_dates(forum, dates, forum.layout.home, said.begin)
    finally:
        logger.removeHandler(said)
        logger.setLevel(level)
        logger.propagate = True
    for before, date in pairwise(dates):
        account = run.reports[date].account
        claim = f"{account.verdict}, kept {account.kept} of {account.claimed}" if account else "no account"
        print(f"--- {date}: {claim}")
        _print_vain(forum, run, said, before, date)
        _print_missed(forum, run, said, before, date)
        if rows:
            print("\n".join(f"    said: {line}" for line in said.by_date.get(date, [])))


def _print_vain(
    forum: SimulatedForum, run: ForumRunRecord, said: SpokenReasons, before: str, date: str
) -> None:
    """Print pages without news."""
    fresh, view = find_new_content(forum, before, date), ForumView(forum, as_unix_time(date))
    known, listed = set(visible_posts(forum, before)), set[tuple[str, int]]()
    useful = 0
    for entry in run.requests:
        if entry["date"] != date or entry["status"] in {301, 302, 304} or entry["key"] == "/robots.txt":
            continue
        page = page_of_entry(forum, view, entry)
        if page is not None and share_of_new(page, fresh, known, listed):
            useful += 1
            continue
        kind = page.kind if page else f"status {entry['status']}, no page of the forum"
        print(f"  in vain: {entry['url']} ({kind})")
        print("".join(f"      {line}\n" for line in said.about(date, [entry["url"]])), end="")
    print(f"  {useful} pages with news; {fresh.least_pages} is the least")


def _print_missed(
    forum: SimulatedForum, run: ForumRunRecord, said: SpokenReasons, before: str, date: str
) -> None:
    """Print threads with posts that were not found, and what was said about them."""
    fresh = find_new_content(forum, before, date).posts
    ranks = PostMatcher(forum).match(list(run.posts[date]), date)
    found = {forum.world.ids[rank] for rank in ranks if rank is not None}
    missed = [post for post in true_posts(forum, date) if post.post in fresh and post.post not in found]
    asked = {url_key(entry["page"]) for entry in run.requests if entry["date"] == date and entry["page"]}
    pages = [page for page in all_pages(forum, date) if page.kind == "thread"]
    print(f"  {len(missed)} of {len(fresh)} new posts missed")
    for thread in list(dict.fromkeys(post.thread for post in missed))[:MOST_LINES]:
        mine = [post for post in missed if post.thread == thread]
        own = [page for page in pages if page.thread == thread]
        there = [page.order + 1 for page in own if {post.post for post in mine} & set(page.items)]
        read = [page.order + 1 for page in own if page.key in asked]
        key = mine[0].thread_key
        places = [post.position for post in mine]
        print(f"  missed: {key} posts {places} on pages {there} of {len(own)}; read {read}")
        print("".join(f"      {line}\n" for line in said.about(date, [key])), end="")
