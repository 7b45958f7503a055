"""Forums that look like well-known engines: one Jinja template each, written from what their pages look like.

Nothing of an engine's own templates is copied. The tables of a set (`SETS`) have their URLs, page sizes and
dates. What the words of these files mean is said in `urls.py` and `parts.py`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from bench.imitations.layout import ImitatedLayout
from bench.imitations.spec import Spec
from threadmill.lab.simulate.content.language import load_language
from threadmill.lab.simulate.content.shown_dates import DateStyle, ForumZone
from threadmill.lab.simulate.content.traits import ForumTraits
from threadmill.lab.simulate.forum import SimulatedForum

# The other sets were written later, by people who had not seen how forums are read.
SETS = {
    "first": "engines.toml",
    "second": "more_engines.toml",
    "third": "third/engines.toml",
    "fourth": "fourth/engines.toml",
    "fifth": "fifth/engines.toml",
    "sixth": "sixth/engines.toml",
}
_FOLDER = Path(__file__).parent
_SIZE = 300


@cache
def read_engines(which: str = "") -> dict[str, Spec]:
    """Return the engines of a set by name; without one, all."""
    files = [SETS[which]] if which else list(SETS.values())
    found: dict[str, Spec] = {}
    for file in files:
        tables = tomllib.loads((_FOLDER / file).read_text(encoding="utf-8"))
        common = tables.pop("of_all", {})
        for name, table in tables.items():
            traits = {**common.get("traits", {}), **table.get("traits", {})}
            found[name] = {**common, **table, "traits": traits}
    return found


def open_imitation(name: str, size: int = 0) -> SimulatedForum:
    """Open a forum that looks like an engine. `size` is its number of posts by 2017; 0: as its table says."""
    spec = read_engines()[name]
    size = size or spec.get("size", _SIZE)
    layout = ImitatedLayout(name, spec)
    forum = SimulatedForum(_traits(name, spec), layout, size)
    layout.show(forum.world)
    return forum


def _traits(name: str, spec: Spec) -> ForumTraits:
    language = load_language(spec["language"])
    given = dict(spec.get("traits", {}))
    for key in ("post_date", "index_date"):
        given[key] = DateStyle(**spec.get(key, spec["post_date"]))
    given["zone"] = ForumZone(**spec.get("zone", {"minutes": 60, "summer": True}))
    given.setdefault("sub_boards", False)
    given.setdefault("board_count", 3)
    given.setdefault("longest", 40)
    given.setdefault("thread_length", 1.7)
    given.setdefault("merges", 0)
    title = f"{language.places[len(name) % len(language.places)]} {language.words['forum']}"
    return ForumTraits(f"imitated-{name}", title, name, spec["language"], f"looks like {name}", **given)
