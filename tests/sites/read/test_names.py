from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from threadmill.sites.read.names import _is_phrase, find_names, fold_name, is_latin, sounds_of
from threadmill.sites.read.site_page import SitePage, read_page
from threadmill.types import Capture


def page(html: str, title: str = "") -> SitePage:
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    body = f"<html><head><title>{title}</title></head><body>{html}</body></html>".encode()
    return read_page(Capture("http://a.test/", datetime(2026, 1, 1, tzinfo=UTC), 200, headers, body))


def names(*pages: SitePage, labels: tuple[str, ...] = (), places: tuple[str, ...] = ()) -> set[str]:
    return {fact.value for fact in find_names(pages, labels, places) if fact.kind == "name"}


def titles(*pages: SitePage) -> set[str]:
    return {fact.value for fact in find_names(pages) if fact.kind == "title"}


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Kern Bäckerei GmbH & Co. KG", "kern backerei"),
        ("Kern s.r.o.", "kern"),
        ("Huber Ltd. 2019", "huber"),
        ("Home", ""),
        ("About Kern", "kern"),
        ("Abc", ""),
        ("Abcd", "abcd"),
        ("12345 67", ""),
        ("one two three four five six seven", "one two three four five six seven"),
        ("one two three four five six seven eight", ""),
        ("", ""),
    ],
)
def test_a_name_is_folded_to_its_own_words(text: str, folded: str) -> None:
    assert fold_name(text) == folded


@pytest.mark.parametrize(
    "html",
    [
        '<meta property="og:site_name" content="Kern Mill">',
        '<meta name="application-name" content="Kern Mill">',
        '<meta name="apple-mobile-web-app-title" content="Kern Mill">',
        '<meta name="copyright" content="Kern Mill GmbH"><h1>Kern Mill</h1>',
        "<h1>Kern Mill</h1><p>© 2015-2024 Kern Mill. All rights reserved.</p>",
        "<p>(c) 2020 by Kern Mill Ltd, Linz</p>",
        '<script type="application/ld+json">{"@type": "Organization", "name": "Kern Mill"}</script>',
        '<script type=application/ld+json>{"@type": ["X", "LocalBusiness"], "name": "Kern Mill"}</script>',
    ],
)
def test_a_site_names_itself_in_many_places(html: str) -> None:
    assert names(page(html)) == {"kern mill"}


@pytest.mark.parametrize(
    "html",
    [
        '<script type="application/ld+json">{"@type": "Product", "name": "Kern Mill"}</script>',
        '<script type="application/ld+json">{"@type": "Organization", "name": 5}</script>',
        '<script type="application/ld+json">{"name": "Kern Mill"}</script>',
        '<meta name="description" content="Kern Mill">',
    ],
)
def test_other_data_are_no_names(html: str) -> None:
    assert names(page(html)) == set()


def test_an_author_is_the_site_only_where_the_title_has_the_name() -> None:
    author = '<meta name="author" content="Kern Mill">'
    assert names(page(author, "Nordlicht Design")) == set()
    assert names(page(author, "Bread of the old Kern")) == set()
    assert "kern mill" in names(page(author, "Bread of Kern Mill"))
    assert "kern mill" in names(page(author, "Bread"), labels=("kernmill",))


def test_a_part_that_two_titles_share_may_be_a_name() -> None:
    first, second = (
        page("", "Bread by hand today | Kern Mill | Linz at night"),
        page("", "Contact us now - Kern Mill"),
    )
    assert "kern mill" in titles(first, second)
    assert "kern mill" in titles(first, page("", "Kern Mill: our team"))


def test_of_one_title_the_first_last_and_shortest_parts_may_be_names() -> None:
    found = titles(page("", "Finest bread in town – Kern – Rolls and cakes – Order online with us"))
    assert found == {fold_name("Finest bread in town"), "kern", fold_name("Order online with us")}
    assert fold_name("Rolls and cakes") not in found


def test_a_part_of_a_title_is_a_name_if_a_domain_or_a_profile_says_the_same() -> None:
    home = page("", "Kern Mill - the best bread - Maastricht")
    assert names(home) == set()
    assert names(home, labels=("kern-mill",)) == {"kern mill"}
    assert names(home, labels=("kernmillnl",)) == {"kern mill"}
    assert names(home, labels=("bakery-of-maastricht",)) == set()


