"""Pages with their main content, as JSON lines, and which of them no training ever sees."""

from __future__ import annotations

import gzip
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_SECOND_LEVEL = 3  # "co.uk" and its like: a label this short before the last one is no site of its own


# Sets whose licence lets nothing that ships be trained on them. They are measured only.
MEASURED_ONLY = frozenset({"news_l3s"})


# Sets that name no site, and whose text by hand repeats lines, because marked elements contain one another.
WITHOUT_SITES = frozenset({"news_l3s"})


def read_pages(folder: Path, names: str = "*") -> Iterator[dict[str, Any]]:
    """All pages that have something to be measured by."""
    for path in sorted(folder.glob(f"{names}.jsonl.gz")):
        group = path.name.partition(".")[0]
        if group in WITHOUT_SITES:
            records = list(_read_records(path, group))
            for record, site in zip(records, find_sites([r["html"] for r in records]), strict=True):
                yield record | {"site": site, "gold": each_line_once(record["gold"])}
        else:
            yield from _read_records(path, group)


def _read_records(path: Path, group: str) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            record["set"] = group
            if record["gold"] or (record["gold"] is None and record["with"]):
                yield record


_LINKED_HOST = re.compile(r"""(?:href|src|action)\s*=\s*["']?\s*https?://([a-z0-9.-]+)""", re.IGNORECASE)


def find_sites(pages: list[str]) -> list[str]:
    """The site of each page, by its links: the domain it names often and other pages name seldom.

    A page without absolute links has no site: "".
    """
    named = [Counter(map(domain_of, _LINKED_HOST.findall(html))) for html in pages]
    pages_with = Counter(domain for domains in named for domain in domains)
    weight = {domain: math.log(len(pages) / count) for domain, count in pages_with.items()}
    return [
        max(domains, key=lambda domain: (domains[domain] * weight[domain], domain), default="")
        for domains in named
    ]


def each_line_once(text: str) -> str:
    """A text without the lines that it has before."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(dict.fromkeys(line for line in lines if line))


def site_of(record: dict[str, Any]) -> str:
    """The registered domain, roughly: pages of one site must fall on one side of the split."""
    return domain_of(record["site"] or record["id"])


def domain_of(host: str) -> str:
    """The registered domain of a host, roughly."""
    labels = host.lower().removeprefix("www.").split(".")
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
