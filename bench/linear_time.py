"""Time against length: hostile inputs eight times as long must take about eight times as long, no more.

    python -m bench.linear_time [--minutes 5] [--anew]
    python -m bench.linear_time --only WORDS

A quadratic reader would take sixty-four times as long. Besides inputs that once were slow, every reader of
the fuzz bench gets every unit, alone and in the places of its kind of input where such a thing may stand.
The bench runs in pieces: each place of a reader that is done is added to a record, and the next call goes on
from there.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial

from bench.figures import RESULTS, Figure, at_least, at_most, write_figures
from bench.fuzz import try_input
from bench.fuzz_targets import TARGETS, FuzzTarget
from threadmill.archive import ReadTally
from threadmill.archive.warc_reader import stream_records
from threadmill.corpus.text.languages import language_profile
from threadmill.corpus.text.tokens import Tokeniser
from threadmill.dates import find_dates
from threadmill.page.clean import cut_page
from threadmill.page.parse.tree import parse

RECORD = RESULTS / "linear_time.jsonl"
UNITS = [
    "1", "12 ", "1.", "12/", "<a ", '<a b="', "&a", "a ", "1 day ", "1 day and ", "may ",
    "12 May 2019 10:15, ",
    "10:15 ", '<i title="12 May 2019">3 days ago</i>', "月日年前天", "_a", "<script>", "de ",
    "a'", "http://", "a@b.",
    "mon ",
]  # fmt: skip
TOKEN_UNITS = ["a.", "-", "1,", "a@", "x/", "'a", "\u0301"]
TOKEN_LANGUAGES = ("en", "fr", "hr")
_READER_UNITS = (
    "9~a~ ~\n~1 ~a ~a.~12.5.~<b>~</b>~<div>~<b>x</b>~&a~&#1~%4~a=b&~/a~a-~(~[~{~\"~'~a\n~a\t~:~;~\r\n~"
    "a: b\r\n~é~WARC/1.1\r\n~5\r\nhello\r\n~<a href=/t/1>x</a>~<!--~10:15 ~@a.~*~$~_~.a{~/*"
)
READER_UNITS = _READER_UNITS.split("~")
# What begins and does not end, and elements of pages: for readers of pages only.
PAGE_UNITS = [
    "<", "</", "<b ", "='", "<script>", "<style>", "<title>", "<textarea>", "<svg>", "<![CDATA[", "<!-->",
    "<!-- >", "&lt;b", "<a>", "<p>", "<li>", "<form>", "<h1>x", "<table><tr><td>", "<blockquote>x",
    "<dl><dt>x<dd>", "<select><option>", "<br>x", "<img src=a>", "<input name=a>", "<iframe>",
]  # fmt: skip
_POST = (
    "<div class=post><a href='/u/{0}2'>boris {1}</a> <i>6 May 2024 10:16 {2}</i><p>Other text. {3}</p></div>"
)
_POSTS = "<div class=post><a href=/u/1>anna</a> <i>5 May 2024 10:15</i><p>One text.</p></div>{}" * 3
_ROWS = "<tr><td><a href=/t/1>One</a><td>5<td>5 May 2024{}" * 3
_ROW = "<tr><td><a href='/t/{0}2'>Two {1}</a><td>6 {2}<td>6 May 2024"
_HEAD = "HTTP/1.1 200 OK\r\n"


def _gaps(text: str, record: str) -> list[tuple[str, str]]:
    """A text before and after each gap of its middle record."""
    places = []
    for gap in range(record.count("{")):
        marked = record.format(*("\0" if number == gap else "" for number in range(record.count("{"))))
        before, _, after = text.format("", marked, "").partition("\0")
        places.append((before, after))
    return places


# Kind of input → what stands before and after the unit that is repeated.
PLACES: dict[str, list[tuple[str, str]]] = {
    "html": [
        *[(f"<{tag}>", f"</{tag}>") for tag in ("p", "title", "script", "style")],
        ("<p class='", "'>"),
        *_gaps(_POSTS, _POST),
        *_gaps(f"<table>{_ROWS}</table>", _ROW),
    ],
    "url": [("http://a.example/", "x"), ("http://a.example/?a=", "x"), ("http://", "/")],
    "http": [
        (_HEAD, "\r\n\r\n"),
        (f"{_HEAD}A: ", "\r\n\r\n"),
        (f"{_HEAD}Transfer-Encoding: chunked\r\n\r\n", "0\r\n\r\n"),
    ],
    "warc": [("WARC/1.1\r\n", "\r\n\r\n"), ("WARC/1.1\r\nContent-Length: 10\r\n\r\n", "")],
    "robots": [("User-agent: *\nDisallow: /", "$\n"), ("User-agent: ", "\n")],
    "xml": [
        ("<urlset><url><loc>", "</loc></url></urlset>"),
        ("<rss><channel><item><link>", "</link></item></channel></rss>"),
        ('{"items": [{"url": "', '"}]}'),
    ],
    "json": [('{"text": "', '"}')],
    "toml": [("[fetch]\ncontact = '", "'\n")],
    "vertical": [("<doc>\n<p>\n", "</p>\n</doc>\n"), ('<doc a="', '">\n</doc>\n')],
    "css": [(".a{", "}")],
    "date": [("5 May 2024 ", " 10:15")],
    "headers": [("a=b; Path=", "; Max-Age=5")],
    "packed": [("chunked\n", "0\r\n\r\n")],
    "recipe": [("url = 'http://a.example'\n[fields]\na = '", "'\n"), ("[fields]\n", " = 'a'\n")],
    "corrections": [("[[correction]]\nkind = 'boards'\nvalues = ['", "']\n")],
    "cookie file": [(".a.example\tTRUE\t/\tFALSE\t0\t", "\tb\n")],
    "cql": [('[word="', '"]'), ("[", "]"), ("(", ")")],
    "results": [('{"sites": [{"url": "', '"}], "pairs": []}')],
    "query": [('"', '"')],
}
FALSE_LENGTH = b"WARC/1.0\r\nContent-Length: 60000000\r\n\r\n"
MOST = 12.0  # times as long
_SURELY = 10.0  # a ratio above is measured again: other programs take the cache, which large pages need
_MOST_REPEATS = 4000
_QUICK = 0.1  # seconds of CPU: what 8 × the longest input takes less than this is not compared
_LONGEST = 30.0  # seconds of CPU: what takes longer is not tried with longer inputs

_raised: dict[str, str] = {}  # kind of input → the error that a reader must not raise
Run = Callable[[int], object]  # takes how often a unit is repeated
Runs = Callable[[], Iterator[tuple[str, Run]]]


def main() -> None:
    """Print the ratios over the bar, and the worst of each part."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="only runs with these words in their name; not recorded")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no new place after this time")
    parser.add_argument("--anew", action="store_true", help="forget what earlier calls measured")
    wanted = parser.parse_args()
    gc.disable()  # it searches the whole heap at moments of its own choice, 45 ms each time
    if wanted.only:
        sys.exit(0 if _measure("only", 0, _named(wanted.only)).worst <= MOST else 1)
    if wanted.anew:
        RECORD.unlink(missing_ok=True)
    done = _read_record()
    until = time.monotonic() + 60 * wanted.minutes
    for name, places in READERS.items():
        for place, runs in enumerate(places):
            if (name, place) not in done and time.monotonic() < until:
                done[name, place] = _measure(name, place, runs())
                with RECORD.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(asdict(done[name, place]), ensure_ascii=False) + "\n")
    whole = [name for name, places in READERS.items() if all((name, n) in done for n in range(len(places)))]
    worst = max((one.worst for one in done.values()), default=0.0)
    kinds = sum(one.kinds for one in done.values())
    figures = [
        Figure("crawl", "readers whose time was set against length", len(whole), at_least(len(READERS))),
        Figure("crawl", "long inputs that raised", sum(len(one.raised) for one in done.values()), at_most(0)),
        Figure(
            "crawl", f"time for 8 × the input, the worst of {kinds} kinds", worst, at_most(MOST), unit="×"
        ),
    ]
    write_figures("linear_time", figures)
    sys.exit(0 if all(figure.is_reached for figure in figures) else 1)


