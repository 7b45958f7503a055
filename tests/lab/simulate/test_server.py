import io
import json
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from threadmill.errors import UsageError
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving


def make(names: tuple[str, ...] = ("harbour",), **options: Any) -> Simulation:
    forums = {name: open_forum(name, "small") for name in names}
    return Simulation(forums, as_unix_time("2015-12-01"), **options)


def test_it_serves_logs_and_moves_its_clock() -> None:
    lines = io.StringIO()
    simulation = make(log=lines)

    dates = []
    with serving(simulation) as base:
        for path in ("/", "/__simulate__/advance?date=2016-01-01", "/viewforum.php?f=2"):
            with urlopen(base + path) as response:
                assert response.status == 200
                dates.append(response.headers["Date"])
        with urlopen(base + "/__simulate__/stats") as response:
            assert json.load(response)["requests"] == 2
        with pytest.raises(HTTPError, match="400"):
            urlopen(Request(base + "/__simulate__/advance?date=tomorrow", method="POST"))
    assert dates[0].startswith("Tue, 01 Dec 2015")
    assert dates[2].startswith("Fri, 01 Jan 2016")
    logged = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [(e["date"], e["class"], e["status"]) for e in logged] == [
        ("2015-12-01", "index", 200),
        ("2016-01-01", "index", 200),
    ]
    assert logged[0]["page"] == "/index.php"
    assert logged[0]["bytes"] > 1000


def test_many_forums_are_told_apart_by_host() -> None:
    simulation = make(("harbour", "kiosk"))
    simulation.answer("/", {"Host": "kiosk.localhost:9200"})
    simulation.answer("/", {"Host": "harbour.localhost:9200"})
    assert [entry["forum"] for entry in simulation.requests] == ["kiosk", "harbour"]


@pytest.mark.parametrize(("kind", "status"), [("maintenance", 200), ("429", 429), ("503", 503)])
def test_trouble_lasts_as_many_requests_as_asked(kind: str, status: int) -> None:
    simulation = make()
    simulation.trouble, simulation.trouble_left = kind, 2
    answers = [simulation.answer("/viewforum.php?f=2", {}) for _ in range(3)]
    assert [answer.status for answer in answers] == [status, status, 200]
    assert [answer.page_class for answer in answers] == ["other", "other", "index"]


def test_a_head_request_has_no_body_in_the_log() -> None:
    simulation = make()
    simulation.answer("/", {}, "HEAD")
    assert simulation.requests[0]["bytes"] == 0
    assert simulation.requests[0]["method"] == "HEAD"


def test_a_redirect_is_logged_with_its_target() -> None:
    simulation = make(("studio",))
    forum = simulation.forums["studio"]
    thread = forum.world.threads[forum.at(simulation.now).listings[0][0].thread]
    simulation.answer(f"/threads/{thread.number}/latest", {})
    assert simulation.requests[0]["class"] == "redirect"
    assert f".{thread.number}/" in simulation.requests[0]["target"]


def test_a_wrong_date_is_a_clear_error() -> None:
    with pytest.raises(UsageError, match="expected a date"):
        make().advance("soon")
