"""Hostile servers, files and arguments: each check does one thing that once broke a crawl."""

from __future__ import annotations

import csv
import gzip
import io
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.trust_server import hostile_server
from threadmill.archive import ReadTally
from threadmill.archive.warc_reader import stream_records
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.respond import SimulatedAnswer
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.page.clean import cut_page
from threadmill.page.parse.tree import parse

Check = Callable[[Path], str]  # returns what went wrong; empty: it held
CHECKS: dict[str, Check] = {}
_HTML = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
_PAGE = b"Content-Length: 30\r\n\r\n<p>A page with a few words</p>"


def check(name: str) -> Callable[[Check], Check]:
    """Add a check under a name."""

    def add(function: Check) -> Check:
        CHECKS[name] = function
        return function

    return add


def run_checks(root: Path, wanted: str = "") -> Iterator[tuple[str, str, float]]:
    """Yield the name of each check, what went wrong, and how long it took."""
    for name, function in CHECKS.items():
        if wanted not in name:
            continue
        place = root / name.replace(" ", "-").replace("/", "-")
        place.mkdir(parents=True)
        start = time.monotonic()
        try:
            problem = function(place)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        yield name, problem, time.monotonic() - start


def command(*words: str | Path, codes: tuple[int, ...] = (0,), **environment: str) -> tuple[str, str]:
    """Run a command of ours. Return what went wrong, and what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "threadmill", *(str(word) for word in words)],
        capture_output=True,
        timeout=120,
        env={**os.environ, **environment},
        check=False,
    )
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    if "Traceback" in said:
        return said.strip().splitlines()[-1], said
    return ("" if done.returncode in codes else f"exit {done.returncode}: {said[-200:]}"), said


def crawl(root: Path, url: str, *words: str, codes: tuple[int, ...] = (0,)) -> str:
    """Crawl a site; return what went wrong."""
    quick = {"THREADMILL_FETCH_RETRIES": "1", "THREADMILL_FETCH_RETRY_SECONDS": "0.01"}
    place = ("--workspace", root / "w", "--delay", "0", "--quiet")
    return command("crawl", url, "--site", *place, *words, codes=codes, **quick)[0]


def _headers(name: str, line: bytes, status: bytes = b"200 OK") -> None:
    @check(name)
    def one(root: Path) -> str:
        def answer(_path: str) -> Iterator[bytes]:
            yield b"HTTP/1.1 " + status + b"\r\nContent-Type: text/html\r\n" + line + b"\r\n" + _PAGE

        with hostile_server(answer) as url:
            return crawl(root, url, codes=(0, 1))


_headers("Date with an absurd zone", b"Date: Tue, 15 Nov 1994 08:12:31 +999999")
_headers("Retry-After with an absurd zone", b"Retry-After: Tue, 15 Nov 1994 08:12:31 -999999", b"503 Busy")
_headers("Retry-After of 5,000 digits", b"Retry-After: " + b"9" * 5000, b"429 Too Many")
_headers("Set-Cookie with Max-Age=--5", b"Set-Cookie: a=b; Max-Age=--5")
_headers("Set-Cookie with an absurd date", b"Set-Cookie: a=b; Expires=Sat, 01 Jan 9999 00:00:00 -9999")
_headers("Last-Modified of noise", b"Last-Modified: \xff\xfe\x01soon")


@check("WARC-Date before all time")
def warc_date(root: Path) -> str:
    """`archive list` and `vert` read such a record."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>" + b"A sentence with some words. " * 20
    head = (
        b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: http://a.example/"
        b"\r\nWARC-Date: 0001-01-01T00:00:00+14:00\r\nContent-Type: application/http;msgtype=response\r\n"
    )
    file = root / "old.warc"
    file.write_bytes(head + b"Content-Length: %d\r\n\r\n" % len(http) + http + b"\r\n\r\n")
    return (
        command("archive", "list", file)[0]
        or command("archive", "verify", file)[0]
        or command("vert", file, "-o", root / "x.vert", codes=(0, 1))[0]
    )


