"""Learns a forum's wrapper from its first thread pages, which wait until it is learnt."""

from __future__ import annotations

from dataclasses import dataclass, field

from threadmill.forum.columns import find_columns
from threadmill.forum.pages import direct_table
from threadmill.forum.posts import Columns
from threadmill.forum.reading import Reading
from threadmill.forum.table import Table
from threadmill.forum.wrapper import Wrapper, learn_wrapper

# Three pages of several posts show what differs between posts and what does not; more bring little.
_ENOUGH_PAGES = 3
_ENOUGH_POSTS = 3
_PATIENCE = 12  # pages, after which what came must do


@dataclass(slots=True)
class Apprentice:
    """Collects readings of thread pages until a wrapper can be made of them."""

    examples: list[tuple[Table, Columns]] = field(default_factory=list)
    looked_at: int = 0

    def see(self, reading: Reading) -> None:
        """One more thread page."""
        self.looked_at += 1
        found = direct_table(reading)
        if found is not None and len(found[0].records) >= _ENOUGH_POSTS:
            self.examples.append((found[0], find_columns(found[0], reading.now)))

    @property
    def ready(self) -> bool:
        """Has it seen enough?"""
        return len(self.examples) >= _ENOUGH_PAGES or self.looked_at >= _PATIENCE

    def wrapper(self) -> Wrapper | None:
        """What it has learnt."""
        return learn_wrapper(self.examples) if self.examples else None
