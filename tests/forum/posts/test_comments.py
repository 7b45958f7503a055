# ruff: noqa: E501 -- markup reads better unbroken
import re

from tests.forum import sites
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.posts.comments import read_columns
from threadmill.forum.read_page import read_thread
from threadmill.forum.site_model.learn import learn_wrapper


def _comment(number: int, place: int) -> str:
    name = sites.NAMES[number]
    return (
        f'<li class="note" id="note-{number}{place}">'
        f'<span class="said">Please check the fuse of pump {number}{place} first.</span> '
        f'<a class="who" href="/user/{name}">{name}</a> '
        f'<i class="at">{number + 10} June 2020 11:0{number}</i></li>'
    )


def _answer(number: int) -> str:
    name = sites.NAMES[number]
    return (
        f'<div class="answer" id="answer-{number}"><div class="words"><p>{sites.WORDS[number]}</p></div>'
        f'<div class="by"><a class="name" href="/user/{name}">{name}</a> '
        f"<em>{number + 1} June 2020 10:1{number}</em></div>"
        f'<ul class="notes">{_comment(number, 1)}{_comment((number + 1) % 4, 2)}</ul></div>'
    )


def _page() -> str:
    return (
        f"<html><body><h1>Pump</h1><div id='all'>{''.join(_answer(n) for n in range(4))}</div></body></html>"
    )


def test_comments_inside_posts_are_records_of_their_own() -> None:
    analysis = PageAnalysis(sites.tree(_page()), sites.NOW)
    assert analysis.found_posts
    table = analysis.found_posts.table
    read = read_columns(table, analysis.splits, sites.NOW)
    wrapper = learn_wrapper([read])
    posts = read_thread(sites.tree(_page()), sites.NOW, wrapper).posts
    assert [post.text for post in posts if "fuse" not in post.text] == list(sites.WORDS)
    assert sum("fuse" in post.text for post in posts) == 8


def test_comments_that_name_their_author_twice_are_found_by_their_dates() -> None:
    """A picture and a name lead to the same profile, so that no link stands once in a comment."""

    def note(number: int) -> str:
        name = sites.NAMES[number]
        face = f'<a class="face" href="/user/{name}"><img alt="{name}"></a>'
        link = f'{face}<a class="who" href="/user/{name}">{name}</a>'
        words = f"<p>Please check the fuse of pump {number} first.</p>"
        date = f"<abbr>{number + 10} June 2020 11:00</abbr>"
        return f'<div class="note"><div>{words}</div><div>{link} {date}</div></div>'

    def answer(number: int) -> str:
        return _answer(number).partition('<ul class="notes">')[0] + (
            f'<div class="notes">{note(number) if number else ""}<a href="#">add one</a></div></div>'
        )

    page = f"<html><body><div id='all'>{''.join(answer(n) for n in range(4))}</div></body></html>"
    analysis = PageAnalysis(sites.tree(page), sites.NOW)
    assert analysis.found_posts
    table = analysis.found_posts.table
    read = read_columns(table, analysis.splits, sites.NOW)
    posts = read_thread(sites.tree(page), sites.NOW, learn_wrapper([read])).posts
    assert sum("fuse" in post.text for post in posts) == 3
    assert len(posts) == 7


def test_a_page_alone_shows_comments_with_and_without_numbers() -> None:
    numbered = read_thread(sites.tree(_page()), sites.NOW).posts
    nameless = read_thread(sites.tree(re.sub(r' id="note-\d+"', "", _page())), sites.NOW).posts

    assert len(numbered) == len(nameless) == 12
    assert [post.parent for post in numbered[:4]] == [None, "0", "0", None]


def inner(page: str) -> list[tuple[str, str | None]]:
    """Text and author of the posts of a page, comments with a number in their id included."""
    return [(post.text, post.author) for post in read_thread(sites.tree(page), sites.NOW).posts]


def _noted(note: str, notes_in_body: bool = False) -> str:
    """Three answers with two notes each; `{n}` is the number of the answer, `{m}` that of the note."""
    answers = []
    for number in range(3):
        name = sites.NAMES[number]
        notes = "".join(
            note.format(n=number, m=f"{number}{m}", name=sites.NAMES[m + 1], day=10 + m) for m in (0, 1)
        )
        words = f'<div class="words">{notes if notes_in_body else ""}<p>{sites.WORDS[number]}</p></div>'
        answers.append(
            f'<div class="answer" id="answer-{number}">{words}<div class="by"><a class="name" href="/user/{name}">{name}</a> '
            f"<em>{number + 1} June 2020 10:1{number}</em></div>{'' if notes_in_body else notes}</div>"
        )
    return f"<html><body><h1>Pump</h1><div id='all'>{''.join(answers)}</div></body></html>"


NOTE = '<div class="note" id="note-{m}"><span class="said">{words}</span> <a class="who" href="/user/{{name}}">{{name}}</a> <i>{{day}} June 2020</i></div>'


def _with_words(words: str) -> str:
    return NOTE.replace("{words}", words).replace("{{", "{").replace("}}", "}")


def test_comments_come_right_after_the_post_they_stand_in() -> None:
    texts = [text for text, _ in inner(_noted(_with_words("Please check fuse {m} first.")))]
    assert [text for text in texts if "fuse" in text] == [
        f"Please check fuse {m} first." for m in ("00", "01", "10", "11", "20", "21")
    ]
    assert [index for index, text in enumerate(texts) if "fuse" not in text] == [0, 3, 6]


def test_comments_have_their_own_author_date_and_id() -> None:
    posts = read_thread(sites.tree(_noted(_with_words("Please check fuse {m} first."))), sites.NOW).posts
    comment = posts[2]
    assert (comment.author, comment.post_id, comment.parent) == ("anna", "01", "0")
    assert comment.date is not None
    assert comment.date.date.day == 11
    assert posts[3].author == "Bert77"


def test_short_or_equal_lines_are_no_comments() -> None:
    assert len(inner(_noted(_with_words("check fuse {m} now.")))) == 9
    assert len(inner(_noted(_with_words("check fuse no {m}")))) == 3
    assert len(inner(_noted(_with_words("see fuse {m}")))) == 3
    assert len(inner(_noted(_with_words("Please check the fuse first.")))) == 3


def test_lines_without_a_name_or_a_date_are_no_comments() -> None:
    line = _with_words("Please check fuse {m} first.")
    assert len(inner(_noted(line.replace("{name}</a>", "</a>")))) == 3
    assert len(inner(_noted(line.replace("{day} June 2020", "later")))) == 3


def test_quotes_in_a_body_are_no_comments() -> None:
    assert len(inner(_noted(_with_words("Please check fuse {m} first."), notes_in_body=True))) == 3


def test_comments_may_carry_the_number_of_their_post() -> None:
    same = _with_words("Please check fuse {m} first.").replace("note-{m}", "foot-{n}")
    assert len(inner(_noted(same))) == 9


def test_one_comment_is_known_by_an_author_who_leads_where_authors_of_posts_lead() -> None:
    page = _noted(_with_words("Please check fuse {m} first."))
    one = re.sub(r'<div class="note" id="note-(?!00)\d+">.*?</div>', "", page)
    assert "note-00" in one
    assert len(inner(one)) == 4
    assert len(inner(one.replace('class="who" href="/user/', 'class="who" href="http://b.test/'))) == 3
    two = re.sub(r'<div class="note" id="note-(?!00|11)\d+">.*?</div>', "", page)
    assert len(inner(two)) == 5
