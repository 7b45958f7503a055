"""Graphs of clusters: who is drawn, how, and that no text of a site becomes markup."""

import re

from threadmill.console.sites.cluster_graph import histogram, large_graph, small_graph
from threadmill.sites.model import CompanySite, ReadOutcome, SiteCluster, SitePair


def site(url: str) -> CompanySite:
    return CompanySite(url, ReadOutcome.OK)


def test_a_small_graph_draws_a_dot_for_each_site_and_a_line_for_each_pair() -> None:
    drawn = small_graph(SiteCluster((3, 1, 2)), [SitePair(1, 3, 0.9, 0.5), SitePair(1, 9, 0.9, 0.5)], {})
    assert drawn.count("<circle") == 3
    assert drawn.count('class="first"') == 1
    assert drawn.count("<line") == 1


def test_a_line_shows_what_was_decided_and_a_higher_score_makes_it_thicker() -> None:
    pairs = [SitePair(0, 1, 0.2, 0.0), SitePair(0, 2, 0.9, 0.0), SitePair(1, 2, 0.5, 0.0)]
    drawn = small_graph(SiteCluster((0, 1, 2)), pairs, {(0, 1): True, (0, 2): False})
    assert re.findall(r'<line class="([^"]+)"', drawn) == ["edge accepted", "edge rejected", "edge"]
    widths = [float(width) for width in re.findall(r'stroke-width="([\d.]+)"', drawn)]
    assert widths[0] < widths[2] < widths[1]


def test_a_large_graph_names_its_sites_and_escapes_them() -> None:
    sites = [site("https://www.a.example/"), site("https://b.example/<script>alert(1)</script>")]
    drawn = large_graph(sites, SiteCluster((0, 1)), [], {})
    assert ">a.example<" in drawn.replace("/<", "<")
    assert "<script" not in drawn


def test_a_cluster_of_hundreds_draws_only_what_can_be_read() -> None:
    sites = [site(f"https://s{number}.example/") for number in range(300)]
    cluster = SiteCluster(tuple(range(300)))
    assert small_graph(cluster, [], {}).count("<circle") < 50
    assert large_graph(sites, cluster, [], {}).count("<text") < 50
    assert "300 sites" in large_graph(sites, cluster, [], {})


def test_bars_from_the_border_on_are_coloured_and_empty_ones_left_out() -> None:
    drawn = histogram([4, 0, 0, 1], 0.5)
    assert re.findall(r'rect class="(\w+)"', drawn) == ["c3", "c1"]
    assert "5 in all" in drawn
    assert histogram([], 0.5).count("<rect") == 0
