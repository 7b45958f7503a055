"""Results of a comparison for other programs: a table with all evidence, graphs for Gephi, yEd and others."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape, quoteattr

from threadmill.sites.decide.evidence import EVIDENCE_KINDS, KEY_EVIDENCE_KINDS
from threadmill.sites.model import SitePair
from threadmill.sites.report.results import ComparisonResults, without_formula

_COLUMNS = ("cluster", "company", "url1", "url2", "similarity", "words", "decision", "why")
_PLACE_COLUMNS = ("written", "page 1", "around 1", "page 2", "around 2")  # of each kind that stands somewhere
_PLACED_KINDS = (*KEY_EVIDENCE_KINDS, "same label", "name in another script")
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NODE_FIELDS = (("cluster", "integer"), ("name", "string"), ("outcome", "string"), ("language", "string"))
_EDGE_FIELDS = (("why", "string"), ("decision", "string"))


def as_evidence_csv(results: ComparisonResults, border: float) -> str:
    """One line per pair: its cluster, its score, what a person decided, and a column for each evidence."""
    clusters = results.cluster_ids(border)
    out = io.StringIO()
    writer = csv.writer(out)
    written = [f"{kind}: {name}" for kind in _PLACED_KINDS for name in _PLACE_COLUMNS]
    writer.writerow([*_COLUMNS, *EVIDENCE_KINDS, *written])
    for pair in results.over(border):
        one, other = (results.sites[number].url for number in (pair.one, pair.other))
        told = [clusters.get(pair.one, ""), results.company(pair), one, other, pair.score, pair.cosine]
        strengths = {item.kind: round(item.strength, 3) for item in pair.evidence}
        evidence = [strengths.get(kind, 0.0) for kind in EVIDENCE_KINDS]
        told += [_decision(results, pair), pair.why]
        writer.writerow([without_formula(value) for value in (*told, *evidence, *_place_cells(pair))])
    return out.getvalue()


def _place_cells(pair: SitePair) -> list[str]:
    places = {item.kind: item.places for item in pair.evidence if len(item.places) == 2}
    cells: list[str] = []
    for kind in _PLACED_KINDS:
        if kind in places:
            one, other = places[kind]
            cells += [one.written, one.page, one.around, other.page, other.around]
        else:
            cells += [""] * len(_PLACE_COLUMNS)
    return cells


def _decision(results: ComparisonResults, pair: SitePair) -> str:
    said = results.decisions.get((pair.one, pair.other))
    return "" if said is None else "accepted" if said else "rejected"


def as_gexf(results: ComparisonResults, border: float) -> str:
    """The graph of all sites that have a pair, as GEXF 1.3 (for Gephi)."""
    clusters = results.cluster_ids(border)
    nodes = "".join(
        f"<node id='{number}' label={_attribute(results.sites[number].url)}>"
        f"{_gexf_values(_node_values(results, number, clusters))}</node>\n"
        for number in sorted(clusters)
    )
    edges = "".join(
        f"<edge id='{number}' source='{pair.one}' target='{pair.other}' weight='{pair.score:.4f}'>"
        f"{_gexf_values({'why': pair.why, 'decision': _decision(results, pair)})}</edge>\n"
        for number, pair in enumerate(results.over(border))
    )
    fields = "".join(
        f"<attributes class='{kind}'>"
        + "".join(f"<attribute id='{name}' title='{name}' type='{type_}'/>" for name, type_ in declared)
        + "</attributes>\n"
        for kind, declared in (("node", _NODE_FIELDS), ("edge", _EDGE_FIELDS))
    )
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n<gexf xmlns='http://gexf.net/1.3' version='1.3'>\n"
        f"<graph defaultedgetype='undirected'>\n{fields}<nodes>\n{nodes}</nodes>\n<edges>\n{edges}</edges>\n"
        "</graph>\n</gexf>\n"
    )


def _gexf_values(values: Mapping[str, object]) -> str:
    told = "".join(f"<attvalue for='{name}' value={_attribute(value)}/>" for name, value in values.items())
    return f"<attvalues>{told}</attvalues>"


def as_graphml(results: ComparisonResults, border: float) -> str:
    """The same graph as GraphML (for yEd, Cytoscape, NetworkX, igraph)."""
    clusters = results.cluster_ids(border)
    return "".join(_graphml(results, border, clusters))


def _graphml(results: ComparisonResults, border: float, clusters: Mapping[int, int]) -> Iterator[str]:
    yield "<?xml version='1.0' encoding='UTF-8'?>\n<graphml xmlns='http://graphml.graphdrawing.org/xmlns'>\n"
    declared = [("node", "url", "string"), *(("node", name, kind) for name, kind in _NODE_FIELDS)]
    declared += [("edge", "weight", "double"), *(("edge", name, kind) for name, kind in _EDGE_FIELDS)]
    for owner, name, kind in declared:
        type_ = "int" if kind == "integer" else kind
        yield f"<key id='{name}' for='{owner}' attr.name='{name}' attr.type='{type_}'/>\n"
    yield "<graph edgedefault='undirected'>\n"
    for number in sorted(clusters):
        values = {"url": results.sites[number].url, **_node_values(results, number, clusters)}
        yield f"<node id='n{number}'>{_graphml_values(values)}</node>\n"
    for pair in results.over(border):
        values = {"weight": f"{pair.score:.4f}", "why": pair.why, "decision": _decision(results, pair)}
        yield f"<edge source='n{pair.one}' target='n{pair.other}'>{_graphml_values(values)}</edge>\n"
    yield "</graph>\n</graphml>\n"


def _graphml_values(values: Mapping[str, object]) -> str:
    return "".join(f"<data key='{name}'>{escape(_valid(value))}</data>" for name, value in values.items())


def _node_values(results: ComparisonResults, number: int, clusters: Mapping[int, int]) -> dict[str, object]:
    site = results.sites[number]
    told = {"name": site.name, "outcome": site.outcome.value, "language": site.language}
    return {"cluster": clusters[number], **told}


def _attribute(value: object) -> str:
    return quoteattr(_valid(value))


def _valid(value: object) -> str:
    """A text without the signs that XML forbids."""
    return _NOT_XML.sub("\ufffd", str(value))
