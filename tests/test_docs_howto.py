"""The commands of the how-to pages run in their order, on a simulated forum and invented company sites.

Each page has a scene: the files that it speaks of. What runs until it is stopped, or needs a program of
others, is named in NOT_HERE with the test that starts it.
"""

from __future__ import annotations

import gzip
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

import threadmill
from tests.servers.closed_forum import NAME, PASSWORD, ClosedForum, serving_closed
from tests.servers.companies import Companies
from tests.test_docs_commands import HOW_TO, ROOT, _save_pages
from threadmill.cli import main
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving

POSTS = 12  # of 60 by 2017, on the day that is simulated
FORUM = "https://forum.example.org"
# The begin of a command → where it is started instead.
NOT_HERE = {
    "threadmill console": "tests/console",
    "threadmill serve": "tests/service",
    "threadmill worker": "tests/service",
    "threadmill watch --workspace /shared": "tests/crawl/watch",  # needs PostgreSQL
    "threadmill fleet": "tests/crawl/watch",
    "threadmill move": "tests/store",  # needs PostgreSQL
    "threadmill crawl https://forum.example.org/ --browser": "tests/crawl/forum",  # needs Chromium
    "threadmill watch --workspace work --log-json": "tests/cli/crawling",  # runs until it is stopped
}
# What a small corpus may not hold: the answer may be empty.
MAY_BE_EMPTY = ("threadmill query", "threadmill search")
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SHELL = ("mkdir", "cp", "rsync", "sqlite3")  # programs of others that run as printed, where they are


@dataclass
class Scene:
    """What a page speaks of, and what its names are here."""

    names: dict[str, str] = field(default_factory=dict)
    ran: list[str] = field(default_factory=list)

    def run(self, line: str, capsys: pytest.CaptureFixture[str]) -> None:
        """Run a line of a page, as a shell would."""
        for name, here in self.names.items():
            line = line.replace(name, here)
        line = re.sub(r"\s+# .*$", "", line)
        with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
            while before := re.match(r"(\w+)=(\S+) ", line):
                patch.setenv(before[1], before[2])
                line = line[before.end() :]
            line, _, target = line.partition(" > ")
            line, _, source = line.partition(" < ")
            octets = Path(source.strip()).read_bytes() if source else b""
            patch.setattr("sys.stdin", TextIOWrapper(BytesIO(octets)))
            if target:
                stack.enter_context(redirect_stdout(stack.enter_context(Path(target.strip()).open("w"))))
            words = [file for word in shlex.split(line)[1:] for file in _expanded(word)]
            code = main([*words, "--once"] if words[0] == "watch" else words)
        allowed = {0, 1} if line.startswith(MAY_BE_EMPTY) else {0}
        assert code in allowed, (line, code, capsys.readouterr().err)
        self.ran.append(line)


def _expanded(word: str) -> list[str]:
    found = sorted(map(str, Path().glob(word))) if "*" in word and "/" not in word and word[0] != "*" else []
    return found or [word]


def blocks_of(page: str) -> Iterator[tuple[str, list[str]]]:
    """The fenced blocks of a page: their language, and their lines."""
    for language, block in _FENCE.findall((ROOT / "docs" / "howto" / page).read_text("utf-8")):
        yield language, block.splitlines()


def run_page(
    page: str, scene: Scene, capsys: pytest.CaptureFixture[str], left: Mapping[str, str] = NOT_HERE
) -> None:
    for language, lines in blocks_of(page):
        if language == "python":
            exec("\n".join(lines), scene.__dict__.setdefault("python", {"threadmill": threadmill}))  # noqa: S102 -- our own document
        if language not in {"", "bash"}:
            continue
        for line in lines:
            if re.match(r"(?:\w+=\S+ )*threadmill ", line) and not line.startswith(tuple(left)):
                scene.run(line, capsys)
            elif line.startswith(_SHELL) and re.search("backup|restored", line):
                subprocess.run(["sh", "-ec", _with_programs_of_here(line)], check=True)


