"""What we write replays in pywb, which lives in an environment of its own: it pins many old packages."""

import gzip
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from threadmill.archive import ArchiveWriter, OriginalCapture
from threadmill.types import Exchange

ENVIRONMENT = Path(sys.prefix) / "pywb"
PYWB = "pywb==2.10.0"
PAGE = b"<html><head><title>t</title></head><body><p>archived by us</p></body></html>"


@pytest.fixture(scope="module")
def pywb() -> Path:
    """The directory of pywb's programs; installed once, then there for good, also offline."""
    programs = ENVIRONMENT / "bin"
    if not (programs / "wayback").exists():
        commands = [
            [sys.executable, "-m", "venv", str(ENVIRONMENT)],
            [str(programs / "python"), "-m", "pip", "install", "--quiet", PYWB],
        ]
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
            if done.returncode != 0:
                pytest.skip(f"pywb cannot be installed here; try: {' '.join(command)}")
    return programs


@pytest.fixture
def replay(pywb: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a pywb that replays three captures of ours."""
    write_captures(tmp_path / "ours")
    manager = str(pywb / "wb-manager")
    files = [str(file) for file in (tmp_path / "ours").glob("*.warc.gz")]
    for words in (["init", "c"], ["add", "c", *files]):
        subprocess.run([manager, *words], cwd=tmp_path, check=True, capture_output=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(pywb / "wayback"), "-b", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        wait_for(port, server)
        yield f"http://127.0.0.1:{port}/c"
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def write_captures(directory: Path) -> None:
    at = datetime(2026, 11, 15, 12, tzinfo=UTC)
    head = b"GET / HTTP/1.1\r\nHost: e.com\r\n\r\n"
    html = ("Content-Type", "text/html")
    packed = gzip.compress(PAGE)
    with ArchiveWriter(directory) as writer:
        first = writer.write(Exchange("http://e.com/", at, head, 200, "OK", (html,), PAGE, "192.0.2.1"))
        headers = (html, ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"))
        writer.write(Exchange("http://e.com/packed", at, head, 200, "OK", headers, packed))
        later = at.replace(hour=13)
        again = Exchange("http://e.com/", later, head, 200, "OK", (html,), PAGE)
        writer.write(again, OriginalCapture("http://e.com/", at, first.digest))


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert server.poll() is None, "pywb ended at once"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail("pywb did not answer within 30 s")


def fetch(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=30) as answer:
        content: bytes = answer.read()
    return content


def test_what_we_write_replays_as_it_was(replay: str) -> None:
    # One test, so that parallel workers neither install pywb twice nor start it four times.
    assert fetch(f"{replay}/20261115120000id_/http://e.com/") == PAGE
    assert fetch(f"{replay}/20261115130000id_/http://e.com/") == PAGE  # a revisit record
    packed = fetch(f"{replay}/20261115120000id_/http://e.com/packed")
    assert (gzip.decompress(packed) if packed.startswith(b"\x1f\x8b") else packed) == PAGE
    with pytest.raises(urllib.error.HTTPError, match="404"):
        fetch(f"{replay}/20261115120000id_/http://e.com/other")
