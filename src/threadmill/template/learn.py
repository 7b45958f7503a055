"""Learns the framing of a site from its pages: clusters of pages first, then framing places."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from threadmill.page.blocks.cutting import READER, cut
from threadmill.template.apply.framing_places import FramingPlaces, keep_framing_places, match_framing
from threadmill.template.apply.page_source import decode_exactly
from threadmill.template.clusters.fragments import Chains, chains_of, intersect_chains, overlap_bytes
from threadmill.template.clusters.page_clusters import ClusterSettings, PageCluster, find_clusters
from threadmill.template.places.judge_places import FramingPlace, judge_places
from threadmill.template.places.place_statistics import PlaceSettings
from threadmill.template.places.text_outline import (
    TextOutline,
    hash_wording,
    outline_texts,
    title_parts,
)


@dataclass(frozen=True, slots=True)
class TemplateSettings:
    """How framing is learnt."""

    clusters: ClusterSettings = field(default_factory=ClusterSettings)
    places: PlaceSettings = field(default_factory=PlaceSettings)
    # Pages that are compared pair by pair to find clusters. 1,000 of them take 2 s; on the sites of the
    # evaluation, half as many found the same clusters.
    sample: int = 1000
    outlines: int = 250  # pages whose places are counted; more pages changed no figure of the evaluation


@dataclass(frozen=True, slots=True)
class KnownCluster:
    """A cluster of pages with a common framing, as the source defines it."""

    pages: int
    chains: Chains
    least: int  # a page of this cluster has at least this many bytes of the chains


@dataclass(frozen=True, slots=True, repr=False)
class Template:
    """The framing of a site."""

    pages: int  # how many pages it was learnt from
    chain_length: int
    clusters: tuple[KnownCluster, ...]
    framing: FramingPlaces  # the places
    typical: float = 0.0  # characters of known framing text that a typical page had when it was learnt

    def __repr__(self) -> str:
        # The places of a site would fill many screens of a notebook.
        places, clusters = len(self.framing.places), len(self.clusters)
        return f"<Template: learnt from {self.pages} pages, {places} places, {clusters} clusters>"


FORMAT = 6  # version of the packed form; a template of another version must be learnt again


def pack_template(template: Template) -> bytes:
    """Pack a template as compressed JSON."""
    value = {
        "format": FORMAT,
        "pages": template.pages,
        "chain_length": template.chain_length,
        "typical": template.typical,
        "clusters": [
            {"pages": known.pages, "least": known.least, "chains": _pack_chains(known.chains)}
            for known in template.clusters
        ],
        "framing": _pack_framing(template.framing),
    }
    return zlib.compress(json.dumps(value, ensure_ascii=False, sort_keys=True).encode(), 6)


def unpack_template(data: bytes) -> Template | None:
    """Unpack a template; None when another version packed it, or when it is none."""
    try:
        value: dict[str, Any] = json.loads(zlib.decompress(data))
        return _unpack(value) if value.get("format") == FORMAT else None
    except (zlib.error, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _unpack(value: dict[str, Any]) -> Template:
    clusters = tuple(
        KnownCluster(known["pages"], _unpack_chains(known["chains"]), known["least"])
        for known in value["clusters"]
    )
    framing = _unpack_framing(value["framing"])
    return Template(value["pages"], value["chain_length"], clusters, framing, value["typical"])


def _pack_chains(chains: Chains) -> list[str]:
    return [_as_text(chains.names), _as_text(chains.lengths)]


def _unpack_chains(value: list[str]) -> Chains:
    names, lengths = (b64decode(part) for part in value)
    return Chains(np.frombuffer(names, np.uint64), np.frombuffer(lengths, np.int64))


def _as_text(array: NDArray[Any]) -> str:
    return b64encode(array.tobytes()).decode("ascii")


def _unpack_names(value: str) -> frozenset[int]:
    return frozenset(np.frombuffer(b64decode(value), np.uint64).tolist())


def _pack_framing(framing: FramingPlaces) -> dict[str, Any]:
    return {
        "tokens": sorted(framing.tokens),
        "steps": [[parent, step, child] for (parent, step), child in framing.steps.items()],
        "places": [asdict(place) for place in framing.places.values()],
        "wordings": _as_text(np.array(sorted(framing.wordings), np.uint64)),
        "anchors": framing.anchors,
        "loose": [
            [place, _as_text(np.array(sorted(names), np.uint64))] for place, names in framing.loose.items()
        ],
        "repeated": _as_text(np.array(sorted(framing.repeated), np.uint64)),
        "trails": _as_text(np.array(sorted(framing.trails), np.uint64)),
    }


def _unpack_framing(value: dict[str, Any]) -> FramingPlaces:
    places: Iterable[FramingPlace] = (FramingPlace(**place) for place in value["places"])
    return FramingPlaces(
        frozenset(value["tokens"]),
        {(parent, step): child for parent, step, child in value["steps"]},
        {place.number: place for place in places},
        _unpack_names(value["wordings"]),
        value["anchors"],
        {place: _unpack_names(names) for place, names in value["loose"]},
        _unpack_names(value["repeated"]),
        _unpack_names(value["trails"]),
    )


def learn_template(pages: Sequence[bytes], settings: TemplateSettings | None = None) -> Template:
    """Learn from pages that are read one at a time, so a lazy sequence may be larger than memory."""
    settings = settings or TemplateSettings()
    titles: set[str] = set()
    clusters = _cluster_pages(pages, settings, titles)
    outlines, repeated = _outlines(pages, settings, frozenset(titles))
    framing = replace(keep_framing_places(judge_places(outlines, settings.places)), repeated=repeated)
    known = tuple(KnownCluster(len(found.pages), found.framing, found.least) for found in clusters)
    template = Template(len(pages), settings.clusters.min_fragmenters_chain, known, framing)
    return replace(template, typical=_typical(pages, framing, settings))


def _cluster_pages(pages: Sequence[bytes], settings: TemplateSettings, titles: set[str]) -> list[PageCluster]:
    """Cluster all pages.

    A sample is clustered as in the source; other pages join a cluster or are sampled next.
    """
    length = settings.clusters.min_fragmenters_chain
    left = list(range(len(pages)))
    found: list[PageCluster] = []
    while len(left) >= settings.clusters.min_cluster:
        chosen = _sample_evenly(left, settings.sample)
        chains = []
        for page in chosen:
            titles.update(title_parts(pages[page]))
            chains.append(chains_of(pages[page], length))
        fresh = [
            replace(cluster, pages=tuple(chosen[i] for i in cluster.pages))
            for cluster in find_clusters(chains, settings.clusters)
        ]
        if len(chosen) == len(left):
            return found + fresh
        sampled = set(chosen)
        rest = [page for page in left if page not in sampled]
        fresh, left = _assign_rest(pages, rest, fresh, length, titles)
        found += fresh
        if not fresh:
            break
    return found


def _assign_rest(
    pages: Sequence[bytes], rest: list[int], clusters: list[PageCluster], length: int, titles: set[str]
) -> tuple[list[PageCluster], list[int]]:
    """Let pages outside the sample join the cluster they hold most of; return those that cannot."""
    joined: list[list[int]] = [list(cluster.pages) for cluster in clusters]
    framings: list[Chains] = [cluster.framing for cluster in clusters]
    untouched = []
    for page in rest:
        html = pages[page]
        titles.update(title_parts(html))
        chains = chains_of(html, length)
        held = [overlap_bytes(chains, framing) for framing in framings]
        enough = [i for i, cluster in enumerate(clusters) if held[i] >= cluster.least]
        if not enough:
            untouched.append(page)
            continue
        best = max(enough, key=held.__getitem__)
        joined[best].append(page)
        if held[best] < framings[best].size:
            framings[best] = intersect_chains(framings[best], chains)
    grown = [
        PageCluster(tuple(members), framing, cluster.least)
        for members, framing, cluster in zip(joined, framings, clusters, strict=True)
    ]
    return grown, untouched


def _sample_evenly(items: Sequence[int], count: int) -> list[int]:
    """Return at most `count` items, evenly spread: the sections of a site follow one another."""
    if len(items) <= count:
        return list(items)
    return [items[i * len(items) // count] for i in range(count)]


def _outlines(
    pages: Sequence[bytes], settings: TemplateSettings, titles: frozenset[str]
) -> tuple[list[TextOutline], frozenset[int]]:
    """Return the outlines of a sample of pages, and the texts of blocks that several of them have."""
    outlines: list[TextOutline] = []
    texts: list[dict[int, int]] = []
    for page in _sample_evenly(range(len(pages)), settings.outlines):
        document = decode_exactly(pages[page]).parse()
        outlines.append(outline_texts(document, titles))
        blocks = cut(document, READER).blocks
        texts.append({hash_wording(block.text): len(block.text) for block in blocks if block.text})
    return outlines, _repeated_texts(texts)


# A text is repeated when so many stories have it, and this share of them. On eleven news sites of 6 to 23
# pages, two stories and a share of .1 cost up to .001 of word F1 (dates, notes of agencies on two pages);
# with three stories and a share of .2 or .25, no site is worse with its template than without.
_LEAST_REPEATS, _LEAST_REPEAT_SHARE = 3, 0.2


def _repeated_texts(pages: Sequence[dict[int, int]]) -> frozenset[int]:
    """Return the texts that several pages have. Pages that show the same story count as one."""
    stories = _number_stories(pages)
    held: defaultdict[int, set[int]] = defaultdict(set)
    for story, texts in zip(stories, pages, strict=True):
        for text in texts:
            held[text].add(story)
    least = max(_LEAST_REPEATS, _LEAST_REPEAT_SHARE * len(set(stories)))
    return frozenset(text for text, found in held.items() if len(found) >= least)


# Two pages show the same story when half of the long text of one stands on the other. Text that more than
# half of all pages have says nothing about that.
_SAME_STORY, _LONG_TEXT = 0.5, 50  # share, and characters


def _number_stories(pages: Sequence[dict[int, int]]) -> list[int]:
    """Return for each page the number of the first page that shows the same story."""
    often = Counter(text for texts in pages for text in texts)
    most = max(3, len(pages) / 2)
    seen: defaultdict[int, list[int]] = defaultdict(list)  # the pages with a text, so far
    sizes: list[int] = []
    stories: list[int] = []
    for number, texts in enumerate(pages):
        own = {text: length for text, length in texts.items() if length >= _LONG_TEXT and often[text] <= most}
        shared: Counter[int] = Counter()
        for text, length in own.items():
            for page in seen[text]:
                shared[page] += length
            seen[text].append(number)
        sizes.append(sum(own.values()))
        size = sizes[-1]
        same = (page for page, both in shared.items() if both >= _SAME_STORY * min(sizes[page], size))
        stories.append(stories[first] if (first := min(same, default=-1)) >= 0 else number)
    return stories


def _typical(pages: Sequence[bytes], framing: FramingPlaces, settings: TemplateSettings) -> float:
    """Return how many characters of known framing a typical page has."""
    chosen = _sample_evenly(range(len(pages)), min(50, settings.outlines))
    known = [
        sum(match.known for match in match_framing(decode_exactly(pages[page]).parse(), framing))
        for page in chosen
    ]
    return float(sorted(known)[len(known) // 5]) if known else 0.0  # four pages of five reach this
