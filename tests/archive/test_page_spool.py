import os
import pickle
import resource
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from threadmill.archive.page_spool import GroupedPages, PageSpool, SiteGroups
from threadmill.types import Capture

AT = datetime(2026, 1, 2, tzinfo=UTC)


def capture(url: str, payload: bytes = b"page") -> Capture:
    return Capture(url, AT, 200, (("Content-Type", "text/html; charset=utf-8"),), payload, "x.warc")


def test_pages_are_grouped_by_site_and_the_latest_of_a_url_stays() -> None:
    groups = SiteGroups()
    for site, url, payload in (
        ("a", "http://a/1", b"old"), ("b", "http://b/", b"b"), ("a", "http://a/2", b"two"),
        ("a", "http://a/1", b"new and longer"),
    ):  # fmt: skip
        groups.put(site, capture(url, payload))
    assert list(groups.sites) == ["a", "b"]
    assert list(groups.sites["a"]) == [b"new and longer", b"two"]
    found = groups.sites["a"].page(0)
    assert (found.url, found.at, found.content_type) == ("http://a/1", AT, "text/html; charset=utf-8")
    assert found.payload == b"new and longer"


def test_pages_that_come_later_are_read_too() -> None:
    spool = PageSpool()
    pages = GroupedPages("a", spool)
    for number in range(3):
        pages.add(spool.write(capture(f"http://a/{number}", b"%d" % number)))
        assert pages[number] == b"%d" % number
    pages.thin()
    assert list(pages) == [b"0", b"2"]


def test_a_worker_gets_the_places_of_pages_and_not_the_pages() -> None:
    groups = SiteGroups()
    for number in range(200):
        groups.put("a", capture(f"http://a/{number}", bytes([number]) * 50_000))
    sent = pickle.dumps(groups.sites["a"])
    assert len(sent) < 10_000
    there: GroupedPages = pickle.loads(sent)  # noqa: S301 -- our own
    assert list(map(len, there)) == [50_000] * 200
    assert there[7] == bytes([7]) * 50_000
    assert str(there) == "a"


def test_the_file_goes_with_its_last_reader(tmp_path: Path) -> None:
    groups = SiteGroups(tmp_path)
    groups.put("a", capture("http://a/"))
    pages = groups.sites["a"]
    del groups
    assert pages[0] == b"page"
    assert len(list(tmp_path.iterdir())) == 1
    del pages
    assert not list(tmp_path.iterdir())


def test_more_sites_than_files_may_be_open() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    try:
        groups = SiteGroups()
        for number in range(600):
            groups.put(f"s{number}", capture(f"http://s{number}/", b"%d" % number))
        assert [groups.sites[f"s{number}"][0] for number in (0, 599)] == [b"0", b"599"]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("url", ["http://a/\udcff", "http://a/ü?q=😀"])
def test_any_url_is_kept(url: str) -> None:
    groups = SiteGroups()
    groups.put("a", capture(url))
    assert groups.sites["a"].url(0) == url


def test_the_file_of_a_killed_process_is_deleted_by_the_next_and_that_of_a_living_one_stays(
    tmp_path: Path,
) -> None:
    program = (
        "import sys; from pathlib import Path; from threadmill.archive.page_spool import PageSpool;"
        f"spool = PageSpool(Path({str(tmp_path)!r})); print(spool.path, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        file = Path(owner.stdout.readline().strip())
        os.utime(file, (0, 0))  # it is old, and its owner lives
        PageSpool(tmp_path)
        assert file.exists()
        owner.kill()
        owner.wait()
        young = file.stat()
        os.utime(file)
        PageSpool(tmp_path)
        assert file.exists(), "it may be a new one, without a lock yet"
        os.utime(file, ns=(young.st_atime_ns, young.st_mtime_ns))
        PageSpool(tmp_path)
        assert not file.exists()
