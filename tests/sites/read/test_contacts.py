from __future__ import annotations

import pytest

from threadmill.sites.read.contacts import (
    _is_iban,
    find_accounts,
    find_contacts,
    is_dummy_id,
    is_dummy_number,
    links_to_other_number,
)


def found(kind: str, text: str, hrefs: list[str] | None = None) -> set[str]:
    return {fact.value for fact in find_contacts(text, hrefs or []) if fact.kind == kind}


def test_one_number_written_in_several_ways_is_one_key() -> None:
    ways = ["Tel. 030 / 2093 7841", "+49 (0)30 20937841", "Phone: 0049 30 2093-7841"]
    assert {value for way in ways for value in found("phone", way)} == {"20937841"}
    assert found("phone", "", ["tel:+493020937841"]) == {"20937841"}


@pytest.mark.parametrize(
    "text", ["12.05.2020 - 14.05.2021", "Tel: 123 456 7890", "2010-2019 2020", "page 12 34 56"]
)
def test_dates_and_dummy_numbers_are_no_telephones(text: str) -> None:
    assert not found("phone", text)


def test_free_mail_gives_an_address_but_no_domain() -> None:
    assert found("e-mail", "write to berta.k@gmail.com") == {"berta.k@gmail.com"}
    assert not found("mail domain", "write to berta.k@gmail.com")
    assert found("mail domain", "", ["mailto:office@muehle-kern.at?subject=x"]) == {"muehle-kern.at"}


def test_disguised_addresses_are_read() -> None:
    assert found("e-mail", "office (at) muehle-kern [dot] at") == {"office@muehle-kern.at"}


@pytest.mark.parametrize(
    "text", ["info@example.com", "you@yourdomain.com", "name@muehle.at", "1234@local.machine.example"]
)
def test_addresses_left_in_by_templates_say_nothing(text: str) -> None:
    assert not found("e-mail", text)


def test_a_word_right_behind_an_address_is_no_part_of_it() -> None:
    assert found("e-mail", "Mail: info@kern.dekontakt") == {"info@kern.de"}
    assert found("e-mail", "office@kern.comtel 030") == {"office@kern.com"}
    assert found("mail domain", "info@kern.photography") == {"kern.photography"}


@pytest.mark.parametrize("text", ["logo@2x.png", "slide@3x.webp", "user@host.localdomain", "git@kern.xyzzy"])
def test_an_address_ends_like_a_domain(text: str) -> None:
    assert not found("e-mail", text)


def test_tax_numbers_are_one_with_and_without_country() -> None:
    assert found("register number", "P.IVA 03258490212") == {"03258490212"}
    assert found("register number", "VAT: IT03258490212") == {"03258490212"}


@pytest.mark.parametrize("digits", ["1234567890", "5555555555", "0000000000", "2345678901"])
def test_dummy_numbers_are_known(digits: str) -> None:
    assert is_dummy_number(digits)


def test_who_made_a_site_is_not_who_runs_it() -> None:
    text = "Praxis Horn, Tel. 0421 77 80 91\nWebdesign: Nordlicht, Tel. 0431 990 2171, moin@nordlicht.test"
    assert found("phone", text) == {"21778091"}
    assert not found("e-mail", text, ["mailto:moin@nordlicht.test"])
    assert found("e-mail", "moin@nordlicht.test\nWebdesign und Druck") == {"moin@nordlicht.test"}


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("Info@Kern-Mill.AT", {"info@kern-mill.at"}),
        ("office.@www.kern.at", {"office@kern.at"}),
        ("a+b@post.kern.co.uk", {"a+b@post.kern.co.uk"}),
        ("anna{at}kern{punkt}at", {"anna@kern.at"}),
        ("anna [chiocciola] kern [dot] it", {"anna@kern.it"}),
        ("call us (dot) now", set()),
        ("hero@2x.png sprite@3x.webp app@1.2.js", set()),
        ("noreply@kern.at", set()),
        ("x@sentry.io", set()),
        ("no address", set()),
    ],
)
def test_mail_addresses_are_written_in_one_way(text: str, addresses: set[str]) -> None:
    assert found("e-mail", text) == addresses