def test_the_only_part_of_all_titles_is_a_name() -> None:
    pages = [page("", f"{part} | Kern Mill") for part in ("Bread", "Rolls", "Team of bakers")]
    assert names(*pages) == {"kern mill"}
    assert names(*pages[:2]) == set()
    assert names(*[page("", "Kern Mill")] * 3) == {"kern mill"}
    slogan = [page("", f"{part} | Kern Mill | Better bread") for part in ("Bread", "Rolls", "Team of bakers")]
    assert names(*slogan) == set()


def test_the_town_of_an_address_is_no_name() -> None:
    stated = page("<p>© 2024 Debrecen</p>", "Debrecen")
    assert names(stated) == {"debrecen"}
    assert names(stated, places=("debrecen",)) == set()


def test_a_link_beside_the_copyright_sign_is_no_name() -> None:
    assert names(page("<p>© 2024 - <a href=/form>Secure Form</a></p>")) == set()
    assert names(page("<p>© 2024 - <a href=/>Kern Mill</a></p>")) == {"kern mill"}


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<h1>Kern Mill</h1><p>© 2019 Kern Mill - Tous droits réservés</p>", "Kern Mill"),
        ("<p>© 2019 HR BEMO Sp. z o.o.</p>", "HR BEMO"),
        ("<p>© 2020 Copyright by Kern, Linz</p>", "Kern"),
        ("<p>Copyright(c) 2001, 2005 Kern Mill Ltd 2012</p>", "Kern Mill Ltd"),
        ("<p>© 2006—2014 «Живая мельница» ООО</p>", "Живая мельница"),
        ('<meta property="og:site_name" content="D.A. Film">', "D.A. Film"),
    ],
)
def test_a_name_is_kept_as_it_is_written(html: str, written: str) -> None:
    assert [fact.written for fact in find_names([page(html)])] == [written]


@pytest.mark.parametrize(
    ("foreign", "latin"),
    [
        ("إمبابي بلاست", "Embaby Plast"),
        ("Технопласт инженеринг", "Tehnoplast inženering"),
        ("Παπαδόπουλος", "Papadopoulos"),
        ("קפה גרג", "Cafe Greg"),
        ("トヨタ", "Toyota"),
        ("华为", "Huawei"),
        ("Вагнер", "Wagner"),
        ("삼성전자", "Samsung Jeonja"),
        ("Шевченко", "Shevchenko"),
        ("Цветметалл", "Cvetmetall"),
    ],
)
def test_a_name_in_another_script_sounds_the_same(foreign: str, latin: str) -> None:
    assert sounds_of(fold_name(foreign)) & sounds_of(fold_name(latin))
    assert not is_latin(fold_name(foreign))
    assert is_latin(fold_name(latin))


@pytest.mark.parametrize(("one", "other"), [("Москва", "Minsk"), ("Логос", "Lagos Hotel"), ("Кран", "Korn")])
def test_other_names_sound_different(one: str, other: str) -> None:
    assert not sounds_of(fold_name(one)) & sounds_of(fold_name(other))


def test_a_site_without_titles_has_no_names() -> None:
    assert names() == set()
    assert names(page("<p>Bread</p>")) == set()


def test_a_person_in_the_copyright_line_needs_a_second_sign() -> None:
    line = "<p>© 2024 Anna Huber</p>"
    assert names(page(f"<p>Bread and rolls</p>{line}")) == set()
    assert names(page(f"<title>Anna Huber</title>{line}")) == {"anna huber"}
    assert names(page(f"<p>Anna Huber has baked since 1990.</p>{line}")) == {"anna huber"}
    assert names(page("<p>© 2024 Anna Huber GmbH</p>")) == {"anna huber"}


def test_words_of_a_copyright_line_are_a_name_with_a_legal_form_or_a_second_sign() -> None:
    line = "<p>© 2024 Mühle am Bach</p>"
    assert names(page(line)) == set()
    assert titles(page(line)) == {"muhle am bach"}
    assert names(page(line, "Bread | Mühle am Bach")) == {"muhle am bach"}
    assert names(page(line), labels=("muehle", "muhleambach")) == {"muhle am bach"}
    assert names(page("<p>© 2024 Mühle am Bach GmbH</p>")) == {"muhle am bach"}


