from __future__ import annotations

import pytest

from threadmill.errors import UsageError
from threadmill.forum.site_model.corrections import ForumCorrections, correct_model, read_place, write_place
from threadmill.forum.site_model.model import ForumModel, UrlFamily
from threadmill.forum.site_model.url_patterns import learn_patterns
from threadmill.forum.site_model.wrapper import RecordShape, Wrapper

BASE = "http://f.test"


def urls(form: str, *numbers: int) -> list[str]:
    return [BASE + form.format(number) for number in numbers]


MODEL = ForumModel(
    f"{BASE}/",
    boards=UrlFamily(learn_patterns(urls("/forum/{}", 1, 2, 3))),
    threads=UrlFamily(learn_patterns(urls("/topic/{}", 11, 12, 13))),
)


def corrected(*said: tuple[str, list[str]], model: ForumModel = MODEL) -> ForumModel:
    corrections = ForumCorrections()
    for kind, values in said:
        corrections = corrections.with_one(kind, values)
    found = correct_model(model, corrections)
    assert correct_model(found, corrections) == found  # applied after every learning
    return found


def test_urls_like_the_examples_become_threads() -> None:
    assert MODEL.kind_of_url(f"{BASE}/poll/9") == "other"
    model = corrected(("threads", urls("/poll/{}", 4, 5)))
    assert model.kind_of_url(f"{BASE}/poll/9") == "thread"
    assert model.kind_of_url(f"{BASE}/topic/12") == "thread"


def test_what_was_learnt_as_a_board_becomes_a_thread_and_the_other_way_round() -> None:
    model = corrected(("threads", urls("/forum/{}", 7, 8)))
    assert model.kind_of_url(f"{BASE}/forum/2") == "thread"
    model = corrected(("boards", urls("/topic/{}", 11, 15)))
    assert model.kind_of_url(f"{BASE}/topic/13") == "index"


def test_a_refused_board_is_none_and_its_neighbours_stay() -> None:
    model = corrected(("not boards", [f"{BASE}/forum/2"]))
    assert [model.kind_of_url(url) for url in urls("/forum/{}", 1, 2, 22)] == ["index", "other", "index"]
    lone = ForumModel(f"{BASE}/", boards=UrlFamily(learn_patterns([f"{BASE}/shop"])))
    assert corrected(("not boards", [f"{BASE}/shop"]), model=lone).boards.patterns == ()


def test_places_in_posts_come_before_those_that_were_learnt() -> None:
    shape = RecordShape("div.post", ("a",), (), (), (("p/div/div.body", 1),))
    wrapper = Wrapper((shape,), (("p/b/a", 1),), (("p/i/time", 1),), (), (), order="mdy")
    model = ForumModel(f"{BASE}/", wrapper=wrapper)
    said = [("author", ["p/td/b.name 2"]), ("text", ["p/div/div.main 1"]), ("date order", ["dmy"])]
    found = corrected(*said, model=model).wrapper
    assert found is not None
    assert found.authors == (("p/td/b.name", 2), ("p/b/a", 1))
    assert found.shapes[0].bodies == (("p/div/div.main", 1), ("p/div/div.body", 1))
    assert (found.order, found.dates) == ("dmy", wrapper.dates)
    assert corrected(*said).wrapper is None  # without a wrapper there is nothing to correct


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("nonsense", ["x"]),
        ("threads", []),
        ("date order", ["ydm"]),
        ("author", ["no number"]),
        ("boards", ["u"] * 999),
    ],
)
def test_a_correction_that_makes_no_sense_is_refused(kind: str, values: list[str]) -> None:
    with pytest.raises(UsageError):
        ForumCorrections().with_one(kind, values)


def test_a_place_is_read_as_it_was_written() -> None:
    assert read_place(write_place(("div.a b/td/b", 12))) == ("div.a b/td/b", 12)


@pytest.mark.parametrize(("zone", "stored"), [("+02:00", "+02:00"), ("-14:59", "-14:59"), ("UTC", "+00:00")])
def test_a_time_zone_is_an_offset_or_utc(zone: str, stored: str) -> None:
    assert ForumCorrections().with_one("time zone", [zone]).time_zone == stored


@pytest.mark.parametrize("zone", ["2", "+2:00", "+15:00", "+02:60", "Berlin", "+02:000", "UTC+1"])
def test_what_is_no_time_zone_is_refused(zone: str) -> None:
    with pytest.raises(UsageError, match="expected a time zone"):
        ForumCorrections().with_one("time zone", [zone])


@pytest.mark.parametrize(
    ("kind", "values"), [("date order", ["dym"]), ("colour", ["red"]), ("time zone", [])]
)
def test_what_is_no_correction_is_refused(kind: str, values: list[str]) -> None:
    with pytest.raises(UsageError, match="expected"):
        ForumCorrections().with_one(kind, values)
