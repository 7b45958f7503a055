"""Every verb that prints a table or counts has --json. A new verb without it fails here until it says why."""

import argparse
from collections.abc import Iterator

import pytest

from threadmill.cli import COMMANDS, make_parser

# Verbs that print neither a table nor counts, with what they print instead.
WITHOUT = {
    "init": "one sentence; it writes a file",
    "console": "the address of a server that runs until it is stopped",
    "serve": "the address of a server that runs until it is stopped",
    "worker": "the log of a process that runs until it is stopped",
    "completion": "the script of a shell",
    "archive show": "headers and body of one answer, as they came",
    "forum posts": "JSON lines, always",
    "forum page": "JSON lines, always",
    "forum learn": "JSON lines, always",
    "forum model": "TOML to correct and to give back",
    "sites export": "a file; --format json",
    "sites train": "one sentence; it writes a file",
}


def verbs() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for command in COMMANDS:
        parser, _ = make_parser(command)
        below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
        if not below:
            yield command, parser
        for action in below:
            for name, one in action.choices.items():
                yield f"{command} {name}", one


@pytest.mark.parametrize(("verb", "parser"), [pytest.param(v, p, id=v) for v, p in verbs()])
def test_a_verb_that_prints_a_table_has_json(verb: str, parser: argparse.ArgumentParser) -> None:
    has_json = "--json" in parser._option_string_actions
    assert has_json != (verb in WITHOUT)


def test_the_list_of_exceptions_names_verbs_that_exist() -> None:
    assert WITHOUT.keys() <= {verb for verb, _ in verbs()}
