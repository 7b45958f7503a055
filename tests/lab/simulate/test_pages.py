"""What pages show must be what the truth says, read back from the HTML with each layout's own selectors."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape
from urllib.parse import urljoin

import pytest
from turbohtml import Element, parse

from threadmill.lab.judge.post_matching import tokenise
from threadmill.lab.judge.truth import ShownPage, TruePost, all_pages, true_posts
from threadmill.lab.simulate.catalogue import FORUMS, open_forum
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.respond import respond
from threadmill.lab.simulate.url_keys import url_key
from threadmill.lab.simulate.view import ForumView

DATE = "2016-03-01"


@dataclass(frozen=True)
class Reading:
    """Where a layout puts things."""

    post: str  # elements that are posts
    post_id: str  # pattern of the number in the element's id
    body: str
    author: str
    row: str  # elements that are rows of an index
    thread: str  # pattern of the thread's number in the addresses of a row
    quotes: str = "blockquote"
    notes: str = ""


READINGS = {
    "phpbb": Reading(
        "div.post", r"p(\d+)", "div.content", "p.author strong", "ul.topics li.row", r"[?&]t=(\d+)"
    ),
    "vbulletin": Reading(
        "div#posts table.tborder[id]",
        r"post(\d+)",
        "div[id^=post_message_]",
        "div[id^=postmenu_]",
        "#threadslist td[id^=td_threadtitle_]",
        r"[?&]t=(\d+)",
        'div[style^="margin:20px"]',
    ),
    "discuz": Reading(
        "#postlist > div[id^=post_]:has(table)",
        r"post_(\d+)",
        "td.t_f",
        "#postlist td.pls div.authi",
        "#threadlisttableid tbody[id*=thread_]",
        r"thread-(\d+)-",
        "div.quote",
        "i.pstatus",
    ),
    "smf": Reading(
        "div.post_wrapper",
        r"msg_(\d+)",
        "div.inner",
        "div.poster h4",
        "#messageindex td.subject",
        r"topic,(\d+)\.",
        "div.quoteheader, blockquote",
    ),
    "xenforo": Reading(
        "article.message",
        r"js-post-(\d+)",
        "article.message-body div.bbWrapper",
        "h4.message-name",
        "div.structItem",
        r"\.(\d+)/",
    ),
    "mybb": Reading(
        "div.post.classic",
        r"post_(\d+)",
        "div.post_body",
        "#posts div.post_author strong",
        "tr.inline_row",
        r"tid=(\d+)",
    ),
    "ipb": Reading(
        "div.post_block",
        r"post_id_(\d+)",
        "div.entry-content",
        "h3 span.author",
        "tr.__topic",
        r"/topic/(\d+)-",
        "p.citation, div.blockquote",
        "p.edit",
    ),
    "vanilla": Reading(
        "div.ItemDiscussion, li.ItemComment",
        r"(?:Discussion|Comment)_(\d+)",
        "div.Message",
        "span.Author",
        "ul.Discussions li.ItemDiscussion",
        r"/discussion/(\d+)/",
    ),
    "bbpress": Reading(
        "div.bbp-reply-header",
        r"post-(\d+)",
        "div.reply div.bbp-reply-content",
        "div.reply div.bbp-reply-author a.bbp-author-name",
        "ul.topic",
        r"-(\d+)/",
        notes="ul.bbp-reply-revision-log, div.bbp-signature",
    ),
    "discourse": Reading(
        "div.crawler-post[id]",
        r"post_(\d+)",
        "div.post",
        "span.creator",
        "#main-outlet > div.topic-list-container tr.topic-list-item",
        r"/t/[^/]*/(\d+)",
        "aside.quote",
    ),
    "questions": Reading(
        "#question, div.answer, tr.comment",
        r"(?:answer|comment|comments)-(\d+)",
        "div.post-text, span.comment-copy",
        "td.owner div.user-details > a, a.comment-user",
        "div.question-summary",
        r"/questions/(\d+)/",
    ),
    "plaza": Reading(
        "div.item[id]",
        r"b(\d+)",
        "div.item[id] div.txt",
        "div.item[id] div.side > :first-child",
        "div.entry",
        r"/onderwerp/(\d+)/",
        "div.cit",
    ),
    "kiosk": Reading(
        "dl.thread > dt", r"r(\d+)", "div.m", "dl.thread > dt b", "#sure li", r"/t/(\d+)/", "div.q"
    ),
    "tree": Reading(
        "article.lead, div.reply",
        r"c(\d+)",
        "div.said",
        "article.lead div.sub > :first-child, div.by > :first-child",
        "div.story",
        r"/item/(\d+)",
    ),
    "cgi": Reading(
        "tr[bgcolor='#DDE6F0']",
        r"(\d+)",
        "div.poruka",
        "tr[bgcolor='#DDE6F0'] b",
        "tr:has(> td[nowrap])",
        r"id=(\d+)",
        "blockquote",
    ),
}


@cache
def small(name: str) -> SimulatedForum:
    return open_forum(name, "small")


@cache
def posts_of(name: str) -> dict[int, TruePost]:
    return {post.post: post for post in true_posts(small(name), DATE)}


def body_of(name: str, page: ShownPage) -> str:
    answer = respond(small(name), page.key, as_unix_time(DATE))
    assert answer.status == 200
    assert url_key(answer.page) == page.key
    return answer.body.decode(small(name).layout.charset)


def numbers_shown(name: str, page: ShownPage) -> tuple[int, ...]:
    """The numbers a layout puts on its posts: the posts' own, but for some openings and on one engine."""
    layout = FORUMS[name].layout
    if layout == "discourse":
        return tuple(posts_of(name)[item].position for item in page.items)
    if layout == "vanilla" and not page.order:
        return (page.thread, *page.items[1:])
    return page.items


