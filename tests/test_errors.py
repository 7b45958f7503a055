import inspect
import re

import pytest

from threadmill import errors
from threadmill.errors import FetchError, MissingDependencyError, ThreadmillError, TransientError, UsageError

CLASSES = [
    value for _, value in inspect.getmembers(errors, inspect.isclass) if value.__module__ == errors.__name__
]


def test_the_tree_on_top_of_the_module_names_every_error_under_its_parent() -> None:
    parents: list[str] = []
    drawn = {}
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"([│├└─ ]*)(\w+Error)\b", line)
        if match:
            depth = len(match[1]) // 4
            parents[depth:] = [match[2]]
            drawn[match[2]] = parents[depth - 1] if depth else "Exception"
    assert drawn == {kind.__name__: kind.__mro__[1].__name__ for kind in CLASSES}


@pytest.mark.parametrize("kind", [kind for kind in CLASSES if issubclass(kind, FetchError)])
def test_failures_of_requests_are_counted_under_different_reasons(kind: type[FetchError]) -> None:
    others = [other.reason for other in CLASSES if issubclass(other, FetchError) and other is not kind]
    assert kind.reason not in others


def test_a_wrong_call_ends_a_command_with_two_and_a_failure_with_one() -> None:
    assert UsageError.exit_code == 2
    assert ThreadmillError.exit_code == 1


def test_a_transient_failure_knows_when_to_try_again() -> None:
    assert TransientError("busy", retry_in=30.0).retry_in == 30.0
    assert TransientError("busy").exchanges == ()


def test_a_missing_package_is_named_with_the_command_that_installs_it() -> None:
    said = str(MissingDependencyError("pyarrow", "parquet", "Export to Parquet"))
    assert said.startswith("Export to Parquet needs the package pyarrow")
    assert said.endswith("pip install '.[parquet]'")
