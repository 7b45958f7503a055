import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.corpus.build.test_pipeline import page, write_warc
from tests.servers.file_servers import ServedFiles, run_google_storage, run_hub, run_web_server
from tests.servers.object_store import forget_servers, run_object_store
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
from threadmill.cli import main
from threadmill.errors import ArchiveError, MissingDependencyError

NEVER = datetime(1970, 1, 1, tzinfo=UTC)
_HUB_FILE = "/{repo_id}/resolve/{revision}/{filename}"


@pytest.fixture(autouse=True, scope="module")
def no_server_is_remembered() -> Iterator[None]:
    yield
    forget_servers()


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


@pytest.mark.parametrize(
    ("url", "module", "package"),
    [("gs://b/a", "gcsfs", "gcsfs"), ("hf://datasets/a/b/c", "huggingface_hub", "huggingface-hub")],
)
def test_without_the_client_of_a_store_the_package_and_the_extra_are_named(
    url: str, module: str, package: str
) -> None:
    # In a new process: fsspec remembers the clients that it has loaded.
    program = (
        f"import sys; sys.modules[{module!r}] = None\nfrom threadmill.cli import main\n"
        f"sys.exit(main(['vert', {url!r}, '-o', '-']))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert f"using {url} needs the package {package}, which is not installed" in told.stderr
    assert "[remote]" in told.stderr
    assert told.stderr.count("\n") == 1


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


@contextmanager
def _meaning(client: str, environment: dict[str, str]) -> Iterator[None]:
    """Use a server on loopback for all URLs of a client, which remembers the servers it knows."""
    system = pytest.importorskip("fsspec").get_filesystem_class(client)
    with patch.dict(os.environ, environment):
        system.clear_instance_cache()
        yield


@contextmanager
def _google_storage() -> Iterator[tuple[str, ServedFiles]]:
    core = pytest.importorskip("gcsfs.core", reason="needs gcsfs: pip install '.[remote]'")
    with (
        run_google_storage() as (base, served),
        # The newer client also asks for the kind of bucket, by a protocol that no test server speaks.
        patch("gcsfs.GCSFileSystem", core.GCSFileSystem),
        patch.dict("fsspec.registry._registry", {"gs": core.GCSFileSystem}),
        _meaning("gs", {"STORAGE_EMULATOR_HOST": base, "GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT": "false"}),
    ):
        yield "gs://bucket", served


@contextmanager
def _hub() -> Iterator[tuple[str, ServedFiles]]:
    pytest.importorskip("huggingface_hub", reason="needs huggingface-hub: pip install '.[remote]'")
    with (
        run_hub() as (base, served),
        patch("huggingface_hub.constants.ENDPOINT", base),
        patch("huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE", f"{base}{_HUB_FILE}"),
        _meaning("hf", {"HF_TOKEN": "hf_test", "HF_ENDPOINT": base}),
    ):
        yield "hf://datasets/forums/pages", served


STORES = {"gs": _google_storage, "hf": _hub}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    folder.mkdir()
    for number in range(2):
        pages = [(f"http://x.org/{number}/{n}", "text/html", page(20 * number + n)) for n in range(6)]
        write_warc(folder / f"{number}.warc.gz", pages)
    assert main(["vert", str(folder), "--output", str(tmp_path / "local.vert")]) == 0
    return folder


@pytest.mark.filterwarnings("ignore:Sending a large body directly:ResourceWarning")  # gcsfs does
@pytest.mark.parametrize("scheme", STORES)
def test_a_store_of_any_kind_is_read_listed_and_written(archive: Path, tmp_path: Path, scheme: str) -> None:
    with STORES[scheme]() as (url, served):
        served.files.update({f"in/{file.name}": file.read_bytes() for file in archive.iterdir()})
        assert main(["vert", f"{url}/in", "--output", f"{url}/out/c.vert", "--processes", "1"]) == 0
        assert sorted(served.files) == ["in/0.warc.gz", "in/1.warc.gz", "out/c.vert", "out/c.vert.registry"]
        assert served.files["out/c.vert"] == (tmp_path / "local.vert").read_bytes()
        assert [file.name for file in RemoteFile(f"{url}/in/*.gz").matches()] == ["0.warc.gz", "1.warc.gz"]
        target = RemoteFile(f"{url}/half")
        with pytest.raises(KeyboardInterrupt):
            _write_half(target)
        assert not target.exists()


@pytest.mark.parametrize("scheme", STORES)
def test_what_another_process_wrote_is_seen(scheme: str) -> None:
    with STORES[scheme]() as (url, served):
        served.files["in/a"] = b"a"
        assert not RemoteFile(f"{url}/in/b").exists()
        served.files["in/b"] = b"b"
        assert RemoteFile(f"{url}/in/b").exists()


@pytest.mark.parametrize("scheme", STORES)
def test_a_store_that_refuses_is_not_an_empty_one(
    scheme: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with STORES[scheme]() as (url, served):
        served.files["in/a.warc.gz"] = b"a"
        served.refusing = True
        assert main(["vert", f"{url}/in", "--output", str(tmp_path / "c.vert")]) == 1
    assert f"cannot use {url}/in" in capsys.readouterr().err


def test_files_of_a_web_server_are_read_in_pieces(archive: Path, tmp_path: Path) -> None:
    with run_web_server() as (url, served):
        served.files.update({file.name: file.read_bytes() for file in archive.iterdir()})
        served.files["large"] = large = os.urandom(30_000_000)
        words = ["vert", f"{url}/0.warc.gz", f"{url}/1.warc.gz", "--output", str(tmp_path / "web.vert")]
        words += ["--processes", "1"]
        assert main(words) == 0
        assert (tmp_path / "web.vert").read_bytes() == (tmp_path / "local.vert").read_bytes()
        served.sent = 0
        with RemoteFile(f"{url}/large").open() as stream:
            assert stream.read(1000) == large[:1000]
            stream.seek(20_000_000)
            assert stream.read(1000) == large[20_000_000:20_001_000]
        assert served.sent < 20_000_000


def test_an_answer_that_is_cut_off_is_asked_for_again(archive: Path, tmp_path: Path) -> None:
    with run_web_server() as (url, served):
        served.files.update({file.name: file.read_bytes() for file in archive.iterdir()})
        served.failing = 1
        words = ["vert", f"{url}/0.warc.gz", f"{url}/1.warc.gz", "--output", str(tmp_path / "web.vert")]
        words += ["--processes", "1"]
        assert main(words) == 0
        assert not served.failing
    assert (tmp_path / "web.vert").read_bytes() == (tmp_path / "local.vert").read_bytes()


def test_web_servers_say_what_is_wrong(archive: Path, tmp_path: Path) -> None:
    with run_web_server() as (url, served):
        served.files["0.warc.gz"] = (archive / "0.warc.gz").read_bytes()
        file = RemoteFile(f"{url}/0.warc.gz")
        with pytest.raises(ArchiveError, match="such servers only give files"):
            file.with_name("c.vert").open("wb")
        assert not file.with_name("none").exists()
        served.failing = 9
        with pytest.raises(ArchiveError, match="cannot use http://127"), file.open() as stream:
            stream.read()
        served.refusing = True
        with pytest.raises(ArchiveError, match="the server answered 403"):
            file.exists()