def test_each_address_has_its_mail_domain() -> None:
    text = "office@kern.at\nshop@huber.at, me@gmx.at"
    assert found("mail domain", text) == {"kern.at", "huber.at"}
    assert found("e-mail", text) == {"office@kern.at", "shop@huber.at", "me@gmx.at"}


def test_numbers_in_links_are_telephones() -> None:
    assert found("phone", "", ["callto:0043 664 2093784"]) == {"42093784"}
    assert found("phone", "", ["sms:+436642093784", "whatsapp:+436642093785"]) == {"42093784", "42093785"}
    assert found("phone", "", ["https://wa.me/436642093784"]) == {"42093784"}
    assert found("phone", "", ["https://api.whatsapp.com/send?phone=436642093784"]) == {"42093784"}
    assert found("phone", "", ["https://wa.me/", "https://kern.at/436642093784"]) == set()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Order 2093 7841 99", set()),
        ("Fax 2093 7841 99", {"93784199"}),
        ("Tel. 209378", set()),
        ("Tel. 2093784", set()),  # eight digits at least
        ("Tel. 20937841", {"20937841"}),
        ("Tel. 0020 937 84", {"2093784"}),
        ("telephone: 20937841", {"20937841"}),
        ("telephone number of our office in town: 20937841", set()),
        ("(+49) 30 20937841", {"20937841"}),
        ("Tel. 12.05.2020 2093", set()),
        ("Tel. 2020-05-12 2093", set()),
        ("Tel. 1999-2020 2093", set()),
    ],
)
def test_a_number_is_a_telephone_by_its_prefix_or_the_word_before_it(text: str, numbers: set[str]) -> None:
    assert found("phone", text) == numbers


@pytest.mark.parametrize("digits", ["2093784", "49302093784", "8642075"])
def test_real_numbers_are_no_dummies(digits: str) -> None:
    assert not is_dummy_number(digits)


@pytest.mark.parametrize(
    "digits", ["2223332", "2332423", "4930555013", "9123450", "49876512", "14567801", "1357913", "9753197"]
)
def test_few_digits_555_runs_and_equal_steps_are_dummies(digits: str) -> None:
    assert is_dummy_number(digits)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("USt-IdNr.: DE 815 263 914", {"815263914"}),
        ("ATU63904218", {"63904218"}),
        ("HRB: 20937", set()),
        ("HRB 2 0 3 78", set()),  # five digits
        ("HRB 20 39 78", {"203978"}),
        ("RO203978", {"203978"}),  # a line of six digits
        ("HRB 2093784", {"2093784"}),
        ("Company number: 0209 3784", {"02093784"}),
        ("IČO: 26 209 378", {"26209378"}),
        ("Order 815 263 914", set()),
        ("IBAN AT61 1904 3002 3457 3201", {"611904300234573201", "AT611904300234573201"}),
        ("VAT 123456789", set()),
        ("the vat of wine stands in the cellar below our old house since the year 815263914", set()),
    ],
)
def test_register_tax_and_bank_numbers_are_found_by_their_names(text: str, numbers: set[str]) -> None:
    assert found("register number", text) == numbers


def test_a_linked_address_is_left_out_where_only_a_makers_line_shows_it() -> None:
    credit = "Praxis Horn\nWebdesign: Nordlicht, moin@nordlicht.test"
    assert found("e-mail", credit, ["mailto:moin@nordlicht.test?subject=x"]) == set()
    assert found("e-mail", credit, ["mailto:me@horn-praxis.at"]) == {"me@horn-praxis.at"}
    both = "moin@nordlicht.at, Praxis Horn\nWebdesign: Nordlicht, moin@nordlicht.at"
    assert found("e-mail", both, ["mailto:moin@nordlicht.at"]) == {"moin@nordlicht.at"}


