"""Good inputs of every kind. The fuzz bench damages them."""

from __future__ import annotations

import gzip
import io
import tempfile
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from threadmill.archive import ArchiveWriter
from threadmill.config import ArchiveSettings
from threadmill.lab.judge.truth import all_pages
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.random_forum.open_forum import open_random_forum
from threadmill.lab.simulate.respond import respond
from threadmill.types import Exchange

_DATE = "2016-12-01"
_NOW = datetime(2024, 5, 31, 12, tzinfo=UTC)


@cache
def pages() -> tuple[bytes, ...]:
    """Pages of some random forums: start pages, index pages, thread pages."""
    found = []
    for seed in range(70_001, 70_013):
        forum = open_random_forum(seed)
        shown = all_pages(forum, _DATE)
        for kind, most in (("home", 1), ("index", 1), ("thread", 3)):
            for page in [one for one in shown if one.kind == kind][:most]:
                found.append(respond(forum, page.key, as_unix_time(_DATE), {"host": "a.example"}).body)
    return tuple(page[:20_000] for page in found if page)


@cache
def archives() -> tuple[bytes, ...]:
    """WARC files as our writer makes them, and without compression."""
    found = []
    for level in (1, 2):
        with tempfile.TemporaryDirectory() as name:
            with ArchiveWriter(Path(name), ArchiveSettings()) as writer:
                for page in pages()[: 2 * level]:
                    headers = (("Content-Type", "text/html"), ("Date", "Tue, 15 Nov 1994 08:12:31 GMT"))
                    writer.write(
                        Exchange(
                            "http://a.example/t?p=1",
                            _NOW,
                            b"GET / HTTP/1.1\r\n\r\n",
                            200,
                            "OK",
                            headers,
                            page[:1500],
                        )
                    )
            packed_file = next(Path(name).glob("*.warc.gz")).read_bytes()
        found += [packed_file, gzip.decompress(packed_file)]
    return tuple(found)