@pytest.mark.parametrize(
    "line",
    [
        "Powered by Boardmill 4.2<br>Copyright © 2015 Boardmill Solutions Inc.",
        "Search by Linkmill 3.6.0 ©2011, Linkmill Inc.",
        "Powered by Boardmill © 2001, 2005 Boardmill Group",
        "All brands are copyrights of their respective owners",
        "Copyright Notice",
        "© 2024, All Rights Reserved - Developed and Designed by Pixel",
        "© 2015 - Réalisé par la société Pixel",
        "© 2015 Réalisé en collaboration avec Pixel",
        "© 2013 Ďalšie naše projekty",
        "Copyright 2022<br>Footer Navigation",
    ],
)
def test_makers_programs_and_phrases_in_a_copyright_line_are_nothing(line: str) -> None:
    lines = "".join(f"<p>{part}</p>" for part in line.split("<br>"))
    assert not names(page(lines)) | titles(page(lines)) - {""}


def test_of_a_copyright_line_the_part_with_a_second_sign_is_the_name() -> None:
    line = "<p>Copyright 2015, All the right reserved by Kernmill</p>"
    assert [fact.written for fact in find_names([page(line)], ("kernmill",))] == ["Kernmill"]


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("© Kern Mill Limited Quay House, Bath", "Kern Mill Limited"),
        ("© Kern Systems B.V. 1999", "Kern Systems"),
        ("© 2024 Kern Services Inc.", "Kern Services Inc"),
        ("© 2024 Kern BV Kern is a trademark of Kern BV", "Kern BV"),
        ("© 2024 Kern GmbH & Co. KG", "Kern GmbH & Co"),
        ("© ℗ 2012-2021 Kern Sp. z o.o.", "Kern"),
        ("Copyright @ 2023 Kern Mill Ltd", "Kern Mill Ltd"),
    ],
)
def test_a_name_in_a_copyright_line_ends_with_its_legal_form(line: str, written: str) -> None:
    assert [fact.written for fact in find_names([page(f"<p>{line}</p>")])] == [written]


def test_a_firm_that_the_copyright_line_links_to_is_a_maker() -> None:
    line = "<p>Store by <a href=https://pixel.test/>Pixel Media Inc.</a></p><p>© 2014 Pixel Media Inc.</p>"
    assert names(page(line)) == set()
    assert names(page(line), labels=("pixel",)) == {"pixel media"}


def test_of_several_owners_of_copyright_each_needs_a_second_sign() -> None:
    lines = "<p>© 2014 Boardmill Inc.</p><p>© 2015 Kern Mill Ltd.</p>"
    assert not names(page(lines))
    assert names(page(lines, "Kern Mill")) == {"kern mill"}


def test_a_welcome_is_no_part_of_a_name() -> None:
    [fact] = find_names([page("", "Welcome to Kernmill")], ("kernmill",))
    assert (fact.kind, fact.written) == ("name", "Kernmill")


def test_a_short_title_that_the_title_repeats_is_that_of_the_page() -> None:
    short = "<meta name=apple-mobile-web-app-title content='Conferences in Rome'>"
    assert not names(page(short, "Conferences in Rome 2026 | Kern"))
    assert names(page(short, "Kern")) == {"conferences in rome"}


def test_an_author_or_a_maker_in_structured_data_is_not_the_site() -> None:
    data = '{"@type": "Product", "brand": {"@type": "Organization", "name": "Kern Mill"}}'
    assert not names(page(f"<script type=application/ld+json>{data}</script>"))


def test_metadata_that_a_template_left_unfilled_are_no_name() -> None:
    assert not names(page("<meta property=og:site_name content='{$opengraph.site_name}'>"))


def test_metadata_name_a_part_of_the_site_where_a_title_has_the_name_of_the_domain() -> None:
    head = "<meta property=og:site_name content='Loans for you'>"
    assert names(page(head, "Interest rates | Kernbank"), labels=("kernbank",)) == {"kernbank"}


def test_a_person_of_structured_data_is_the_site_only_by_its_domain() -> None:
    data = '<script type="application/ld+json">{"@type": "Person", "name": "Anna Huber"}</script>'
    assert {f.value for f in find_names([page(data)], ("annahuber",)) if f.kind == "name"} == {"anna huber"}
    assert not [f for f in find_names([page(data)], (), (), ("annahuber",)) if f.kind == "name"]


