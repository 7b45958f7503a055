from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.sites.read.folded_words import common_words, fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Müller & Söhne", "muller & sohne"),
        ("STRASSE Straße", "strasse strasse"),
        ("Łódź", "lodz"),
        ("ISPARTA ılık", "isparta ilik"),
        ("ÉTÉ e\u0301te\u0301", "ete ete"),
        ("ﬁn", "fin"),
        ("plain text", "plain text"),
        ("Компания", "компания"),
    ],
)
def test_case_accents_and_ligatures_are_folded(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text(st.characters(max_codepoint=0x24F)))
def test_folded_text_stays_as_it_is(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_lists_of_common_words_are_there_by_kind() -> None:
    assert "gmail.com" in common_words("free_mail")
    assert "adobe.com" in common_words("common_domains")
    assert "about" in common_words("generic_names")
    with pytest.raises(KeyError):
        common_words("nothing")
