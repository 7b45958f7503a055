"""The labelled sites for measuring, served to the real fetcher from a folder instead of the network."""

from __future__ import annotations

import asyncio
import hashlib
import json
import mimetypes
import os
import posixpath
import tarfile
import tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

from threadmill.config import Settings, override
from threadmill.crawl.fetch.client import Fetcher
from threadmill.crawl.fetch.connection import RawResponse
from threadmill.crawl.fetch.target import RequestTarget
from threadmill.crawl.fetch.transport import Departure
from threadmill.sites.collect.fetch_sites import fetch_sites
from threadmill.sites.model import CompanySite
from threadmill.sites.read.read_site import read_site

PARTS = 5
ROOT = Path(__file__).parents[1]


def data_folder() -> Path | None:
    """Where the labelled sites are, if they are here."""
    given = os.environ.get("THREADMILL_SHARED")
    places = [Path(given)] if given else [ROOT.parent / "shared", ROOT.parent.parent / "shared"]
    return next((p / "data/sites" for p in places if (p / "data/sites/companies.tar.xz").exists()), None)


class FolderTransport:
    """Answers for every host that has a folder, as the data's own server does."""

    def __init__(self, folder: Path, hosts: dict[str, dict[str, str]]) -> None:
        self._folder = folder
        self._hosts = hosts

    async def exchange(
        self,
        target: RequestTarget,
        head: bytes,  # noqa: ARG002
        max_body: int,  # noqa: ARG002
        departure: Departure,  # noqa: ARG002
    ) -> RawResponse:
        """The file a URL stands for."""
        path = unquote(urlsplit(target.url).path) or "/"
        file = self._file(target.host, path)
        if file is None:
            return RawResponse(404, "Not Found", (("Content-Type", "text/html"),), b"Not found")
        if file.is_dir():
            return RawResponse(301, "Moved", (("Location", path + "/"),), b"")
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        return RawResponse(200, "OK", (("Content-Type", kind),), file.read_bytes())

    async def close(self) -> None:
        """Nothing is open."""

    def _file(self, host: str, path: str) -> Path | None:
        info = self._hosts.get(host)
        if info is None:
            return None
        tries = [path]
        alias = info.get("alias")
        if alias and (path == f"/{alias}" or path.startswith(f"/{alias}/")):
            tries.append(path[len(alias) + 1 :] or "/")
        for one in tries:
            relative = posixpath.normpath("/" + one).lstrip("/")
            place = self._folder / host / (relative or info["home"])
            candidates = [place, Path(f"{place}.html"), Path(f"{place}.htm")]
            if one.endswith("/"):
                candidates = [place, place / "index.html", place / "index.htm"]
            found = next(
                (c for c in candidates if c.is_file() or (c.is_dir() and not one.endswith("/"))), None
            )
            if found is not None:
                return found
        return None


def unpack(data: Path) -> Path:
    """The sites as folders, unpacked once."""
    folder = Path(tempfile.gettempdir()) / "threadmill-labelled-sites"
    if not folder.exists():
        with tarfile.open(data / "companies.tar.xz") as archive:
            archive.extractall(folder, filter="data")
    return folder


def load_sites(data: Path, *, lemmas: bool = False) -> list[CompanySite]:
    """Every site collected by the real fetcher and read."""
    hosts = json.loads((data / "hosts.json").read_text(encoding="utf-8"))
    settings = override(Settings(), "crawl", delay=0.0, concurrency=32)

    async def all_sites() -> list[CompanySite]:
        async with Fetcher(settings, transport=FolderTransport(unpack(data), hosts)) as fetcher:
            urls = [f"http://{host}/" for host in sorted(hosts)]
            return [read_site(c, lemmas=lemmas) async for c in fetch_sites(fetcher, urls)]

    return sorted(asyncio.run(all_sites()), key=lambda site: site.url)


def part_of(organisation: str) -> int:
    """Which of five parts an organisation is in, for learning from four and measuring on the fifth."""
    return hashlib.sha256(f"part of {organisation}".encode()).digest()[0] % PARTS
