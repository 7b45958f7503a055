"""Shows the examples of docstrings as code. mkdocstrings (through griffe) loads this for the site."""

from __future__ import annotations

from typing import Any

import griffe


class FenceExamples(griffe.Extension):
    """Puts a code fence around each run of `>>>` lines and their output."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called by griffe for each documented object."""
        if obj.docstring:
            obj.docstring.value = fence_examples(obj.docstring.value)


def fence_examples(text: str) -> str:
    """A docstring whose examples stand in code fences; an example ends at an empty line."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.startswith(">>>") and not inside:
            lines.append("```pycon")
            inside = True
        if inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join([*lines, "```"] if inside else lines)
