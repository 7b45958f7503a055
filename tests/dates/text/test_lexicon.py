from threadmill.dates.text.lexicon import find_lexicon


def test_a_rare_language_is_believed_when_it_is_asked_for() -> None:
    common, yoruba = find_lexicon(), find_lexicon("yo-NG")
    assert not common.usual & common.bit("yo")
    assert yoruba.usual & yoruba.bit("yo")


def test_common_languages_share_one_lexicon() -> None:
    assert find_lexicon("de") is find_lexicon()


def test_tomorrow_without_its_accents_is_another_word() -> None:
    word = find_lexicon().words.get("more")
    assert word is None or all(sense.role != "relday" for sense in word.senses)
