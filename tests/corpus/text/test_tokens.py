import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.corpus.text.delimited_text import GLUE, PASSAGE, SENTENCE
from threadmill.corpus.text.languages import known_languages, language_profile
from threadmill.corpus.text.tokens import UNSPACED_LETTER, CutPieces, Script, Tokeniser, _habits, _pattern


def forms(language: str, sentence: str) -> list[str]:
    return [form.strip() for form in Tokeniser(language_profile(language)).forms(sentence)]


@pytest.mark.parametrize(
    ("language", "sentence", "expected"),
    [
        ("en", "See https://example.org/a?b=c, please.", ["See", "https://example.org/a?b=c", ",", "please", "."]),  # noqa: E501
        ("en", "Mail me@example.org!", ["Mail", "me@example.org", "!"]),
        ("en", "I don't know :-)", ["I", "don't", "know", ":-)"]),
        ("en", "#python by @guido 🙂", ["#python", "by", "@guido", "🙂"]),
        ("en", "It cost 1,000.50 on 12/05/2020 at 10:30.", ["It", "cost", "1,000.50", "on", "12/05/2020", "at", "10:30", "."]),  # noqa: E501
        ("en", "The U.S. (and Foo Inc., too) etc.", ["The", "U.S.", "(", "and", "Foo", "Inc.", ",", "too", ")", "etc."]),  # noqa: E501
        ("en", "a well-known e-mail", ["a", "well", "-", "known", "e-mail"]),
        ("fr", "L'eau d'aujourd'hui, dit-il.", ["L'", "eau", "d'", "aujourd'hui", ",", "dit", "-il", "."]),
        ("fr", "Donne-le-moi à Bar-le-Duc.", ["Donne", "-le", "-moi", "à", "Bar-le-Duc", "."]),
        ("it", "Dell'acqua un po' fredda.", ["Dell'", "acqua", "un", "po'", "fredda", "."]),
        ("de", "Am 3. Mai kam Dr. Maier.", ["Am", "3.", "Mai", "kam", "Dr.", "Maier", "."]),
        ("cs", "Dne 3. května např. spal.", ["Dne", "3", ".", "května", "např", ".", "spal", "."]),
        ("da", "Han så f.eks. en hund.", ["Han", "så", "f.eks.", "en", "hund", "."]),
        ("is", "Hér er hestur o.s.frv. hjá mér.", ["Hér", "er", "hestur", "o.s.frv.", "hjá", "mér", "."]),
        ("sv", "Gå till mejeriet.nu. Sedan hem.", ["Gå", "till", "mejeriet.nu", ".", "Sedan", "hem", "."]),
        ("tr", "1996'da Ankara'ya gitti.", ["1996'da", "Ankara'ya", "gitti", "."]),
        ("hi", "हिन्दी भाषा।", ["हिन्दी", "भाषा", "।"]),
        ("zh", "他在北京ABC。", ["他", "在", "北京", "ABC", "。"]),
        ("ja", "コーヒーを飲む。", ["コーヒー", "を", "飲む", "。"]),
        ("ru", "Во́дская пятина", ["Во́дская", "пятина"]),
        ("ru", "Ну да))) Правда?..", ["Ну", "да", ")))", "Правда", "?.."]),
        ("af", "Dit is 'n leer- en speelgoed.", ["Dit", "is", "'n", "leer-", "en", "speelgoed", "."]),
        ("nl", "Dat is 't.", ["Dat", "is", "'t", "."]),
        ("cy", "Mae'r ci i'r tŷ.", ["Mae", "'r", "ci", "i", "'r", "tŷ", "."]),
        ("ga", "B'fhéidir go raibh d'aois.", ["B'", "fhéidir", "go", "raibh", "d'", "aois", "."]),
        ("gd", "Tha e a' tighinn 's a dh’fhalbh.", ["Tha", "e", "a'", "tighinn", "'s", "a", "dh’fhalbh", "."]),  # noqa: E501
        ("mt", "Il-kelma ta' l-Onor u f'dan.", ["Il-", "kelma", "ta'", "l-", "Onor", "u", "f'", "dan", "."]),
        ("ro", "S-a dus într-un sat să-i vadă.", ["S-", "a", "dus", "într-", "un", "sat", "să", "-i", "vadă", "."]),  # noqa: E501
        ("he", 'בצה"ל פרופ\' ג\'ון "שלום"', ['בצה"ל', "פרופ'", "ג'ון", '"', "שלום", '"']),
        ("hy", "Ի՞նչ է ինչ-որ, ո՛չ։", ["Ի՞նչ", "է", "ինչ", "-", "որ", ",", "ո՛չ", "։"]),
        ("fi", "EU:n talous- ja -sarjassa", ["EU:n", "talous-", "ja", "-sarjassa"]),
        ("id", "Harganya Rp9.000 saja", ["Harganya", "Rp", "9.000", "saja"]),
        ("lv", "Tas bija 2010. gadā.", ["Tas", "bija", "2010.", "gadā", "."]),
    ],
)  # fmt: skip
def test_positions_are_those_of_the_language(language: str, sentence: str, expected: list[str]) -> None:
    assert forms(language, sentence) == expected