@check("Latin-1 list of sites")
def latin_list(root: Path) -> str:
    """A list that is not UTF-8."""
    (root / "list").write_bytes("# Müller\nhttp://127.0.0.1:1/\nhttp://127.0.0.1:2/ä\n".encode("latin-1"))
    words = ("sites", "compare", root / "list", "-o", root / "out.json")
    return command(*words, codes=(0, 1), THREADMILL_FETCH_RETRIES="0")[0]


@check("arguments out of range")
def arguments(root: Path) -> str:
    """Each is refused in one sentence."""
    (root / "w").mkdir()
    (root / "w" / "threadmill.toml").write_text("[crawl]\ndelay = -1\n")
    for words in (
        ("serve", "--port", "99999"),
        ("posts", "--author", os.fsdecode(b"\xff")),
        ("posts", "--workspace", str(root / "w")),
    ):
        problem, said = command(*words, codes=(2,))
        if problem or said.strip().count("\n"):
            return problem or said
    return ""


@check("endless trailer")
def trailer(root: Path) -> str:
    """Bytes after the last chunk count against the limit of the head."""

    def answer(_path: str) -> Iterator[bytes]:
        yield _HTML + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"
        for _ in range(20_000):
            yield b"X-Trailer: " + b"t" * 50_000 + b"\r\n"

    with hostile_server(answer) as url:
        start = time.monotonic()
        problem = crawl(root, url)
        return problem or ("" if time.monotonic() - start < 10 else "it took too long")


@check("gzip bomb as a saved page")
def bomb(root: Path) -> str:
    """`forum page` unpacks within the limits of the fetcher."""
    (root / "bomb.html.gz").write_bytes(gzip.compress(b"\0" * 300_000_000))
    return command("forum", "page", root / "bomb.html.gz", codes=(2,))[0]


@check("100 bodies of 20 MB at once")
def many_bodies(root: Path) -> str:
    """Unfinished bodies have a limit together, and a site keeps little in memory."""

    def answer(_path: str) -> Iterator[bytes]:
        yield _HTML + b"Content-Length: 19000000\r\n\r\n"
        for _ in range(190):
            yield b"<p>" + b"x" * 99_997

    with hostile_server(answer) as url:
        port = url.rsplit(":", 1)[1].strip("/")
        lines = "\n".join(f"http://127.0.{n // 250}.{n % 250 + 1}:{port}/" for n in range(100))
        (root / "list").write_text(lines)
        words = [sys.executable, "-m", "threadmill", "sites", "compare", str(root / "list"), "--delay", "0"]
        words += ["-o", str(root / "out.json")]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        done = subprocess.run(words, capture_output=True, timeout=300, check=False)
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        if b"Traceback" in done.stderr:
            return done.stderr.decode("utf-8", "replace")[-200:]
        return "" if most < 900 or most <= before / 1024 else f"{most:.0f} MB"


@check("endless home page is truncated")
def endless_home(root: Path) -> str:
    """A home page without end is no page."""

    def answer(_path: str) -> Iterator[bytes]:
        yield _HTML + b"\r\n"
        for _ in range(4000):
            yield b"<p>" + b"x" * 9_997

    with hostile_server(answer) as one, hostile_server(answer) as other:
        (root / "list").write_text(f"{one}\n{other}\n")
        words = ("sites", "compare", root / "list", "-o", root / "out.json", "--delay", "0")
        problem, said = command(*words, codes=(0, 1))
        return problem or ("" if "truncated" in said + (root / "out.json").read_text() else said[-200:])


@check("WARC signature repeated, 1 MB")
def signatures(_root: Path) -> str:
    """Heads without end are read once."""
    data = b"WARC/1.1\r\n" * 100_000
    start = time.perf_counter()
    list(stream_records(io.BytesIO(data), "x", ReadTally(), size=len(data)))
    taken = time.perf_counter() - start
    return "" if taken < 5 else f"{taken:.1f} s"


@check("cutting 40,000 inline elements")
def many_nodes(_root: Path) -> str:
    """Keeping text nodes takes linear time."""
    tree = parse(b"<p>" + b"<b>x</b>" * 40_000)
    start = time.perf_counter()
    cut_page(tree, keeps_nodes=True)
    taken = time.perf_counter() - start
    return "" if taken < 1 else f"{taken:.1f} s"


