"""Which tests run the block that was changed."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tools import mutation_reach
from tools.mutation_reach import Block, Reach, block_around, find_blocks, load_with_probes

SOURCE = '''
LIMIT = 3

def size(number):
    """How large a number is."""
    if number > LIMIT:
        return "large"
    elif number < 0:
        return "negative"
    try:
        return ["small"][number - number]
    except IndexError:
        def never():
            return 1
        return never()
'''
FILE = "src/boxes/sizes.py"


def block_of(source: str, text: str) -> Block:
    """The block in which a text is written."""
    tree = ast.parse(source)
    line = next(number for number, words in enumerate(source.split("\n"), 1) if text in words)
    node = next(node for node in ast.walk(tree) if isinstance(node, ast.Return) and node.lineno == line)
    return block_around(find_blocks(tree, FILE), node)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package whose modules are loaded with probes."""
    (tmp_path / "src/boxes").mkdir(parents=True)
    (tmp_path / "src/boxes/__init__.py").write_text("", encoding="utf-8")
    (tmp_path / FILE).write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "src")
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    load_with_probes(tmp_path / "src", ["boxes"])
    yield tmp_path
    for name in ("boxes", "boxes.sizes"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("number", "answer", "text", "others"),
    [
        (5, "large", '"large"', ['"negative"', '"small"', "never()", "return 1"]),
        (-1, "negative", '"negative"', ['"large"', '"small"', "never()", "return 1"]),
        (1, "small", '"small"', ['"large"', '"negative"', "never()", "return 1"]),
    ],
)
def test_a_module_with_probes_does_the_same_and_notes_the_blocks_that_ran(
    project: Path, number: int, answer: str, text: str, others: list[str]
) -> None:
    sizes = import_module("boxes.sizes")
    mutation_reach.ran.clear()
    assert sizes.size(number) == answer
    assert sizes.size.__doc__ == "How large a number is."
    ran = set(mutation_reach.ran)
    assert block_of(SOURCE, text).number in ran
    assert not {block_of(SOURCE, other).number for other in others if other != "never()"} & ran


def test_a_block_keeps_its_number_until_the_text_of_its_function_changes() -> None:
    small = block_of(SOURCE, '"small"')
    assert block_of("\n\n" + SOURCE, '"small"').number == small.number
    assert block_of(SOURCE.replace('"large"', '"big"'), '"small"').number != small.number
    assert block_of(SOURCE, "return 1").function != small.function


def test_a_test_reaches_what_it_ran_and_what_the_preparation_of_its_file_ran(tmp_path: Path) -> None:
    large, small = block_of(SOURCE, '"large"'), block_of(SOURCE, '"small"')
    reach = Reach(tmp_path / "reached.jsonl", tmp_path)
    reach.note("tests/a.py::one", 0.5, [large.number], [])
    reach.note("tests/a.py::two", 0.5, [], [small.number])
    reach.note("tests/b.py::three", 0.5, [], [small.number])
    for known in (reach, Reach(tmp_path / "reached.jsonl", tmp_path)):  # also when it is read again
        assert [known.reaches(f"tests/{test}", large) for test in ("a.py::one", "a.py::two")] == [True, True]
        assert [known.reaches(f"tests/{test}", small) for test in ("a.py::one", "a.py::two")] == [False, True]
        assert known.reaches("tests/b.py::three", large) is False
        assert known.seconds["tests/a.py::one"] == 0.5


def test_nobody_knows_of_a_test_that_is_new_or_has_changed_and_of_a_changed_function(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1", encoding="utf-8")
    small = block_of(SOURCE, '"small"')
    reach = Reach(tmp_path / "reached.jsonl", tmp_path)
    reach.note("a.py::one", 0.5, [], [small.number])
    assert reach.reaches("a.py::two", small) is None
    assert reach.reaches("a.py::one", block_of(SOURCE.replace("LIMIT:", "2:"), '"small"')) is None
    (tmp_path / "a.py").write_text("2", encoding="utf-8")
    assert Reach(tmp_path / "reached.jsonl", tmp_path).reaches("a.py::one", small) is None
