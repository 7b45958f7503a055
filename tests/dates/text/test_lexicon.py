from threadmill.dates.text.lexicon import load_lexicon


def test_a_rare_language_is_believed_when_it_is_asked_for() -> None:
    common, yoruba = load_lexicon(), load_lexicon("yo-NG")
    assert not common.common_languages & common.bit("yo")
    assert yoruba.common_languages & yoruba.bit("yo")


def test_common_languages_share_one_lexicon() -> None:
    assert load_lexicon("de") is load_lexicon()


def test_tomorrow_without_its_accents_is_another_word() -> None:
    word = load_lexicon().words.get("more")
    assert word is None or all(sense.role != "relday" for sense in word.senses)
