from threadmill.corpus.text.tag_features import lemma_change, mix, word_features, word_shape


def test_a_shape_has_each_run_of_a_kind_once() -> None:
    assert word_shape("McDonald's") == "XxXx'x"
    assert word_shape("1,000") == "9,9"
    assert word_shape("漢字kana") == "ox"
    assert word_shape("") == ""


def test_a_change_is_the_ending_that_goes_and_the_one_that_comes() -> None:
    assert lemma_change("walked", "walk") == "ed>"
    assert lemma_change("häuser", "Haus") == "äuser>aus"
    assert lemma_change("tide", "tide") == ">"


def test_rows_lie_in_the_table() -> None:
    found = word_features("Žluťoučký", str.lower, 255)
    rows = (*found.own, *found.before, *found.after, *found.far_before, *found.far_after)
    assert all(0 <= row <= 255 for row in rows)


def test_neighbours_see_a_word_at_other_rows_than_the_word_itself() -> None:
    found = word_features("mill", str.lower, (1 << 31) - 1)
    assert not set(found.own) & set(found.before)
    assert not set(found.before) & set(found.after)


def test_a_mixed_hash_depends_on_everything() -> None:
    values = {mix(kind, first, second) for kind in (1, 2) for first in (0, 7) for second in (0, 9)}
    assert len(values) == 8
    assert all(0 <= value < 1 << 32 for value in values)
