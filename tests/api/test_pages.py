from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from threadmill.api.pages import clean, clean_pages, learn_template
from threadmill.errors import HookError, NothingFoundError, UsageError
from threadmill.page.clean import CleanedPage, CleanFailure, PageInput
from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings
from threadmill.template import pack_template
from threadmill.types import ParagraphClass

PROSE = "The tide was late at the pier today, and nobody at the harbour knew why. " * 6
MENU = "<ul class=menu><li><a href=/>Start page</a></li><li><a href=/map>Map of the harbour</a></li></ul>"
SITE = [f"{MENU}<h1>Log {n}</h1><p>Entry {n}: wind {n}.</p>".encode() for n in range(12)]


def test_bytes_are_decoded_by_the_header_that_came_with_them() -> None:
    page = clean(f"<p>{PROSE}Žluťoučký kůň".encode("cp1250"), content_type="text/html; charset=windows-1250")
    assert page.text.endswith("Žluťoučký kůň")


def test_links_are_relative_to_the_url() -> None:
    page = clean(f"<p>{PROSE}<a href=map>map</a>", "https://example.org/harbour/log")
    assert page.url == "https://example.org/harbour/log"
    assert page.paragraphs[0].links[0].url == "https://example.org/harbour/map"


def test_settings_choose_the_method() -> None:
    everything = CleanSettings(method=CleanMethod.EVERYTHING)
    assert clean(SITE[0], settings=everything).text.startswith("Start page")


def test_a_hook_has_the_last_word() -> None:
    assert clean(f"<p>{PROSE}", hook=lambda text, *_: ("good", text.upper())).text.isupper()


def test_a_failing_hook_is_told() -> None:
    with pytest.raises(HookError):
        clean(f"<p>{PROSE}", hook=lambda text, *_: ("nonsense", text))


def test_a_template_turns_framing_into_bad_paragraphs() -> None:
    template = learn_template(SITE)
    page = clean(SITE[3], "https://example.org/3", template=template)
    framing = [p for p in page.paragraphs if p.reason.startswith("framing of the site")]
    assert [paragraph.text for paragraph in framing] == ["Start page", "Map of the harbour"]
    assert {paragraph.verdict for paragraph in framing} == {ParagraphClass.BAD}


def test_many_pages_are_cleaned_as_each_alone() -> None:
    template = learn_template(SITE)
    results = list(clean_pages(SITE, template=template))
    for html, result in zip(SITE, results, strict=True):
        assert isinstance(result, CleanedPage)
        assert result.page.paragraphs == clean(html, template=template).paragraphs
        assert result.source.html is html


def test_a_source_brings_its_url_and_what_the_caller_knows_it_by() -> None:
    source = PageInput(f"<p>{PROSE}", "https://example.org/1", origin=7)
    [result] = clean_pages([source])
    assert isinstance(result, CleanedPage)
    assert result.page.url == "https://example.org/1"
    assert result.source.origin == 7


def test_a_page_that_cannot_be_read_loses_no_other() -> None:
    def refuse(text: str, verdict: str, html: str) -> tuple[str, str]:
        return ("nonsense" if "Bad" in text else verdict), text

    results = list(clean_pages(["<p>Good.", "<p>Bad.", "<p>Good again."], hook=refuse))
    assert [type(result) for result in results] == [CleanedPage, CleanFailure, CleanedPage]
    failed = results[1]
    assert isinstance(failed, CleanFailure)
    assert isinstance(failed.error, HookError)


def test_pages_are_taken_as_they_are_needed() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield f"<p>{PROSE}"

    next(clean_pages(endless()))
    assert taken < 100


def test_a_template_counts_the_pages_it_was_learnt_from() -> None:
    assert learn_template(SITE).pages == 12


def test_method_and_favour_are_short_for_fields_of_the_settings() -> None:
    short = clean(SITE[0], method="everything", favour="recall")
    assert short.text == clean(SITE[0], settings=CleanSettings(CleanMethod.EVERYTHING)).text
    assert short.text != clean(SITE[0]).text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"favour": "speed"}, "expected one of balance, precision, recall"),
        ({"method": "magic"}, "expected one of default, justext, everything"),
        ({"settings": {"method": "justext"}}, "expected settings as threadmill.CleanSettings, not dict"),
    ],
)
def test_wrong_settings_are_told_in_one_sentence(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        clean(SITE[0], **arguments)


def test_a_template_is_learnt_from_texts_as_from_bytes() -> None:
    # What a page says about its encoding no longer counts once it is text.
    head = '<meta charset="windows-1250"><ul class=menu><li><a href=/>Přístav</a></ul>'
    texts = [f"{head}<h1>Log {n}</h1><p>Entry {n}: wind {n}.</p>" for n in range(12)]
    for pages in (texts, (text for text in texts)):
        page = clean(texts[3], "https://example.org/3", template=learn_template(pages))
        framing = [p for p in page.paragraphs if p.reason.startswith("framing of the site")]
        assert [paragraph.text for paragraph in framing] == ["Přístav"]


def test_a_template_may_be_the_name_of_its_file(tmp_path: Path) -> None:
    template, file = learn_template(SITE), tmp_path / "site.template"
    file.write_bytes(pack_template(template))
    known = clean(SITE[3], template=template).paragraphs
    assert known != clean(SITE[3]).paragraphs
    for name in (file, str(file)):
        assert clean(SITE[3], template=name).paragraphs == known
        [result] = clean_pages([SITE[3]], template=name)
        assert isinstance(result, CleanedPage)
        assert result.page.paragraphs == known


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("nowhere.template", "cannot read the template nowhere.template: No such file"),
        (__file__, "is not a template of this version"),
        (5, "expected a template of learn_template, or the name of a file .*, not int"),
    ],
)
def test_what_is_no_template_is_told(template: Any, message: str) -> None:
    with pytest.raises((NothingFoundError, UsageError), match=message):
        clean(SITE[0], template=template)


@pytest.mark.parametrize("pages", [None, "<p>One page.", 5])
def test_what_is_not_many_pages_is_told(pages: Any) -> None:
    message = f"expected an iterable of pages, such as a list, not {type(pages).__name__}"
    with pytest.raises(UsageError, match=message):
        clean_pages(pages)
    with pytest.raises(UsageError, match=message):
        learn_template(pages)


def test_what_is_no_page_among_many_is_told() -> None:
    message = "expected a page as str or bytes, not NoneType"
    with pytest.raises(UsageError, match=message):
        list(clean_pages(["<p>One.", None]))  # type: ignore[list-item]
    with pytest.raises(UsageError, match=message):
        learn_template([*SITE, None])  # type: ignore[list-item]


def test_what_is_no_page_is_told() -> None:
    with pytest.raises(UsageError, match="expected a page as str or bytes, not int"):
        clean(5)  # type: ignore[arg-type]
