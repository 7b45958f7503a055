from pathlib import Path

import pytest

from tools.house import (
    MAX_PASSED,
    MAX_ROOM,
    MAX_SINGLE,
    count_rooms,
    find_homonyms,
    find_single_importers,
    name_of,
    native_imports_of,
    report,
    source_files,
    trace,
)

MODULES = {name_of(file): file for file in source_files()}


def test_no_room_has_more_files_than_a_newcomer_can_take_in() -> None:
    rooms = count_rooms()
    assert not {room: count for room, count in rooms.items() if count > MAX_ROOM}


@pytest.mark.parametrize("case", ["phpbb-en", "phpbb-index-en"])
def test_a_forum_page_passes_few_files(case: str) -> None:
    passed = trace(Path(__file__).parents[1] / "forum" / "cases" / case / "input.html")
    assert {"forum/read_page.py", "forum/page_class/classify.py", "dates/scan.py"} <= set(passed)
    assert len(passed) <= MAX_PASSED


def test_no_class_name_means_two_things() -> None:
    assert not find_homonyms(MODULES)


def test_few_modules_have_a_single_importer() -> None:
    assert len(find_single_importers(MODULES)) <= MAX_SINGLE


def test_the_report_ends_with_a_word_of_judgement(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report()
    assert capsys.readouterr().out.endswith("\npassed: every bar holds\n")
    monkeypatch.setattr("tools.house.MAX_ROOM", 3)
    assert not report()
    assert capsys.readouterr().out.endswith("\nfailed: a bar above does not hold\n")


def test_native_code_imports_the_constants_of_its_twin() -> None:
    code = "from libc.stdint cimport int8_t\nfrom threadmill.page import language\n"
    code += "from threadmill.types import (\n    Link,\n)\nfrom threadmill.native.unicode cimport fold\n"
    assert native_imports_of(code) == {"threadmill.page", "threadmill.page.language", "threadmill.types"}
