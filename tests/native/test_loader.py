import pytest

from threadmill.native.loader import is_compiled, load_extension


def test_the_environment_switches_compiled_loops_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THREADMILL_PURE", "1")
    assert load_extension("cutting") is None
    assert not is_compiled()


def test_what_was_not_built_is_done_in_python() -> None:
    assert load_extension("nothing") is None