def test_very_long_text_is_read_up_to_its_limit() -> None:
    assert found("e-mail", "x" * 399_900 + "\na@kern.at") == {"a@kern.at"}
    assert found("e-mail", "x" * 400_000 + "\na@kern.at") == set()


def accounts(markup: str, *hrefs: str) -> set[tuple[str, str]]:
    return {fact.key for fact in find_accounts(markup, list(hrefs))}


@pytest.mark.parametrize(
    ("markup", "account"),
    [
        ("ga('create', 'UA-4826091-2')", "Google Analytics UA-4826091"),
        ('gtag("G-AB12CD34EF")', "Google Analytics 4 G-AB12CD34EF"),
        ("GTM-K7QXW2", "Google Tag Manager GTM-K7QXW2"),
        ("AW-948260917", "Google Ads AW-948260917"),
        ("ca-pub-84920173655092", "AdSense pub-84920173655092"),
        ("fbq('init', '4829071365')", "Facebook pixel 4829071365"),
        ('<meta property="fb:app_id" content="84920173">', "Facebook app 84920173"),
        ("ym(4826091, 'init')", "Yandex Metrika 4826091"),
        ("hjid:482609", "Hotjar 482609"),
        ("https://www.clarity.ms/tag/k3v9qz71pm", "Clarity k3v9qz71pm"),
        ("//stats.kern.at/matomo.php", "Matomo stats.kern.at/matomo.php"),
        ('_linkedin_partner_id = "482609"', "LinkedIn Insight 482609"),
        ('<meta name="google-site-verification" content="kq7Zx0pLw3-1">', "site verification kq7Zx0pLw3-1"),
        (f"key='6L{'q7Zx' * 9}q7'", f"reCAPTCHA 6L{'q7Zx' * 9}q7"),
        (f"data-cbid='{'4f9c' * 9}'", f"Cookiebot {'4f9c' * 9}"),
        ("iubenda.com/privacy-policy/4826091", "iubenda 4826091"),
        (f"x.list-manage.com/subscribe/post?u={'4f9c7' * 5}", f"Mailchimp {'4f9c7' * 5}"),
        ("https://formspree.io/f/xknpqrzl", "form service formspree.io/f/xknpqrzl"),
        (
            "0x476d0849201739ab%3A0x849201739abcdef0",
            "Google Maps place 0x476d0849201739ab:0x849201739abcdef0",
        ),
        ("https://embed.tawk.to/5abcdef012345", "chat 5abcdef012345"),
        ("https://calendly.com/kern-bakery/talk", "bookings calendly.com/kern-bakery/talk"),
    ],
)
def test_accounts_in_markup_are_found(markup: str, account: str) -> None:
    assert ("account", account) in accounts(markup)


def test_an_account_is_given_once_and_plain_markup_gives_none() -> None:
    assert accounts("GTM-K7QXW2 GTM-K7QXW2") == {("account", "Google Tag Manager GTM-K7QXW2")}
    assert accounts("<p>Bread and rolls</p>") == set()


@pytest.mark.parametrize(
    ("href", "profile"),
    [
        ("https://www.facebook.com/KernBakery/", "facebook kernbakery"),
        ("https://facebook.com/pages/KernBakery/12", "facebook kernbakery"),
        ("https://x.com/kern", "twitter kern"),
        ("https://t.me/kernmill", "telegram kernmill"),
        ("https://www.linkedin.com/company/kern-mill", "linkedin kern-mill"),
        ("https://youtube.com/@kernmill", "youtube kernmill"),
        ("https://facebook.com/pages/Bremen-Germany/Kern-Mill/1168", "facebook kern-mill"),
        ("https://facebook.com/pages/" + "%D0%BC" * 40, "facebook " + "м" * 40),
        ("https://facebook.com/pages/%D0", None),
        ("https://www.facebook.com/profile.php?id=100012", None),
        ("https://facebook.com/sharer/sharer.php", None),
        ("https://twitter.com/intent/tweet", None),
        ("https://t.co/Q1pMVhJid8", None),
        ("https://kern.github.io/mill-in-python", None),
        ("https://www.facebook.com/notes.php?id=1372", None),
        ("https://policy.medium.com/terms-of-service", None),
        ("https://medium.com/@kern", "medium kern"),
        ("https://www.xing.com/spi/shares/new?url=x", None),
        ("https://instagram.com/ab", None),
        ("https://kern.at/facebook", None),
    ],
)
def test_social_profiles_are_keys_and_share_buttons_are_not(href: str, profile: str | None) -> None:
    assert accounts("", href) == ({("profile", profile)} if profile else set())


