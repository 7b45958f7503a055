"""`threadmill init`: make a workspace with a settings file that explains itself."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from threadmill.config import SETTINGS_FILE, describe_settings
from threadmill.errors import UsageError
from threadmill.workspace import open_workspace

EXAMPLES = """\
  threadmill init work/forum
  threadmill init work/forum --contact https://example.org/about-our-crawler"""


_CONTACT = re.compile(r"https?://\S+\.\S+|(?:mailto:)?[^\s@]+@[^\s@]+").fullmatch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("directory", metavar="DIR", type=Path, help="a new or empty directory")
    parser.add_argument("--contact", metavar="URL", default="", help="who you are: sent to every server")


def run(arguments: argparse.Namespace) -> int:
    """Make the workspace."""
    file = arguments.directory / SETTINGS_FILE
    if file.exists():
        raise UsageError(f"{file} is there already; edit it")
    contact = arguments.contact
    if any(letter in contact for letter in '"\\\n\r') or (contact and not _CONTACT(contact)):
        raise UsageError("expected the address of a page or an e-mail address as --contact")
    open_workspace(arguments.directory, create=True)
    file.write_text(settings_file(arguments.contact), encoding="utf-8")
    print(
        f"{file} is written; every setting in it has its default. Next: threadmill crawl URL --workspace "
        f"{arguments.directory}"
    )
    return 0


def settings_file(contact: str = "") -> str:
    """All settings with their defaults and their meaning, each as a comment that can be switched on."""
    lines = ["# Settings of this workspace. Take away a # to change a value; see docs/settings.md.", ""]
    for section in describe_settings():
        lines += [f"[{section.name}]  # {section.meaning}"]
        for name, default, meaning in section.values:
            if (section.name, name) == ("fetch", "contact") and contact:
                lines.append(f'contact = "{contact}"')
                continue
            note = f"  # {meaning}" if meaning else ""
            lines.append(f"# {name} = {_as_toml(default)}{note}")
        lines.append("")
    return "\n".join(lines)


def _as_toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)
