"""Records in the archive of when a run began and ended, so that the database can be made from it again.

They are WARC records of the type "metadata" with a JSON object each.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from threadmill.archive.header_values import read_iso_date

RUN_TYPE = "application/vnd.threadmill.run+json"


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The beginning of a run, or its end."""

    run: str  # a name that is different for every run
    kind: str  # "forum" or "site"
    url: str  # the start URL
    scope: str
    at: str  # ISO 8601
    ended: bool = False
    exit_code: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    boards: list[str] | None = None  # URLs of the boards that the run reads; None: all
    direct: list[str] = field(default_factory=list)
    through_entry: bool = True

    def to_json(self) -> bytes:
        """The content of its record."""
        return json.dumps(asdict(self), ensure_ascii=False).encode()

    @classmethod
    def from_json(cls, content: bytes) -> RunRecord | None:
        """Read such a record. None if it is none of ours."""
        try:
            value: Any = json.loads(content)
            record = cls(**value)
        except (ValueError, TypeError, RecursionError):
            return None
        texts = (record.run, record.kind, record.url, record.scope, record.at)
        return record if all(isinstance(text, str) for text in texts) and record.moment else None

    @property
    def moment(self) -> datetime | None:
        """When it was written."""
        return read_iso_date(self.at)
