import pytest

from threadmill import clean
from threadmill.page.judge import comments
from threadmill.page.judge.comments import _DATED, _has_heading, _short_lines
from threadmill.page.judge.judgement import visible_cut
from threadmill.page.parse.tree import parse

STORY = "".join(
    f"<p>The tide was late at pier {i} today, and the harbour master said that nobody on the quay knew the "
    "reason for it, although the moon had been watched all night.</p>"
    for i in range(6)
)
TEXTS = (
    "I was there, and it was very late indeed.",
    "My boat lay dry until noon on that day.",
    "Moon, not wind!",
)
HEAD = "<html><head><meta property=og:type content=article></head><body><article><h1>Late tides</h1>"


def page(comments: str) -> str:
    return f"{HEAD}{STORY}</article>{comments}</body></html>"


NAMED = page(
    "<div id=comments>" + "".join(f"<div class=c><b>Ann</b><p>{text}</p></div>" for text in TEXTS) + "</div>"
)
RECORDS = page(
    "<div class=x>"
    + "".join(
        f"<div class=y><div>Ann, 3 May 2024 10:1{i}</div><p>{t * 2}</p></div>" for i, t in enumerate(TEXTS)
    )
    + "</div>"
)
MANY = page(
    "<div id=comments>" + f"<div class=c><b>Ann</b><p>{TEXTS[0] * 9}</p></div>" * 40 + "</div>",
)


def test_comments_in_a_named_frame_are_set_apart() -> None:
    found = clean(NAMED, "https://example.org/news/tides", comments="apart")
    assert not any(text in found.text for text in TEXTS)
    assert "pier 5" in found.text


def test_repeated_records_with_a_time_are_comments_without_a_name() -> None:
    kept = clean(RECORDS, "https://example.org/news/tides", comments="keep")
    apart = clean(RECORDS, "https://example.org/news/tides", comments="apart")
    assert TEXTS[0] not in apart.text
    assert {p.text for p in apart.comments} == {p.text for p in kept.good} - {p.text for p in apart.good}


def test_dated_records_are_comments_of_an_article_and_rows_of_other_pages() -> None:
    article, service = "https://example.org/news/tides", ""
    assert clean(RECORDS, article).metadata.kind == "article"
    assert TEXTS[0] not in clean(RECORDS, article).text
    other = RECORDS.replace("<meta property=og:type content=article>", "")
    assert clean(other, service).metadata.kind == "service"
    assert clean(other, service).comments == ()


def test_comments_after_the_story_are_no_other_stories() -> None:
    kept = clean(MANY, "https://example.org/news/tides", comments="keep")
    apart = clean(MANY, "https://example.org/news/tides", comments="apart")
    assert kept.text.count(TEXTS[0]) == 9 * 40
    assert len(apart.comments) >= 40


def test_a_long_story_with_many_comments_is_no_discussion() -> None:
    found = clean(MANY, "https://example.org/news/tides")
    assert "pier 5" in found.text
    assert TEXTS[0] not in found.text


def test_what_buyers_write_about_a_product_stays() -> None:
    url = "https://example.org/shop/product/tide-clock"
    product = NAMED.replace("og:type content=article", "og:type content=product").replace(
        "<h1>Late tides</h1>", "<h1>Tide clock</h1><p>$ 49.90</p><button>Add to cart</button>"
    )
    assert clean(product, url).metadata.kind == "product"
    assert clean(product, url).text == clean(product, url, comments="keep").text


def test_dropped_comments_are_in_no_list_and_keep_their_reason() -> None:
    found = clean(RECORDS, "https://example.org/news/tides", comments="drop")
    assert found.comments == ()
    assert TEXTS[0] not in found.text


def test_a_page_of_comments_alone_is_a_discussion() -> None:
    alone = NAMED.replace(STORY, "<p>What do you think?</p>").replace("</p></div>", ". " * 3 + "</p></div>")
    assert clean(alone, "").text == clean(alone, "", comments="keep").text


def test_a_section_about_comments_is_no_comment() -> None:
    section = STORY.replace(
        "<p>The tide was late at pier 4", "<div id=respond-to-review-comments-of-others><p>X pier 4"
    )
    assert "X pier 4" in clean(page("").replace(STORY, section), "", comments="drop").text


def signed(heading: str, texts: tuple[str, ...] = TEXTS) -> str:
    """Comments in the frame of the story, as paragraphs that their authors sign."""
    lines = "".join(
        f"<p>{text * 3}</p><p>Posted by Ann on January {i + 3}, 2008 10:1{i}</p>"
        for i, text in enumerate(texts)
    )
    return f"{HEAD}{STORY}{heading}{lines}</article></body></html>"


def test_signed_paragraphs_in_the_frame_of_the_story_are_comments() -> None:
    found = clean(signed("<div>Comments</div>"), "https://example.org/news/tides")
    assert not any(text in found.text for text in TEXTS)
    assert "pier 5" in found.text
    assert any(TEXTS[0] in p.text for p in found.comments)


def test_without_a_heading_comments_begin_at_the_first_signature() -> None:
    found = clean(signed(""), "https://example.org/news/tides")
    assert TEXTS[0] in found.text
    assert TEXTS[1] not in found.text


def test_a_heading_alone_makes_no_comments() -> None:
    found = clean(signed("<h2>Comments</h2>", TEXTS[:1]), "https://example.org/news/tides")
    assert TEXTS[0] in found.text
    assert found.comments == ()


def test_a_timeline_has_no_comments() -> None:
    times = "".join(f"<p>At 10:1{i} the water stood {i} metres below the quay.</p>" for i in range(9))
    found = clean(f"{HEAD}{STORY}{times}</article></body></html>", "https://example.org/news/tides")
    assert "stood 8 metres" in found.text


def test_posts_of_a_blog_are_no_comments_though_each_is_signed() -> None:
    posts = "".join(
        f"<h2>Late tides, part {i}</h2>{STORY.replace('pier', f'quay {i} of pier')}"
        f"<p>Posted by Ann on January {i + 3}, 2008 10:1{i}</p>"
        for i in range(4)
    )
    found = clean(f"{HEAD}{posts}</article></body></html>", "https://example.org/news/tides")
    assert "quay 3 of pier 5" in found.text
    assert found.comments == ()


@pytest.mark.parametrize(
    "line",
    [
        "at: 9:05",
        "at: 9h05",
        "so: 3 days ago",
        "x: hace 2",
        "x: vor 3 Tagen",
        "x: il y a 2",
        "x: 5 дня назад",
        "x: ٣:٤٥",
    ],
)
def test_a_line_that_tells_a_time_is_looked_at(line: str) -> None:
    assert _DATED.search(line)
    search = _short_lines if comments._COMPILED is None else comments._COMPILED.short_lines
    blocks = visible_cut(parse(f"<p>{line}</p><p>a: b</p>")).blocks
    assert search(blocks, 40, 80) == ([line, "a: b"], [line])


def test_the_heading_of_comments_is_found_among_lines_that_have_its_word() -> None:
    assert _has_heading(["a", "No comment on this", "3 COMMENTS (4):", "b"])
    assert _has_heading(["İ", "Comentários"])
    assert not _has_heading(["comments\nhere", "My comments on this", "b"])
