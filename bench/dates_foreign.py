"""Reads the inputs of dateparser's own tests from its source package and counts ours right.

    pip download --no-binary :all: --no-deps dateparser
    python -m bench.dates_foreign dateparser-*.tar.gz [--misses N]

Facts only: inputs and expected moments are read from the tests' syntax tree; nothing of them is kept here.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tarfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from threadmill.dates import Moment, normalise

# What the tests set the clock to.
ABSOLUTE_NOW = datetime(2012, 11, 13)
RELATIVE_NOW = datetime(2014, 9, 1, 10, 30)
ABSOLUTE_TESTS = ("test_dates_parsing", "test_dates_parsing_with_normalization")
RELATIVE_TESTS = (
    "test_relative_past_dates",
    "test_normalized_relative_dates",
    "test_relative_past_dates_with_time_as_period",
)
FIRST_YEAR = 1970


class Case(NamedTuple):
    """An input of a test and what it expects."""

    text: str
    wanted: datetime
    kind: str


def read_cases(path: str) -> Iterator[Case]:
    """All cases of the two test files that say a text and its moment."""
    with tarfile.open(path) as package:
        for name, tests in (
            ("test_date_parser", ABSOLUTE_TESTS),
            ("test_freshness_date_parser", RELATIVE_TESTS),
        ):
            member = next(m for m in package.getnames() if m.endswith(f"tests/{name}.py"))
            file = package.extractfile(member)
            assert file is not None
            tree = ast.parse(file.read())
            for function in ast.walk(tree):
                if isinstance(function, ast.FunctionDef) and function.name in tests:
                    yield from _cases_of(function)


def _cases_of(function: ast.FunctionDef) -> Iterator[Case]:
    for decorator in function.decorator_list:
        for call in ast.walk(decorator):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "param" and call.args:
                case = _read_case(call)
                if case and case.wanted.year >= FIRST_YEAR:
                    yield case


def _read_case(call: ast.Call) -> Case | None:
    text = call.args[0]
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        return None
    if len(call.args) > 1 and isinstance(call.args[1], ast.Call):
        numbers = [ast.literal_eval(argument) for argument in call.args[1].args]
        return Case(text.value, datetime(*numbers), "absolute") if len(numbers) >= 3 else None
    for keyword in call.keywords:
        if keyword.arg == "ago":
            return Case(text.value, _before(ast.literal_eval(keyword.value)), "relative")
    return None


def _before(ago: dict[str, Any]) -> datetime:
    months = int(ago.get("months", 0)) + 12 * int(ago.get("years", 0))
    then = RELATIVE_NOW
    total = then.year * 12 + then.month - 1 - months
    then = then.replace(year=total // 12, month=total % 12 + 1, day=1) + timedelta(days=then.day - 1)
    rest = {unit: amount for unit, amount in ago.items() if unit not in {"months", "years"}}
    return then - timedelta(**rest)


def is_right(case: Case, moment: Moment | None) -> bool:
    """The same day, and the same minute where both say one."""
    if moment is None or moment.date != case.wanted.date():
        return False
    if case.kind == "relative" or moment.time is None:
        return True
    return moment.time.replace(microsecond=0) == case.wanted.time().replace(microsecond=0)


def main() -> int:
    """Print the shares right."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("package")
    parser.add_argument("--misses", type=int, default=0)
    arguments = parser.parse_args()
    cases = list(dict.fromkeys(read_cases(arguments.package)))
    for kind, now in (("absolute", ABSOLUTE_NOW), ("relative", RELATIVE_NOW)):
        chosen = [case for case in cases if case.kind == kind]
        moments = [(case, normalise(case.text, now)) for case in chosen]
        missed = [(case, moment) for case, moment in moments if not is_right(case, moment)]
        print(f"dateparser's tests, {kind}: {1 - len(missed) / len(chosen):.4f} of {len(chosen)}")
        for case, moment in missed[: arguments.misses]:
            print(f"  {case.text!r}: {moment.isoformat() if moment else None} for {case.wanted}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
