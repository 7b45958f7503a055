import pytest

from threadmill.lab.simulate.random_forum.addresses import decode_id, encode_id, make_addresses
from threadmill.lab.simulate.random_forum.choices import draw_choices, options_of


@pytest.mark.parametrize("style", ["number", "hash", "base64"])
def test_an_id_is_read_as_it_was_written(style: str) -> None:
    for number in (0, 1, 143, 999_999):
        assert decode_id(encode_id(number, "thread", style), "thread", style) == number


def test_neighbours_have_hashes_far_apart_and_kinds_have_other_codes() -> None:
    one, two = encode_id(1, "thread", "hash"), encode_id(2, "thread", "hash")
    assert one[:4] != two[:4]
    assert encode_id(1, "board", "base64") != encode_id(1, "thread", "base64")


@pytest.mark.parametrize("noise", ["", "x!", "thread", "zzzz"])
def test_what_is_no_id_is_read_as_none(noise: str) -> None:
    assert decode_id(noise, "thread", "number") == -1


@pytest.mark.parametrize("style", list(options_of("urls")))
def test_the_url_of_a_thread_is_read_back_and_is_that_of_no_board(style: str) -> None:
    made = make_addresses(draw_choices(1, urls=style, ids="number"), 1)
    parts = {"id": "143", "board": "7", "thread": "143", "slug": "a-boat", "word": "thread", "dir": "lists"}
    url = made.thread.write(parts)
    found = made.thread.read(url)
    assert found is not None
    assert found["id"] == "143"
    assert made.board.write(parts) != url
