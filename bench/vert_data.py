"""A WARC of real pages for bench.vert, made of what the shared data folder holds; nothing of it is kept here.

python -m bench.vert_data SHARED OUTPUT_DIRECTORY

SHARED holds data/extraction (848 pages of many sites), data/forum-pages (196), data/sites/home-pages
(93) and data/forums (four recorded forums, up to 300 pages of each).
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from bench.clean_data import read_pages
from bench.recorded import Forum
from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.types import Exchange

_AT = datetime(2026, 1, 1, tzinfo=UTC)
_PAGES_A_CLASS = 100  # of a forum: threads, indexes, others


def main() -> None:
    """Write the archive and say how much it holds."""
    shared, output = Path(sys.argv[1]), Path(sys.argv[2])
    count = octets = 0
    with ArchiveWriter(output) as archive:
        for url, page in pages(shared):
            headers = (("Content-Type", "text/html"), ("Server", "x"))
            request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
            archive.write(Exchange(url, _AT, request, 200, "OK", headers, page))
            count += 1
            octets += len(page)
    print(f"{count} pages, {octets / 1e6:.0f} MB in {output}")


def pages(shared: Path) -> Iterator[tuple[str, bytes]]:
    """(address, page) of all of them."""
    for record in read_pages(shared / "data/extraction"):
        yield record["url"], record["html"].encode("utf-8", "replace")
    for folder in ("forum-pages/pages", "sites/home-pages"):
        for file in sorted((shared / "data" / folder).glob("*.html.gz")):
            yield f"http://{folder.partition('/')[0]}.example/{file.name}", gzip.decompress(file.read_bytes())
    for file in sorted((shared / "data/forums/data").glob("*.sqlite.xz")):
        forum = Forum(shared, file.name.partition(".")[0])
        for _, url, page, _ in forum.samples(_PAGES_A_CLASS):
            yield url, page


if __name__ == "__main__":
    main()
