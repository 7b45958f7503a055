"""What is fuzzed: every function that reads what others wrote, with the errors that it may raise."""

from __future__ import annotations

import asyncio
import io
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import threadmill
from bench import fuzz_user_files as given
from bench.fuzz_seeds import pages
from threadmill.archive import ReadTally
from threadmill.archive.content_encoding import CodingError, decode, decode_body
from threadmill.archive.header_values import read_http_date, read_iso_date, read_whole_number
from threadmill.archive.inputs import read_inputs
from threadmill.archive.recovery import verify_archive
from threadmill.archive.run_records import RunRecord
from threadmill.archive.warc_reader import OriginalIndex, capture_of, exchange_of, stream_records
from threadmill.config import load_settings
from threadmill.console.inspector.safe_html import safe_style_sheet, write_safe_page
from threadmill.corpus.build.documents import read_conllu
from threadmill.corpus.near_duplicates.dedup import DedupRules, dedup_files
from threadmill.corpus.search.query import concordance, parse_query
from threadmill.corpus.search.sources import read_entries
from threadmill.corpus.text.sentences import SentenceSplitter
from threadmill.corpus.vertical import read
from threadmill.corpus.vertical.check import Checker
from threadmill.corpus.vertical.dialects import dialect
from threadmill.crawl.fetch.connection import HTTPConnection
from threadmill.crawl.fetch.cookies import CookieJar
from threadmill.crawl.fetch.retry import read_retry_after
from threadmill.crawl.fetch.target import parse_target, resolve_redirect
from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.crawl.frontier.feeds import read_feed
from threadmill.crawl.frontier.sitemaps import read_sitemap
from threadmill.crawl.manners.robots import RobotsFile, read_rules
from threadmill.dates import find_dates, parse_date
from threadmill.errors import (
    ArchiveError,
    FetchError,
    LoginError,
    MessageError,
    OldModelError,
    SettingsError,
    URLError,
    UsageError,
    VerticalError,
)
from threadmill.forum.link_urls import (
    absolute_url,
    kind_named_by_url,
    names_service_page,
    number_slots,
    same_site,
    strip_session,
    url_fields,
)
from threadmill.forum.read_page import read_index, read_thread
from threadmill.page.clean import clean, cut_page
from threadmill.page.language import detect_language
from threadmill.page.parse.hidden import hiding_rules
from threadmill.page.parse.links import find_links
from threadmill.page.parse.metadata import read_metadata
from threadmill.page.parse.tree import choose_encoding, parse
from threadmill.page.render import FORMATS, render, to_markdown, to_record
from threadmill.page.structure import StructureOptions
from threadmill.service.queue.messages import decode as decode_message
from threadmill.sites.collect.fetch_sites import find_home_links
from threadmill.sites.collect.site_lists import read_site_list
from threadmill.sites.read.contacts import find_accounts, find_contacts
from threadmill.sites.read.names import find_names
from threadmill.sites.read.placeholder import judge_home
from threadmill.sites.read.site_page import read_page
from threadmill.store.forum.export import read_since
from threadmill.template.apply.marking import unmark
from threadmill.template.apply.page_framing import clean_html, mark_framing, remove_framing
from threadmill.template.learn import learn_template, unpack_template
from threadmill.types import Capture
from threadmill.urls import canonicalise, host_of, is_trap, resolve, site_of

_NOW = datetime(2024, 5, 31, 12, tzinfo=UTC)
_URL = "http://a.example/viewtopic.php?t=17"
_LANGUAGES = ("en", "de", "fr", "hr", "zh", "th", "")


@dataclass(frozen=True, slots=True)
class FuzzTarget:
    """A reader, the kind of its inputs, and how many of a thousand inputs it gets."""

    name: str
    kind: str
    read: Callable[[bytes], object]
    share: int
    may_raise: tuple[type[Exception], ...] = ()  # what a caller is told to expect