def _robots(name: str, body: bytes, expected: int, status: bytes = b"200 OK") -> None:
    @check(f"robots.txt {name}")
    def one(root: Path) -> str:
        asked: list[str] = []

        def answer(path: str) -> Iterator[bytes]:
            asked.append(path)
            yield _HTML + _PAGE

        robots = b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body)
        with hostile_server(answer, robots) as url:
            problem = crawl(root, url, codes=(0, 1))
        return problem or ("" if len(asked) == expected else f"{len(asked)} pages were asked for")


_RULES = "User-agent: *\r\nDisallow: /\r\n"
_robots("in UTF-16", _RULES.encode("utf-16"), 0)
_robots("in UTF-16 without its mark", _RULES.encode("utf-16-le"), 0)
_robots("with NUL bytes", _RULES.replace("a", "a\0").encode(), 0)
_robots("that is a picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 0)
_robots("in UTF-8", b"User-agent: *\nDisallow: /private\n", 1)
_robots("with status 429", b"later", 0, b"429 Too Many Requests")


@check("robots.txt and the delay before the first page")
def robots_delay(root: Path) -> str:
    """The crawl-delay counts from the request for robots.txt on."""
    times: list[float] = []

    def answer(_path: str) -> Iterator[bytes]:
        times.append(time.monotonic())
        yield _HTML + _PAGE

    robots = b"HTTP/1.1 200 OK\r\nContent-Length: 29\r\n\r\nUser-agent: *\nCrawl-delay: 2\n"
    with hostile_server(answer, robots) as url:
        start = time.monotonic()
        problem = crawl(root, url)
    # The process needs some time to start, so that the delay is shown by a lower border only.
    return problem or ("" if times and times[0] - start >= 2 else "it was not kept")


def _gone(name: str, answers: int) -> None:
    @check(f"host that is gone {name}")
    def one(root: Path) -> str:
        """The crawl ends within minutes, says so, and the same command goes on."""
        simulation = Simulation({"harbour": open_forum("harbour", "small")}, as_unix_time("2015-12-01"))
        respond = simulation.answer

        def answer(url: str, headers: dict[str, str], method: str = "GET") -> SimulatedAnswer:
            if simulation.count >= answers:
                simulation.trouble, simulation.trouble_left = "drop", 1 << 30
            return respond(url, headers, method)

        quick = {"THREADMILL_FETCH_RETRY_SECONDS": "0.05", "THREADMILL_CRAWL_PATIENCE": "0.5"}
        with serving(simulation) as base:
            words = ("crawl", f"{base}/", "--workspace", root / "w", "--delay", "0")
            simulation.answer = answer  # type: ignore[method-assign]
            problem, said = command(*words, codes=(1,), **quick)
            if problem or "does not answer" not in said:
                return problem or said[-200:]
            simulation.answer = respond  # type: ignore[method-assign]
            simulation.trouble_left = 0
            return command(*words, codes=(0,), **quick)[0]


_gone("while it is learnt", 8)
_gone("while it is crawled", 34)


@check("pauses asked for again and again")
def pauses(root: Path) -> str:
    """They hold a crawl no longer than the longest pause: here three pauses, not five."""
    asked: list[str] = []

    def answer(path: str) -> Iterator[bytes]:
        asked.append(path)
        yield b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n"

    with hostile_server(answer) as url:
        words = ("crawl", url, "--workspace", root / "w", "--delay", "0")
        problem, said = command(*words, codes=(1,), THREADMILL_FETCH_MAX_RETRY_AFTER="5")
        held = len(asked) <= 3 and "429" in said
        return problem or ("" if held else f"{len(asked)} requests: {said[-200:]}")


@check("two workspaces with one database")
def shared_database(root: Path) -> str:
    """Neither takes the answers of the other for lost."""
    shared = {"THREADMILL_STORE_URL": f"sqlite:///{root / 'shared.sqlite'}"}
    with serving(_small_forum("harbour")) as one, serving(_small_forum("chaguan")) as other:
        for base, name in ((one, "a"), (other, "b"), (one, "a")):
            words = ("crawl", f"{base}/", "--workspace", root / name, "--delay", "0")
            problem, said = command(*words, codes=(0, 4), **shared)
            if problem or "missing in the archive" in said:
                return problem or said[-200:]
        return command("archive", "verify", root / "a", codes=(0,), **shared)[0]


@check("full disk")
def full_disk(root: Path) -> str:
    """Files cannot grow, at three sizes. Once they can, the crawl goes on to the same posts."""
    with serving(_small_forum("harbour")) as base:
        words = ("crawl", f"{base}/", "--delay", "0", "--quiet", "--workspace")
        problem = command(*words, root / "calm")[0]
        expected = command("posts", "--workspace", root / "calm")[1].count("\n")
        for size in (30_000, 400_000, 600_000):
            place = root / f"w{size}"
            limited = f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); "
            code = f"{limited}from threadmill.cli import main; sys.exit(main(sys.argv[1:]))"
            call = [sys.executable, "-c", code, *(str(word) for word in (*words, place))]
            done = subprocess.run(call, capture_output=True, text=True, timeout=120, check=False)
            if done.returncode != 1 or "Traceback" in done.stderr:
                return f"exit {done.returncode} with {size} bytes: {done.stderr[-200:]}"
            problem = problem or command(*words, place)[0]
            found = command("posts", "--workspace", place)[1].count("\n")
            if problem or found != expected:
                return problem or f"{found} of {expected} posts after {size} bytes"
    return ""