@pytest.mark.parametrize(
    "found",
    [
        "G-XXXXXXXXXX",
        "UA-00000000",
        "UA-12345678",
        "formspree.io/f/YOUR_FORM_ID",
        "formspree.io/your@email.com",
        "getform.io/f/your-form-id",
        "TWOJ_KOD",
        "1234567890",
        "GTM-XXXXXXX",
        "pub-1234567890123456",
        "G-ABCDEFGHIJ",
        "ko-fi.com/example",
    ],
)
def test_ids_that_were_never_filled_in_are_no_accounts(found: str) -> None:
    assert is_dummy_id(found)


@pytest.mark.parametrize(
    "found",
    [
        "G-1XB8K2P0QZ",
        "UA-48260917",
        "GTM-PK3F8DN",
        "formspree.io/f/xknpqrzl",
        "pub-8492017365509218",
        "calendly.com/anna-bauer/30min",
        "6LdWkq0UAAAAAB9x2hVJ3mT7rY5cNwPqLs8kGfEz",
    ],
)
def test_ids_of_real_accounts_are_kept(found: str) -> None:
    assert not is_dummy_id(found)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("REGON 220, 43-300 Bielsko", "address"),  # the name of a register is no street
        ("Klein 12, 43300 Ort", "register number"),  # "ein" is no register here
        ("ul. Długa 14 43-300 Bielsko NIP", "register number"),
        ("KRS 14 43-300", "register number"),  # too few digits for a KRS number
        ("© Standard 25 Copyright 2019 HR Kern", "address"),  # a year and a name
        ("0000 0000 8601 8073", "phone"),
        ("Roboter ein 30.10.2023", "register number"),
        ("Matze 2007 2015", "register number"),
        ("USt-IdNr. 00470550013", "phone"),
        ("10:00:002022-10-27 08:16:27", "phone"),
        ("+1 214 306 68 37contact", "phone"),
        ("November 1, 2020 NY Yankees", "address"),
        ("ENG-1912 Reduce latency in st... 61005 ENG", "address"),
        ("VA $1189 - $3729 Mill College Park, Ortsname 1229 Mill", "address"),
        ("35122 Padova P.I. 00742430283", "phone"),
        ("Lindenstr. 54 wohnte Dr. Kern, Jg. 1897, Berufsverbot", "address"),
        ("PL-11 PL/0 PL/B PL/C PL/I – ISO 6160 PL/M", "address"),
        ("CNN Updated 2010 GMT (0410 HKT) March 14", "address"),
        ("Ausland, 2 Männer, 35000 Euro", "address"),
        ("bundesw€hrk@rriere.de und mail@kern.de/VIP", "e-mail"),
        ("Bairro Floresta, CEP: 30.150-380", "phone"),  # a postcode; "cep" is a mobile telephone in Turkish
    ],
)
def test_numbers_of_another_kind_are_not_taken_for_a_fact(text: str, kind: str) -> None:
    assert not found(kind, text)


def test_a_register_number_ends_where_another_number_begins() -> None:
    assert found("register number", "NIP 937-26-41-220 43-300 Bielsko") == {"9372641220"}


