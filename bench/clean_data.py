"""Pages with their main content, as JSON lines, and which of them no training ever sees."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_SECOND_LEVEL = 3  # "co.uk" and its like: a label this short before the last one is no site of its own


# Sets whose licence lets nothing that ships be trained on them. They are measured only.
MEASURED_ONLY = frozenset({"news_l3s"})


def read_pages(folder: Path, names: str = "*") -> Iterator[dict[str, Any]]:
    """All pages that have something to be measured by."""
    for path in sorted(folder.glob(f"{names}.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                record["set"] = path.name.partition(".")[0]
                if record["gold"] or (record["gold"] is None and record["with"]):
                    yield record


def site_of(record: dict[str, Any]) -> str:
    """The registered domain, roughly: pages of one site must fall on one side of the split."""
    labels = (record["site"] or record["id"]).lower().removeprefix("www.").split(".")
    return ".".join(labels[-2:] if len(labels) > 1 and len(labels[-2]) > _SECOND_LEVEL else labels[-3:])


def in_development(record: dict[str, Any]) -> bool:
    """Half of the sites, by their names: features are chosen and rules are written with these in view.

    The other half is looked at by figures alone. It contains the sites of held_back().
    """
    return zlib.crc32(site_of(record).encode()) % 2 == 1


def held_back(record: dict[str, Any]) -> bool:
    """One site in six, by its name: the shipped model was not trained on it."""
    return zlib.crc32(site_of(record).encode()) % 6 == 0


def may_train(record: dict[str, Any]) -> bool:
    """Whether what ships may be trained on this page."""
    return record["set"] not in MEASURED_ONLY and not held_back(record)