def test_at_least_thirty_languages_have_lists_of_abbreviations() -> None:
    assert sum(bool(language_profile(code).abbreviations) for code in known_languages()) >= 30


@pytest.mark.parametrize("hostile", ["a." * 20_000, "-" * 50_000, "1," * 30_000, "a@" * 20_000, "x/" * 20_000, "'a" * 20_000, "\u0301" * 30_000])  # noqa: E501  # fmt: skip
@pytest.mark.parametrize("language", ["en", "fr", "hr", "cy", "mt"])
def test_endless_text_is_split_without_loss(language: str, hostile: str) -> None:
    found = Tokeniser(language_profile(language)).forms(hostile)
    assert "".join(found) == hostile


LETTERS_AND_SIGNS = [
    *"abzIXV019.,;:!?-'’()\"&@/#%_+<",
    "ä",
    "ß",
    "é",
    "б",
    "Ж",
    "½",
    "²",
    "\u0301",
    "\u00ad",
    "…",
]
SEQUENCES = ["\ufe0f", "🙂", "👩\u200d👧", "www.", "http://", "Dr.", "etc.", ":)", "&amp;"]
SIGNS = st.sampled_from(LETTERS_AND_SIGNS + SEQUENCES)
PIECES = st.lists(SIGNS, min_size=1, max_size=10).map("".join)
LANGUAGES = ["en", "de", "fr", "it", "hr", "hu", "cs", "es", "hi", ""]
TOKENISERS = {language: Tokeniser(language_profile(language)) for language in LANGUAGES}
CUT_PIECES = {language: CutPieces(tokeniser) for language, tokeniser in TOKENISERS.items()}


@pytest.mark.parametrize("language", LANGUAGES)
@settings(deadline=None, max_examples=60)
@given(piece=PIECES)
def test_a_pattern_that_knows_less_finds_the_same_in_what_it_is_given(language: str, piece: str) -> None:
    habits = _habits(language_profile(language))
    everything = _pattern(habits, Script.MARKED).findall
    enough = _pattern(habits, Script.PLAIN if piece.isascii() else Script.SPACED).findall
    assert enough(piece) == everything(piece)
    assert enough(f"{piece} x") == everything(f"{piece} x")


@pytest.mark.parametrize("language", LANGUAGES)
@settings(deadline=None, max_examples=60)
@given(piece=st.one_of(PIECES, st.text(min_size=1, max_size=8).filter(lambda text: text.split() == [text])))
def test_a_piece_is_cut_alike_by_its_looks_and_by_the_pattern(language: str, piece: str) -> None:
    tokeniser, cut_pieces = TOKENISERS[language], CUT_PIECES[language]
    assert cut_pieces[piece] == GLUE.join(tokeniser.inner_forms(piece))
    for end in (SENTENCE, PASSAGE):
        assert cut_pieces[piece + end] == GLUE.join(tokeniser.forms(piece)) + end


@pytest.mark.parametrize("text", ["中文", "हिन्दी", "เขา", "سَلام"])
def test_scripts_with_their_own_marks_are_cut_alike_in_all_languages(text: str) -> None:
    assert len({tuple(forms(language, text)) for language in LANGUAGES}) == 1
    assert UNSPACED_LETTER.search(text) or forms("en", text) == [text]
