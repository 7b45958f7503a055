import pytest

from threadmill.compiled import is_compiled, part


def test_the_environment_switches_compiled_loops_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THREADMILL_PURE", "1")
    assert part("page.compiled_walk") is None
    assert not is_compiled()


def test_what_was_not_built_is_done_in_python() -> None:
    assert part("page.compiled_nothing") is None
