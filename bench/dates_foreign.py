"""Reads the inputs of dateparser's and htmldate's own tests from their source packages and counts ours right.

    pip download --no-binary :all: --no-deps dateparser htmldate
    python -m bench.dates_foreign dateparser-*.tar.gz htmldate-*.tar.gz [--misses N]

Of htmldate's, which dates whole pages, the inputs with one date in them count: of several it chooses by rules
of its own, and it takes dates from addresses and bare years, which are no dates to us.

Facts only: inputs and expected moments are read from the tests' syntax tree; nothing of them is kept here.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tarfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from bench.figures import Figure, write_figures
from threadmill.dates import Moment, parse_date

# What the tests set the clock to.
ABSOLUTE_NOW = datetime(2012, 11, 13)
RELATIVE_NOW = datetime(2014, 9, 1, 10, 30)
CLOCKS = {"absolute": ABSOLUTE_NOW, "relative": RELATIVE_NOW, "pages": datetime(2026, 1, 1)}
ABSOLUTE_TESTS = ("test_dates_parsing", "test_dates_parsing_with_normalization")
RELATIVE_TESTS = (
    "test_relative_past_dates",
    "test_normalized_relative_dates",
    "test_relative_past_dates_with_time_as_period",
)
FIRST_YEAR = 1970
HTMLDATE_CALLS = {"find_date", "try_date_expr", "custom_parse", "regex_parse"}
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d")
_ADDRESS = re.compile(r"https?://\S+")
_BARE_YEAR = re.compile(r"(?:©|&copy;) ?\d{4}")
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")


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


def read_htmldate_cases(path: str) -> Iterator[Case]:
    """The texts and fragments with one year that its tests give a day for."""
    with tarfile.open(path) as package:
        member = next(m for m in package.getnames() if m.endswith("tests/unit_tests.py"))
        file = package.extractfile(member)
        assert file is not None
        for node in ast.walk(ast.parse(file.read())):
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq):
                case = _read_comparison(node.left, node.comparators[0])
                if case and case.wanted.year >= FIRST_YEAR and _has_one_date(case.text):
                    yield case


def _has_one_date(text: str) -> bool:
    return len(_YEAR.findall(_ADDRESS.sub("", text))) == 1 and not _BARE_YEAR.search(text)


def _read_comparison(call: ast.expr, wanted: ast.expr) -> Case | None:
    if not isinstance(call, ast.Call) or getattr(call.func, "id", "") not in HTMLDATE_CALLS or not call.args:
        return None
    text = call.args[0]
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        return None
    if isinstance(wanted, ast.Constant) and _ISO_DAY.fullmatch(str(wanted.value)):
        return Case(text.value, datetime.fromisoformat(str(wanted.value)), "pages")
    if isinstance(wanted, ast.Call) and len(wanted.args) == 3:
        return Case(text.value, datetime(*map(ast.literal_eval, wanted.args)), "pages")
    return None


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
    if case.kind != "absolute" or moment.time is None:
        return True
    return moment.time.replace(microsecond=0) == case.wanted.time().replace(microsecond=0)


def report(kind: str, cases: list[Case], shown: int) -> Figure:
    """Print the share right of one kind, and so many misses."""
    moments = [(case, parse_date(case.text, CLOCKS[kind])) for case in cases]
    missed = [(case, moment) for case, moment in moments if not is_right(case, moment)]
    print(f"{kind}: {1 - len(missed) / len(cases):.4f} of {len(cases)}")
    for case, moment in missed[:shown]:
        print(f"  {case.text!r}: {moment.isoformat() if moment else None} for {case.wanted}")
    source = "htmldate" if kind == "pages" else "dateparser"
    return Figure("dates", f"{kind} right, tests of {source}", 1 - len(missed) / len(cases))


def main() -> int:
    """Print the shares right."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--misses", type=int, default=0)
    arguments = parser.parse_args()
    figures = []
    for package in arguments.packages:
        read = read_htmldate_cases if "htmldate" in package else read_cases
        cases = list(dict.fromkeys(read(package)))
        for kind in dict.fromkeys(case.kind for case in cases):
            figures.append(report(kind, [case for case in cases if case.kind == kind], arguments.misses))
    write_figures("dates_foreign", figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