def test_what_is_glued_to_an_address_is_not_part_of_it() -> None:
    assert found("e-mail", "info@kern.deKontakt") == {"info@kern.de"}
    assert found("e-mail", "INFO@KERN.DE") == {"info@kern.de"}


def test_a_fact_is_kept_as_it_is_written_with_the_words_around_it() -> None:
    [fact] = [
        fact for fact in find_contacts("Call us: Tel. 030 / 2093 7841 (all day)", []) if fact.kind == "phone"
    ]
    assert (fact.written, fact.around) == ("030 / 2093 7841", "Call us: Tel. 030 / 2093 7841 (all day)")
    [address] = [
        fact for fact in find_contacts("Our mill: Via Roma 3, 38122 Trento", []) if fact.kind == "address"
    ]
    assert address.written == "Via Roma 3, 38122 Trento"


def test_numbers_behind_a_telephone_number_are_telephones_too() -> None:
    assert found("phone", "Center: Tel. 0851 95 66 70. Shop: 0851 21 77 60") == {"51956670", "51217760"}
    assert found("phone", "Center: Tel. 0851 95 66 70\nOrder 0851 21 77 60") == {"51956670"}


def test_an_open_bracket_ends_a_telephone_number() -> None:
    [phone] = [
        fact for fact in find_contacts("Call 1-877-809-1659 (30 days refund)", []) if fact.kind == "phone"
    ]
    assert phone.written == "1-877-809-1659"


def test_the_account_of_a_host_of_blogs_is_not_the_sites() -> None:
    assert not accounts('data-ad-host="ca-host-pub-1556223355139109"')
    assert accounts('data-ad-client="ca-pub-1556223355139109"')


def test_a_link_that_shares_a_text_has_no_number() -> None:
    assert not found("phone", "", ["whatsapp://send?text=https://a.test/497533355", "tel:1-800-KERN-MILL"])
    assert found("phone", "", ["tel:+4305512770214;ext=7"]) == {"12770214"}


def test_a_number_that_is_glued_to_a_linked_address_is_no_part_of_it() -> None:
    assert found("e-mail", "+1 214 306 68 37info@kern.at", ["mailto:info@kern.at"]) == {"info@kern.at"}
    assert found("e-mail", "(888) 981-6893info@kern.at", ["mailto:info@kern.at"]) == {"info@kern.at"}
    assert found("e-mail", "37info@kern.at") == {"37info@kern.at"}
    assert found("e-mail", "", ["mailto:%20info@kern.at"]) == {"info@kern.at"}
    assert found("e-mail", "Write to show@kern.com.Sarah founded it") == {"show@kern.com"}


def test_a_number_before_an_address_sticks_to_it_only_in_the_text() -> None:
    assert found("e-mail", "Tel. +36 20 436 0307info@kern.hu") == {"info@kern.hu"}
    assert found("e-mail", "write to 3dstudio@kern.hu or 24hours@kern.hu") == {
        "3dstudio@kern.hu",
        "24hours@kern.hu",
    }


@pytest.mark.parametrize(
    "text",
    [
        "Ul. Przykładowa 1, 00-000 Przykład",
        "Musterstraße 1, 12345 Musterstadt",
        "Lindenstr. 14, 00000 Stadt",
    ],
)
def test_an_address_that_was_never_filled_in_is_none(text: str) -> None:
    assert not found("address", text)
    assert found("placeholder", text)


def test_a_number_beside_mail_that_was_never_filled_in_is_that_of_a_template() -> None:
    assert not found("phone", "Tel. +2 392 3929 210 info@yourdomain.com")
    assert found("phone", "Tel. +2 392 3929 210 info@yourdomain.com kern@mill.de") == {"23929210"}
    assert found("phone", "Tel. +2 392 3929 210 kern.mill@example.com") == {"23929210"}


def test_a_link_may_show_another_number_than_its_own() -> None:
    assert links_to_other_number("tel:15548832032", "01 / 301 45 25")
    assert not links_to_other_number("tel:+38513014525", "01 / 301 45 25")
    assert not links_to_other_number("tel:15548832032", "Call us")


