import csv
import json
from datetime import UTC, datetime

from threadmill.console.sites.exports import decisions_as_csv, decisions_as_json
from threadmill.store.sites.decisions import SiteDecision

AT = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
DECIDED = [
    SiteDecision(0, 1, "https://a.example/", "https://b.example/", same=True, who="Ann", at=AT),
    SiteDecision(0, 2, "https://a.example/", "https://c.example/", same=False, who="=1+1", at=AT),
]


def test_decisions_are_lines_in_words_and_no_cell_is_a_formula() -> None:
    head, first, second = csv.reader(decisions_as_csv(DECIDED).splitlines())
    assert head == ["url1", "url2", "decision", "who", "at"]
    assert first == ["https://a.example/", "https://b.example/", "one company", "Ann", AT.isoformat()]
    assert second[2] == "not one company"
    assert not second[3].startswith("=")


def test_decisions_as_json_say_true_or_false() -> None:
    found = json.loads(decisions_as_json(DECIDED))
    assert [entry["same"] for entry in found] == [True, False]
    assert found[1]["who"] == "=1+1"
    assert decisions_as_json([]) == "[]\n"
