from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.sites_data import data_folder
from threadmill.sites.compare import compare_read_sites
from threadmill.sites.decide.score_pairs import DEFAULT_BORDER
from threadmill.sites.decide.vocabulary import load_vocabulary
from threadmill.sites.model import CollectedSite, ReadOutcome
from threadmill.sites.read.placeholder import judge_home
from threadmill.sites.read.read_site import read_site
from threadmill.sites.read.site_page import read_page
from threadmill.types import Capture

_CASES = Path(__file__).parents[1] / "cases"
_AT = datetime(2026, 1, 1, tzinfo=UTC)
_FIRM = (
    "We are a family bakery with three shops. Every morning our bakers make bread, rolls and cakes by hand "
    "with flour from the mill next door. Since 1924 our family has served the people of the valley; today "
    "Anna and Karl lead the firm with twenty people. Come and see us in the market square, or order by "
    "telephone before noon for the next day, and we bring bread to your door from Monday to Saturday."
)


def judge(html: str) -> ReadOutcome:
    return judge_home(
        read_page(Capture("http://a.test/", _AT, 200, (("Content-Type", "text/html"),), html.encode()))
    )[0]


@pytest.mark.parametrize(
    "text",
    [
        "Welcome to nginx! If you see this page, the nginx web server is successfully installed.",
        "Diese Domain steht zum Verkauf. Jetzt kaufen!",
        "Ce nom de domaine est à vendre",
        "Ta domena jest na sprzedaż",
        "Домен припаркован",
        "Hier entsteht eine neue Internetpräsenz",
        "Hello world! Welcome to WordPress. This is your first post.",
        "Coming soon",
        "Sito in costruzione",
        "該域名出售 该域名",
    ],
)
def test_placeholders_in_many_languages_are_told(text: str) -> None:
    assert judge(f"<title>x</title><p>{text}</p>") is ReadOutcome.PARKED


def test_a_firm_is_no_placeholder_even_when_a_part_of_it_is_coming_soon() -> None:
    assert judge(f"<title>Bakery</title><p>{_FIRM}</p><p>Our new shop: coming soon!</p>") is ReadOutcome.OK


def test_a_shell_that_scripts_fill_is_told_from_an_empty_page() -> None:
    assert judge("<title>x</title><div id=root></div><script src=a.js></script>") is ReadOutcome.SCRIPT_ONLY
    assert judge("<title>x</title>") is ReadOutcome.EMPTY


