from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.corpus.text.delimited_text import GLUE, to_forms
from threadmill.corpus.vertical.dialects import DIALECTS, Dialect, dialect
from threadmill.errors import UsageError

FORMS = st.one_of(st.text(st.sampled_from('<>&"/ap;lt|x'), min_size=1), st.text(min_size=1))
EVERY = pytest.mark.parametrize("found", DIALECTS.values(), ids=DIALECTS)


@EVERY
@given(form=FORMS)
def test_forms_columns_and_values_are_read_back(found: Dialect, form: str) -> None:
    expected = form.replace("|", found.bar)
    assert found.read_form(found.write_form(form)) == expected
    assert found.read_column(found.write_column(form)) == expected
    if '"' not in form or "'" not in form:
        assert found.read_value(found.write_value(form)[1:-1]) == expected


@EVERY
@given(forms=st.lists(st.text(st.sampled_from("<>&/pa;lt|"), min_size=1), min_size=1))
def test_a_delimited_text_is_written_as_its_forms_are(found: Dialect, forms: list[str]) -> None:
    written = to_forms(found.write_cut(GLUE.join(forms)))
    assert written == [found.write_form(form) for form in forms]


def test_sketch_escapes_only_what_looks_like_a_tag() -> None:
    sketch = dialect("sketch")
    assert [sketch.write_form(form) for form in ("<p>", "</s>", "<3", "a&b", "&lt;", "&amp;lt;")] == [
        "&lt;p>",
        "&lt;/s>",
        "<3",
        "a&b",
        "&amp;lt;",
        "&amp;amp;lt;",
    ]
    assert sketch.write_value('a "b"') == "'a \"b\"'"


def test_cwb_escapes_as_xml_does_and_knot_replaces_the_bar() -> None:
    assert dialect("cwb").write_form('<a & "b">') == "&lt;a &amp; &quot;b&quot;&gt;"
    assert dialect("cwb").write_value('"') == '"&quot;"'
    assert dialect("knot").write_form("a|b") == "a¦b"


def test_nothing_is_an_empty_column() -> None:
    assert dialect("sketch").write_column(None) == ""
    assert dialect("cwb").read_column("") is None


def test_an_unknown_dialect_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no vertical dialect 'x'; choose one of sketch, cwb, knot"):
        dialect("x")
