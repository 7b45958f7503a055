"""Comparing extractions in the console, with two voters."""

import csv
import io
import json
import re
from datetime import UTC, datetime

import pytest

from tests.servers.console import ConsoleClient
from threadmill.console.compare.readings import load_plug_ins, shuffled
from threadmill.console.compare.routes import count_votes, wilson_interval
from threadmill.errors import UsageError
from threadmill.store.votes import Vote

AT = datetime(2026, 11, 17, tzinfo=UTC)
PAGE = (
    b"<html><body><nav><a href=/>menu</a></nav><h1>Tides</h1><p>"
    + b"The tide was late at the pier today. " * 9
)


def new_set(client: ConsoleClient, *readings: str, **fields: str) -> str:
    """The path of a new set of archived pages."""
    client.get("/compare")
    chosen = [("reading", name) for name in readings or ("ours", "everything")]
    answer = client.post_pairs("/compare", [*chosen, *fields.items()])
    assert answer.status == 303, answer.text
    return answer.headers["location"]


def letter_of(client: ConsoleClient, path: str, name: str) -> str:
    """The letter of a reading. Its name is told only after a vote, so one is cast first."""
    client.get(path)
    client.post(path, {"choice": "equal"})
    page = client.get(path).text
    return str(re.findall(rf"<h2>([ABC]) <span[^<]*· {re.escape(name)}</span>", page)[0])


def vote_for(client: ConsoleClient, path: str, name: str) -> None:
    letter = letter_of(client, path, name)
    assert client.post(path, {"choice": letter}).status == 303


def test_several_people_vote_and_the_tally_has_an_interval(base: str) -> None:
    people = [ConsoleClient(base) for _ in range(2)]
    for person, name in zip(people, ("Ana", "Ben"), strict=True):
        person.get("/inspect")
        person.post("/name", {"name": name})
    path = new_set(people[0], "ours", "jusText", count="3", name="first round")
    assert people[0].get(path).headers["location"] == f"{path}/0"
    first = people[0].get(f"{path}/0").text
    assert "jusText" not in first  # voters must not know which is which
    for page in range(3):
        vote_for(people[0], f"{path}/{page}", "ours")
    vote_for(people[1], f"{path}/0", "ours")
    vote_for(people[1], f"{path}/1", "jusText")
    assert people[0].get(path).headers["location"] == f"{path}/tally"
    tally = json.loads(people[0].get(f"{path}/tally.json").text)
    assert (tally["votes"], tally["voters"]) == (5, {"Ana": 3, "Ben": 2})
    assert [(one["name"], one["won"]) for one in tally["readings"]] == [("ours", 4), ("jusText", 1)]
    low, high = tally["readings"][0]["interval_95"]
    assert low < 0.8 < high
    assert tally["agreement"] == 0.5
    rows = list(csv.DictReader(io.StringIO(people[0].get(f"{path}/votes.csv").text)))
    assert {(row["voter"], row["choice"]) for row in rows} == {
        ("Ana", "ours"),
        ("Ben", "ours"),
        ("Ben", "jusText"),
    }
    assert all(row["url"].startswith("http") and row["at"] for row in rows)
    assert "80 %" in people[0].get(f"{path}/tally").text


def test_uploaded_pages_are_compared_and_differences_coloured(client: ConsoleClient) -> None:
    client.get("/compare")
    parts = [("form_token", client.token), ("reading", "ours"), ("reading", "everything")]
    answer = client.upload_files("/compare", parts, [("file", "tide.html", PAGE)])
    path = answer.headers["location"]
    page = client.get(f"{path}/0").text
    assert re.findall(r'<p class="only">([^<]+)</p>', page) == ["menu"]
    assert "The tide was late" in page


def test_who_votes_must_have_a_name(base: str) -> None:
    nobody = ConsoleClient(base)
    path = new_set(nobody, count="1")
    nobody.get(f"{path}/0")
    assert nobody.post(f"{path}/0", {"choice": "A"}).status == 400
    assert nobody.post(f"{path}/0", {"choice": "A", "name": "Cleo"}).status == 303
    assert "Cleo" in nobody.get(f"{path}/tally").text
    assert nobody.post(f"{path}/0", {"choice": "Z"}).status == 400


@pytest.mark.parametrize(
    "path", ["/compare/0", "/compare/99999999999999999999", "/compare/9999/tally", "/compare/1/99999"]
)
def test_what_is_not_there_is_404(client: ConsoleClient, path: str) -> None:
    assert client.get(path).status == 404


@pytest.mark.parametrize("readings", [[], ["ours"], ["nonsense", "ours"]])
def test_a_set_needs_two_or_three_readings(client: ConsoleClient, readings: list[str]) -> None:
    client.get("/compare")
    assert client.post_pairs("/compare", [("reading", name) for name in readings]).status == 400


def test_the_order_is_random_but_stays_the_same_for_a_voter_and_page() -> None:
    orders = {tuple(shuffled(("a", "b", "c"), "Ana", 1, page)) for page in range(40)}
    assert len(orders) == 6
    assert shuffled(("a", "b"), "Ana", 1, 2) == shuffled(("a", "b"), "Ana", 1, 2)


def test_plug_ins_are_named_in_the_settings() -> None:
    assert list(load_plug_ins("os.path:join , ")) == ["os.path:join"]
    with pytest.raises(UsageError, match=r"console\.readings"):
        load_plug_ins("nowhere:nothing")


def test_the_interval_is_wilsons() -> None:
    # 8 of 10: 0.4902 to 0.9433 (Wilson 1927, as in any table)
    assert wilson_interval(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson_interval(0, 0) == (0.0, 1.0)
    low, high = wilson_interval(0, 20)
    assert low == 0.0
    assert 0.1 < high < 0.2


def test_equal_votes_count_for_nobody_and_agreement_is_by_pairs() -> None:
    ana = [(0, "ours"), (1, "equal"), (2, "ours")]
    votes = [Vote(page, "Ana", choice, 4.0, AT) for page, choice in ana]
    votes += [Vote(0, "Ben", "ours", 4.0, AT), Vote(1, "Ben", "other", 4.0, AT)]
    tally = count_votes(("other", "ours"), votes)
    best, worst = tally.scores
    assert (best.name, best.won, best.share) == ("ours", 3, 0.75)
    assert (worst.name, worst.won, worst.share) == ("other", 1, 0.25)
    assert (tally.votes, tally.equal, tally.pages, tally.agreement, tally.seconds) == (5, 1, 3, 0.5, 4.0)
    assert count_votes(("a", "b"), []).agreement is None
