"""Compacting the archive of a workspace."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import threadmill
from threadmill.archive import rewriting
from threadmill.archive.read_tally import ReadTally
from threadmill.archive.warc_reader import read_captures
from threadmill.cli import main
from threadmill.crawl import compaction
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving

SMALL = "[archive]\njoin_file_bytes = 0\nmax_file_bytes = {most}\n"


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A forum and a site, crawled several times into many small files."""
    work = tmp_path_factory.mktemp("compaction") / "work"
    threadmill.open_workspace(work, create=True)
    (work / "threadmill.toml").write_text(SMALL.format(most=20_000), "utf-8")
    simulation = Simulation({"harbour": open_forum("harbour", 60)}, as_unix_time("2015-10-01"))
    with serving(simulation) as base:
        for date in ("2015-11-01", "2015-12-01"):
            simulation.advance(date)
            threadmill.crawl_forum(base, work, delay=0)
            threadmill.crawl_site(base, work, delay=0, max_depth=1 + (date > "2015-11-15"))
    (work / "threadmill.toml").write_text("", "utf-8")
    return work


@pytest.fixture
def workspace(once: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(once, tmp_path / "work")
    return tmp_path / "work"


def pages(work: Path) -> list[tuple[str, str, bytes]]:
    found = read_captures(work / "archive", ReadTally(), follow_revisits=True)
    return sorted((page.url, page.at.isoformat(), page.payload) for page in found if page.status != 304)


def posts(work: Path) -> list[tuple[str, str]]:
    return sorted((post.author or "", post.text) for post in threadmill.open_workspace(work).posts())


def files(work: Path) -> int:
    return len(list((work / "archive").glob("*.warc.gz")))


def test_many_files_become_one_and_every_answer_is_still_there(workspace: Path) -> None:
    before, kept = pages(workspace), posts(workspace)
    assert files(workspace) > 3
    report = compaction.compact(threadmill.open_workspace(workspace))
    assert files(workspace) == report.files_after == 1
    assert report.revisits > 0
    assert report.bytes_after < report.bytes_before
    assert pages(workspace) == before
    assert main(["archive", "verify", str(workspace)]) == 0
    assert main(["rebuild", "--workspace", str(workspace)]) == 0
    assert posts(workspace) == kept


def test_what_the_database_names_can_be_read(workspace: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "before.vert", tmp_path / "after.vert"
    assert main(["vert", str(workspace), "-o", str(one)]) == 0
    compaction.compact(threadmill.open_workspace(workspace))
    assert main(["vert", str(workspace), "-o", str(other)]) == 0
    # Documents come in the order of the archive: a page that was held twice stands where it was first.
    assert sorted(one.read_text("utf-8").split("<doc ")) == sorted(other.read_text("utf-8").split("<doc "))


@pytest.mark.parametrize("cut", ["put_in_place", "finish"])
def test_after_a_crash_the_same_call_goes_on(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, cut: str
) -> None:
    before = pages(workspace)

    def fail(*_: object) -> None:
        raise RuntimeError("the power is gone")

    with monkeypatch.context() as patch:
        patch.setattr(rewriting, cut, fail)
        with pytest.raises(RuntimeError):
            compaction.compact(threadmill.open_workspace(workspace))
    assert main(["archive", "compact", str(workspace)]) == 0
    assert files(workspace) == 1
    assert pages(workspace) == before


def test_a_damaged_file_is_left_alone(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = min((workspace / "archive").glob("*.warc.gz"))
    octets = bytearray(first.read_bytes())
    octets[len(octets) // 2] ^= 0xFF
    first.write_bytes(octets)
    number = files(workspace)
    assert main(["archive", "compact", str(workspace)]) == 0
    assert "left alone" in capsys.readouterr().out
    assert files(workspace) == number
    assert first.read_bytes() == octets