@dataclass(frozen=True, slots=True)
class ReaderGrowth:
    """The worst ratio of one reader in one place of its inputs."""

    reader: str
    place: int
    kinds: int
    worst: float
    over: list[str] = field(default_factory=list)  # kinds of input over the bar
    raised: list[str] = field(default_factory=list)


def _measure(name: str, place: int, runs: Iterable[tuple[str, Run]]) -> ReaderGrowth:
    ratios = {kind: growth(run) for kind, run in runs}
    over = [f"{ratio:.1f} times for {kind}" for kind, ratio in ratios.items() if ratio > MOST]
    for line in over:
        print(f"TOO SLOW: {line}", flush=True)
    raised = [f"{kind}: {problem}" for kind, problem in _raised.items()]
    _raised.clear()
    for line in raised:
        print(f"RAISED: {line}", flush=True)
    worst = round(max(ratios.values(), default=0.0), 1)
    print(f"{name}, place {place}: {len(ratios)} kinds, at most {worst} × for 8 × the input", flush=True)
    return ReaderGrowth(name, place, len(ratios), worst, over, raised)


def _named(words: str) -> Iterator[tuple[str, Run]]:
    """The runs of all readers with these words in their name."""
    for places in READERS.values():
        for runs in places:
            yield from ((name, run) for name, run in runs() if words in name)


