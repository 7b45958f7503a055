"""An archive whose complete files are in an object store: everything that reads it gives the same."""

import json
import multiprocessing
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import threadmill
from tests.crawl.test_compaction import SMALL, pages, posts
from tests.servers.object_store import forget_servers, run_object_store
from threadmill.archive.archive_index import files_in_order
from threadmill.archive.remote_files import PLACE_SUFFIX, RemoteFile, as_file
from threadmill.archive.sent_files import fetch_file, fetch_files, send_files
from threadmill.archive.warc_reader import read_at, read_captures, warc_files
from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.cli import main
from threadmill.config import ArchiveSettings
from threadmill.crawl.crash_recovery import mark_lost_captures, shortened_files
from threadmill.errors import ArchiveError
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.store import open_store
from threadmill.types import Exchange, Location
from threadmill.workspace import open_workspace


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    with run_object_store() as url:
        yield url
    forget_servers()


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    return Simulation({"harbour": open_forum("harbour", 60)}, as_unix_time("2015-11-01"))


@pytest.fixture(scope="module")
def forum(simulation: Simulation) -> Iterator[str]:
    with serving(simulation) as url:
        yield url


@pytest.fixture(scope="module")
def once(forum: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A forum, crawled into several small files."""
    work = tmp_path_factory.mktemp("sent") / "work"
    threadmill.open_workspace(work, create=True)
    (work / "threadmill.toml").write_text(SMALL.format(most=20_000), "utf-8")
    threadmill.crawl_forum(forum, work, delay=0)
    return work


@pytest.fixture
def work(once: Path, tmp_path: Path) -> Path:
    shutil.copytree(once, tmp_path / "work")
    return tmp_path / "work"


@pytest.fixture
def target(bucket: str, work: Path, request: pytest.FixtureRequest) -> str:
    """A folder of the store for one test. All files of the archive are sent there."""
    folder = f"{bucket}/{request.node.name[:40]}"
    assert main(["archive", "send", str(work), "--to", folder, "--all"]) == 0
    assert not list((work / "archive").glob("*.warc.gz"))
    return folder


def test_sent_files_are_read_where_they_are(once: Path, work: Path, target: str, tmp_path: Path) -> None:
    assert len(RemoteFile(target).files()) == len(warc_files(once / "archive")) > 1
    assert pages(work) == pages(once)
    assert [file.name for file in files_in_order(work / "archive")] == [
        file.name for file in files_in_order(once / "archive")
    ]
    assert main(["archive", "verify", str(work)]) == 0
    for folder in (once, work):
        assert (
            main(["vert", str(folder / "archive"), "-o", str(tmp_path / f"{folder.parent.name}.vert")]) == 0
        )
    one, other = sorted(tmp_path.glob("*.vert"))
    assert sorted(one.read_text("utf-8").split("<doc ")) == sorted(other.read_text("utf-8").split("<doc "))
    for capture in read_captures(work / "archive"):
        name, _, place = capture.source.rpartition("/")[2].partition(":")
        offset, _, length = place.partition("+")
        found = read_at(work / "archive", Location(name, int(offset), int(length or 0), ""))
        assert found.payload == capture.payload


def test_nothing_counts_as_lost_and_the_database_is_made_again(once: Path, work: Path, target: str) -> None:
    store = open_store(open_workspace(work).store_url)
    try:
        with store.reading() as connection:
            assert shortened_files(connection, work / "archive") == {}
        assert mark_lost_captures(store, work / "archive", 1) == 0
        [first, *_] = sorted((work / "archive").glob(f"*{PLACE_SUFFIX}"))
        note = first.read_text()
        first.unlink()  # now it is nowhere
        with store.reading() as connection:
            assert list(shortened_files(connection, work / "archive").values()) == [0]
        first.write_text(note)
    finally:
        store.close()
    assert main(["rebuild", "--workspace", str(work)]) == 0
    assert posts(work) == posts(once)
    assert RemoteFile(target).files()


@pytest.mark.usefixtures("target")
def test_the_next_crawl_writes_a_new_file_and_knows_what_it_has(
    work: Path, simulation: Simulation, forum: str
) -> None:
    simulation.advance("2015-12-01")
    before = {file.name for file in warc_files(work / "archive")}
    progress = threadmill.crawl_forum(forum, work, delay=0)
    assert progress.new_posts > 0
    fresh = {file.name for file in (work / "archive").glob("*.warc.gz")}
    assert fresh
    assert not fresh & before
    kept = posts(work)
    assert main(["archive", "compact", str(work)]) == 0  # joins what is here
    assert main(["rebuild", "--workspace", str(work)]) == 0
    assert posts(work) == kept


def test_an_author_is_forgotten_in_the_store_too(once: Path, work: Path, target: str, tmp_path: Path) -> None:
    here = tmp_path / "here"
    shutil.copytree(once, here)
    before, sent = pages(work), len(RemoteFile(target).files())
    [author, *_] = sorted(author for author, _ in posts(work) if author)
    for folder in (here, work):
        assert main(["forget", "--author", author, "--yes", "--workspace", str(folder)]) == 0
    assert pages(work) == pages(here) != before
    # What held something of it came back and was written anew. All else stays in the store.
    fresh = {file.name for file in (work / "archive").glob("*.warc.gz")}
    assert fresh
    assert len(fresh) + len(RemoteFile(target).files()) == sent
    assert main(["archive", "verify", str(work)]) == 0


def test_files_come_back(once: Path, work: Path, target: str) -> None:
    assert main(["archive", "fetch", str(work)]) == 0
    for file in warc_files(once / "archive"):
        assert (work / "archive" / file.name).read_bytes() == file.read_bytes()
    assert not list((work / "archive").glob(f"*{PLACE_SUFFIX}"))
    assert RemoteFile(target).files() == []
    with pytest.raises(ArchiveError, match="was not sent"):
        fetch_file(warc_files(work / "archive")[0])


def test_a_copy_that_was_changed_is_not_taken_back(work: Path, tmp_path: Path) -> None:
    assert list(send_files(work / "archive", tmp_path / "elsewhere"))
    [first, *_] = warc_files(work / "archive")
    copy = tmp_path / "elsewhere" / first.name
    copy.write_bytes(copy.read_bytes()[:-1] + b"?")
    with pytest.raises(ArchiveError, match="not what was sent"):
        list(fetch_files(work / "archive"))
    assert copy.exists()
    assert not first.exists()


def write_some(directory: Path, ready: "multiprocessing.synchronize.Event") -> None:
    writer = ArchiveWriter(directory, ArchiveSettings())
    at = next(iter(read_captures(directory))).at
    writer.write(Exchange("http://a.example/", at, b"GET / HTTP/1.1\r\n\r\n", 200, "OK", (), b"text"))
    ready.set()
    multiprocessing.Event().wait()


def test_a_file_that_is_written_stays_and_small_ones_only_go_when_asked(work: Path, tmp_path: Path) -> None:
    directory, away = work / "archive", tmp_path / "away"
    assert list(send_files(directory, away, least=10_000_000)) == []
    ready = multiprocessing.Event()
    writer = multiprocessing.Process(target=write_some, args=(directory, ready))
    writer.start()
    assert ready.wait(60)
    count = len(warc_files(directory))
    sent = [name for name, _ in send_files(directory, away)]
    writer.kill()
    writer.join()
    [written] = [file for file in warc_files(directory) if file.exists()]
    assert written.name not in sent
    assert len(sent) == count - 1
    assert list(send_files(directory, away)) == []  # its writer died: it must be repaired first


def test_a_call_that_died_before_the_file_was_deleted_is_finished_by_the_next(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = work / "archive"
    before = pages(work)

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", die)
        with pytest.raises(KeyboardInterrupt):
            list(send_files(directory, tmp_path / "away"))
    assert len(list(directory.glob(f"*{PLACE_SUFFIX}"))) == 1
    assert pages(work) == before
    assert len(list(send_files(directory, tmp_path / "away"))) == len(warc_files(directory))
    assert pages(work) == before


def test_a_note_is_read_by_people_too(work: Path, target: str) -> None:
    [first, *_] = sorted((work / "archive").glob(f"*{PLACE_SUFFIX}"))
    note = json.loads(first.read_text())
    assert note["url"].startswith(target)
    assert as_file(note["url"]).exists()
