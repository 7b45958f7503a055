"""The names that users of `import threadmill` rely on."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import threadmill

FUNCTIONS = [
    "build_corpus",
    "build_index",
    "build_positions",
    "clean",
    "clean_pages",
    "compare_sites",
    "compare_sites_async",
    "convert_vertical",
    "crawl_forum",
    "crawl_forum_async",
    "crawl_site",
    "crawl_site_async",
    "find_dates",
    "forget",
    "learn_template",
    "open_positions",
    "open_workspace",
    "read_date_column",
    "read_forum_page",
    "render_page",
    "search",
]


def test_the_public_functions_are_these() -> None:
    assert [name for name in threadmill.__all__ if inspect.isfunction(getattr(threadmill, name))] == FUNCTIONS


def test_dir_names_everything_public_before_anything_is_loaded() -> None:
    code = "import threadmill; print(set(threadmill.__all__) <= set(dir(threadmill)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_dir_names_nothing_that_is_not_public() -> None:
    import threadmill.page.clean

    shown = {name for name in dir(threadmill) if not name.startswith("__")}
    assert shown == set(threadmill.__all__) - {"__version__"}


def test_a_star_import_gives_every_public_name() -> None:
    given: dict[str, object] = {}
    exec("from threadmill import *", given)  # noqa: S102
    assert set(threadmill.__all__) <= set(given)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'clear'"):
        threadmill.clear  # noqa: B018


def test_a_public_class_bears_its_public_name() -> None:
    for name in threadmill.__all__:
        value = getattr(threadmill, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__name__ == name


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(inspect.getfile(threadmill)).read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imported = {
        (alias.asname, node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert {name for name, _ in imported} == set(threadmill.__all__) - {"__version__"}
    assert imported == set(threadmill._MODULES.items())


def test_import_loads_no_dependency_and_no_stage() -> None:
    code = (
        "import sys; before = set(sys.modules); import threadmill; dir(threadmill); "
        "print(sorted(n for n in set(sys.modules) - before if n.startswith('threadmill.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_public_thing_says_what_it_is() -> None:
    silent = [
        n for n in threadmill.__all__ if n != "__version__" and not inspect.getdoc(getattr(threadmill, n))
    ]
    assert silent == []
