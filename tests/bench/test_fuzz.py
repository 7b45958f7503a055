"""Inputs that once raised or took long are read, and new ones of every kind too."""

import random
from pathlib import Path

import pytest

from bench.fuzz import FOUND, target_of, try_input
from bench.fuzz_inputs import make_input
from bench.fuzz_targets import TARGETS, FuzzTarget


@pytest.mark.parametrize("file", sorted(FOUND.glob("*.bin")), ids=lambda file: file.stem)
def test_an_input_that_was_found_is_read(file: Path) -> None:
    assert try_input(target_of(file), file.read_bytes()) == ""


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_fuzzed_inputs_raise_nothing_that_is_not_announced(target: FuzzTarget) -> None:
    for number in range(5):
        assert try_input(target, make_input(target.kind, random.Random(number))) == ""
