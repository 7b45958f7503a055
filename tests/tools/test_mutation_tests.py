from pathlib import Path

import pytest

from tools.mutation_tests import TestChoice

FILES = {
    "src/threadmill/forum/posts/authors.py": "",
    "src/threadmill/forum/posts/reader.py": "def f():\n    from threadmill.forum.posts.authors import find",
    "src/threadmill/crawl/loop.py": "import threadmill.forum.posts.reader",
    "tests/forum/pages.py": "from threadmill.forum.posts import reader",
    "tests/forum/posts/test_authors.py": "from threadmill.forum.posts.authors import find",
    "tests/forum/posts/test_reader.py": "from threadmill.forum.posts.reader import read",
    "tests/forum/test_pages.py": "from tests.forum.pages import PAGE",
    "tests/crawl/test_loop.py": "from threadmill.crawl.loop import loop",
    "tests/crawl/test_other.py": "import json",
}
AUTHORS = "src/threadmill/forum/posts/authors.py"


@pytest.fixture
def choice(tmp_path: Path) -> TestChoice:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    tests = [f"{name}::test_{letter}" for name in FILES if "/test_" in name for letter in "ab"]
    return TestChoice(tmp_path, tests)


def files_of(tests: list[str]) -> list[str]:
    return list(dict.fromkeys(test.partition("::")[0].removeprefix("tests/") for test in tests))


def test_the_own_tests_of_a_module_come_first_then_the_nearest_by_imports_and_folders(
    choice: TestChoice,
) -> None:
    assert files_of(choice.rank(AUTHORS)) == [
        "forum/posts/test_authors.py",
        "forum/posts/test_reader.py",
        "forum/test_pages.py",
        "crawl/test_loop.py",
    ]


def test_a_module_without_imports_of_it_and_tests_of_its_own_has_none(choice: TestChoice) -> None:
    assert choice.rank("src/threadmill/dates/scan.py") == []


def test_quick_tests_of_a_file_are_asked_before_slow_ones(choice: TestChoice) -> None:
    own = "tests/forum/posts/test_authors.py::"
    choice.seconds |= {f"{own}test_a": 3.0, f"{own}test_b": 0.1, "tests/crawl/test_loop.py::test_a": 0.0}
    ranked = choice.rank(AUTHORS)
    assert ranked[:2] == [f"{own}test_b", f"{own}test_a"]
    assert ranked[-2:] == ["tests/crawl/test_loop.py::test_a", "tests/crawl/test_loop.py::test_b"]
