"""Readers of what people write themselves: recipes, corrections, cookies, proxies, queries, tables."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from threadmill.corpus.build.corpus_options import CorpusOptions
from threadmill.corpus.build.page_to_corpus import PageConverter
from threadmill.corpus.query.concordance import LineChoice, concordance, group_matches
from threadmill.corpus.query.matches import count_matches
from threadmill.corpus.query.position_index import IndexBuilder, PositionIndex
from threadmill.corpus.text.tags import Tagger, make_tagger
from threadmill.crawl.access.login import LoginRecipe, load_recipe, log_in
from threadmill.crawl.corrections import join_pairs, read_corrections
from threadmill.crawl.fetch.cookies import CookieJar, read_cookie_file
from threadmill.crawl.fetch.proxies import ProxyChoice, read_proxy
from threadmill.crawl.fetch.target import parse_target
from threadmill.page.judge.clean_settings import CleanMethod
from threadmill.page.obstacles import find_problem
from threadmill.page.redaction import Redactor, Wanted
from threadmill.sites.report.results import load_results
from threadmill.types import Capture, Exchange

_NOW = datetime(2024, 5, 31, 12, tzinfo=UTC)
_RECIPE = LoginRecipe("http://a.example/login", (("user", "anna"), ("password", "x")), "Log out")
_CORPUS = (
    '<doc url="a" n="1">\n<s>\nThe\tthe\tDET\nferry\tferry\tNOUN\n<g/>\n.\t.\tPUNCT\n</s>\n</doc>\n' * 20
)
_COLUMNS = ("word", "lemma", "tag")
_TAG_LANGUAGES = ("en", "fr", "ru", "ja")


def read_recipe(file: Path) -> None:
    """A log-in recipe."""
    load_recipe(file)


def read_cookies(file: Path) -> None:
    """A cookies.txt, and what is sent with a request."""
    jar = CookieJar()
    jar.load(asdict(cookie) for cookie in read_cookie_file(file))
    jar.header(parse_target("http://a.example/t?p=1"), _NOW)


def read_correction_file(text: str) -> None:
    """Corrections of a forum as TOML."""
    join_pairs(read_corrections(text, "x.toml"))


def choose_proxy(data: bytes) -> None:
    """A proxy of the settings, and one of the environment."""
    text = data.decode("utf-8", "surrogateescape")  # as os.environ decodes
    proxy = read_proxy(text)
    assert proxy.shown
    assert proxy.authorization is not None
    ProxyChoice("", {"http": text, "no": text}).choose(parse_target("http://a.example/"))


@cache
def _index() -> PositionIndex:
    place = Path(tempfile.mkdtemp(prefix="threadmill-fuzz-"))
    builder = IndexBuilder(place / "index", _COLUMNS)
    builder.add(_CORPUS.splitlines(keepends=True))
    return builder.finish()


def ask_cql(text: str) -> None:
    """A CQL query on a small corpus."""
    count_matches(_index(), text)
    concordance(_index(), text, LineChoice(limit=5))
    group_matches(_index(), text, "word", 3)


def index_positions(text: str) -> None:
    """A vertical that becomes an index for CQL."""
    with tempfile.TemporaryDirectory() as place:
        builder = IndexBuilder(Path(place, "index"), _COLUMNS)
        builder.add(text.splitlines(keepends=True))
        count_matches(builder.finish(), '[word="a.*"]')


def read_results(file: Path) -> None:
    """Results of a comparison of sites."""
    load_results(file)


@cache
def _tagger(language: str) -> Tagger:
    found = make_tagger(language)
    assert found is not None
    return found


def tag_words(text: str) -> None:
    """Parts of speech of a sentence; native code scores the words."""
    tagger = _tagger(_TAG_LANGUAGES[len(text) % len(_TAG_LANGUAGES)])
    forms = text.split()
    assert len(tagger.tags(forms)) == len(forms)


@cache
def _converter(*, whole: bool) -> PageConverter:
    method = CleanMethod.EVERYTHING if whole else CleanMethod.DEFAULT
    return PageConverter(CorpusOptions(method=method, dialect="knot" if whole else "sketch"))


def make_corpus(data: bytes) -> None:
    """A page that becomes lines of a vertical: its content, and all of its text."""
    page = Capture("http://a.example/t?p=1", _NOW, 200, (("Content-Type", "text/html"),), data, "x")
    for whole in (False, True):
        found = _converter(whole=whole).batch([page])
        failed = [reason for reason in found.reasons if reason.startswith("failed")]
        assert not failed, failed[0]


class _Answers:
    """A fetcher that gets the same page whatever it asks for."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def send_unrecorded(self, url: str, _body: bytes | None = None) -> Exchange:
        parse_target(url)
        return Exchange(url, _NOW, b"", 200, "OK", (("Content-Type", "text/html"),), self._body)


_loop = asyncio.new_event_loop()


def fill_in_form(data: bytes) -> None:
    """A page with a form to log in."""
    _loop.run_until_complete(log_in(_Answers(data), _RECIPE))  # type: ignore[arg-type]


def redact(data: bytes) -> None:
    """A page of which an author's words are taken out."""
    source = data.decode("utf-8", "replace")
    words = " ".join(source.split()[5:40])
    wanted = Wanted(("Anna", source[40:60].strip()), (source[:20],), ("http://a.example/u/1",), (words,))
    redactor = Redactor(wanted)
    redactor.redact_text(redactor.redact_html(source))


def judge_page(data: bytes) -> None:
    """A page that may show nothing to read."""
    find_problem(data, 200, "text/html")
    find_problem(data, 403)