def _read_record() -> dict[tuple[str, int], ReaderGrowth]:
    lines = RECORD.read_text(encoding="utf-8").splitlines() if RECORD.exists() else []
    found = (ReaderGrowth(**json.loads(line)) for line in lines)
    return {(one.reader, one.place): one for one in found if one.place < len(READERS.get(one.reader, []))}


def date_runs() -> Iterator[tuple[str, Run]]:
    """Texts that look like the beginning of many dates."""
    for unit in UNITS:
        yield f"dates {unit!r}", lambda repeats, unit=unit: find_dates(unit * repeats)  # type: ignore[misc]


def token_runs() -> Iterator[tuple[str, Run]]:
    """Words that do not end."""
    for language in TOKEN_LANGUAGES:
        cut = Tokeniser(language_profile(language)).forms
        for unit in TOKEN_UNITS:
            yield (
                f"tokens {language} {unit!r}",
                lambda repeats, unit=unit, cut=cut: cut(unit * 10 * repeats),  # type: ignore[misc]
            )


def archive_runs() -> Iterator[tuple[str, Run]]:
    """Archives that lie about their records."""
    yield "archive, false lengths", lambda repeats: read_archive(FALSE_LENGTH * repeats)
    yield "archive, heads without end", lambda repeats: read_archive(b"WARC/1.1\r\n" * 5 * repeats)


def page_runs() -> Iterator[tuple[str, Run]]:
    """Pages of many nodes."""
    yield "cutting, many nodes", lambda repeats: cut_nodes(20 * repeats)


def read_archive(data: bytes) -> int:
    """The number of records of an archive."""
    return sum(1 for _ in stream_records(io.BytesIO(data), "f", ReadTally()))


def cut_nodes(count: int) -> int:
    """The number of blocks of a page of many short text nodes."""
    return len(cut_page(parse(b"<p>" + b"<b>x</b>" * count), keeps_nodes=True).blocks)


def reader_runs(
    target: FuzzTarget, before: str, after: str, units: Sequence[str] = READER_UNITS
) -> Iterator[tuple[str, Run]]:
    """A reader of the fuzz bench with every unit in one place."""
    for unit in units:
        name = f"{target.name}, {unit!r} in {before[-30:]!r}"
        yield name, partial(_read, target, before.encode(), unit.encode(), after.encode())


def _places(target: FuzzTarget) -> list[Runs]:
    """The runs of a reader, place by place; the first is the unit alone."""
    runs: list[Runs] = [
        partial(reader_runs, target, *around) for around in [("", ""), *PLACES.get(target.kind, [])]
    ]
    if target.kind == "html":
        runs.append(partial(reader_runs, target, "<body>", "", PAGE_UNITS))
    return runs


def _read(target: FuzzTarget, before: bytes, unit: bytes, after: bytes, repeats: int) -> None:
    problem = try_input(target, before + unit * repeats + after)
    if problem:
        _raised[f"{target.name}, {unit!r} in {before[-30:]!r}"] = problem


READERS: dict[str, list[Runs]] = {
    "dates in texts": [date_runs],
    "tokens": [token_runs],
    "archives that lie": [archive_runs],
    "pages of many nodes": [page_runs],
    # Pages take longest, so they come last.
    **{one.name: _places(one) for one in sorted(TARGETS, key=lambda one: one.kind == "html")},
}


def growth(run: Run) -> float:
    """How many times longer an input takes that is eight times as long. 0 if even that is quick.

    Where a limit lies between the two lengths, such as the 64 kB of a record's head, the longer input is
    read in another way. So a bad ratio is measured again with both inputs eight times as long.
    """
    run(5)
    repeats = 250
    while cost(run, 8 * repeats) < _QUICK and repeats < _MOST_REPEATS:
        repeats *= 4
    ratio, seconds = _growth_at(run, repeats)
    if ratio > MOST and 10 * seconds < _LONGEST:
        ratio, _ = _growth_at(run, 8 * repeats)
    return ratio


def _growth_at(run: Run, repeats: int) -> tuple[float, float]:
    """The ratio at one length, and the seconds of the longer input."""
    short = long = math.inf
    ratio = 0.0
    for _ in range(3):  # other programs disturb: the least of each
        short, long = min(short, cost(run, repeats)), min(long, cost(run, 8 * repeats))
        ratio = long / max(short, 1e-9) if long > _QUICK else 0.0
        if ratio <= _SURELY:
            break
    return ratio, long


def cost(run: Run, repeats: int) -> float:
    """CPU seconds of one run."""
    start = time.process_time()
    run(repeats)
    return time.process_time() - start


if __name__ == "__main__":
    main()
