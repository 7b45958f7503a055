from __future__ import annotations

import csv
import io
from xml.etree import ElementTree as ET

import pytest

from threadmill.sites.model import CompanySite, Evidence, Fact, ReadOutcome, SitePair
from threadmill.sites.report.graph_files import as_evidence_csv, as_gexf, as_graphml
from threadmill.sites.report.results import ComparisonResults

SITES = tuple(CompanySite(f"http://{name}.test/?a&b", ReadOutcome.OK, "", "en") for name in "abcd")
PAIRS = (
    SitePair(0, 1, 0.9, 0.25, (Evidence("phone", 1.0),), 'both <have> a "phone" \x07'),
    SitePair(1, 2, 0.4, 0.5, (Evidence("words", 0.5),), "=cmd()"),
    SitePair(2, 3, 0.8, 0.5, (), "names"),
)


def rows(results: ComparisonResults, border: float) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(as_evidence_csv(results, border))))


def test_the_table_has_a_column_for_each_evidence_and_the_number_of_the_cluster() -> None:
    found = rows(ComparisonResults(SITES, PAIRS), 0.5)
    assert [(row["cluster"], row["phone"]) for row in found] == [("1", "1.0"), ("2", "0.0")]
    [joined] = {row["cluster"] for row in rows(ComparisonResults(SITES, PAIRS), 0.3)}
    assert joined == "1"


def test_decisions_outweigh_scores_and_are_told() -> None:
    found = rows(ComparisonResults(SITES, PAIRS, {(0, 1): False, (1, 2): True}), 0.5)
    assert [(row["url1"][7], row["decision"], row["why"]) for row in found] == [
        ("b", "accepted", "'=cmd()"),
        ("c", "", "names"),
    ]


@pytest.mark.parametrize("write", [as_gexf, as_graphml])
def test_graphs_are_valid_xml_with_nodes_and_weighted_edges(write: object) -> None:
    text = write(ComparisonResults(SITES, PAIRS), 0.5)  # type: ignore[operator]
    tags = [one.tag.rpartition("}")[2] for one in ET.fromstring(text).iter()]  # noqa: S314
    assert (tags.count("node"), tags.count("edge")) == (4, 2)
    assert "0.9000" in text
    assert "a.test/?a&amp;b" in text


def test_graphml_names_types_as_its_readers_know_them() -> None:
    keys = ET.fromstring(as_graphml(ComparisonResults(SITES, PAIRS), 0.5)).findall("{*}key")  # noqa: S314
    types = {key.attrib["attr.name"]: key.attrib["attr.type"] for key in keys}
    assert types == dict.fromkeys(types, "string") | {"cluster": "int", "weight": "double"}


def test_the_table_tells_where_on_both_sites_the_evidence_stands() -> None:
    places = (
        Fact("phone", "20937841", "030 / 2093 7841", "call us: 030", "http://a.test/contact"),
        Fact("phone", "20937841", "+49 30 20937841", "ring", "http://b.test/imprint"),
    )
    pair = SitePair(0, 1, 0.9, 0.0, (Evidence("phone", 1.0, "", places), Evidence("address", 0.5)), "")
    (row,) = rows(ComparisonResults(SITES, (pair,)), 0.5)
    assert row["phone: written"] == "030 / 2093 7841"
    assert (row["phone: page 1"], row["phone: around 1"]) == ("http://a.test/contact", "call us: 030")
    assert (row["phone: page 2"], row["phone: around 2"]) == ("http://b.test/imprint", "ring")
    assert row["address: written"] == ""
    assert None not in row  # as many cells as columns
