# ruff: noqa: E501 -- markup reads better unbroken
"""Small forums made for the tests: a thread in several layouts, an index, and simulated forums to learn from."""

from datetime import UTC, datetime
from functools import cache

from threadmill.forum.site_model.explore import explore
from threadmill.forum.site_model.learn import SamplePage
from threadmill.forum.site_model.model import ForumModel
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.respond import respond
from threadmill.page.parse.tree import Tree, parse

NOW = datetime(2020, 6, 17, 12, tzinfo=UTC)
WORDS = (
    "The pump ran dry last night and the garage is full of water now, what would you check first?",
    "Start with the valve behind the filter, mine was stuck for a whole winter before I noticed.",
    "Thanks, it was indeed the valve, and a new gasket cost me almost nothing at the shop.",
    "Same here, although in my case the hose had a crack that nobody could see from outside.",
)
NAMES = ("anna", "Bert77", "anna", "carla_x")


def flat_thread(posts: int = 4) -> str:
    """Posts as siblings, author beside the body, signature and edit note below."""
    rows = "".join(
        f'<div class="post" id="p{100 + n}"><div class="side"><a class="name" href="/user/{NAMES[n]}">{NAMES[n]}</a>'
        f'<p>Joined: Jan 2010</p></div><div class="main"><p class="when"><a href="/t/9#p{100 + n}">0{n + 1}.06.2020, '
        f'10:1{n}</a></p><div class="words">{WORDS[n]}</div><div class="buttons"><a href="/quote/{n}">Quote</a> '
        f'<a href="/report/{n}">Report</a></div></div></div>'
        for n in range(posts)
    )
    return _page("Pump trouble", f'<div id="posts">{rows}</div>')


def table_thread() -> str:
    """Each post three rows of one table: author, body, buttons."""
    rows = "".join(
        f'<tr><td>{NAMES[n]}</td><td>2020-06-0{n + 1} 10:1{n}</td></tr><tr><td colspan="2">{WORDS[n]}</td></tr>'
        f'<tr><td colspan="2"><a href="/q?p={50 + n}">Quote</a></td></tr>'
        for n in range(4)
    )
    return _page("Pump trouble", f"<table>{rows}</table>")


def nested_thread() -> str:
    """Replies stand inside what they answer."""

    def one(n: int, inner: str) -> str:
        return (
            f'<li class="comment" id="c{n}"><div class="by"><a href="/u/{NAMES[n]}">{NAMES[n]}</a> '
            f'<time datetime="2020-06-0{n + 1}T10:00:00Z">June {n + 1}</time></div><div class="said">{WORDS[n]}</div>'
            f"{f'<ul>{inner}</ul>' if inner else ''}</li>"
        )

    return _page("Pump trouble", f"<ul>{one(0, one(1, one(2, '')))}{one(3, '')}</ul>")


def odd_first_thread() -> str:
    """The first post has a layout of its own."""
    first = (
        f'<div class="topic"><h1>Pump trouble</h1><div class="head"><a class="name" href="/user/{NAMES[0]}">{NAMES[0]}</a>'
        f' <span class="on">1 June 2020 10:10</span></div><div class="lead"><p>{WORDS[0]}</p></div></div>'
    )
    rest = "".join(
        f'<div class="answer"><div class="meta"><a class="name" href="/user/{NAMES[n]}">{NAMES[n]}</a> '
        f'<em>{n + 1} June 2020 10:1{n}</em></div><div class="text"><p>{WORDS[n]}</p></div></div>'
        for n in range(1, 4)
    )
    return _page("Pump trouble", f'{first}<div class="answers">{rest}</div>')


def index_page() -> str:
    """Two sticky threads, then others by last activity."""
    days = (
        "03.02.2019",
        "01.01.2018",
        "16.06.2020",
        "15.06.2020",
        "14.06.2020",
        "10.06.2020",
        "01.06.2020",
        "30.05.2020",
    )
    rows = "".join(
        f'<tr class="{"sticky" if n < 2 else "row"}"><td><a href="/t/{40 - 3 * (n % 5) + n}">How to repair the old pump no {n}</a>'
        f'</td><td><a href="/user/{NAMES[n % 4]}">{NAMES[n % 4]}</a></td><td>{n * 3}</td><td>{n * 100 + 7}</td>'
        f'<td>{day} 10:1{n} <a href="/t/{40 - 3 * (n % 5) + n}?page=2#p{n + 900}">last</a></td></tr>'
        for n, day in enumerate(days)
    )
    pager = '<div class="pages"><b>1</b> <a href="/b/5?page=2">2</a> <a href="/b/5?page=3">3</a> <a href="/b/5?page=2">next</a></div>'
    return _page("Repairs", f"<table>{rows}</table>{pager}")


def _page(title: str, body: str) -> str:
    menu = "".join(
        f'<li><a href="/{word}">{word}</a></li>' for word in ("home", "search", "members", "help", "login")
    )
    return (
        f"<html><head><title>{title}</title></head><body><ul class='menu'>{menu}</ul>"
        f"{body}<footer>All times are GMT. Powered by hand.</footer></body></html>"
    )


def tree(page: str, url: str = "https://forum.example.org/t/9") -> Tree:
    """The parsed page."""
    return parse(page, url)


BASE = "http://sim.test"
WHEN = "2016-06-01"


def fetch(forum: SimulatedForum, url: str, when: str = WHEN) -> SamplePage | None:
    """A page of a simulated forum, redirects followed."""
    for _ in range(4):
        answer = respond(forum, url.removeprefix(BASE), as_unix_time(when))
        if not 300 <= answer.status < 400:
            break
        url = BASE + (answer.header("Location") or answer.target).removeprefix(BASE)
    now = datetime.fromtimestamp(as_unix_time(when), UTC)
    return SamplePage(url, parse(answer.body, url), now) if answer.status == 200 else None


@cache
def learn_simulated(name: str) -> tuple[SimulatedForum, ForumModel, int]:
    """A simulated forum, its model learnt from its start page, and how many pages that took."""
    forum = open_forum(name)
    return forum, *learn_forum(forum)


def learn_forum(forum: SimulatedForum, when: str = WHEN) -> tuple[ForumModel, int]:
    """The model of a forum, learnt from its start page, and how many pages that took."""
    search = explore(BASE + forum.layout.home)
    url = next(search)
    count = 0
    while True:
        count += 1
        try:
            url = search.send(fetch(forum, url, when))
        except StopIteration as end:
            return end.value, count
