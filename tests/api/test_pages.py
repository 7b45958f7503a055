from collections.abc import Iterator
from typing import Any

import pytest

from threadmill.api.pages import clean, clean_pages, learn_template
from threadmill.errors import HookError, UsageError
from threadmill.page.clean import CleanedPage, CleanFailure, PageInput
from threadmill.page.judge.clean_settings import CleanMethod, CleanSettings
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


def test_what_is_no_page_is_told() -> None:
    with pytest.raises(UsageError, match="expected a page as str or bytes, not int"):
        clean(5)  # type: ignore[arg-type]
