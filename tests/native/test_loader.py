"""Which extensions are loaded, and what is told of those that are not."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.implementations import python_only, require_native
from threadmill.native import loader
from threadmill.native.loader import EXTENSIONS, describe_extensions, load_extension, missing_extensions
from threadmill.page.blocks.block import Block
from threadmill.page.clean import cut_page
from threadmill.page.parse.tree import parse

NATIVE = Path(loader.__file__).parent
# Cleans a page and cuts a text with one extension taken away; those that need it are gone with it.
WITHOUT_ONE = """
import sys
sys.modules["threadmill.native." + sys.argv[1]] = None
from threadmill.native.loader import missing_extensions
from threadmill.page.clean import clean
from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings
from threadmill.corpus.text.sentences import SentenceSplitter
page = "<title>Ferry</title><style>.a{display:none}</style><nav><a href=/>Home</a></nav><p class=a>x<p>" + (
    "The council voted on Tuesday evening to keep the old ferry running through the winter. " * 3
)
print([(p.text, p.verdict, p.reason, p.language) for m in CleanMethod
       for p in clean(page, settings=CleanSettings(method=m)).paragraphs])
print(SentenceSplitter("en").cut("Mr. Smith came. He left."))
print(missing_extensions(), file=sys.stderr)
"""


def test_every_source_file_is_an_extension() -> None:
    assert sorted(file.stem for file in NATIVE.glob("*.pyx")) == sorted(EXTENSIONS)


def test_the_environment_switches_native_code_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THREADMILL_PURE", "1")
    assert load_extension("cutting") is None
    assert missing_extensions() == EXTENSIONS
    assert describe_extensions() == "native code switched off by THREADMILL_PURE"


def test_an_unknown_extension_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="there is no extension 'nothing'"):
        load_extension("nothing")


def test_all_extensions_are_told_when_they_are_there() -> None:
    assert missing_extensions() == ()
    assert describe_extensions() == f"native code complete ({len(EXTENSIONS)} extensions)"


def test_each_missing_extension_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "threadmill.native.hidden", None)
    monkeypatch.setitem(sys.modules, "threadmill.native.tokens", None)
    assert missing_extensions() == ("hidden", "tokens")
    assert describe_extensions().startswith("native code incomplete: missing hidden, tokens (")


def test_no_extension_at_all_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in EXTENSIONS:
        monkeypatch.setitem(sys.modules, f"threadmill.native.{name}", None)
    assert describe_extensions().startswith("no native code")


def _run_without(name: str) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_ONE, name], capture_output=True, text=True, check=True
    )
    return done.stdout, done.stderr


@pytest.fixture(scope="module")
def complete() -> str:
    return _run_without("loader_of_nothing")[0]


@pytest.mark.parametrize("name", EXTENSIONS)
def test_one_missing_extension_changes_no_output(name: str, complete: str) -> None:
    found, missing = _run_without(name)
    assert found == complete
    assert repr(name) in missing


def test_tests_can_switch_native_code_off() -> None:
    with python_only():
        assert isinstance(cut_page(parse("<p>a")).blocks[0], Block)
    assert not isinstance(cut_page(parse("<p>a")).blocks[0], Block)


class TestMissingNativeCode:
    """A test that needs native code fails where it could have been built, and skips elsewhere."""

    @pytest.fixture(autouse=True)
    def _one_is_missing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "threadmill.native.hidden", None)

    def test_it_fails_in_ci_with_a_compiler(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CI", "true")
        monkeypatch.setattr(shutil, "which", lambda name: "/bin/cc" if name == "cc" else None)
        with pytest.raises(pytest.fail.Exception, match="hidden"):
            require_native()

    def test_it_skips_in_ci_without_a_compiler(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CI", "true")
        monkeypatch.setattr(shutil, "which", lambda _: None)
        with pytest.raises(pytest.skip.Exception, match="hidden"):
            require_native()

    def test_it_skips_on_a_desk(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("CI", raising=False)
        with pytest.raises(pytest.skip.Exception, match="hidden"):
            require_native()
