"""The example in the docstring of every public function runs and gives what it says."""

import doctest
import inspect
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import threadmill
from tests.servers.companies import Companies
from tests.servers.sites import SiteServer, page
from threadmill.workspace import Workspace

FUNCTIONS = [name for name in threadmill.__all__ if inspect.isfunction(getattr(threadmill, name))]


@pytest.fixture(scope="module")
def addresses(forum_url: str) -> Iterator[dict[str, str]]:
    """Each URL that examples name, and the loopback address that stands for it."""
    with SiteServer({"/": page("/a", "/b"), "/a": page("/"), "/b": page("/")}) as site, Companies(3) as sites:
        yield {
            "https://forum.example.org/": forum_url,
            "https://example.org/": site.url(),
            "https://a.example/": sites.urls[0],
            "https://b.example/": sites.urls[1],
            "https://c.example/": sites.urls[2],
        }


@pytest.mark.usefixtures("without_delay")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_of_a_function_runs(
    name: str,
    addresses: dict[str, str],
    crawled: Workspace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    function: Callable[..., object] = getattr(threadmill, name)
    if name in {"open_workspace", "forget"}:
        shutil.copytree(crawled.root, "threadmill-work")
    text = inspect.getdoc(function) or ""
    if name not in OFFLINE:
        for written, served in addresses.items():
            text = text.replace(written, served)
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert example.examples, f"{name} has no example"
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.append)
    assert not said, "".join(said)


OFFLINE = {"clean", "clean_pages", "learn_template", "read_forum_page"}