def text_of(data: bytes) -> str:
    """Any text, half characters included."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape")


def _clean(data: bytes) -> None:
    page = clean(data, _URL)
    to_markdown(page)
    json.dumps(to_record(page))


def _formats(data: bytes) -> None:
    page = clean(data, _URL)
    for name in FORMATS:
        render(page, name, StructureOptions(tables=len(data) % 2 == 0)).encode("utf-8", "surrogatepass")


def _text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    """A reader of texts gets the text of the bytes."""
    return lambda data: read(text_of(data))


def _cut_with_nodes(data: bytes) -> None:
    cut_page(parse(data, _URL), keeps_nodes=True)


def _justext(data: bytes) -> None:
    threadmill.clean(data, method="justext", favour="recall")


def _forum_page(data: bytes) -> None:
    threadmill.read_forum_page(data, _URL, now=_NOW)


def _as_thread(data: bytes) -> None:
    read_thread(parse(data, _URL), _NOW)


def _as_index(data: bytes) -> None:
    read_index(parse(data, _URL), _NOW)


def _page_parts(data: bytes) -> None:
    tree = parse(data, _URL, text_of(data[:40]))
    find_links(tree)
    read_metadata(tree)
    choose_encoding(data, text_of(data[-40:]))


def _safe_page(data: bytes) -> None:
    write_safe_page(parse(data, _URL).document, {}, ())


def _site_page(data: bytes) -> None:
    capture = Capture(_URL, _NOW, 200, (("Content-Type", "text/html"),), data, "x")
    find_home_links(capture)
    page = read_page(capture)
    judge_home(page)
    list(find_names([page]))
    hrefs = [target for target, _ in page.links]
    list(find_contacts(page.text, hrefs))
    list(find_accounts(page.markup, hrefs))


@cache
def _template() -> Any:
    return learn_template(pages()[:4])


def _framing(data: bytes) -> None:
    template = _template()
    remove_framing(template, data)
    unmark(mark_framing(template, data))
    clean_html(data, template=template)


def _learn_template(data: bytes) -> None:
    half = len(data) // 2
    learn_template([data[:half], data[half:], data])


class _Pipe:
    """A connection that goes nowhere."""

    def get_extra_info(self, _name: str) -> None:
        return None

    def write(self, _data: bytes) -> None: ...

    def abort(self) -> None: ...
    def close(self) -> None: ...
    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...
    def is_closing(self) -> bool:
        return False


_loop = asyncio.new_event_loop()


def _http(data: bytes) -> None:
    async def receive() -> None:
        connection = HTTPConnection()
        connection.connection_made(_Pipe())  # type: ignore[arg-type]
        waiter = connection.send(b"GET / HTTP/1.1\r\n\r\n", 10_000)
        for at in range(0, len(data), 700):
            connection.data_received(data[at : at + 700])
        connection.connection_lost(None)
        if (
            waiter.done()
            and waiter.exception() is not None
            and not isinstance(waiter.exception(), FetchError)
        ):
            raise waiter.exception()  # type: ignore[misc]

    _loop.run_until_complete(receive())


def _headers(data: bytes) -> None:
    value = data.decode("latin-1")
    read_http_date(value)
    read_iso_date(value)
    read_whole_number(value)
    read_retry_after(value, _NOW)


def _cookies(data: bytes) -> None:
    jar = CookieJar()
    target = parse_target(_URL)
    jar.take(target, [("Set-Cookie", line) for line in text_of(data).split("\n")], _NOW)
    jar.header(target, _NOW)
    CookieJar().load(json.loads(json.dumps(jar.export())))


def _robots(data: bytes) -> None:
    rules = read_rules(RobotsFile("http://a.example", _NOW, 200, data, _NOW), "threadmill")
    for url in (_URL, "http://a.example/", "http://a.example/ä?%zz"):
        rules.allow(url, "threadmill")


def _listings(data: bytes) -> None:
    read_sitemap(data, _URL)
    read_feed(data, _URL)


def _urls(data: bytes) -> None:
    text = text_of(data)
    strip_session(text)
    for url in (absolute_url(_URL, text), resolve(text, _URL), resolve("http://a.example/" + text)):
        if url is not None:
            url_fields(url)
            list(number_slots(url))
            kind_named_by_url(url)
            names_service_page(url)
            same_site(url, _URL)
    absolute = resolve(text, _URL)
    if absolute is not None:
        is_trap(absolute)
        host_of(absolute)
        site_of(absolute)


def _canonical_urls(data: bytes) -> None:
    once = canonicalise(text_of(data), _URL)
    assert canonicalise(once) == once, "canonical URLs must stay as they are"


def _targets(data: bytes) -> None:
    resolve_redirect(parse_target(_URL), text_of(data))


def _encodings(data: bytes) -> None:
    names, _, body = data.partition(b"\n")
    decode(body, text_of(names), 1_000_000)
    decode_body(body, "chunked" if len(data) % 2 else "", text_of(names), 1_000_000)


def _warc(data: bytes) -> None:
    tally = ReadTally()
    originals = OriginalIndex()
    for record in stream_records(io.BytesIO(data), "x", tally, size=len(data)):
        originals.note(record)
        capture_of(record, tally, originals)
        exchange_of(record, b"")
        if record.kind == "metadata":
            RunRecord.from_json(record.block)


_place = Path(tempfile.gettempdir())


def _in_file(suffix: str, read_file: Callable[[Path], object]) -> Callable[[bytes], object]:
    """A reader of files gets one."""

    def run(data: bytes) -> object:
        with tempfile.NamedTemporaryFile(suffix=suffix, dir=_place) as file:
            file.write(data)
            file.flush()
            return read_file(Path(file.name))

    return run


def _inputs(file: Path) -> None:
    list(read_inputs(file))


def _dedup(suffix: str) -> Callable[[bytes], object]:
    def run(data: bytes) -> None:
        with tempfile.TemporaryDirectory(dir=_place) as name:
            file = Path(name, f"x{suffix}")
            file.write_bytes(data + b"\n" + data)
            dedup_files([file], Path(name, "out"), DedupRules(megabytes=1))

    return run


def _entries(file: Path) -> None:
    from collections import Counter

    for entry in read_entries(file, Counter()):
        json.dumps(entry.text)


def _vertical(data: bytes) -> None:
    list(Checker().check(io.BytesIO(data)))
    for name in ("sketch", "cwb", "knot"):
        list(read(text_of(data).splitlines(keepends=True), dialect(name), ("word", "lemma", "tag")))


def _conllu(data: bytes) -> None:
    list(read_conllu(text_of(data).splitlines(keepends=True)))


def _environment(data: bytes) -> None:
    pairs = (line.partition("=") for line in text_of(data).split("\n"))
    load_settings(None, {name: value for name, _, value in pairs})


def _dates(data: bytes) -> None:
    text = text_of(data)
    find_dates(text)
    parse_date(text, _NOW)
    threadmill.find_dates(text, now=_NOW)


def _date_column(data: bytes) -> None:
    threadmill.read_date_column(text_of(data).split(" ")[:30], now=_NOW)


def _query(data: bytes) -> None:
    query = parse_query(text_of(data))
    concordance(text_of(data) * 2, query.wanted)


@cache
def _splitter(language: str) -> SentenceSplitter:
    return SentenceSplitter(language)


def _sentences(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    splitter = _splitter(_LANGUAGES[len(data) % len(_LANGUAGES)])
    plain = " ".join(text.split())
    assert "".join(splitter.sentences(text)).strip() == plain.strip(), "sentences must join to their text"
    splitter.tokens(text)
    detect_language(text)


def _list_of_sites(data: bytes) -> None:
    read_site_list(data)


def _sheets(data: bytes) -> None:
    safe_style_sheet(text_of(data))
    hiding_rules(text_of(data))


def _stored_model(data: bytes) -> None:
    try:
        stored = json.loads(data)
    except (ValueError, RecursionError):
        return
    if isinstance(stored, dict):
        ForumKnowledge.from_json(stored)


TARGETS = (
    FuzzTarget("clean", "html", _clean, 50),
    FuzzTarget("cutting with nodes", "html", _cut_with_nodes, 8),
    FuzzTarget("justext", "html", _justext, 8),
    FuzzTarget("forum page", "html", _forum_page, 8),
    FuzzTarget("thread page", "html", _as_thread, 5),
    FuzzTarget("index page", "html", _as_index, 5),
    FuzzTarget("links, metadata, encoding", "html", _page_parts, 25),
    FuzzTarget("safe page", "html", _safe_page, 10),
    FuzzTarget("company site", "html", _site_page, 4),
    FuzzTarget("framing", "html", _framing, 5),
    FuzzTarget("template", "html", _learn_template, 4),
    FuzzTarget("HTTP", "http", _http, 110),
    FuzzTarget("header values", "headers", _headers, 110),
    FuzzTarget("cookies", "headers", _cookies, 60),
    FuzzTarget("robots.txt", "robots", _robots, 70),
    FuzzTarget("sitemaps and feeds", "xml", _listings, 70),
    FuzzTarget("URLs", "url", _urls, 70),
    FuzzTarget("canonical URLs", "url", _canonical_urls, 50, (URLError,)),
    FuzzTarget("redirects", "url", _targets, 40, (URLError, FetchError, ValueError)),
    FuzzTarget("content encodings", "packed", _encodings, 60, (CodingError,)),
    FuzzTarget("WARC", "warc", _warc, 40),
    FuzzTarget("inputs of a corpus", "warc", _in_file("", _inputs), 8, (ArchiveError,)),
    FuzzTarget("verification", "warc", _in_file(".warc", verify_archive), 8, (ArchiveError,)),
    FuzzTarget("vertical", "vertical", _vertical, 30, (VerticalError,)),
    FuzzTarget("CoNLL-U", "conllu", _conllu, 15, (VerticalError,)),
    FuzzTarget("index of vertical", "vertical", _in_file(".vert", _entries), 10),
    FuzzTarget("index of JSON lines", "json", _in_file(".jsonl", _entries), 15),
    FuzzTarget("dedup of JSON lines", "json", _dedup(".jsonl"), 8),
    FuzzTarget("dedup of vertical", "vertical", _dedup(".vert"), 6),
    FuzzTarget("settings", "toml", _in_file(".toml", lambda f: load_settings(f, {})), 20, (SettingsError,)),
    FuzzTarget("settings in the environment", "environment", _environment, 15, (SettingsError,)),
    FuzzTarget("dates", "date", _dates, 20),
    FuzzTarget("column of dates", "date", _date_column, 5),
    FuzzTarget("dates of users", "date", lambda data: read_since(text_of(data), _NOW), 10, (UsageError,)),
    FuzzTarget("search query", "query", _query, 15, (UsageError,)),
    FuzzTarget("sentences and tokens", "text", _sentences, 12),
    FuzzTarget("style sheets", "css", _sheets, 20),
    FuzzTarget("list of sites", "url", _list_of_sites, 15, (UsageError,)),
    FuzzTarget("messages", "json", decode_message, 15, (MessageError,)),
    FuzzTarget("packed template", "packed", unpack_template, 5),
    FuzzTarget("stored model", "json", _stored_model, 5, (OldModelError,)),
    FuzzTarget("formats of a page", "html", _formats, 4),
    FuzzTarget("obstacles of a page", "html", given.judge_page, 6),
    FuzzTarget("redaction", "html", given.redact, 5),
    FuzzTarget("log-in form", "html", given.fill_in_form, 15, (LoginError, URLError, FetchError)),
    FuzzTarget("log-in recipe", "recipe", _in_file(".toml", given.read_recipe), 15, (UsageError,)),
    FuzzTarget("cookie file", "cookie file", _in_file(".txt", given.read_cookies), 20, (UsageError,)),
    FuzzTarget("corrections", "corrections", _text(given.read_correction_file), 20, (UsageError,)),
    FuzzTarget("proxies", "url", given.choose_proxy, 20, (SettingsError,)),
    FuzzTarget("CQL", "cql", _text(given.ask_cql), 30, (UsageError,)),
    FuzzTarget("index of positions", "vertical", _text(given.index_positions), 3, (UsageError,)),
    FuzzTarget("compared sites", "results", _in_file(".json", given.read_results), 20, (UsageError,)),
    FuzzTarget("table of sites", "table", _list_of_sites, 10, (UsageError,)),
    FuzzTarget("corpus of a page", "html", given.make_corpus, 4),
    FuzzTarget("tags", "text", _text(given.tag_words), 15),
)  # fmt: skip
