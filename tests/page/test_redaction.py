import pytest

from threadmill.page.redaction import REMOVED, Redactor, Wanted, redact_values

TEXT = "The tide was late at the pier today, and nobody knew why.\nNo."
HTML = "<p>The tide was late at the pier today, and nobody knew why.</p><p>No.</p>"
WANTED = Wanted(
    names=("Anna K",),
    titles=("Late tides",),
    urls=("https://f.example/user.php?id=2",),
    texts=(TEXT,),
    htmls=(HTML,),
)


@pytest.fixture
def redactor() -> Redactor:
    return Redactor(WANTED)


def test_a_post_its_name_and_its_profile_go_and_all_else_stays_to_the_byte(redactor: Redactor) -> None:
    page = (
        "<table><tr><td class=a><a  href='user.php?id=2'>Anna K</a> <a href='user.php?id=23'>Ben</a></td>"
        f"<td>{HTML}</td></tr><tr><td>Ben</td><td><p>Something else, by Ben &amp; sons</p></td></tr></table>"
    )
    clean = redactor.redact_html(page)
    assert "tide" not in clean
    assert "Anna" not in clean
    assert "No." not in clean
    assert "id=2'" not in clean
    assert "user.php?id=23" in clean
    assert "<tr><td>Ben</td><td><p>Something else, by Ben &amp; sons</p></td></tr></table>" in clean
    assert not redactor.finds(clean)


def test_a_page_without_any_of_it_is_not_touched(redactor: Redactor) -> None:
    page = "<p>No.</p><p>The tide was late.</p><script>var a = '<p>';</script>"
    assert redactor.redact_html(page) is page


def test_a_quotation_of_eight_words_goes_and_the_rest_of_the_sentence_stays(redactor: Redactor) -> None:
    said = "I do not believe that the tide was late at the pier today, and nobody else does"
    assert redactor.redact_text(said) == f"I do not believe that {REMOVED} else does"
    assert redactor.redact_text("The tide was late at noon.") == "The tide was late at noon."


def test_words_of_others_that_a_post_quotes_stay() -> None:
    bens = "My boat has been in the yard since the storm of last October."
    html = f"<blockquote>{bens}</blockquote>{HTML}"
    redactor = Redactor(Wanted(names=("Anna K",), texts=(TEXT,), htmls=(html,), quoted=(bens,)))
    assert redactor.redact_html(f"<p>{bens}</p>{HTML}").startswith(f"<p>{bens}</p>")
    assert redactor.redact_text(bens) == bens
    assert not redactor.finds(f"<p>{bens}</p>")
    both = Redactor(Wanted(texts=(TEXT, bens), htmls=(html,), quoted=(bens,)))
    assert REMOVED in both.redact_text(bens)  # she said it herself, too


def test_a_name_in_a_sentence_of_somebody_else_stays(redactor: Redactor) -> None:
    said = "Yesterday I met Anna K at the market, and we talked about fish for an hour or so."
    assert redactor.redact_html(f"<p>{said}</p>") == f"<p>{said}</p>"
    assert redactor.redact_html("<i>by Anna K, 12 May</i>") == f"<i>by {REMOVED}, 12 May</i>"


def test_scripts_comments_and_feeds_are_looked_into(redactor: Redactor) -> None:
    hidden = '<script>{"author": "Anna K"}</script><!-- Anna K --><p>Ben</p>'
    assert redactor.redact_html(hidden) == "<p>Ben</p>"
    assert redactor.finds(f"<item><![CDATA[{HTML}]]></item>")
    assert redactor.finds(
        "<d>&lt;p&gt;The tide was late at the pier today, and nobody knew why.&lt;/p&gt;</d>"
    )


def test_values_of_rows_lose_names_and_titles(redactor: Redactor) -> None:
    row = {"by": "Anna K", "title": "Late tides", "count": 3, "links": ["/user.php?id=2", "/a"]}
    assert redact_values(row, redactor) == {"by": "", "title": "", "count": 3, "links": ["", "/a"]}
    assert redact_values(["Anna K"], redactor, names=False) == ["Anna K"]


@pytest.mark.parametrize("begin", ["<!--", "<script>", "<style>", "<b title=x ", "<!-- <!-- >"])
def test_what_is_not_closed_hides_nothing_from_us(redactor: Redactor, begin: str) -> None:
    page = f"<p>Ben</p>{begin}and Anna K, who said a lot of other things that need not be told here again"
    assert redactor.finds(page)
    assert redactor.redact_html(page) == "<p>Ben</p>"
    assert not redactor.finds(f"<p>Ben</p>{begin}and somebody")


def test_an_empty_comment_ends_where_a_browser_ends_it(redactor: Redactor) -> None:
    assert redactor.redact_html("<!--><b>Anna K</b><!---><i>Ben</i>--!>") == (
        f"<!--><b>{REMOVED}</b><!---><i>Ben</i>--!>"
    )
