import argparse
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from threadmill.cli.arguments import (
    add_workspace,
    positive_number,
    read_now,
    score,
    seconds,
    whole_number,
)
from threadmill.errors import UsageError


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (whole_number(1), "1", 1),
        (whole_number(0), "0", 0),
        (whole_number(0), "12", 12),
        (seconds, "0", 0.0),
        (seconds, "1.5", 1.5),
        (positive_number, "0.1", 0.1),
        (score, "0", 0.0),
        (score, "1", 1.0),
    ],
)
def test_a_number_within_its_limits_is_read(read: Callable[[str], float], text: str, value: float) -> None:
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "text", "complaint"),
    [
        (whole_number(1), "0", "a whole number, 1 or more, not '0'"),
        (whole_number(1), "2.5", "a whole number, 1 or more, not '2.5'"),
        (whole_number(0), "-1", "a whole number, 0 or more, not '-1'"),
        (seconds, "-0.1", "a number of seconds, 0 or more, not '-0.1'"),
        (seconds, "inf", "a number of seconds, 0 or more, not 'inf'"),
        (seconds, "soon", "a number of seconds, 0 or more, not 'soon'"),
        (positive_number, "0", "a number above 0, not '0'"),
        (score, "1.1", "a score from 0 to 1, not '1.1'"),
        (score, "-1", "a score from 0 to 1, not '-1'"),
    ],
)
def test_a_number_outside_its_limits_is_refused(
    read: Callable[[str], float], text: str, complaint: str
) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=complaint):
        read(text)


def test_now_is_iso_8601() -> None:
    assert read_now("2020-06-01T12:00") == datetime(2020, 6, 1, 12)
    assert read_now(None) is None
    with pytest.raises(UsageError, match="such as 2020-06-01T12:00, not 'today'"):
        read_now("today")


def test_the_workspace_has_a_default_that_help_names() -> None:
    parser = argparse.ArgumentParser()
    add_workspace(parser, "where posts are", "some-work")
    assert parser.parse_args([]).workspace == Path("some-work")
    assert "where posts are (default: some-work)" in parser.format_help()
