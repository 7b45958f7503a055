"""Verifies an archive: its structure, its lengths, and every digest that its records state."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from threadmill.archive.read_tally import ReadTally
from threadmill.archive.warc_reader import read_records
from threadmill.archive.warc_records import WarcRecord, head_end

_ALGORITHMS = {"sha1": "sha1", "sha-1": "sha1", "sha256": "sha256", "sha-256": "sha256", "md5": "md5"}


@dataclass(slots=True)
class ArchiveVerdict:
    """The result of a verification; grows while it runs."""

    tally: ReadTally = field(default_factory=ReadTally)
    kinds: Counter[str] = field(default_factory=Counter)  # record type → how many
    digests: int = 0  # digests that were compared and agreed

    @property
    def damaged(self) -> int:
        """How many records are broken or do not match their digest."""
        return self.tally.damaged


def verify_archive(source: Path | str, verdict: ArchiveVerdict | None = None) -> ArchiveVerdict:
    """Read everything once and compare every digest."""
    verdict = ArchiveVerdict() if verdict is None else verdict
    for record in read_records(source, verdict.tally):
        verdict.kinds[record.kind or "untyped"] += 1
        _compare_digest(record, b"WARC-Block-Digest", record.block, verdict)
        payload = _payload_of(record)
        if payload is not None:
            _compare_digest(record, b"WARC-Payload-Digest", payload, verdict)
        for name in (b"WARC-Record-ID", b"WARC-Type", b"WARC-Date"):
            if not record.header(name):
                verdict.tally.skip(record.place, f"no {name.decode()}", damaged=True)
    return verdict


def _payload_of(record: WarcRecord) -> bytes | None:
    """Return what the payload digest covers: the body of a response.

    That of a revisit is in another record.
    """
    if record.kind != "response" or not record.data.startswith(b"HTTP/", record.start):
        return None
    body = head_end(record.data, record.start, record.end)
    return record.data[body : record.end] if body >= 0 else b""


def _compare_digest(record: WarcRecord, name: bytes, content: bytes, verdict: ArchiveVerdict) -> None:
    stated = record.header(name)
    if not stated:
        return
    label, _, value = stated.partition(":")
    algorithm = _ALGORITHMS.get(label.lower())
    if algorithm is None:
        verdict.tally.skip(record.place, f"{name.decode()} of unknown kind {label[:20]!r}")
        return
    digest = hashlib.new(algorithm, content, usedforsecurity=False)
    # Nearly all programs write Base32; some write hexadecimal.
    if value.upper().rstrip("=") == base64.b32encode(digest.digest()).decode().rstrip("=") or (
        value.lower() == digest.hexdigest()
    ):
        verdict.digests += 1
    else:
        verdict.tally.skip(record.place, f"{name.decode()} differs", damaged=True)
