"""Whether an archive is whole: its structure, its lengths, and every digest that its records state."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from threadmill.archive.reader import read_records
from threadmill.archive.records import Record, head_end
from threadmill.archive.tally import Tally

_ALGORITHMS = {"sha1": "sha1", "sha-1": "sha1", "sha256": "sha256", "sha-256": "sha256", "md5": "md5"}


@dataclass(slots=True)
class Verdict:
    """What a verification found; grows while it goes on."""

    tally: Tally = field(default_factory=Tally)
    kinds: Counter[str] = field(default_factory=Counter)  # record type → how many
    digests: int = 0  # that were compared and agreed

    @property
    def damaged(self) -> int:
        """How many records are broken or not what their digest says."""
        return self.tally.damaged


def verify(source: Path | str, verdict: Verdict | None = None) -> Verdict:
    """Read everything once and compare every digest."""
    verdict = Verdict() if verdict is None else verdict
    for record in read_records(source, verdict.tally):
        verdict.kinds[record.kind or "untyped"] += 1
        _compare(record, b"WARC-Block-Digest", record.block, verdict)
        payload = _payload(record)
        if payload is not None:
            _compare(record, b"WARC-Payload-Digest", payload, verdict)
        for name in (b"WARC-Record-ID", b"WARC-Type", b"WARC-Date"):
            if not record.header(name):
                verdict.tally.skip(record.place, f"no {name.decode()}", damaged=True)
    return verdict


def _payload(record: Record) -> bytes | None:
    """What the payload digest is of: the body of a response; a revisit's is of the original's, not here."""
    if record.kind != "response" or not record.data.startswith(b"HTTP/", record.start):
        return None
    body = head_end(record.data, record.start, record.end)
    return record.data[body : record.end] if body >= 0 else b""


def _compare(record: Record, name: bytes, content: bytes, verdict: Verdict) -> None:
    stated = record.header(name)
    if not stated:
        return
    label, _, value = stated.partition(":")
    algorithm = _ALGORITHMS.get(label.lower())
    if algorithm is None:
        verdict.tally.skip(record.place, f"{name.decode()} of unknown kind {label[:20]!r}")
        return
    digest = hashlib.new(algorithm, content, usedforsecurity=False)
    # Base32 is what nearly all write; some write hexadecimal.
    if value.upper().rstrip("=") == base64.b32encode(digest.digest()).decode().rstrip("=") or (
        value.lower() == digest.hexdigest()
    ):
        verdict.digests += 1
    else:
        verdict.tally.skip(record.place, f"{name.decode()} differs", damaged=True)
