import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.template.clusters.fragments import (
    chains_of,
    cut_fragments,
    fragments_of,
    intersect_chains,
    overlap_bytes,
)


def test_a_tag_and_the_text_between_two_tags_are_fragments() -> None:
    html = b"<p class='a > b'>  one <b>two</b>\n</p> three"
    assert cut_fragments(html) == [b"<p class='a > b'>", b"one", b"<b>", b"two", b"</b>", b"</p>", b"three"]


def test_scripts_and_comments_are_one_fragment() -> None:
    html = b"<script>if (a < b) { '<p>' }</script><!-- <p> --><style>p > a {}</style>x"
    assert [fragment[:4] for fragment in cut_fragments(html)] == [b"<scr", b"<!--", b"<sty", b"x"]


def test_white_space_around_text_does_not_count() -> None:
    one, other = b"<p>a</p><p>b</p><p>c</p>", b"<p> a\n</p>\n\n<p>\tb</p> <p>c </p>"
    assert chains_of(one, 6).names.tolist() == chains_of(other, 6).names.tolist()
    assert chains_of(one, 6).size == chains_of(other, 6).size


def test_a_chain_is_six_fragments_with_their_length_in_bytes() -> None:
    chains = chains_of(b"<p>a</p><p>b</p><p>c", 6)
    assert len(chains.names) == 3
    assert chains.lengths.tolist() == [16, 16, 16]


def test_too_few_fragments_make_no_chain() -> None:
    assert len(chains_of(b"<p>a</p>", 6).names) == 0


def test_overlap_counts_the_bytes_of_chains_that_both_have() -> None:
    one = chains_of(b"<a>1</a><a>2</a><a>3</a><i>x</i>", 6)
    other = chains_of(b"<a>1</a><a>2</a><a>3</a><b>y</b>", 6)
    assert overlap_bytes(one, other) == intersect_chains(one, other).size > 0
    assert overlap_bytes(one, chains_of(b"", 6)) == 0


@given(st.binary(max_size=300))
def test_fragments_lie_in_order_and_hold_everything_but_white_space(html: bytes) -> None:
    fragments = fragments_of(html, 6)
    at, outside = 0, b""
    for start, end in fragments.places:
        assert at <= start < end
        outside += html[at:start]
        at = end
    assert not (outside + html[at:]).strip(b" \t\n\r\v\f")
    assert [html[start:end] for start, end in fragments.places] == cut_fragments(html)


@pytest.mark.parametrize(
    "hostile",
    [
        b"<" * 300_000,
        b"<a " * 100_000,
        b'<a "' * 80_000,
        b"<a '\"" * 60_000,
        b"<!--" * 80_000,
        b"<script" * 50_000,
        b"<script>" * 40_000,
        b"<script></scrip" * 20_000,
        b'<a href="' + b"x" * 300_000,
        b"<a" + b" b='c'" * 60_000,
        b" " * 300_000,
        b"x \n" * 100_000,
    ],
    ids=lambda value: repr(value[:12]),
)
def test_hostile_pages_are_cut_in_linear_time(hostile: bytes) -> None:
    def seconds(html: bytes) -> float:
        start = time.process_time()
        cut_fragments(html)
        return time.process_time() - start

    # Twice the page may take twice the time, and the clock's noise; quadratic work would take minutes here.
    assert seconds(hostile) < 2
    assert seconds(hostile * 2) < 4


def test_covered_flags_all_six_fragments_of_a_known_chain() -> None:
    framing = chains_of(b"<i>m</i><i>n</i>", 6)
    page = fragments_of(b"<p>new</p><i>m</i><i>n</i><p>other</p>", 6)
    assert np.flatnonzero(page.covered(framing.names)).tolist() == [3, 4, 5, 6, 7, 8]
