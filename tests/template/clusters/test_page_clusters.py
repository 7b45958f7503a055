from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.template.sites import make_site
from threadmill.template.clusters.fragments import Chains, chains_of
from threadmill.template.clusters.page_clusters import ClusterSettings, find_clusters

Page = dict[int, int]  # chain → bytes, as the source thinks of a file


def search_all_pairs(pages: Sequence[Page], rules: ClusterSettings) -> list[tuple[list[int], set[int]]]:
    """The source's search, word for word and as slow: every pair, every page, every time."""
    found = []
    left = list(range(len(pages)))
    aside: set[tuple[int, int]] = set()
    while len(left) >= rules.min_cluster:
        pair = _longest_pair(pages, left, aside, rules)
        if pair is None:
            break
        cluster = _best_cluster(pages, left, pair, rules)
        if cluster is None:
            if not rules.past_barren_pairs:
                break
            aside.add(pair)
            continue
        found.append(cluster)
        left = [page for page in left if page not in cluster[0]]
    return found


def _length(page: Page, chains: set[int]) -> int:
    return sum(page[chain] for chain in chains)


def _longest_pair(
    pages: Sequence[Page], left: list[int], aside: set[tuple[int, int]], rules: ClusterSettings
) -> tuple[int, int] | None:
    allowed: list[tuple[int, int, int]] = []
    duplicates: list[tuple[int, int, int]] = []
    for place, i in enumerate(left):
        for j in left[place + 1 :]:
            overlap = _length(pages[i], pages[i].keys() & pages[j].keys())
            if (i, j) in aside or overlap == 0:
                continue
            longer = max(sum(pages[i].values()), sum(pages[j].values()))
            (duplicates if overlap > rules.duplicate_share * longer else allowed).append((overlap, i, j))
    if allowed:
        _, i, j = min(allowed, key=lambda item: (-item[0], item[1], item[2]))
        return i, j
    if duplicates and rules.among_duplicates:
        _, i, j = min(duplicates)
        return i, j
    return None


def _best_cluster(
    pages: Sequence[Page], left: list[int], pair: tuple[int, int], rules: ClusterSettings
) -> tuple[list[int], set[int]] | None:
    for threshold in rules.thresholds():
        framing = pages[pair[0]].keys() & pages[pair[1]].keys()
        least = threshold * _length(pages[pair[0]], framing)
        joined = list(pair)
        while True:
            others = [page for page in left if page not in joined]
            scored = [(-_length(pages[page], pages[page].keys() & framing), page) for page in others]
            if not scored or -min(scored)[0] < least:
                break
            best = min(scored)[1]
            joined.append(best)
            framing = framing & pages[best].keys()
        if len(joined) >= rules.min_cluster:
            return joined, set(framing)
    return None


def as_chains(page: Page) -> Chains:
    names = sorted(page)
    return Chains(np.array(names, np.uint64), np.array([page[name] for name in names], np.int64))


@st.composite
def sites(draw: st.DrawFn) -> list[Page]:
    """Pages that draw their chains from a few framings and from contents of their own."""
    lengths = {chain: draw(st.integers(1, 9)) for chain in range(30)}
    framings = draw(st.lists(st.sets(st.integers(0, 19), min_size=1, max_size=8), min_size=1, max_size=3))
    pages = []
    for number in range(draw(st.integers(0, 14))):
        chains = set(draw(st.sampled_from(framings))) | draw(st.sets(st.integers(0, 29), max_size=6))
        own = {1000 + 10 * number + i: draw(st.integers(1, 30)) for i in range(draw(st.integers(0, 2)))}
        pages.append({chain: lengths[chain] for chain in chains} | own)
    return pages


@settings(max_examples=300, deadline=None)
@given(sites(), st.booleans(), st.booleans())
def test_clusters_are_those_of_the_search_over_all_pairs(
    pages: list[Page], alike: bool, barren: bool
) -> None:
    rules = ClusterSettings(among_duplicates=alike, past_barren_pairs=barren)
    ours = find_clusters([as_chains(page) for page in pages], rules)
    theirs = search_all_pairs(pages, rules)
    assert [list(cluster.pages) for cluster in ours] == [joined for joined, _ in theirs]
    assert [set(cluster.framing.names.tolist()) for cluster in ours] == [framing for _, framing in theirs]


def test_pages_of_two_framings_fall_into_two_clusters() -> None:
    pages = make_site(12, layout="one") + make_site(9, layout="two", first=100)
    clusters = find_clusters([chains_of(page.html, 6) for page in pages])
    sides = [{page < 12 for page in cluster.pages} for cluster in clusters]
    assert all(len(side) == 1 for side in sides)
    assert {next(iter(side)) for side in sides} == {True, False}


def test_three_pages_are_no_cluster() -> None:
    assert find_clusters([chains_of(page.html, 6) for page in make_site(3)]) == []


def test_a_site_that_is_framing_almost_only_still_has_one() -> None:
    menu = b"".join(b"<li><a href='/%d'>entry %d</a></li>" % (i, i) for i in range(200))
    pages = [chains_of(menu + b"<p>%d</p><b>%d</b>" % (i, i) + menu, 6) for i in range(6)]
    assert find_clusters(pages, ClusterSettings(among_duplicates=False)) == []
    (cluster,) = find_clusters(pages)
    assert sorted(cluster.pages) == list(range(6))
    assert cluster.framing.size > 0.9 * pages[0].size
