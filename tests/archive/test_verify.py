import base64
import hashlib
from pathlib import Path

import pytest

from threadmill.archive.verify import verify_archive

BODY = b"<p>hello</p>"
BLOCK = b"HTTP/1.1 200 OK\r\n\r\n" + BODY


def base32(content: bytes) -> str:
    return base64.b32encode(hashlib.sha1(content).digest()).decode()


def write_record(file: Path, *headers: str, kind: str = "response", block: bytes = BLOCK) -> None:
    lines = [f"WARC-Type: {kind}", "WARC-Record-ID: <urn:x:1>", "WARC-Date: 2026-01-02T03:04:05Z", *headers]
    head = "WARC/1.0\r\n" + "".join(f"{line}\r\n" for line in lines)
    file.write_bytes(f"{head}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n")


@pytest.mark.parametrize(
    "headers",
    [
        (f"WARC-Block-Digest: sha1:{base32(BLOCK)}", f"WARC-Payload-Digest: sha1:{base32(BODY)}"),
        (f"WARC-Block-Digest: SHA-1:{base32(BLOCK).lower()}", f"WARC-Payload-Digest: sha1:{base32(BODY)}"),
        (
            f"WARC-Block-Digest: sha256:{hashlib.sha256(BLOCK).hexdigest()}",
            f"WARC-Payload-Digest: md5:{hashlib.md5(BODY).hexdigest().upper()}",
        ),
    ],
)
def test_true_digests_are_counted(tmp_path: Path, headers: tuple[str, ...]) -> None:
    write_record(tmp_path / "a.warc", *headers)
    verdict = verify_archive(tmp_path)
    assert (verdict.digests, verdict.damaged, dict(verdict.kinds)) == (2, 0, {"response": 1})


def test_a_false_digest_is_damage(tmp_path: Path) -> None:
    write_record(tmp_path / "a.warc", f"WARC-Block-Digest: sha1:{base32(b'other')}")
    verdict = verify_archive(tmp_path)
    assert (verdict.digests, verdict.damaged) == (0, 1)
    assert verdict.tally.skipped == {"WARC-Block-Digest differs": 1}


def test_an_unknown_kind_of_digest_is_named_and_is_no_damage(tmp_path: Path) -> None:
    write_record(tmp_path / "a.warc", "WARC-Block-Digest: blake3:abc")
    verdict = verify_archive(tmp_path)
    assert (verdict.digests, verdict.damaged) == (0, 0)
    assert verdict.tally.skipped == {"WARC-Block-Digest of unknown kind 'blake3'": 1}


def test_the_payload_digest_of_a_revisit_is_not_compared(tmp_path: Path) -> None:
    write_record(tmp_path / "a.warc", f"WARC-Payload-Digest: sha1:{base32(b'earlier')}", kind="revisit")
    assert verify_archive(tmp_path).damaged == 0


def test_a_record_without_its_duties_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
    verdict = verify_archive(tmp_path)
    assert verdict.tally.skipped == {"no WARC-Record-ID": 1, "no WARC-Type": 1, "no WARC-Date": 1}
    assert (verdict.damaged, dict(verdict.kinds)) == (3, {"untyped": 1})
