"""Opens a random forum by its seed, with any of its choices fixed."""

from __future__ import annotations

from threadmill.lab.simulate.content.seeded_random import random_fraction
from threadmill.lab.simulate.forum import SimulatedForum
from threadmill.lab.simulate.random_forum.choices import ForumChoices, draw_choices
from threadmill.lab.simulate.random_forum.layout import RandomLayout
from threadmill.lab.simulate.random_forum.resolve import resolve
from threadmill.lab.simulate.random_forum.traits import make_traits


def random_choices(seed: int | str, **fixed: str) -> ForumChoices:
    """Draw the choices of a forum, made to agree with each other."""
    return resolve(draw_choices(seed, **fixed))


def open_random_forum(seed: int | str, scale: str | int = 0, **fixed: str) -> SimulatedForum:
    """Draw a forum by a seed. `scale` is its number of posts by 2017 (0: 120 to 260); `fixed` are choices."""
    choices = random_choices(seed, **fixed)
    name = f"random-{seed}"
    layout = RandomLayout(choices, seed)
    size = scale or int(120 + 140 * random_fraction(name, "size"))
    forum = SimulatedForum(make_traits(choices, name), layout, size)
    layout.world = forum.world
    return forum
