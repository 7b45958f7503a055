"""A template as bytes for the store, and back."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from threadmill.template.apply.framing import Framing
from threadmill.template.clusters.fragments import Chains
from threadmill.template.places.places import Place
from threadmill.template.template import KnownCluster, Template

FORMAT = 3  # of the packed form; another number was packed by another version and is learnt anew


def pack(template: Template) -> bytes:
    """A template as compressed JSON."""
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


def unpack(data: bytes) -> Template | None:
    """The template that was packed; None when another version packed it."""
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


def _pack_framing(framing: Framing) -> dict[str, Any]:
    return {
        "tokens": sorted(framing.tokens),
        "steps": [[parent, step, child] for (parent, step), child in framing.steps.items()],
        "places": [asdict(place) for place in framing.places.values()],
        "wordings": _as_text(np.array(sorted(framing.wordings), np.uint64)),
        "anchors": framing.anchors,
        "repeated": _as_text(np.array(sorted(framing.repeated), np.uint64)),
    }


def _unpack_framing(value: dict[str, Any]) -> Framing:
    places: Iterable[Place] = (Place(**place) for place in value["places"])
    return Framing(
        frozenset(value["tokens"]),
        {(parent, step): child for parent, step, child in value["steps"]},
        {place.number: place for place in places},
        _unpack_names(value["wordings"]),
        value["anchors"],
        _unpack_names(value["repeated"]),
    )
