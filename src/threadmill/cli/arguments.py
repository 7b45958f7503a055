"""Types and options of the command line that several commands share."""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable, Collection
from datetime import datetime
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.errors import UsageError

if TYPE_CHECKING:
    from threadmill.config import Settings

_FROM_ENVIRONMENT = "\0"  # no argument of a command can be this
_WRITTEN = ("output", "save")  # options that name what a command writes
_KEY_VARIABLE = "THREADMILL_PSEUDONYM_KEY"


MOST_PROCESSES = 10_000  # far more than any machine has cores


def whole_number(least: int, most: float = math.inf) -> Callable[[str], int]:
    """An argument type: a whole number from `least` to `most`."""
    border = f"{least} or more" if most == math.inf else f"from {least} to {most:g}"

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"expected a whole number, {border}, not {text!r}")
        return number

    return read


def port(text: str) -> int:
    """An argument type: the number of a TCP port; 0: any free one."""
    number = whole_number(0)(text)
    if number > 65535:
        raise argparse.ArgumentTypeError(f"expected a port, 0 to 65535, not {text!r}")
    return number


def seconds(text: str) -> float:
    """An argument type: a number of seconds, 0 or more."""
    return _number(text, "a number of seconds, 0 or more", least=0.0)


def share(text: str) -> float:
    """An argument type: a share, from 0 to 1."""
    number = _number(text, "a share from 0 to 1", least=0.0)
    if number > 1:
        raise argparse.ArgumentTypeError(f"expected a share from 0 to 1, not {text!r}")
    return number


def positive_number(text: str) -> float:
    """An argument type: a number above 0."""
    return _number(text, "a number above 0", least=1e-9)


