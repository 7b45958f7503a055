from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from threadmill.errors import MessageError
from threadmill.service.work.cpu_work import SiteSummary, compare_sites_from_files, read_sites
from threadmill.service.work.stage_files import COLLECTED, READ, load, save
from threadmill.sites.model import CollectedSite, CompanySite
from threadmill.types import Capture

WORDS = "we build large machines and deliver them to customers all over the world every single day. "


def collected(url: str, phone: str) -> CollectedSite:
    html = f"<title>Maker</title><p>{WORDS * 20}</p><p>Call <a href='tel:{phone}'>{phone}</a></p>"
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    page = Capture(url, datetime(2026, 11, 16, tzinfo=UTC), 200, headers, html.encode())
    return CollectedSite(url, (page,))


def test_sites_are_read_from_their_files_and_one_that_fails_costs_no_other(tmp_path: Path) -> None:
    save(tmp_path, "sites/a", COLLECTED, collected("http://a.example/", "+49 30 1234567"))
    save(tmp_path, "sites/b", COLLECTED, CollectedSite("http://b.example/", failure="refused"))
    good, missing, dead = read_sites(tmp_path, ["sites/a", "sites/none", "sites/b"])
    assert good == SiteSummary("ok", "placeholder data left out: +49 30 1234567", "en", 1, "Maker")
    assert isinstance(missing, MessageError)
    assert dead == SiteSummary("dead", "refused", "", 0)
    site = load(tmp_path, "sites/a", READ, CompanySite)
    assert (site.url, site.keywords["machines"]) == ("http://a.example/", 20)


def test_pairs_are_numbered_by_the_order_of_the_folders(tmp_path: Path) -> None:
    for name in ("a", "b"):
        save(tmp_path, f"sites/{name}", COLLECTED, collected(f"http://{name}.example/", "+49 30 2093784"))
    read_sites(tmp_path, ["sites/a", "sites/b"])
    (pair,) = compare_sites_from_files(tmp_path, ["sites/b", "sites/a"])
    assert (pair.one, pair.other) == (0, 1)
    assert pair.score > 0.5
