from threadmill.corpus.build.documents import CutPassage, Document
from threadmill.corpus.text.delimited_text import GLUE, JOINED, to_text
from threadmill.corpus.text.sentences import SentenceSplitter
from threadmill.corpus.text.syllables import SyllableJoiner, joiner, runs
from threadmill.corpus.vertical import Writer, dialect

TEXT = "Hà Nội là thủ đô của Việt Nam. Công ty (trụ sở chính) hoạt động từ năm 1995."


def test_the_syllables_of_a_vietnamese_word_are_one_token() -> None:
    first, second = SentenceSplitter("vi").forms(TEXT)
    assert first == ["Hà Nội", " là", " thủ đô", " của", " Việt Nam", "."]
    assert second[:5] == [" Công ty", " (", "trụ sở", " chính", ")"]


def test_the_text_of_joined_syllables_has_its_spaces() -> None:
    splitter = SentenceSplitter("vi-VN")
    assert to_text(splitter.cut(TEXT)) == TEXT
    assert "".join(splitter.sentences(TEXT)) == TEXT


def test_other_languages_keep_their_spaces() -> None:
    assert joiner("en") is None
    assert SentenceSplitter("en").forms("Viet Nam") == [["Viet", " Nam"]]


def test_a_vertical_line_has_a_space_inside_a_word() -> None:
    passage = CutPassage(SentenceSplitter("vi").cut(TEXT))
    assert passage.sentences[0][0].form == "Hà Nội"
    assert passage.length == sum(map(len, passage.sentences))
    lines = Writer(dialect("sketch")).write(Document((("lang", "vi"),), children=(passage,)))
    assert "\nHà Nội\nlà\nthủ đô\n" in lines
    assert JOINED not in lines


def test_the_weights_decide_at_each_space() -> None:
    weights = {"n1210": 1, "n0112": -1}  # a listed word ends here; one goes across
    assert SyllableJoiner(["a b"], weights).join("a b c") == f"a{JOINED}b c"


def test_runs_are_letters_between_spaces_and_count_the_tokens_before_them() -> None:
    assert list(runs(f"x1 a b{GLUE}, c d")) == [(2, ["a", "b"]), (5, ["c", "d"])]