def _number(text: str, expected: str, least: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not least <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected {expected}, not {text!r}")
    return number


def score(text: str) -> float:
    """An argument type: a score from 0 to 1."""
    number = _number(text, "a score from 0 to 1", least=0.0)
    if number > 1:
        raise argparse.ArgumentTypeError(f"expected a score from 0 to 1, not {text!r}")
    return number


def refuse_unused(
    arguments: argparse.Namespace,
    declare: Callable[[argparse.ArgumentParser], None],
    used: Collection[str],
    what: str,
) -> None:
    """Raise UsageError if an option was given that this verb does not use. `declare` declares all options."""
    parser = argparse.ArgumentParser()
    declare(parser)
    for action in parser._actions:  # argparse has no public list of them
        given = getattr(arguments, action.dest, action.default) != action.default
        if action.option_strings and given and action.dest not in used:
            raise UsageError(f"{action.option_strings[-1]} is not for {what}; leave it out")


def refuse_to_overwrite(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Raise UsageError if what a command writes (--output, --save) is a file or directory that it reads.

    Inputs are the words without an option, but for verbs, and all other paths.
    """
    inputs = {one.dest for one in parser._actions if not one.option_strings and not one.choices}
    read = [
        one
        for name, value in vars(arguments).items()
        if name not in _WRITTEN and (name in inputs or isinstance(value, Path))
        for one in (value if isinstance(value, list | tuple) else [value])
    ]
    for output in (getattr(arguments, name, None) for name in _WRITTEN):
        if output and any(is_same_file(output, one) for one in read):
            raise UsageError(f"{output} is an input and would be overwritten; give another output")


def is_same_file(one: object, other: object) -> bool:
    """Whether two arguments name one file or directory that is there."""
    if not isinstance(one, str | Path) or not isinstance(other, str | Path):
        return False
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return False


def read_now(text: str | None) -> datetime | None:
    """The value of --now."""
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError as error:
        raise UsageError(f"--now is a date and time such as 2020-06-01T12:00, not {text!r}") from error


def add_workspace(parser: argparse.ArgumentParser, help_text: str, default: str = "threadmill-work") -> None:
    """Add the option --workspace."""
    parser.add_argument(
        "--workspace",
        type=Path,
        default=Path(default),
        metavar="DIR",
        help=f"{help_text} (default: {default})",
    )


def add_index_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option --index of `threadmill index` and `threadmill search`."""
    parser.add_argument(
        "--index",
        type=Path,
        default=Path("threadmill-index"),
        metavar="DIR",
        help="the directory of the index (default: threadmill-index)",
    )


def add_workers(parser: argparse.ArgumentParser, processes: int = 0) -> None:
    """Declare where the work is done, and by how many processes."""
    parser.add_argument(
        "--on",
        type=_place_of_work,
        default="local",
        metavar="PLACE",
        help="where the work is done: local (processes of this machine; default), ray, ray://HOST:PORT",
    )
    said = "one per core" if processes == 0 else processes
    parser.add_argument(
        "--processes",
        type=whole_number(0, MOST_PROCESSES),
        default=processes,
        metavar="N",
        help=f"worker processes, or cores of the cluster; 0: one per core (default: {said})",
    )


def _place_of_work(text: str) -> str:
    if text not in {"local", "ray"} and not text.startswith("ray://"):
        raise argparse.ArgumentTypeError(f"expected local, ray or ray://HOST:PORT, not {text!r}")
    return text


def add_access(parser: argparse.ArgumentParser) -> None:
    """Declare the options that get a crawl into a closed site, or through a proxy."""
    group = parser.add_argument_group("access", "None of this is written to the archive or to messages.")
    group.add_argument("--cookies", metavar="FILE", help="cookies.txt as browser extensions export it")
    group.add_argument(
        "--header",
        action="append",
        metavar="'NAME: VALUE'",
        help="send one more header to the site of URL; may be repeated",
    )
    group.add_argument(
        "--user",
        metavar="NAME",
        help="HTTP basic authentication; the password is asked for, or stands in THREADMILL_ACCESS_PASSWORD",
    )
    group.add_argument(
        "--browser",
        action="store_true",
        default=None,
        help="run the scripts of pages that are empty without them, in Chromium",
    )
    group.add_argument("--login", metavar="FILE", help="log in by a form first: a recipe in TOML")
    group.add_argument(
        "--proxy",
        metavar="URL",
        help="http://HOST:PORT, socks5://HOST:PORT or none (default: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, "
        "NO_PROXY)",
    )


def read_access(arguments: argparse.Namespace) -> dict[str, str | None]:
    """The values of these options as settings of the section `access`. What was not given is None."""
    given = arguments.user is not None
    return {
        "cookies": arguments.cookies,
        "headers": "\n".join(arguments.header) if arguments.header else None,
        "user": arguments.user,
        "password": ask_password() if given and "THREADMILL_ACCESS_PASSWORD" not in os.environ else None,
        "login": arguments.login,
        "proxy": arguments.proxy,
    }


def access_settings(arguments: argparse.Namespace, settings: Settings, url: str) -> Settings:
    """The settings with these options, for the site of a URL."""
    from threadmill.config import override
    from threadmill.crawl.access.site_access import for_start

    given = {name: value for name, value in read_access(arguments).items() if value is not None}
    settings = override(settings, "access", **given)
    settings = override(settings, "fetch", browser=arguments.browser)
    return override(settings, "access", site=for_start(settings.access, url).site)


def ask_password() -> str:
    """Ask for a password at the terminal. Without one, say where else it can stand."""
    if not sys.stdin.isatty():
        raise UsageError("--user needs a password: set THREADMILL_ACCESS_PASSWORD, or run it in a terminal")
    return getpass("password: ")


def add_pseudonym_options(parser: argparse.ArgumentParser) -> None:
    """Declare how names of authors are replaced."""
    parser.add_argument(
        "--pseudonyms",
        metavar="KEY",
        nargs="?",
        const=_FROM_ENVIRONMENT,
        help="replace names of authors by hashes that need KEY, and leave out the HTML of posts; "
        f"without KEY, the key is the value of {_KEY_VARIABLE}",
    )
    parser.add_argument(
        "--pseudonyms-file", metavar="FILE", type=Path, help="the same with the first line of FILE as the key"
    )


def read_pseudonym_key(arguments: argparse.Namespace) -> str | None:
    """The key of pseudonyms, from the command line, a file or the environment."""
    if arguments.pseudonyms_file is not None:
        if arguments.pseudonyms is not None:
            raise UsageError("give the key with --pseudonyms or with --pseudonyms-file, not with both")
        lines = arguments.pseudonyms_file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        return str(lines[0]).strip() if lines else ""
    if arguments.pseudonyms == _FROM_ENVIRONMENT:
        return os.environ.get(_KEY_VARIABLE, "")
    return str(arguments.pseudonyms) if arguments.pseudonyms is not None else None
