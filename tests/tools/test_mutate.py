import ast
from pathlib import Path

import pytest

from tools.mutate import (
    MAX_SECONDS,
    Baseline,
    Mutant,
    draw_mutants,
    find_changes,
    find_mutant,
    make_mutant,
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


MUTANT = Mutant("dates", "src/threadmill/dates/scan.py", 0, 7, "")
OWN, OTHER, SLOW = "tests/dates/test_scan.py::test_b", "tests/dates/test_a.py::test_a", "tests/z.py::test_z"


def test_the_own_tests_of_a_module_are_asked_first_and_slow_ones_last() -> None:
    baseline = Baseline({(MUTANT.file, 7): [SLOW, OTHER, OWN]}, {OWN: 2.0, OTHER: 1.0, SLOW: 3.0})
    assert baseline.choose(MUTANT) == [OWN, OTHER, SLOW]


def test_no_more_tests_are_asked_than_time_allows_but_always_one() -> None:
    lines = {(MUTANT.file, 7): [OWN, OTHER]}
    assert Baseline(lines, {OWN: MAX_SECONDS + 1.0}).choose(MUTANT) == [OWN]
    assert Baseline(lines, {OWN: 1.0, OTHER: MAX_SECONDS}).choose(MUTANT) == [OWN]


def test_a_line_without_code_of_its_own_has_the_tests_of_its_statement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.mutate.ROOT", tmp_path)
    (tmp_path / "a.py").write_text("def f(a):\n    g()\n    return (\n        a,\n        1,\n    )\n")
    baseline = Baseline({("a.py", 2): [OTHER], ("a.py", 3): [OWN]}, {OWN: 1.0, OTHER: 1.0})
    assert baseline.choose(Mutant("", "a.py", 0, 5, "")) == [OWN]
    assert baseline.choose(Mutant("", "a.py", 0, 2, "")) == [OTHER]
