"""The template of a site: its framing, learnt once, stored as bytes and applied to every later page."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from threadmill.template.apply.framing_places import FramingPlaces
from threadmill.template.clusters.fragments import Chains
from threadmill.template.clusters.page_clusters import ClusterSettings
from threadmill.template.places.judge_places import FramingPlace
from threadmill.template.places.place_settings import PlaceSettings


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


@dataclass(frozen=True, slots=True)
class Template:
    """The framing of a site."""

    pages: int  # how many pages it was learnt from
    chain_length: int
    clusters: tuple[KnownCluster, ...]
    framing: FramingPlaces  # the places
    typical: float = 0.0  # characters of known framing text that a typical page had when it was learnt


FORMAT = 3  # version of the packed form; a template of another version must be learnt again


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
    """Unpack a template; None when another version packed it."""
    value: dict[str, Any] = json.loads(zlib.decompress(data))
    if value.get("format") != FORMAT:
        return None
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
        "repeated": _as_text(np.array(sorted(framing.repeated), np.uint64)),
    }


def _unpack_framing(value: dict[str, Any]) -> FramingPlaces:
    places: Iterable[FramingPlace] = (FramingPlace(**place) for place in value["places"])
    return FramingPlaces(
        frozenset(value["tokens"]),
        {(parent, step): child for parent, step, child in value["steps"]},
        {place.number: place for place in places},
        _unpack_names(value["wordings"]),
        value["anchors"],
        _unpack_names(value["repeated"]),
    )
