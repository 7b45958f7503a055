"""A run is not stopped by hostile pages or broken archives: what cannot be used is counted."""

import gzip
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile import CONTENT, GENERATORS
from threadmill.corpus.build.corpus_file import BuildProgress, CorpusJob
from threadmill.corpus.build.pipeline import run_job
from threadmill.corpus.vertical.check import Checker

HEAD = (
    "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://x.org/{}\r\n"
    "WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:{}>\r\n"
    "Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n"
)
GOOD = f"<html lang=en><title>Diary</title><article><p>{CONTENT}</p><p>{CONTENT}</p></article>".encode()


def record(number: int, page: bytes, media: str = "text/html", length: int = 0) -> bytes:
    block = f"HTTP/1.1 200 OK\r\nServer: x\r\nContent-Type: {media}\r\n\r\n".encode() + page
    return HEAD.format(number, number, length or len(block)).encode() + block + b"\r\n\r\n"


def valid(file: Path) -> bool:
    with file.open("rb") as lines:
        return not list(Checker().check(lines))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BuildProgress]:
    folder = tmp_path_factory.mktemp("hostile")
    with (folder / "hostile.warc").open("wb") as out:
        for number, make in enumerate(GENERATORS.values()):
            out.write(record(number, make()))
    return folder / "out.vert", run_job(CorpusJob((folder / "hostile.warc",), folder / "out.vert"))


@pytest.mark.timeout(900)  # some hundred megabytes, which a busy machine takes its time for
def test_all_87_hostile_pages_pass_through_a_run(hostile: tuple[Path, BuildProgress]) -> None:
    output, progress = hostile
    assert progress.pages == 87
    assert progress.inventory.documents + sum(progress.reasons.values()) == 87
    assert not [reason for reason in progress.reasons if reason.startswith("failed")]
    assert progress.inventory.documents >= 85
    assert valid(output)


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "cut in the middle of a record": lambda warc: warc[: len(warc) * 3 // 5],
    "cut in the middle of a header": lambda warc: warc[: warc.rindex(b"WARC-Date") + 4],
    "a length that is a lie": lambda warc: record(9, GOOD, length=10**9) + warc,
    "a length that is too short": lambda warc: warc + record(9, GOOD, length=40) + warc,
    "a length that is no number": lambda warc: (
        warc.replace(b"Content-Length: ", b"Content-Length: x", 1) + warc
    ),
    "noise between records": lambda warc: warc + random.Random(1).randbytes(5000) + warc,
    "noise in the place of a file": lambda _: random.Random(2).randbytes(100_000),
    "zeros at the end": lambda warc: warc + bytes(100_000),
    "no HTTP in a response": lambda warc: warc + warc.replace(b"HTTP/1.1 200 OK", b"x"),
    "a media type of noise": lambda warc: warc + record(9, GOOD, media="\x00\x01;" * 50),
    "nothing": lambda _: b"",
    "an unknown encoding": lambda warc: warc + warc.replace(b"Server: x", b"Content-Encoding: br"),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("compressed", [False, True])
def test_a_broken_archive_is_counted_and_the_files_around_it_are_read(
    name: str, compressed: bool, tmp_path: Path
) -> None:
    warc = b"".join(record(number, GOOD) for number in range(3))
    broken = BROKEN[name](warc)
    (tmp_path / "a.warc").write_bytes(warc)
    ending = ".warc.gz" if compressed else ".warc"
    (tmp_path / f"b{ending}").write_bytes(gzip.compress(broken) if compressed else broken)
    (tmp_path / "c.warc").write_bytes(warc)
    progress = run_job(CorpusJob((tmp_path,), tmp_path / "out.vert"))
    assert progress.files_done == 3
    assert progress.inventory.documents >= 6
    assert valid(tmp_path / "out.vert")
    if name not in {"zeros at the end", "nothing"}:
        assert sum(progress.reasons.values()) >= 1


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.9])
def test_a_compressed_archive_that_breaks_off_gives_what_came_before(keep: float, tmp_path: Path) -> None:
    members = b"".join(gzip.compress(record(number, GOOD)) for number in range(20))
    (tmp_path / "a.warc.gz").write_bytes(members[: int(len(members) * keep)])
    progress = run_job(CorpusJob((tmp_path,), tmp_path / "out.vert"))
    assert progress.inventory.documents == int(20 * keep)
    assert valid(tmp_path / "out.vert")
