import pytest

from threadmill.page.blocks.cutting import JUSTEXT, cut
from threadmill.page.judge.justext import JusTextThresholds, judge_by_justext
from threadmill.page.judge.stop_words import languages, stop_words
from threadmill.page.parse.tree import parse

LONG = "This is a sentence that has been written for the test and it is full of what we call stop words. "
MIDDLE = "It is of a middling length, and it has some of the words that are in the list."


def classes(
    html: str, words: frozenset[str] | None = None, settings: JusTextThresholds | None = None
) -> list[str]:
    blocks = cut(parse(html).document, JUSTEXT).blocks
    return [
        str(verdict)
        for verdict, _ in judge_by_justext(blocks, words or stop_words("en"), settings or JusTextThresholds())
    ]


def test_long_text_is_good_and_links_are_bad() -> None:
    assert classes(f"<p>{LONG * 3}<p><a href=/>{LONG * 3}</a>") == ["good", "bad"]


def test_short_between_good_becomes_good_and_alone_bad() -> None:
    assert classes(f"<p>{LONG * 3}<p>short<p>{LONG * 3}") == ["good", "good", "good"]
    assert classes("<p>short<p>and short") == ["bad", "bad"]


def test_near_good_beside_good_is_good() -> None:
    assert classes(f"<p>{MIDDLE}<p>{LONG * 3}") == ["good", "good"]
    assert classes(f"<p>{MIDDLE}") == ["bad"]


def test_a_heading_over_good_text_is_good() -> None:
    assert classes(f"<h2>Head</h2><p>{LONG * 3}<h2>Foot</h2>") == ["good", "good", "bad"]
    assert classes(f"<h2>Head</h2><p>{LONG * 3}", settings=JusTextThresholds(headings=False)) == [
        "bad",
        "good",
    ]


def test_a_copyright_sign_is_bad() -> None:
    assert classes(f"<p>© {LONG * 3}") == ["bad"]


def test_without_stop_words_length_and_links_decide() -> None:
    blocks = cut(parse("<p>" + "Ünïcödë wörd " * 30).document, JUSTEXT).blocks
    assert judge_by_justext(blocks, None)[0][0] == "good"
    assert judge_by_justext(blocks, stop_words("en"))[0][0] == "bad"


def test_there_are_stop_words_for_a_hundred_languages() -> None:
    assert len(languages()) >= 100
    assert all(len(stop_words(language)) >= 10 for language in languages())


def test_every_change_of_class_says_why() -> None:
    blocks = cut(parse(f"<p>{LONG * 3}<p>short<p>{LONG * 3}").document, JUSTEXT).blocks
    assert [reason for _, reason in judge_by_justext(blocks, stop_words("en"))] == [
        "long text",
        "short; good by its neighbours",
        "long text",
    ]


def test_classes_are_those_of_justext() -> None:
    justext = pytest.importorskip("justext", reason="needs the peer: pip install '.[bench]'")
    html = "".join(
        f"<div>{'<h3>Some heading</h3>' if i % 5 == 0 else ''}<p>{LONG[: 13 * (i % 23)] * (1 + i % 3)}"
        f"{'<a href=/>' + MIDDLE[: i % 60] + '</a>' if i % 4 == 1 else ''}</p><br>loose <b>text {i}</b></div>"
        for i in range(400)
    )
    theirs = justext.justext(html, justext.get_stoplist("English"))
    blocks = cut(parse(html).document, JUSTEXT).blocks
    ours = judge_by_justext(blocks, stop_words("en"))
    named = {"neargood": "near-good"}
    assert [(block.text, str(verdict)) for block, (verdict, _) in zip(blocks, ours, strict=True)] == [
        (" ".join(p.text.split()), named.get(p.class_type, p.class_type)) for p in theirs if p.text
    ]
