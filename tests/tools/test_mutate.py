import ast
from pathlib import Path

import pytest

from bench.figures import Figure, at_least
from tools.mutate import (
    Mutant,
    draw_mutants,
    find_changes,
    find_mutant,
    is_open,
    make_mutant,
    print_results,
    take_part,
)


def changed(source: str) -> set[str]:
    """The bodies of all mutants of a function."""
    bodies = set()
    for number in range(sum(1 for _ in find_changes(ast.parse(source)))):
        tree = ast.parse(source)
        list(find_changes(tree))[number][2]()
        bodies.add(ast.unparse(tree).partition("\n    ")[2])
    return bodies


@pytest.mark.parametrize(
    ("statement", "mutants"),
    [
        ("return a < b", {"return a >= b", "return a <= b", "return None"}),
        ("return a + 1", {"return a - 1", "return a + 2", "return None"}),
        ("return a or b", {"return a and b", "return None"}),
        ("return not a", {"return a", "return None"}),
        ("a.add(b)", {"pass"}),
        ("a += b", {"pass"}),
        ("return 'word'", {"return None"}),
        ("return None", set()),
        ("return", set()),
    ],
)
def test_each_kind_of_statement_has_its_changes(statement: str, mutants: set[str]) -> None:
    assert changed(f"def f(a, b):\n    {statement}") == mutants


def test_a_docstring_and_what_stands_outside_functions_stay() -> None:
    assert not changed('LIMIT = 3\n\ndef f() -> None:\n    """Does 1 thing."""\n    pass')


def test_a_mutant_is_the_whole_file_with_one_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.mutate.ROOT", tmp_path)
    file = tmp_path / "a.py"
    file.write_text("A = 1\n\ndef f():\n    return A\n", encoding="utf-8")
    assert make_mutant("a", file, 0) == Mutant("a", "a.py", 0, 4, "returns None: return A")
    assert ast.unparse(find_mutant(file, 0)[0]) == "A = 1\n\ndef f():\n    return None"


def test_each_room_gets_as_many_mutants_and_a_seed_draws_the_same_again() -> None:
    drawn = draw_mutants(["dates", "sites"], 6, seed=3)
    assert sorted(mutant.room for mutant in drawn) == ["dates"] * 3 + ["sites"] * 3
    assert drawn == draw_mutants(["dates", "sites"], 6, seed=3)
    assert drawn != draw_mutants(["dates", "sites"], 6, seed=4)


def test_the_parts_of_a_draw_are_all_of_it() -> None:
    drawn = draw_mutants(["dates"], 5, seed=3)
    assert take_part(drawn, "1/1") == drawn
    assert take_part(drawn, "1/2") == [drawn[0], drawn[2], drawn[4]]
    assert take_part(drawn, "2/2") == [drawn[1], drawn[3]]


def test_a_survivor_is_tried_again_when_more_tests_may_be_asked() -> None:
    assert is_open(None, 10.0)
    assert not is_open({"killed": True, "seconds": 5.0}, 10.0)
    assert not is_open({"killed": False, "seconds": 10.0}, 10.0)
    assert is_open({"killed": False, "seconds": 5.0}, 10.0)


def test_the_figure_counts_the_mutants_of_all_rooms_that_were_tried(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one = {"file": "a.py", "line": 3, "what": "left out: f()", "asked": 2, "number": 0, "killed": True}
    results = [{**one, "room": room} for room in ("dates", "sites", "sites")]
    results.append({**one, "room": "sites", "number": 1, "killed": False})
    what = "mutants killed, 4 random of dates, sites"
    assert print_results(results, ["dates", "sites"]) == [Figure("tests", what, 0.75, at_least(0.8))]
    printed = capsys.readouterr().out
    assert "survived: a.py:3: left out: f() (2 tests were asked)" in printed
    assert "sites: killed 2 of 3 mutants" in printed