def read_case(name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((_CASES / f"{name}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", ["placeholders", "placeholders_later"])
def test_hand_made_placeholders_of_many_kinds_and_languages_are_kept_out(name: str) -> None:
    missed = [kind for kind, html in read_case(name).items() if judge(html) is ReadOutcome.OK]
    # Of the first 96 the patterns told 66 when they were new, of the next 40 then 31; both were mended after.
    assert len(missed) <= 1, missed


def test_no_two_placeholders_are_taken_for_one_company() -> None:
    sites = []
    for kind, html in (read_case("placeholders") | read_case("placeholders_later")).items():
        url = f"http://{kind}.test/"
        page = Capture(url, _AT, 200, (("Content-Type", "text/html"),), html.encode())
        sites.append(read_site(CollectedSite(url, (page,))))
    assert compare_read_sites(sites, load_vocabulary()).over(DEFAULT_BORDER) == ()


def test_a_small_firm_that_speaks_of_websites_is_no_placeholder() -> None:
    texts = [
        "Malermeister Horn. Wir streichen innen und außen, schnell und sauber. Telefon 0421 7780912.",
        "Studio Web Rossi: realizziamo siti e loghi per piccole imprese a Torino. Chiamaci al 011 7689123.",
        "Café Lund. Open every day from eight to six. Fresh buns, strong coffee, garden at the back.",
    ]
    assert [judge(f"<title>x</title><p>{text}</p>") for text in texts] == [ReadOutcome.OK] * 3


def test_no_default_page_of_real_domains_is_taken_for_a_site() -> None:
    data = data_folder()
    if data is None:
        pytest.skip("the collection of home pages is not here (THREADMILL_SHARED)")
    for file in sorted((data / "home-pages").glob("*.gz")):
        html = gzip.decompress(file.read_bytes()).decode("utf-8", "replace")
        if any(
            mark in html
            for mark in ("Welcome to nginx!", "This website is for sale", "This is your first post")
        ):
            assert judge(html) is not ReadOutcome.OK, file.name


WORDS = "bakers make fresh bread rolls cakes every single morning with flour from mill next door since then "


def text_of(words: int) -> str:
    return " ".join((WORDS * 20).split()[:words])


@pytest.mark.parametrize(("words", "outcome"), [(59, ReadOutcome.PARKED), (60, ReadOutcome.OK)])
def test_a_weak_phrase_counts_on_a_page_of_fewer_than_sixty_words(words: int, outcome: ReadOutcome) -> None:
    assert judge(f"<title>x</title><p>Coming soon</p><p>{text_of(words - 2)}</p>") is outcome


@pytest.mark.parametrize(("words", "outcome"), [(249, ReadOutcome.PARKED), (250, ReadOutcome.OK)])
def test_a_sure_phrase_counts_on_a_page_of_fewer_than_250_words(words: int, outcome: ReadOutcome) -> None:
    assert judge(f"<title>x</title><p>Buy this domain</p><p>{text_of(words - 3)}</p>") is outcome


def test_a_sure_phrase_in_the_title_counts_on_any_page() -> None:
    assert judge(f"<title>Buy this domain</title><p>{text_of(300)}</p>") is ReadOutcome.PARKED


def test_a_phrase_late_on_a_page_does_not_count() -> None:
    late = "breadcrumbs " * 125
    assert judge(f"<title>x</title><p>{late}</p><p>Buy this domain</p>") is ReadOutcome.OK
    assert judge(f"<title>x</title><p>{late[:1200]}</p><p>Buy this domain</p>") is ReadOutcome.PARKED


def reason(html: str) -> str:
    return judge_home(
        read_page(Capture("http://a.test/", _AT, 200, (("Content-Type", "text/html"),), html.encode()))
    )[1]


def test_the_reason_quotes_what_told() -> None:
    assert reason("<title>x</title><p>Please buy this domain now.") == "says 'buy this domain'"
    assert reason("<title>x</title><p>Coming soon") == "little more than 'coming soon'"
    assert reason("<title>x</title><p>Bread rolls") == "2 words"
    assert reason(f"<title>x</title><div id=root></div><p>{text_of(10)}") == "10 words beside its scripts"
    nothing = "10 words, no link to another page, no contact data"
    assert reason(f"<title>x</title><p>{text_of(10)}") == nothing
    assert reason(f"<title>x</title><p>{text_of(12)}") == ""


@pytest.mark.parametrize(
    ("html", "outcome"),
    [
        (f"<p>{text_of(7)}</p>", ReadOutcome.EMPTY),
        (f"<p>{text_of(11)}</p>", ReadOutcome.EMPTY),
        (f"<p>{text_of(12)}</p>", ReadOutcome.OK),
        (f"<p>{text_of(8)}</p><a href=/bread>bread</a>", ReadOutcome.OK),
        (f"<p>{text_of(8)} office@kern.at</p>", ReadOutcome.OK),
        (f"<app-root></app-root><p>{text_of(7)}</p>", ReadOutcome.SCRIPT_ONLY),
        (f"<app-root></app-root><p>{text_of(23)}</p>", ReadOutcome.SCRIPT_ONLY),
        (f"<app-root></app-root><p>{text_of(24)}</p>", ReadOutcome.OK),
        ("<script></script>" * 2, ReadOutcome.EMPTY),
        ("<script></script>" * 3, ReadOutcome.SCRIPT_ONLY),
        ("<script></script>" * 3 + f"<p>{text_of(8)} Tel. 030 2093 7841</p>", ReadOutcome.OK),
        (" " * 20_000 + "<app-root></app-root>", ReadOutcome.EMPTY),
    ],
)
def test_a_page_with_few_words_is_empty_or_needs_its_scripts(html: str, outcome: ReadOutcome) -> None:
    assert judge(f"<title>x</title>{html}") is outcome


def test_two_letters_of_a_script_without_spaces_count_as_a_word() -> None:
    assert judge(f"<title>x</title><p>{'面' * 23}</p>") is ReadOutcome.EMPTY
    assert judge(f"<title>x</title><p>{'面' * 24}</p>") is ReadOutcome.OK


def test_a_short_page_that_speaks_of_its_own_address_is_a_placeholder() -> None:
    assert (
        judge("<title>x</title><p>The website you look for is at present not ready yet, friend")
        is ReadOutcome.PARKED
    )


@pytest.mark.parametrize("soon", ["Coming soon", "Binnenkort", "Im Aufbau", "Bientôt"])
def test_a_firm_with_contact_data_is_not_parked_by_what_is_coming_soon(soon: str) -> None:
    assert judge(f"<title>Kern Mill</title><p>{soon}</p><p>Kern Mill, info@kern-mill.at") is ReadOutcome.OK
    assert judge(f"<title>Kern Mill</title><p>{soon}</p><p>Kern Mill") is ReadOutcome.PARKED


# Texts of 190 hosts and builders in 30 languages. Of the last 86, 74 were told when they were new.
@pytest.mark.parametrize("line", (_CASES / "placeholder_texts.txt").read_text(encoding="utf-8").splitlines())
def test_what_hosts_and_builders_put_on_a_new_address_is_no_site(line: str) -> None:
    title, _, text = line.partition("|")
    assert judge(f"<meta charset=utf-8><title>{title}</title><p>{text}</p>") is not ReadOutcome.OK


# Written when the phrases were done: 75 of 75 were told at first sight.
@pytest.mark.parametrize(
    "line", (_CASES / "placeholder_texts_later.txt").read_text(encoding="utf-8").splitlines()
)
def test_what_later_hosts_put_on_a_new_address_is_no_site(line: str) -> None:
    title, _, text = line.partition("|")
    assert judge(f"<meta charset=utf-8><title>{title}</title><p>{text}</p>") is not ReadOutcome.OK


_OFFERS = "<a href=https://web-host.test/>Web Host</a> <a href=https://web-host.test/domains>Domains</a>"


@pytest.mark.parametrize(
    ("contact", "outcome"),
    [
        ("Support: +44 20 7346 9112, help@web-host.test", ReadOutcome.PARKED),
        ("Support: +44 20 7346 9112", ReadOutcome.PARKED),
        ("Kern Mill, kern.mill@gmail.com", ReadOutcome.OK),
        ("Kern Mill, office@a.test", ReadOutcome.OK),
    ],
)
def test_contact_data_of_a_provider_make_no_site(contact: str, outcome: ReadOutcome) -> None:
    assert judge(f"<title>Kern Mill</title>{_OFFERS}<p>Coming soon</p><p>{contact}</p>") is outcome


def test_one_link_to_a_provider_is_enough_where_mail_goes_there_too() -> None:
    link = "<a href=https://web-host.test/>Web Host</a>"
    mail = "<p>Coming soon. abuse@web-host.test, Tel. +43 732 770 214</p>"
    assert judge(f"<title>x</title>{link}{mail}") is ReadOutcome.PARKED
    assert judge(f"<title>x</title>{mail}") is ReadOutcome.OK


def test_contact_data_beside_links_to_a_sister_domain_are_the_firms_own() -> None:
    links = "<a href=https://kern-mill.test/>Mill</a> <a href=https://kern-mill.test/shop>Shop</a>"
    page = read_page(
        Capture(
            "http://kern-mill.example/",
            _AT,
            200,
            (("Content-Type", "text/html"),),
            f"<title>Kern Mill</title>{links}<p>Coming soon. Tel. +43 732 770 214</p>".encode(),
        )
    )
    assert judge_home(page)[0] is ReadOutcome.OK