_ID = "00000000-0000-0000-0000-00000000000"
SEEDS: dict[str, tuple[str, ...]] = {
    "http": (
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n",
        "HTTP/1.1 301 Moved\r\nLocation: /x\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n",
    ),
    "headers": (
        "Tue, 15 Nov 1994 08:12:31 GMT",
        "2024-05-31T10:15:00+02:00",
        "a=b; Path=/; Max-Age=5; Domain=.a.example; Secure; HttpOnly",
        "a=b; Expires=Sat, 01 Jan 2030 00:00:00 GMT",
        "120",
    ),
    "robots": (
        "User-agent: *\nDisallow: /private\nAllow: /a*$\nCrawl-delay: 2\nSitemap: http://a.example/s.xml\n",
        "User-agent: Threadmill/1.0\nUser-agent: other\nDisallow: /*?sid=\nRequest-rate: 1/10s\n",
    ),
    "xml": (
        '<?xml version="1.0"?><urlset xmlns="x"><url><loc>http://a.example/1</loc>'
        "<lastmod>2024-05-31</lastmod></url></urlset>",
        "<rss><channel><item><link>http://a.example/1</link>"
        "<pubDate>Tue, 15 Nov 1994 08:12:31 GMT</pubDate></item></channel></rss>",
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="http://a.example/1"/>'
        "<updated>2024-05-31T10:15:00Z</updated></entry></feed>",
        '{"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "http://a.example/1", '
        '"date_published": "2024-05-31"}]}',
        "http://a.example/1\nhttp://a.example/2\n",
    ),
    "url": (
        "https://forum.example/viewtopic.php?f=2&t=17&start=40&sid=0123456789abcdef0123456789abcdef#p5",
        "/t/a-b.17/page-2",
        "?thread-143-2.htm",
    ),
    "date": (
        "Tue 5 May 2024, 10:15 pm · 3 days ago · вчера в 10:15 · 2024年5月31日",
        "05/06/2015 - 01.05.2015, 17:03",
    ),
    "css": (".a{display:none}.b{visibility:hidden;}@media print{.c{left:-9999px}}",),
    "json": (
        '{"text": "The ferry was late.\\nAgain.", "url": "http://a.example/", "author": "anna", '
        '"blocks": [{"text": "Again."}]}',
        f'{{"stage": "read", "task_id": "{_ID}1", "site_id": "{_ID}2"}}',
    ),
    "vertical": (
        '<doc url="http://a.example/" title="A &amp; B">\n<head>\nTides\n</head>\n<p>\n<s>\nThe\nferry\n'
        "<g/>\n.\n</s>\n</p>\n</doc>\n",
    ),
    "conllu": (
        "# newdoc id = a\n# doc_url = x\n# newpar id = a-p1\n1\tThe\tthe\tDET\t_\t_\t_\t_\t_\t_\n"
        "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n\n",
    ),
    "toml": (
        '[crawl]\ndelay = 1.5\nmax_pages = 10\n[fetch]\ncontact = "x"\n[store]\nurl = "postgresql://a:b@c/d"\n',
    ),
    "environment": ("THREADMILL_CRAWL_DELAY=1\nTHREADMILL_FETCH_TIMEOUT=2",),
    "text": (
        "Dr. A. Smith said: “No.” It cost 1,5 €… Visit http://a.example/?x=1 or mail a@b.example! "
        "Das ist z. B. gut.",
    ),
    "recipe": (
        'url = "http://a.example/login"\nproof = "Log out"\n[fields]\nuser = "anna"\npass = {env = "HOME"}\n',
    ),
    "corrections": (
        '[[correction]]\nkind = "date order"\nvalues = ["dmy"]\n[[correction]]\nkind = "author"\n'
        'values = ["div.post/td.side/b.name 1"]\n',
        '[[correction]]\nkind = "not boards"\nvalues = ["http://a.example/f?id=1"]\n[[correction]]\n'
        'kind = "time zone"\nvalues = ["+02:00"]\n',
    ),
    "cookie file": (
        "# Netscape HTTP Cookie File\n.a.example\tTRUE\t/\tFALSE\t1893456000\tsession\tabc\n"
        "#HttpOnly_a.example\tFALSE\t/t\tTRUE\t0\tb\tc\n",
    ),
    "cql": (
        '[lemma="go" & tag="V.*"] []{0,3} "home" within s',
        '<s> [word="The" %c | !tag!="DET"] ("a" | "b")+ </s> within <doc url="a"/>',
    ),
    "results": (
        '{"sites": [{"url": "http://a.example/", "outcome": "ok", "reason": "", "language": "en", '
        '"pages": 3, "name": "A"}, {"url": "http://b.example/", "outcome": "ok", "reason": "", '
        '"language": "en", "pages": 3}], "pairs": [{"url1": "http://a.example/", "url2": '
        '"http://b.example/", "similarity": 0.9, "words": 0.5, "why": "one phone", '
        '"evidence": {"phone": 0.9}, "found": [{"kind": "phone", "written": "1", "around": "2", '
        '"page": "http://a.example/"}]}]}',
    ),
    "query": ('"a phrase" -not author:anna since:2024 OR tide*',),
}


def _excel() -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for row in (("Site", "Name"), ("http://a.example/", "A"), ("b.example", 7)):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@cache
def seeds_of(kind: str) -> tuple[bytes, ...]:
    """The good inputs of a kind."""
    if kind == "html":
        return pages()
    if kind == "warc":
        return archives()
    if kind == "table":
        return (_excel(), b"site;name\nhttp://a.example;A\nb.example;B\n", b"a.example\tx\nb.example\ty\n")
    if kind == "packed":
        return (b"gzip\n" + gzip.compress(b"hello" * 100), b"chunked\n5\r\nhello\r\n0\r\n\r\n")
    return tuple(seed.encode() for seed in SEEDS[kind])