def test_a_bank_account_is_told_as_it_is_written() -> None:
    (account,) = [
        fact for fact in find_contacts("Bank: AT61 1904 3002 3457 3201", []) if fact.value.startswith("AT")
    ]
    assert account.written == "IBAN AT61 1904 3002 3457 3201"


def test_digits_of_any_script_are_one_key() -> None:
    assert found("phone", "تلفن: ۰۲۱۸۸۷۷۶۶۳۹") == found("phone", "Tel: 02188776639") == {"88776639"}


@pytest.mark.parametrize(
    "text",
    [
        "@ann@kern.social",
        "!bread@kern.social",
        "https://company-134903.kern.test/d",
        "re-configuring [ 19.188528",
        "create({from: '+15017122661'})",
        "http://localhost@other.com",
    ],
)
def test_names_of_users_hosts_and_logs_are_no_contact_data(text: str) -> None:
    assert not list(find_contacts(text, []))


def test_a_name_on_another_server_that_a_link_leads_to_is_no_mail() -> None:
    assert not found("e-mail", "ann@kern.social", ["https://forum.test/u/ann@kern.social"])
    assert found("e-mail", "ann@kern.social", ["https://forum.test/u/ann"]) == {"ann@kern.social"}
    assert found("e-mail", "kern_millinfo@kern.at", ["mailto:info@kern.at"]) == {"info@kern.at"}


def test_mail_at_a_provider_of_pages_is_not_the_sites() -> None:
    assert not found("e-mail", "pressinquiries@medium.com")
    mail = [fact.value for fact in find_contacts("pressinquiries@medium.com", [], "medium")]
    assert mail == ["pressinquiries@medium.com", "medium.com"]


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("https://www.tiktok.com/@Kern.Mill", {"tiktok kern.mill"}),
        ("https://www.tiktok.com/discover/mills", set()),
        ("https://bsky.app/profile/kern.test", {"bsky kern.test"}),
        ("https://docs.github.com/actions/tutorials", set()),
        ("https://github.com/pricing", set()),
        ("https://github.com/KernMill/bread/issues/4", set()),
        ("https://github.com/KernMill/bread", {"github kernmill"}),
        ("https://x.com/ann/status/180775697", set()),
        ("https://de-de.facebook.com/kernmill/", {"facebook kernmill"}),
        ("https://www.yelp.com/biz/kern-mill", {"yelp kern-mill"}),
        ("https://www.linkedin.com/pulse/bread-ann", set()),
        ("https://vimeo.com/76979871", set()),
    ],
)
def test_profiles_have_the_form_of_their_network(href: str, expected: set[str]) -> None:
    assert {fact.value for fact in find_accounts("", [href])} == expected


def test_a_profile_is_told_as_it_is_written() -> None:
    [fact] = find_accounts("", ["https://www.youtube.com/channel/UCk6GWhMlZDP_ZrD4YD4quSg"])
    assert fact.written == "youtube UCk6GWhMlZDP_ZrD4YD4quSg"


def test_a_dot_behind_a_page_for_payments_is_no_part_of_it() -> None:
    [fact] = find_accounts("at https://ko-fi.com/kernmill. Thanks", [])
    assert fact.written == "page for payments ko-fi.com/kernmill"


@pytest.mark.parametrize(
    ("value", "valid"),
    [
        ("AT611904300234573201", True),
        ("NO9386011117947", True),  # the shortest has fifteen signs
        ("AT621904300234573201", False),
        ("AT610", False),
        ("MT84MALT011000012345MTLCAST001S", True),
        ("MT84MALT011000012345MTLCAST001S0000", False),
        ("AT61190430023457３２０１", False),
    ],
)
def test_an_account_number_has_its_length_and_its_check_digits(value: str, valid: bool) -> None:
    assert _is_iban(value) is valid
