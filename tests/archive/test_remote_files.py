import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.servers.object_store import run_object_store
from threadmill.archive.remote_files import (
    RemoteFile,
    as_file,
    file_date,
    file_size,
    file_uri,
    file_version,
    files_under,
    new_file,
)
from threadmill.errors import ArchiveError, MissingDependencyError

NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    with run_object_store() as url:
        yield url


def test_a_url_is_remote_and_everything_else_a_path() -> None:
    assert as_file("s3://bucket/a.warc.gz") == RemoteFile("s3://bucket/a.warc.gz")
    assert as_file("file:///tmp/a") == Path("/tmp/a")  # noqa: S108
    assert as_file("C://a") == Path("C://a")
    assert as_file(Path("a.html")) == Path("a.html")
    assert as_file("-") == Path("-")


def test_names_beside_and_below_a_file() -> None:
    file = RemoteFile("s3://bucket/folder/a.warc.gz")
    assert file.name == "a.warc.gz"
    assert file.suffixes == [".warc", ".gz"]
    assert str(file.with_name("b")) == "s3://bucket/folder/b"
    assert str(RemoteFile("s3://bucket/folder/") / "c") == "s3://bucket/folder/c"
    assert not RemoteFile("https://example.org/a?b*").is_pattern()


def test_without_fsspec_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(MissingDependencyError, match=r"needs the package fsspec.*\[remote\]"):
        RemoteFile("s3://bucket/a").open()


def test_files_are_written_listed_read_and_removed(bucket: str) -> None:
    folder = RemoteFile(f"{bucket}/files")
    for name in ("b.txt", "a.txt", "deep/c.txt"):
        (folder / name).write_bytes(name.encode())
    assert folder.is_dir()
    assert [file.name for file in files_under(folder)] == ["a.txt", "b.txt", "c.txt"]
    assert [file.name for file in RemoteFile(f"{bucket}/files/*.txt").matches()] == ["a.txt", "b.txt"]
    file = folder / "a.txt"
    assert file.read_bytes() == b"a.txt"
    assert file_size(file) == 5
    assert file_uri(file) == f"{bucket}/files/a.txt"
    assert file_date(file, NEVER) > NEVER
    before = file_version(file)
    file.write_bytes(b"other")
    folder.files()  # forgets what the store said before
    assert file_version(file) != before
    folder.remove()
    assert not folder.exists()
    folder.remove()


def test_a_file_appears_when_it_is_complete_or_not_at_all(bucket: str, tmp_path: Path) -> None:
    for target in (RemoteFile(f"{bucket}/whole"), tmp_path / "whole"):
        with pytest.raises(KeyboardInterrupt):
            _write_half(target)
        assert not target.exists()
        with new_file(target) as stream:
            stream.write(b"x" * 6_000_000)
            assert not target.exists()
        assert file_size(target) == 6_000_000
    assert [file.name for file in tmp_path.iterdir()] == ["whole"]


def test_a_file_that_is_not_there_is_named(bucket: str) -> None:
    with pytest.raises(ArchiveError, match="/none does not exist"):
        RemoteFile(f"{bucket}/none").read_bytes()
    with pytest.raises(ArchiveError, match="cannot use nosuch://x/y"):
        RemoteFile("nosuch://x/y").exists()


def _write_half(target: RemoteFile | Path) -> None:
    with new_file(target) as stream:
        stream.write(b"x" * 6_000_000)
        raise KeyboardInterrupt
