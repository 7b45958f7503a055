"""What one stage leaves, the next one finds: packing and its inverse."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.errors import MessageError
from threadmill.service.work.stage_files import is_inside, load, pack, save, unpack
from threadmill.sites.model import CollectedSite, CompanySite, Fact, ReadOutcome, SiteFacts
from threadmill.types import Capture

texts = st.text(max_size=30)
captures = st.builds(
    Capture,
    texts,
    st.datetimes(timezones=st.just(UTC)),
    st.integers(100, 599),
    st.lists(st.tuples(texts, texts), max_size=3).map(tuple),
    st.binary(max_size=200),
    texts,
)
some = st.lists(captures, max_size=3).map(tuple)
facts = st.builds(
    SiteFacts,
    st.frozensets(st.tuples(texts, texts), max_size=4),
    texts,
    st.frozensets(texts, max_size=3),
    st.frozensets(texts, max_size=3),
    st.frozensets(texts, max_size=3),
    st.lists(st.integers(0, 2**32 - 1), max_size=4).map(tuple),
    st.lists(st.builds(Fact, texts, texts, texts, texts, texts), max_size=3).map(tuple),
)
sites = st.builds(
    CompanySite,
    texts,
    st.sampled_from(ReadOutcome),
    texts,
    texts,
    st.dictionaries(texts, st.integers(0, 9), max_size=4),
    facts,
    st.integers(0, 9),
)


@given(st.builds(CollectedSite, texts, some, some, some, texts, st.booleans()))
def test_what_was_collected_comes_back_as_it_was(collected: CollectedSite) -> None:
    assert unpack(CollectedSite, pack(collected)) == collected


@given(sites)
def test_a_site_read_comes_back_as_it_was(site: CompanySite) -> None:
    assert unpack(CompanySite, pack(site)) == site


def test_a_field_that_the_writer_did_not_know_keeps_its_default() -> None:
    @dataclass(frozen=True)
    class Old:
        url: str

    found = unpack(CollectedSite, pack(Old("http://a.example/")))
    assert found == CollectedSite("http://a.example/")


@pytest.mark.parametrize("data", [b"", b"nonsense", pack(SiteFacts())[:-3]])
def test_what_is_no_packed_value_is_told_in_one_sentence(data: bytes) -> None:
    with pytest.raises(MessageError, match="expected a packed CompanySite"):
        unpack(CompanySite, data)


def test_a_file_is_replaced_whole_and_leaves_no_half_behind(tmp_path: Path) -> None:
    for url in ("http://a.example/", "http://b.example/"):
        save(tmp_path, "sites/one", "collected.zst", CollectedSite(url))
    assert load(tmp_path, "sites/one", "collected.zst", CollectedSite).url == "http://b.example/"
    assert [file.name for file in (tmp_path / "sites/one").iterdir()] == ["collected.zst"]


def test_a_file_that_is_not_there_is_told_with_the_likely_cause(tmp_path: Path) -> None:
    with pytest.raises(MessageError, match="share one workspace"):
        load(tmp_path, "sites/one", "collected.zst", CollectedSite)


def test_a_files_path_stays_inside_the_workspace(tmp_path: Path) -> None:
    assert is_inside("sites/a/b")
    for bad in ("", "/etc", "../up", "sites/../../up", "a\0b"):
        assert not is_inside(bad)
        with pytest.raises(MessageError):
            load(tmp_path, bad, "x", CollectedSite)


def test_moments_keep_their_zone() -> None:
    at = datetime(2026, 11, 16, 2, 3, 4, 5, tzinfo=UTC)
    found = unpack(Capture, pack(Capture("u", at, 200, (), b"x")))
    assert found.at == at
    assert found.at.tzinfo is not None


def test_half_a_character_does_not_lose_a_site() -> None:
    broken = CompanySite("http://a.example/\ud800", ReadOutcome.OK, keywords={"a\udc00b": 2})
    found = unpack(CompanySite, pack(broken))
    assert found == CompanySite("http://a.example/\ufffd", ReadOutcome.OK, keywords={"a\ufffdb": 2})


def test_the_order_of_keywords_is_kept() -> None:
    site = CompanySite("http://a.example/", ReadOutcome.OK, keywords={"b": 1, "a": 2, "c": 3})
    assert list(unpack(CompanySite, pack(site)).keywords) == ["b", "a", "c"]