def some(name: str, kind: str, limit: int = 12) -> Iterator[ShownPage]:
    """Pages of a kind, long threads first."""
    found = [page for page in all_pages(small(name), DATE) if page.kind == kind]
    found.sort(key=lambda page: (-page.order, -len(page.items)))
    return iter(found[:limit])


def words_of(element: Element, without: str) -> list[str]:
    text = element.text
    for part in element.select(without):
        text = text.replace(part.text, " ", 1)
    return tokenise(text)


@pytest.mark.parametrize("name", FORUMS)
def test_a_thread_page_shows_the_posts_of_the_truth_in_their_order(name: str) -> None:
    reading = READINGS[FORUMS[name].layout]
    for page in some(name, "thread"):
        elements = parse(body_of(name, page)).select(reading.post)
        ids = [int(_first(reading.post_id, _ids(element))) for element in elements]
        assert tuple(ids) == numbers_shown(name, page), page.key


@pytest.mark.parametrize("name", FORUMS)
def test_a_post_shows_its_author_and_its_own_words(name: str) -> None:
    reading = READINGS[FORUMS[name].layout]
    for page in some(name, "thread", 5):
        tree = parse(body_of(name, page))
        shown = zip(page.items, tree.select(reading.author), tree.select(reading.body), strict=True)
        without = ", ".join(filter(None, (reading.quotes, reading.notes)))
        for number, author, body in shown:
            post = posts_of(name)[number]
            assert author.text.strip().startswith(post.author)
            assert words_of(body, without) == tokenise(post.text), (page.key, number)


@pytest.mark.parametrize("name", FORUMS)
def test_an_index_page_lists_the_threads_of_the_truth_in_their_order(name: str) -> None:
    reading = READINGS[FORUMS[name].layout]
    for page in some(name, "index"):
        listed = []
        for row in parse(body_of(name, page)).select(reading.row):
            if any(word in row.text for word in (small(name).world.language.words["moved"] + ":",)):
                continue
            links = " ".join(str(link.attr("href")) for link in row.select("a[href]"))
            listed.append(int(_first(reading.thread, links)))
        assert tuple(listed) == page.items, page.key


@pytest.mark.parametrize("name", FORUMS)
def test_paging_links_lead_from_the_first_page_to_every_other(name: str) -> None:
    forum = small(name)
    for kind in ("thread", "index"):
        last = next(some(name, kind, 1))
        group = [
            p.key
            for p in all_pages(forum, DATE)
            if (p.kind, p.board, p.thread) == (kind, last.board, last.thread)
        ]
        assert reachable(forum, group[0], set(group)) == set(group)


def reachable(forum: SimulatedForum, start: str, wanted: set[str]) -> set[str]:
    """The pages of a group that links reach from its first page, through pages of the group only."""
    seen, queue = {start}, [start]
    headers = {"Cookie": f"{forum.layout.cookie}=1", "Host": "forum.test"}
    while queue:
        key = queue.pop()
        body = respond(forum, key, as_unix_time(DATE), headers).body.decode(forum.layout.charset)
        hrefs = [unescape(href) for href in re.findall(r"""\bhref=["']([^"']*)""", body)]
        links = {url_key(urljoin(f"http://forum.test{key}", href)) for href in hrefs}
        fresh = (links & wanted) - seen
        seen |= fresh
        queue += fresh
    return seen


@pytest.mark.parametrize("name", FORUMS)
def test_every_page_is_reached_by_links_from_the_start_page(name: str) -> None:
    forum = small(name)
    wanted = {page.key for page in all_pages(forum, DATE)}
    assert reachable(forum, url_key(forum.layout.home), wanted) == wanted


@pytest.mark.parametrize("name", FORUMS)
def test_every_alias_of_a_page_shows_the_same_page(name: str) -> None:
    forum = small(name)
    for page in some(name, "thread", 4):
        for alias in page.aliases:
            answer = respond(forum, alias, as_unix_time(DATE))
            key = url_key(answer.target) if answer.page_class == "redirect" else url_key(answer.page)
            assert key == page.key, alias


@pytest.mark.parametrize("name", FORUMS)
def test_a_link_to_the_last_post_leads_to_the_page_that_shows_it(name: str) -> None:
    forum = small(name)
    if forum.traits.last_link == "none":
        pytest.skip("this forum has no such links")
    view = ForumView(forum, as_unix_time(DATE))
    for listed in view.snapshot.listings[0][:8]:
        row = view.row(listed)
        if row.stub:
            continue
        url = forum.layout.last_url(view, row.index, row.last_id, row.last_offset)
        answer = respond(forum, url.partition("#")[0], view.now)
        if answer.page_class == "redirect":
            answer = respond(forum, answer.target, view.now)
        shown = next(p for p in all_pages(forum, DATE) if p.key == url_key(answer.page))
        assert row.last_id in shown.items


def _ids(element: Element) -> str:
    """Ids of an element and of what is in it: layouts put the post's number on one of them."""
    own = str(element.attr("id") or "")
    return " ".join(
        [own, *(str(inner.attr("id") or inner.attr("name")) for inner in element.select("[id], a[name]"))]
    )


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, (pattern, text[:300])
    return found[1]
