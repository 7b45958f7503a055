from datetime import UTC, datetime

import pytest

from threadmill.console.compare.readings import BUILT_IN, TEMPLATE, load_plug_ins, read_page, shuffled
from threadmill.errors import UsageError
from threadmill.types import Capture

PROSE = "The tide was late at the pier today, and nobody on the island knew the reason for it. " * 4
HTML = f"<nav><a href=/>Home</a></nav><article><h1>Tides</h1><p>{PROSE}</p></article>".encode()
PAGE = Capture(
    "http://a.test/", datetime(2026, 1, 1, tzinfo=UTC), 200, (("Content-Type", "text/html"),), HTML
)


def test_every_built_in_reading_finds_the_prose() -> None:
    readings = read_page(PAGE, BUILT_IN, None, {})
    assert [reading.name for reading in readings] == list(BUILT_IN)
    for reading in readings:
        assert not reading.problem
        assert any(paragraph.text == PROSE.strip() for paragraph in reading.paragraphs), reading.name
        assert reading.words >= len(PROSE.split())


def test_only_what_every_reading_has_is_shared_whatever_its_case_and_spaces() -> None:
    plug_ins = {"a": lambda *_: "One  Line\n\nother", "b": lambda *_: "one line\nelse"}
    first, second = read_page(PAGE, ["a", "b"], None, plug_ins)
    assert [(part.text, part.shared) for part in first.paragraphs] == [("One  Line", True), ("other", False)]
    assert [part.shared for part in second.paragraphs] == [True, False]


def test_a_plug_in_that_fails_is_told_and_the_others_are_shown() -> None:
    def fail(html: bytes, url: str) -> str:
        raise ValueError("no such page")

    ours, bad, gone = read_page(PAGE, ["ours", "bad", "nothing"], None, {"bad": fail})
    assert ours.paragraphs
    assert "ValueError: no such page" in bad.problem
    assert "not there any more" in gone.problem


def test_without_a_template_the_page_is_read_alone() -> None:
    alone, with_template = read_page(PAGE, ["ours", TEMPLATE], None, {})
    assert alone.paragraphs == with_template.paragraphs


def test_plug_ins_are_named_by_module_and_function() -> None:
    assert list(load_plug_ins("html:escape, json:dumps")) == ["html:escape", "json:dumps"]
    assert load_plug_ins("") == {}
    for wrong in ("no.such.module:x", "html:nothing", "html"):
        with pytest.raises(UsageError, match="module:function"):
            load_plug_ins(wrong)


def test_the_order_is_the_same_for_a_voter_and_differs_between_voters() -> None:
    names = list(BUILT_IN)
    assert shuffled(names, "Ann", 1, 2) == shuffled(names, "Ann", 1, 2)
    assert sorted(shuffled(names, "Ann", 1, 2)) == sorted(names)
    orders = {tuple(shuffled(names, f"voter {number}", 1, 2)) for number in range(20)}
    assert len(orders) > 10