@check("archive file cut after its crawl")
def cut_archive(root: Path) -> str:
    """The next crawl cuts off half a record, tells what is gone, and fetches it again."""
    with serving(_small_forum("harbour")) as base:
        words = ("crawl", f"{base}/", "--workspace", root / "w", "--delay", "0")
        problem = command(*words)[0]
        (file,) = (root / "w" / "archive").glob("*.warc.gz")
        os.truncate(file, file.stat().st_size - 5000)
        problem = problem or command("archive", "verify", root / "w", codes=(1,))[0]
        told = "missing in the archive" in command(*words)[1]
        problem = problem or command("archive", "verify", root / "w")[0]
        return problem or ("" if told else "nothing is said of the missing answers")


@check("crawl of a few threads")
def few_threads(root: Path) -> str:
    """It does not say that nothing is left."""
    with serving(_small_forum("harbour")) as base:
        words = ("crawl", f"{base}/", "--workspace", root / "w", "--delay", "0", "--max-threads", "1")
        problem, said = command(*words)
        rightly = "what was chosen has been read" in said and "nothing left" not in said
        return problem or ("" if rightly and re.search(r"threads still due +[1-9]", said) else said[-200:])


def _small_forum(name: str) -> Simulation:
    forum = open_forum(name, 150, posts_per_page=6, threads_per_page=10)
    return Simulation({name: forum}, as_unix_time("2015-12-01"))


@contextmanager
def _crawled(root: Path) -> Iterator[Path]:
    """A workspace with a small forum."""
    simulation = Simulation({"harbour": open_forum("harbour", "small")}, as_unix_time("2015-12-01"))
    with serving(simulation) as base:
        place = root / "w"
        words = ("crawl", f"{base}/", "--workspace", place, "--delay", "0", "--quiet", "--max-pages", "60")
        problem = command(*words, codes=(0, 4))[0]
        assert not problem, problem
        yield place


@check("personal data")
def personal_data(root: Path) -> str:
    """Empty keys are refused, names are hidden, formulas are guarded."""
    with _crawled(root) as place:
        posts = ("posts", "--workspace", place)
        problem = command(*posts, "--pseudonyms", "", codes=(2,))[0]
        names = {row["author"] for row in csv.DictReader(io.StringIO(command(*posts, "--format", "csv")[1]))}
        hidden = command(*posts, "--pseudonyms", THREADMILL_PSEUDONYM_KEY="k")[1]
        shown = sorted(name for name in names if len(name) > 4 and name.lower() in hidden.lower())
        for url in ("postgresql://me:secret@host:port/x", "me:secret@host/x"):
            if "secret" in command(*posts, codes=(1,), THREADMILL_STORE_URL=url)[1]:
                return "the password is shown"
        return problem or ("" if not shown else f"{len(shown)} names are shown: {', '.join(shown[:5])}")


