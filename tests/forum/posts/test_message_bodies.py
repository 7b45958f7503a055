"""The words of a message apart from quotations and the signature."""

import pytest

from threadmill.forum.posts.message_lines import split_mail_lines


def test_own_words_quotations_and_signature_are_told_apart() -> None:
    lines = [
        "Hello all,", "", "Anna Karlsson wrote:", "> Does the pump run?", "> I think so.", "",
        "It does.", "", "", "", "Bye", "--", "Boris", "http://b.test/",
    ]  # fmt: skip
    text, quotes, signature = split_mail_lines(lines)
    assert text == "Hello all,\n\nIt does.\n\nBye"
    assert [(quote.text, quote.author) for quote in quotes] == [
        ("Does the pump run?\nI think so.", "Anna Karlsson")
    ]
    assert signature == "Boris\nhttp://b.test/"


@pytest.mark.parametrize(
    ("intro", "author"),
    [
        (["On Tue, 3 May 2022, anna wrote:"], "anna"),
        (["On Tue, 3 May 2022, anna", "wrote:"], "anna"),
        (["anna (anna@a.test) writes:"], "anna"),
        (["This is what I mean."], None),
    ],
)
def test_the_line_above_a_quotation_tells_whose_words_follow(intro: list[str], author: str | None) -> None:
    text, (quote,), _ = split_mail_lines([*intro, "> the pump", "", "Yes."])
    assert quote.author == author
    assert text == ("Yes." if author else "This is what I mean.\n\nYes.")


def test_a_line_of_dashes_at_the_top_is_no_signature_and_two_quotations_stay_two() -> None:
    text, quotes, signature = split_mail_lines(["--", "| one", "words", "> two"])
    assert text == "--\nwords"
    assert [quote.text for quote in quotes] == ["one", "two"]
    assert signature == ""
