from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.errors import HookError
from threadmill.page.clean import clean
from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings, Favour
from threadmill.page.judge.user_hooks import keep_wikipedia_links
from threadmill.types import Page

SENTENCE = (
    "On the morning of the third day the wind turned, and the ships that had waited in the bay for a week "
    "could leave at last. "
)
PAGE = f"""<!doctype html><html lang=en><head><title>Ships leave the bay - The Harbour Times</title>
<meta property="og:site_name" content="The Harbour Times"><meta name=author content="Ada Berg">
<link rel=canonical href="/news/ships"></head><body>
<nav class=menu><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/sport>Sport</a></ul></nav>
<main><article class=post-content><h1>Ships leave the bay</h1><p>{SENTENCE * 3}</p>
<p>{SENTENCE * 2} See <a href="https://en.wikipedia.org/wiki/Ship">ship</a>.</p>
<p>{SENTENCE * 3} Nobody waved.</p></article></main>
<aside class=related><h3>Related</h3><a href=/a>Storm warning for the coast</a></aside>
<footer class=footer><p>Copyright 2026 The Harbour Times. <a href=/terms>Terms of use</a></p></footer>
</body></html>"""


def read(html: str | bytes = PAGE, **options: object) -> Page:
    return clean(html, "https://harbour.example/news/ships", replace(CleanSettings(), **options))  # type: ignore[arg-type]


def test_the_article_stays_and_the_framing_goes() -> None:
    text = read().text
    assert text.count("the wind turned") == 8
    assert all(word not in text for word in ("Sport", "Storm warning", "Terms of use"))


def test_every_paragraph_has_a_class_and_a_reason() -> None:
    paragraphs = read().paragraphs
    assert {str(p.verdict) for p in paragraphs} == {"good", "bad"}
    assert all(p.reason for p in paragraphs)


def test_language_and_metadata_are_told() -> None:
    page = read()
    assert (page.language, page.language_confidence > 0.5) == ("en", True)
    assert page.metadata.site_name == "The Harbour Times"
    assert page.metadata.author == "Ada Berg"
    assert page.metadata.canonical_url == "https://harbour.example/news/ships"
    assert page.metadata.sources["author"] == "meta author"


def test_a_paragraph_in_another_language_says_so() -> None:
    czech = (
        "Ráno třetího dne se vítr otočil a lodě, které týden čekaly v zálivu, mohly konečně odplout na moře."
    )
    page = read(PAGE.replace("</article>", f"<p>{czech}</p></article>"))
    assert [p.language for p in page.paragraphs if p.text == czech] == ["cs"]
    assert page.language == "en"


@pytest.mark.parametrize("favour", Favour)
def test_the_dial_moves_in_its_direction(favour: Favour) -> None:
    balance = {p.path + p.text for p in read().paragraphs if p.verdict == "good"}
    kept = {p.path + p.text for p in read(favour=favour).paragraphs if p.verdict == "good"}
    assert kept <= balance if favour is Favour.PRECISION else kept >= balance


def test_everything_is_kept_when_asked() -> None:
    page = read(method=CleanMethod.EVERYTHING)
    assert all(p.verdict == "good" for p in page.paragraphs)
    assert "Terms of use" in page.text


def test_justext_judges_when_asked() -> None:
    page = read(method=CleanMethod.JUSTEXT)
    assert "long text" in {p.reason for p in page.paragraphs}
    assert read(method=CleanMethod.JUSTEXT, stop_words="none").text


def test_hidden_text_is_left_out_with_that_reason() -> None:
    page = read(
        PAGE.replace(
            "</article>", "<p style='display:none'>Secret words that nobody sees here.</p></article>"
        )
    )
    assert "Secret" not in page.text
    assert [p.reason for p in page.paragraphs if "Secret" in p.text] == ["hidden by its style attribute"]


def test_a_page_that_shows_itself_by_script_is_read() -> None:
    page = read(
        PAGE.replace("<main>", "<div id=app style='display:none'><main>").replace("</main>", "</main></div>")
    )
    assert "the wind turned" in page.text


def test_the_hook_sees_links_and_has_the_last_word() -> None:
    linked = (
        '<footer><p>More at <a href="https://de.wikipedia.org/wiki/Schiff">Wikipedia</a></p></footer></body>'
    )
    page = clean(PAGE.replace("</body>", linked), hook=keep_wikipedia_links)
    [kept] = [p for p in page.paragraphs if p.text == "More at Wikipedia"]
    assert (kept.verdict, kept.html) == (
        "good",
        '<p>More at <a href="https://de.wikipedia.org/wiki/Schiff">Wikipedia</a></p>',
    )


def test_a_failing_hook_is_told_as_such() -> None:
    with pytest.raises(HookError, match="the hook failed with ZeroDivisionError"):
        clean(PAGE, hook=lambda text, verdict, _: (verdict, text[: 1 // 0]))
    with pytest.raises(HookError, match=r"gave \('fine', .* expected is a class \(good, bad"):
        clean(PAGE, hook=lambda text, _, __: ("fine", text))
    with pytest.raises(HookError, match="gave None"):
        clean(PAGE, hook=lambda *_: None)  # type: ignore[arg-type]


def test_a_hook_may_change_the_text() -> None:
    page = clean(PAGE, hook=lambda text, verdict, _: (verdict, text.upper()))
    assert "THE WIND TURNED" in page.text


def is_copyright(text: str, path: str) -> bool:
    return text.startswith("Copyright")


def test_known_framing_of_the_site_counts_against_a_paragraph() -> None:
    paragraphs = clean(PAGE, framing=is_copyright).paragraphs
    reasons = [p.reason for p in paragraphs if p.text.startswith("Copyright")]
    assert reasons[0].startswith("framing of the site")


@pytest.mark.parametrize(
    "html", ["", " ", "<p>", "\0", b"", b"\xff\xfe", "<html><body></body></html>", "word"]
)
def test_next_to_nothing_is_read_without_complaint(html: str | bytes) -> None:
    assert isinstance(clean(html).text, str)


PIECES = (
    "<p> </p> <div class=x> </div> <a href=/> </a> <br> <pre> <td> <table> <b> </b> <!-- --> <h1> <li> <ul> "
    "<svg> <template> <script> </script> <style> p{display:none} </style> <img src=a> & &amp; &#0; \ud800 "
    "\0 < > word слово 漢字 <noscript> <a> <select> <option> <title> <button hidden>"
)
MARKUP = st.lists(
    st.sampled_from(PIECES.split(" ")) | st.text(max_size=20),
    max_size=60,
).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(MARKUP)
def test_no_markup_raises_in_any_method(html: str) -> None:
    for method in CleanMethod:
        page = clean(html, "http://[", CleanSettings(method=method))
        for paragraph in page.paragraphs:
            for link in paragraph.links:
                assert 0 <= link.start <= link.end <= len(paragraph.text)
                assert link.kind == "image" or paragraph.text[link.start : link.end] == link.text


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_no_bytes_raise(body: bytes) -> None:
    clean(body)