def test_metadata_with_several_parts_are_a_title_unless_a_domain_is_called_so() -> None:
    meta = "<meta property=og:site_name content='{}'>"
    assert names(page(meta.format("Party Goods - Free Shipping"))) == set()
    assert titles(page(meta.format("Party Goods - Free Shipping"))) == {"party goods free shipping"}
    assert names(page(meta.format("Kern - Free Shipping")), labels=("kern",)) == {"kern"}
    assert names(page(meta.format("Mykonos, Cyclades, Greece"))) == set()


def test_who_made_the_site_is_not_named_by_its_copyright_line() -> None:
    line = "<p>© 2019 Powered by Leonardo Toni</p><p>Design by Leonardo Toni</p>"
    assert names(page(line)) == set()
    assert titles(page("<p>© 2024 Mühle am Bach powered by Pixel Studio</p>")) == {"muhle am bach"}


def test_a_copyright_in_the_metadata_needs_a_second_sign() -> None:
    meta = "<meta name=copyright content='Kern Mill'>"
    assert names(page(f"{meta}<p>Bread and rolls</p>")) == set()
    assert names(page(f"{meta}<h1>Kern Mill</h1>")) == {"kern mill"}


def test_words_for_the_home_page_are_no_title() -> None:
    for title in ("Hlavní stránka", "Главная страница", "Αρχική σελίδα", "首页"):
        assert {fact.value for fact in find_names([page(f"<title>{title}</title>")])} <= {""}


def test_a_licence_a_preposition_and_a_trade_mark_are_no_part_of_a_name() -> None:
    for written in ("© 2024 Kern Mill Ltd CC BY-SA 4.0", "© Copyright of Kern Mill Limited 2011"):
        [fact] = [f for f in find_names([page(f"<p>Bread</p><p>{written}</p>")]) if f.kind == "name"]
        assert (fact.value, fact.written.startswith("Kern Mill")) == ("kern mill", True)
    society = page("<p>We are the Kern Society.</p><p>Copyright (C) The Kern Society (2001)</p>")
    assert [fact.written for fact in find_names([society])] == ["The Kern Society"]
    assert names(page("<p>Bread</p><p>© KernTM 2026</p>", "Bread - Kern")) == {"kern"}


def test_the_writer_of_an_article_is_not_the_site() -> None:
    html = "<meta name=author content='Ann Kern'>"
    home = page(html, "Ann Kern")
    assert names(home) == {"ann kern"}
    assert not names(replace(home, url="http://a.test/news/1", title="Lower taxes - Ann Kern"))


def test_words_of_a_title_are_told_as_they_stand_there() -> None:
    [fact] = find_names([page("", "Best bread in 2025")])
    assert fact.written == "Best bread in 2025"


def test_a_name_with_a_comma_is_not_cut() -> None:
    text = "Ministry of Europe, Integration and Trade"
    assert [fact.written for fact in find_names([page(f"<p>Peace</p><p>© 2018 {text}</p>")])] == [text]


def test_a_step_of_the_path_to_a_page_is_no_name() -> None:
    data = '{"@type": "BreadcrumbList", "itemListElement": [{"item": {"name": "Kern Home"}}]}'
    assert not names(page(f"<script type='application/ld+json'>{data}</script>"), labels=("kern",))


def test_what_stands_behind_a_year_or_sticks_to_a_name_is_no_part_of_it() -> None:
    for line in ("© Kern Mill 2026 Sitemap Legal Privacy", "© 2026 Kern MillAll rights reserved"):
        site = page(f"<p>Bread</p><p>{line}</p>", "Kern Mill")
        assert {fact.written for fact in find_names([site])} == {"Kern Mill"}


@pytest.mark.parametrize(
    ("words", "is_phrase"),
    [
        ("Kern Mill", False),
        ("Kern Mill and Bread", False),
        ("Kern mill bread", True),  # half of it at least begins small
        ("Kern Mill and more Bread", False),
        ("Kern and more Bread", True),
        ("Mill and", False),  # one small word is not enough
        ("Bread is Good", True),
        ("Is Bread Good", False),
    ],
)
def test_small_words_and_verbs_make_a_phrase(words: str, is_phrase: bool) -> None:
    assert _is_phrase(words) is is_phrase
