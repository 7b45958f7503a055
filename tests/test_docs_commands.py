"""Every command in README and docs: all are understood, and those of the first steps run as printed."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.servers.companies import Companies
from threadmill.archive.read_tally import ReadTally
from threadmill.archive.warc_reader import read_captures
from threadmill.cli import COMMANDS, main, make_parser
from threadmill.cli.terminal import start_logging
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving

ROOT = Path(__file__).parents[1]
HOW_TO = sorted(str(file.relative_to(ROOT)) for file in ROOT.glob("docs/howto/*.md"))
DOCUMENTS = ["README.md", "docs/tutorial.md", "docs/index.md", *HOW_TO]
_FENCE = re.compile(r"^```(?:bash|sh|)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands_of(text: str) -> Iterator[list[str]]:
    """The words of each command in fenced blocks, in indented blocks and in code of a table."""
    blocks = "\n".join(_FENCE.findall(text)).splitlines()
    indented = [line.strip() for line in text.splitlines() if line.startswith("    threadmill ")]
    table = [
        one for line in text.splitlines() if line.startswith("|") for one in re.findall(r"`([^`]+)`", line)
    ]
    for line in [*blocks, *indented, *table]:
        found = re.match(r"(?:\w+=\S+ )?threadmill (.*)", line.strip().replace(" …", ""))
        if found and found[1].split()[0] in COMMANDS:
            words = shlex.split(found[1].partition(" | ")[0].partition(" > ")[0], comments=True)
            if words[0].islower() and "COMMAND" not in words:
                yield words


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_printed_command_is_understood(document: str) -> None:
    for command, *words in commands_of((ROOT / document).read_text("utf-8")):
        if "--version" in words or "--help" in words:
            continue
        parser, _ = make_parser(command)
        parser.parse_args(start_logging(words))  # raises UsageError for what is not understood


def block_after(document: str, heading: str) -> list[list[str]]:
    """The commands of the first fenced block below a heading."""
    text = (ROOT / document).read_text("utf-8").partition(heading)[2]
    return list(commands_of(_FENCE.search(text)[0]))  # type: ignore[index]


@pytest.fixture
def simulation() -> Simulation:
    return Simulation({"harbour": open_forum("harbour", 120)}, as_unix_time("2015-12-01"))


def test_the_first_minute_of_the_readme_runs_as_printed(
    simulation: Simulation,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THREADMILL_CRAWL_DELAY", "0")
    calls = block_after("README.md", "## Your own forum in 60 seconds")
    assert [call[0] for call in calls] == ["doctor", "crawl", "boards", "posts"]
    with serving(simulation) as base:
        for call in calls:
            words = [word.replace("https://forum.example.org", base) for word in call]
            # Compiled loops may be missing where tests run; `doctor` says so.
            assert main(words) in ({0, 1} if call[0] == "doctor" else {0})
    assert "an index of a forum" in capsys.readouterr().out
    assert (tmp_path / "posts.csv").read_text("utf-8").count("\n") > 20


def test_the_tutorial_runs_as_printed(
    simulation: Simulation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pandas", reason="the tutorial uses pandas: pip install pandas")
    monkeypatch.chdir(tmp_path)
    calls = list(commands_of((ROOT / "docs/tutorial.md").read_text("utf-8")))
    served = [call for call in calls if call[0] == "simulate"]
    dates = [call[call.index("--date") + 1] for call in served]
    assert len(dates) == 2
    [crawl] = [call for call in calls if call[0] == "crawl"]
    with serving(simulation) as base:
        for date in dates:
            simulation.advance(date)
            assert main([word.replace("http://127.0.0.1:9200", base) for word in crawl]) == 0
    calls = [call for call in calls if call[0] in {"report", "posts"}]
    for call in calls:
        there = "parquet" not in call or find_spec("pyarrow") is not None
        assert main(call) == (0 if there else 1), call
    assert Path("posts.parquet").exists() == (find_spec("pyarrow") is not None)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/tutorial.md").read_text("utf-8"), re.DOTALL)
    can_plot = find_spec("pyarrow") is not None and find_spec("matplotlib") is not None
    for block in blocks if can_plot else blocks[-1:]:
        exec(block, {})  # noqa: S102 -- our own document
    assert Path("posts.png").exists() == can_plot


def test_the_commands_of_the_readme_table_run_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`serve` runs until it is stopped, so tests/console/test_app.py starts it; `watch` is told to end."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THREADMILL_CRAWL_DELAY", "0")
    text = (
        (ROOT / "README.md").read_text("utf-8").partition("## What it does")[2].partition("## In Python")[0]
    )
    calls = [call for call in commands_of(text) if call[0] not in {"serve", "completion"}]
    ran = []
    simulation = Simulation({"harbour": open_forum("harbour", 40)}, as_unix_time("2015-12-01"))
    with serving(simulation) as base, Companies(3) as companies:
        Path("list.txt").write_text("\n".join(companies.urls), "utf-8")
        for call in calls:
            places = {"https://forum.example.org/any/page": f"{base}/", "https://example.org/": f"{base}/"}
            words = [places.get(word, word).replace("URL", f"{base}/") for word in call]
            if call[0] == "forum":  # from here on, commands read files that the crawl has brought
                _save_pages(Path("threadmill-work/archive"))
            if call[0] in {"index", "search"} and find_spec("tantivy") is None:
                continue
            code = main([*words, "--once"] if call[0] == "watch" else words)
            # A corpus this small may hold neither the phrase nor the words of the query.
            assert code in ({0, 1} if call[0] in {"search", "query"} else {0}), (
                words,
                capsys.readouterr().err,
            )
            ran.append(call[0])
    assert len(ran) >= 14
    for made in ("clean", "corpus.vert", "results.json", "threadmill-positions"):
        assert Path(made).exists(), made


def _save_pages(archive: Path) -> None:
    """The files that the table names: a thread page, a directory of pages, and a WARC file."""
    Path("pages").mkdir()
    shutil.copy(next(archive.glob("*.warc.gz")), "crawl.warc.gz")
    for number, page in enumerate(read_captures(archive, ReadTally())):
        if page.status == 200 and "html" in page.content_type:
            Path(f"pages/{number}.html").write_bytes(page.payload)
            if "viewtopic" in page.url:
                Path("page.html").write_bytes(page.payload)
