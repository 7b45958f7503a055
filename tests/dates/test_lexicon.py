from threadmill.dates.lexicon import load_lexicon, most_common_languages


def test_a_rare_language_is_believed_when_it_is_asked_for() -> None:
    common, yoruba = load_lexicon(), load_lexicon("yo-NG")
    assert not common.common_languages & common.bit("yo")
    assert yoruba.common_languages & yoruba.bit("yo")


def test_common_languages_share_one_lexicon() -> None:
    assert load_lexicon("de") is load_lexicon()


def test_tomorrow_without_its_accents_is_another_word() -> None:
    word = load_lexicon().words.get("more")
    assert word is None or all(sense.role != "relday" for sense in word.senses)


def test_a_language_is_known_by_its_code_and_by_longer_tags() -> None:
    lexicon = load_lexicon()
    assert (
        lexicon.bit("pt_BR")
        == lexicon.bit("pt-br")
        == lexicon.bit("pt")
        == 1 << lexicon.languages.index("pt")
    )
    assert lexicon.bit("xx-none") == 0


def test_a_role_is_a_character_class_of_its_words() -> None:
    lexicon = load_lexicon()
    letter = lexicon.words["may"].letter
    assert letter in lexicon.role("month")
    assert letter in lexicon.role("weekday", "month")
    assert letter not in lexicon.role("zone")
    assert lexicon.role("nosuchrole") == "[\0]"


def test_a_common_word_keeps_only_its_senses_in_common_languages() -> None:
    common = load_lexicon()
    for word in ("may", "mon", "set"):
        for sense in common.words[word].senses:
            assert not sense.languages & ~common.common_languages


def test_the_longest_phrase_is_tried_first() -> None:
    for phrases in load_lexicon().phrases.values():
        sizes = [len(phrase.rest) for phrase in phrases]
        assert sizes == sorted(sizes, reverse=True)
        assert min(sizes) >= 1


def test_words_of_scripts_without_spaces_are_found_longest_first() -> None:
    found = load_lexicon().unspaced_words.match("昨天")
    assert found is not None
    assert found.group() == "昨天"


def test_the_languages_that_all_masks_share_win_else_those_of_most_masks() -> None:
    assert most_common_languages([0b0111, 0b0110, 0b1110]) == 0b0110
    assert most_common_languages([0b0011, 0b0010, 0b1000]) == 0b0010
    assert most_common_languages([0b01, 0b10]) == 0b11
    assert most_common_languages([]) == 0


def test_the_first_of_some_languages_has_a_name_and_none_has_not() -> None:
    lexicon = load_lexicon()
    assert lexicon.first_language(lexicon.bit("de") | lexicon.bit("pt")) in {"de", "pt"}
    assert lexicon.first_language(lexicon.bit("pt")) == "pt"
    assert lexicon.first_language(0) == ""
