from __future__ import annotations

import pytest

from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.content.world import ForumContent
from threadmill.lab.simulate.content.writing import find_author, write_post, write_title


@pytest.fixture(scope="module")
def world() -> ForumContent:
    return open_forum("werkbank", "small", edited=0.2, guests=0.1).world


def test_the_same_post_always_has_the_same_text_and_author(world: ForumContent) -> None:
    again = open_forum("werkbank", "small", edited=0.2, guests=0.1).world
    for rank in range(0, len(world.times), 37):
        assert write_post(world, rank, 1 << 40) == write_post(again, rank, 1 << 40)
        assert find_author(world, rank) == find_author(again, rank)
        assert write_title(world, world.owners[rank]) == write_title(again, world.owners[rank])


def test_an_edit_adds_a_paragraph_from_its_time_on(world: ForumContent) -> None:
    rank, at = next((r, world.edited_at(r)) for r in range(len(world.times)) if world.edited_at(r))
    before, after = write_post(world, rank, at - 1), write_post(world, rank, at)
    assert after.paragraphs[:-1] == before.paragraphs
    assert after.quotation == before.quotation
    assert after.text.endswith(after.paragraphs[-1])


def test_a_first_post_quotes_nobody_and_quotes_name_an_earlier_post(world: ForumContent) -> None:
    quotes = 0
    for thread in world.threads:
        assert write_post(world, thread.ranks[0], 0).quotation is None
        for rank in thread.ranks[1:]:
            quotation = write_post(world, rank, 0).quotation
            if quotation:
                quotes += 1
                quoted = world.rank_of(quotation.post_id)
                assert quoted is not None
                assert quoted < rank
                assert world.owners[quoted] == world.owners[rank]
                assert quotation.author == find_author(world, quoted).name
    assert quotes > 20


def test_guests_have_no_profile_and_write_their_share(world: ForumContent) -> None:
    authors = [find_author(world, rank) for rank in range(len(world.times))]
    guests = [author for author in authors if not author.number]
    assert {author.name for author in guests} == {world.language.words["guest"]}
    assert 0.06 < len(guests) / len(authors) < 0.14
