"""Writes what corpus managers need for a vertical file: manatee's registry file and CWB's commands."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from threadmill.corpus.build.documents import clean_name
from threadmill.corpus.vertical.writer import Inventory

# Tags without content. manatee knows <g/>; CWB must be told to skip them.
_EMPTY = ("g", "dup")
_LOWER_CASE = """\
ATTRIBUTE lc {
    LABEL "word (lowercase)"
    DYNAMIC utf8lowercase
    DYNLIB internal
    ARG1 "C"
    FUNTYPE s
    FROMATTR word
    TYPE index
    TRANSQUERY yes
}
"""


def manatee_registry(
    name: str, vertical: Path, inventory: Inventory, columns: Sequence[str] = ("word",)
) -> str:
    """The registry file for `compilecorp` and `corpconfcheck`."""
    lines = [
        f'NAME "{name}"',
        f'PATH "{vertical.parent / "manatee" / clean_name(name)}"',
        f'VERTICAL "{vertical}"',
        'ENCODING "UTF-8"',
        'INFO "made by Threadmill"',
        'DOCSTRUCTURE "doc"',
        'DEFAULTATTR "word"',
        "",
        *(f"ATTRIBUTE {column}" for column in columns),
        _LOWER_CASE,
    ]
    for structure, attributes in inventory.structures.items():
        lines += _structure(structure, attributes)
    return "\n".join(lines) + "\n"


def _structure(name: str, attributes: dict[str, None]) -> list[str]:
    if name == "g":
        return ["STRUCTURE g {", "    DISPLAYTAG 0", '    DISPLAYBEGIN "_EMPTY_"', "}"]
    if not attributes:
        return [f"STRUCTURE {name}"]
    return [f"STRUCTURE {name} {{", *(f"    ATTRIBUTE {attribute}" for attribute in attributes), "}"]


def cwb_commands(name: str, vertical: Path, inventory: Inventory, columns: Sequence[str] = ("word",)) -> str:
    """The commands that load a vertical of dialect cwb into the Corpus Workbench."""
    corpus = clean_name(name)
    data = vertical.parent / "cwb" / corpus
    registry = vertical.parent / "cwb" / "registry"
    words = [
        "cwb-encode",
        "-d",
        str(data),
        "-f",
        str(vertical),
        "-R",
        str(registry / corpus),
        "-c",
        "utf8",
        "-xsB",
    ]
    for column in columns[1:]:
        words += ["-P", column]
    for structure, attributes in inventory.structures.items():
        if structure in _EMPTY:
            words += ["-0", structure]
        else:
            # Quotes in forums contain quotes. Nothing else nests in itself.
            depth = 5 if structure == "quote" else 0
            words += ["-S", "+".join([f"{structure}:{depth}", *attributes])]
    make = ["cwb-make", "-r", str(registry), "-V", corpus.upper()]
    return "".join(
        f"{shlex.join(line)}\n" for line in (["mkdir", "-p", str(data), str(registry)], words, make)
    )
