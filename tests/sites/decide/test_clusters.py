from __future__ import annotations

from threadmill.sites.decide.clusters import make_clusters
from threadmill.sites.model import CompanySite, ReadOutcome, SitePair


def site(url: str, pages: int = 1) -> CompanySite:
    return CompanySite(url, ReadOutcome.OK, pages=pages)


def members(sites: list[CompanySite], *pairs: tuple[int, int, float], border: float = 0.5) -> list[list[int]]:
    found = make_clusters(sites, [SitePair(one, other, score, 0.0) for one, other, score in pairs], border)
    return [list(cluster.members) for cluster in found]


SITES = [site(f"http://s{number}.test/") for number in range(8)]


def test_pairs_that_share_a_site_make_one_cluster() -> None:
    assert members(SITES, (0, 1, 0.9), (1, 2, 0.8)) == [[1, 0, 2]]
    assert members(SITES, (0, 1, 0.9), (3, 2, 0.9), (1, 3, 0.9)) == [[1, 3, 0, 2]]


def test_long_chains_are_joined_whatever_the_order_of_their_pairs() -> None:
    chain = [(number, number + 1, 0.9) for number in range(7)]
    for order in (chain, chain[::-1], chain[::2] + chain[1::2]):
        [found] = members(SITES, *order)
        assert sorted(found) == list(range(8))


def test_a_pair_counts_from_the_border_on() -> None:
    assert members(SITES, (0, 1, 0.5), (2, 3, 0.4999)) == [[0, 1]]
    assert members(SITES, (0, 1, 0.5), (2, 3, 0.4), border=0.4) == [[0, 1], [2, 3]]
    assert members(SITES, (0, 1, 0.3)) == []


def test_the_largest_cluster_comes_first_then_the_first_site_of_the_list() -> None:
    assert members(SITES, (0, 1, 0.9), (4, 5, 0.9), (5, 6, 0.9)) == [[5, 4, 6], [0, 1]]
    assert members(SITES, (6, 7, 0.9), (2, 3, 0.9)) == [[2, 3], [6, 7]]


def test_the_site_with_the_highest_sum_of_scores_represents_its_cluster() -> None:
    # Site 0 has one pair of 0.9, site 2 has two of 0.6.
    assert members(SITES, (0, 1, 0.9), (1, 2, 0.6), (2, 3, 0.6)) == [[1, 2, 0, 3]]


def test_ties_go_to_more_pages_then_to_the_shorter_url_then_to_the_alphabet() -> None:
    assert members([site("http://a.test/", 1), site("http://b.test/", 5)], (0, 1, 0.9)) == [[1, 0]]
    assert members([site("http://longer.test/"), site("http://b.test/")], (0, 1, 0.9)) == [[1, 0]]
    assert members([site("http://b.test/"), site("http://a.test/")], (0, 1, 0.9)) == [[1, 0]]


def decided(*pairs: tuple[int, int, float], said: dict[tuple[int, int], bool]) -> list[list[int]]:
    found = [SitePair(one, other, score, 0.0) for one, other, score in pairs]
    return [sorted(cluster.members) for cluster in make_clusters(SITES, found, 0.5, said)]


def test_an_accepted_pair_is_joined_whatever_its_score() -> None:
    assert decided((0, 1, 0.1), said={(0, 1): True}) == [[0, 1]]
    assert decided((0, 1, 0.9), said={(1, 2): True}) == [[0, 1, 2]]


def test_sites_that_somebody_kept_apart_are_joined_by_no_chain() -> None:
    chain = ((0, 1, 0.9), (1, 2, 0.8), (0, 2, 0.95))
    assert decided(*chain, said={(0, 2): False}) == [[0, 1]]
    assert decided((0, 1, 0.6), (1, 2, 0.9), (2, 3, 0.9), said={(0, 3): False}) == [[1, 2, 3]]
    assert decided((0, 1, 0.9), said={(0, 1): False}) == []