def _with_programs_of_here(line: str) -> str:
    """The line with cp in place of rsync, where that is not installed."""
    if shutil.which("rsync"):
        return line
    return re.sub(r"^rsync -a (\S+/) (\S+)$", r"mkdir -p \2 && cp -a \1. \2", line)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THREADMILL_CRAWL_DELAY", "0")
    return tmp_path


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a small forum."""
    work = tmp_path_factory.mktemp("howto") / "work"
    with serving(harbour(60)) as base:
        threadmill.crawl_forum(base, work, delay=0)
    return work


def harbour(posts: int) -> Simulation:
    return Simulation({"harbour": open_forum("harbour", posts)}, as_unix_time("2015-12-01"))


def test_a_command_that_is_left_out_stands_on_a_page() -> None:
    lines = [line for page in HOW_TO for _, block in blocks_of(Path(page).name) for line in block]
    for command, where in NOT_HERE.items():
        assert any(line.startswith(command) for line in lines), f"no page has {command!r} any more"
        assert (ROOT / where).is_dir()


def test_the_page_for_forum_researchers_runs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ExitStack() as stack:
        base = stack.enter_context(serving(harbour(60)))
        other = stack.enter_context(
            serving(Simulation({"harbour": open_forum("werkbank", 30)}, as_unix_time("2015-12-01")))
        )
        closed = stack.enter_context(serving_closed(ClosedForum(harbour(60), "form")))
        closed.sessions.add("cookie-of-a-browser")
        host = closed.base.partition("://")[2].partition(":")[0]
        Path("cookies.txt").write_text(
            f"# Netscape HTTP Cookie File\n{host}\tFALSE\t/\tFALSE\t0\tmember\tcookie-of-a-browser\n"
        )
        recipe = next(
            "\n".join(lines) for language, lines in blocks_of("forum-researcher.md") if language == "toml"
        )
        recipe = recipe.replace(FORUM, closed.base).replace("Log out", "a").replace("username", "user")
        Path("login.toml").write_text(recipe.replace("password =", "pass =").replace('"anna"', f'"{NAME}"'))
        members = Scene(
            {
                f"{FORUM}/ --cookies": f"{closed.base} --workspace c --cookies",
                f"{FORUM}/ --login": f"{closed.base} --workspace l --login",
                "FORUM_PASSWORD=...": f"FORUM_PASSWORD={PASSWORD}",
            }
        )
        open_for_all = Scene(
            {
                f"{FORUM}/cars/": f"{base}/viewforum.php?f=2",
                "https://board.example.net": other,
                f"{FORUM}/t/1": f"{base}/t/1",
                f"{FORUM}/": f"{base}/index.php",
                '"Anna K"': "AUTHOR",
            }
        )
        for _, lines in blocks_of("forum-researcher.md"):
            for line in lines:
                if not re.match(r"(?:\w+=\S+ )*threadmill ", line) or line.startswith(tuple(NOT_HERE)):
                    continue
                if "forum correct" in line and "--yes" not in line:  # what the reader writes
                    with Path("model.toml").open("a") as file:
                        file.write('\n[[correction]]\nkind = "time zone"\nvalues = ["+02:00"]\n')
                if "forget" in line:
                    open_for_all.names['"Anna K"'] = shlex.quote(_an_author())
                if line.startswith("threadmill forum posts page.html"):
                    _save_pages(Path("work/archive"))
                scene = members if "--cookies" in line or "--login" in line else open_for_all
                scene.run(line, capsys)
    for workspace in ("c", "l"):
        assert len(list(threadmill.open_workspace(workspace).posts())) == POSTS, workspace
    assert Path("posts.csv").read_text("utf-8").startswith("id,")
    assert {one for line in open_for_all.ran for one in line.split()[1:2]} >= {
        "init",
        "crawl",
        "forum",
        "posts",
        "boards",
        "threads",
        "replies",
        "forget",
        "watch",
        "report",
    }


def _an_author() -> str:
    return next(post.author for post in threadmill.open_workspace("work").posts() if post.author)


def test_the_page_for_corpus_linguists_runs(
    here: Path, crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for package in ("simplemma", "pyarrow", "tantivy"):
        pytest.importorskip(package, reason="the page uses the extras lemma, parquet and search")
    import pyarrow
    from pyarrow import parquet

    shutil.copytree(crawled, "work/forum")
    shutil.copytree(crawled / "archive", "archive")
    shutil.copy(next(Path("archive").glob("*.warc.gz")), "crawl.warc.gz")
    text = "We go home to the mill. The mill stands at the brook, and the miller goes there every day. " * 3
    Path("extract.txt").write_text(f'<doc id="1" url="https://w.example/1" title="Mill">\n{text}\n</doc>\n')
    parquet.write_table(pyarrow.table({"text": [text], "url": ["https://a.example/"]}), "dataset.parquet")
    with gzip.open("texts.jsonl.gz", "wt") as file:
        file.write(json.dumps({"text": text}) + "\n")
    Path("reference.vert").write_text("<doc url='x'>\n<s>\nmill\tmill\tNOUN\n</s>\n</doc>\n")
    scene = Scene()
    run_page("corpus-linguist.md", scene, capsys)
    assert len(scene.ran) >= 20
    assert Path("wiki.vert").read_text("utf-8").count("mill\n") >= 6
    for made in (
        "corpus.vert.load.sh",
        "other.vert.metadata.tsv",
        "clean",
        "lines.csv",
        "threadmill-index",
    ):
        assert Path(made).exists(), made


def test_the_page_for_nlp_engineers_runs(
    here: Path, crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _save_pages(crawled / "archive")
    shutil.copy(next((crawled / "archive").glob("*.warc.gz")), "crawl.warc.gz")
    shutil.copy("page.html", "new-page.html")
    hook = next(
        lines
        for language, lines in blocks_of("nlp-engineer.md")
        if "def keep_long(text, verdict, html):" in lines
    )
    Path("my_hooks.py").write_text("\n".join(hook))
    left = dict(NOT_HERE)
    if find_spec("trafilatura") is None:
        left["threadmill clean page.html --compare"] = "needs the peer"
    scene = Scene()
    run_page("nlp-engineer.md", scene, capsys, left)
    assert "https://example.org/18 Low water is at 18 o'clock." in capsys.readouterr().out
    assert len(Path("clean.jsonl").read_text("utf-8").splitlines()) > 5
    assert "blocks" in json.loads(Path("documents.jsonl").read_text("utf-8").splitlines()[0])


def test_the_page_for_analysts_runs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Companies(3) as companies:
        Path("list.txt").write_text("\n".join(companies.urls), "utf-8")
        run_page("site-analyst.md", Scene(), capsys)
    assert json.loads(Path("again.json").read_text("utf-8"))["sites"]
    assert Path("pairs.gexf").read_text("utf-8").startswith("<?xml")
    assert Path("report.html").exists()


def test_the_page_for_operators_runs(here: Path, crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which("sqlite3") is None:
        pytest.skip("the page uses sqlite3")
    shutil.copytree(crawled, "work")
    scene = Scene({"s3://bucket/forums": "kept"})  # tests/archive sends to a store
    run_page("operator.md", scene, capsys)
    restored = threadmill.open_workspace("restored")
    kept = [post.as_dict() for post in threadmill.open_workspace("work").posts()]
    assert [post.as_dict() for post in restored.posts()] == kept
    assert len(kept) == POSTS
    assert {line.split()[1] for line in scene.ran} >= {"archive"}


def test_the_page_about_many_machines_runs_on_this_one(
    here: Path, crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What needs a Ray cluster or a store in the network is in tests/parallel and tests/archive."""
    for number in (1, 2):
        Path(f"part-{number}.jsonl").write_text(
            json.dumps({"text": f"The mill {number} stands at the brook."}) + "\n"
        )
    shutil.copytree(crawled / "archive", "crawls")
    scene = Scene({" --on ray": "", "--workspace work": "--workspace w"})
    threadmill.open_workspace("w", create=True)
    run_page(
        "many-machines.md",
        scene,
        capsys,
        {
            **NOT_HERE,
            "threadmill dedup s3://": "",
            "threadmill vert s3://": "",
            "threadmill vert /shared": "",
        },
    )
    assert Path("models.jsonl").exists()
    assert len(Path("posts.jsonl").read_text("utf-8").splitlines()) == POSTS
    assert sorted(file.name for file in Path("clean").glob("*.jsonl")) == ["part-1.jsonl", "part-2.jsonl"]