@check("dates and filters of users")
def user_dates(root: Path) -> str:
    """They are read or refused."""
    with _crawled(root) as place:
        for words, codes in (
            (("--since", "01.05.2015"), (0,)),
            (("--since", "soon"), (2,)),
            (("--since", "2015-06-01", "--until", "2015-05-01"), (2,)),
            (("--since", "05/06/2015"), (2,)),
            (("--board", "http://nowhere.example/"), (1,)),
            (("--author", "Nobody At All"), (1,)),
        ):
            problem = command("posts", "--workspace", place, *words, codes=codes)[0]
            if problem:
                return f"{words}: {problem}"
    return ""


@check("workspace that may not be written")
def read_only(root: Path) -> str:
    """It can be read. As root only a read-only process shows it: the parent drops its rights."""
    with _crawled(root) as place:
        command("index", place, "--index", place / "index")
        for file in (*place.rglob("*"), place):
            file.chmod(0o555 if file.is_dir() else 0o444)
        for directory in (root, *root.parents):
            try:
                directory.chmod(directory.stat().st_mode | 0o055)
            except OSError:
                break
        before = {file: file.stat().st_mtime_ns for file in place.rglob("*")}
        index = ["--index", str(place / "index")]
        for words in (["posts"], ["report"], ["archive", "list"], ["archive", "verify"], ["search", "the"]):
            path = {"archive": [str(place)], "search": index}.get(words[0], ["--workspace", str(place)])
            problem = _as_nobody([*words, *path])
            if problem:
                return f"{words}: {problem}"
        for file in (place, *place.rglob("*")):
            file.chmod(0o755 if file.is_dir() else 0o644)
        after = {file: file.stat().st_mtime_ns for file in place.rglob("*")}
        return "" if before == after else "something was written"


def _as_nobody(words: list[str]) -> str:
    """Run a command without the right to write; return what went wrong."""
    code = (
        "import os, sys, contextlib, io\n"
        "from threadmill.cli import main\n"
        "import threadmill.cli.crawling.posts, threadmill.cli.crawling.report, threadmill.cli.pages.archive\n"
        "import threadmill.store.forum.export, threadmill.crawl.crash_recovery, rich.table, rich.console\n"
        "import sqlalchemy.dialects.sqlite, threadmill.archive.recovery, threadmill.store.forum.page_visits\n"
        "import threadmill.store.forum.accounts, importlib.readers, importlib.resources\n"
        "import threadmill.cli.corpora.search, threadmill.corpus, tantivy, concurrent.futures.process\n"
        "import importlib, pkgutil\n"
        "for module in pkgutil.walk_packages(threadmill.corpus.__path__, 'threadmill.corpus.'):\n"
        "    importlib.import_module(module.name)\n"
        "if os.geteuid() == 0: os.setegid(65534); os.seteuid(65534)\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, timeout=120, check=False, cwd="/"
    )
    said = done.stderr.decode("utf-8", "replace")
    return "" if done.returncode == 0 else f"exit {done.returncode}: {said[-300:]}"


@check("database lost, made again from the archive")
def lost_database(root: Path) -> str:
    """`rebuild` gives the same posts."""
    with _crawled(root) as place:
        before = command("posts", "--workspace", place)[1]
        for file in place.glob("threadmill.sqlite*"):
            file.unlink()
        problem = command("rebuild", "--workspace", place)[0]
        after = command("posts", "--workspace", place)[1]
        return problem or ("" if sorted(after.splitlines()) == sorted(before.splitlines()) else "other posts")


@check("service without its broker")
def broker(_root: Path) -> str:
    """The controller and the workers come back; ten minutes are seconds here."""
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/service/work/test_controller.py"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=500, check=False)
    return "" if done.returncode == 0 else done.stdout[-300:]
