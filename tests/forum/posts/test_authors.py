# ruff: noqa: E501 -- markup reads better unbroken
import pytest

from tests.forum.outlines import at, outline_of, table_of
from threadmill.forum.posts.author_names import (
    PostAuthor,
)
from threadmill.forum.posts.authors import AuthorColumn, _tells_persons, fill_authors, find_authors
from threadmill.forum.records.record_table import RecordTable

NAMES = ("anna", "bert", "carl", "anna")


def records(*inner: str, dates: tuple[str, ...] = (), title: str = "") -> RecordTable:
    """A table with one record for each markup."""
    html = "".join(f'<div class="post" k="r{n}">{text}</div>' for n, text in enumerate(inner))
    return table_of(
        outline_of(f"<div>{html}</div>", title), *(f"r{n}" for n in range(len(inner))), dates=dates
    )


def names(column: AuthorColumn) -> list[str]:
    return [column.authors[number].name for number in sorted(column.authors)]


def linked(name: str, words: str = "Words of a post") -> str:
    return f'<a href="/user/{name}">{name}</a><p>{words}.</p>'


def test_authors_are_the_names_that_lead_to_one_profile_each() -> None:
    table = records(*(linked(name) + f'<a href="/p/{n}">Reply now</a>' for n, name in enumerate(NAMES)))
    column = find_authors(table)
    assert names(column) == list(NAMES)
    assert column.authors[1].href == "/user/bert"
    assert column.key is not None


def test_texts_that_never_change_and_lead_everywhere_are_buttons() -> None:
    table = records(*(f'<a href="/q/{n}">Quote</a><p>Words of post 10{n}.</p>' for n in range(3)))
    assert find_authors(table).authors == {}


def test_a_thread_of_one_author_has_one_name_with_one_profile() -> None:
    assert names(find_authors(records(*[linked("anna")] * 3))) == ["anna"] * 3
    numbered = records(*['<a href="/x/17">anna</a><p>Words.</p><p>More words.</p><i>x.</i>'] * 3)
    assert names(find_authors(numbered)) == ["anna"] * 3
    late = records(*['<p>Words.</p><p>More words.</p><i>x.</i><a href="/x/17">anna</a>'] * 3)
    assert find_authors(late).authors == {}


def test_one_text_everywhere_is_the_author_only_where_nothing_else_is_and_says_nothing_about_records() -> (
    None
):
    unlinked = find_authors(records(*["<b>anna</b><p>Words.</p>"] * 3))
    assert names(unlinked) == ["anna"] * 3
    assert unlinked.score == 0
    beside = records(*(f"<b>Member</b>{linked(name)}" for name in NAMES))
    assert names(find_authors(beside)) == list(NAMES)
    called = find_authors(records(*['<b class="author">anna</b><p>Words.</p>'] * 3))
    assert called.score > 0.5


def test_guests_of_one_name_are_authors_where_members_stand_in_their_place_with_a_link() -> None:
    """The name of the guests was taken for a label, and only the posts of members were read."""
    guest, member = "<h3>Guest</h3><p>Words.</p>", '<h3><a href="/u/4">anna</a></h3><p>Other words.</p>'
    column = find_authors(records(guest, guest, member, guest, guest))
    assert names(column) == ["Guest", "Guest", "anna", "Guest", "Guest"]
    assert column.score > 0.5


def test_a_name_after_a_label_may_be_a_link_or_not() -> None:
    heads = (
        '<h5>by <a href="/u/1">anna</a></h5>',
        "<h5>by Guest</h5>",
        '<h5>by <a href="/u/2">bert</a></h5>',
    )
    column = find_authors(records(*(f"{head}<p>Words of a post.</p>" for head in heads)))
    assert names(column) == ["anna", "Guest", "bert"]
    assert column.authors[2].href == "/u/2"


def test_a_list_of_names_with_the_class_of_authors_is_not_the_author() -> None:
    panel = '<div class="panel"><{tag} class="user">{name}</{tag}></div>'
    people = [("b", "anna"), ("b", "bert"), ("i", "Guest"), ("b", "carl"), ("b", "dora")]
    posts = [panel.format(tag=tag, name=name) for tag, name in people]
    posts[0] = f'<div class="thanks">Thanks: <b class="user">dora</b></div>{posts[0]}'
    assert names(find_authors(records(*posts))) == [name for _, name in people]


def test_readers_who_thanked_above_the_author_of_the_first_post_did_not_write_it() -> None:
    """The first post is laid out in another way. Its thanks stand below its words, before its author."""

    def panel(tag: str, name: str) -> str:
        return f'<{tag} class="side"><a class="user" href="/u/{name}">{name}</a></{tag}>'

    posts = [f"{panel('span', name)}<p>Words.</p>" for name in (*NAMES, *NAMES)]
    thanks = '<div class="thanks">Thanks: <a class="user" href="/u/dora">dora</a></div>'
    posts[0] = f"<p>Words.</p>{thanks}{panel('div', NAMES[0])}"
    table = records(*posts)
    assert names(fill_authors(table, find_authors(table), {})) == [*NAMES, *NAMES]


def test_a_guest_stands_in_the_place_of_linked_names() -> None:
    table = records(
        '<h4><a href="/u/1">anna</a> <span>#1</span></h4><p>Words.</p>',
        "<h4><span>Guest</span> <span>#2</span></h4><p>Words.</p>",
        '<h4><a href="/u/2">bert</a> <span>#3</span></h4><p>Words.</p>',
    )
    assert names(fill_authors(table, find_authors(table), {})) == ["anna", "Guest", "bert"]


def test_people_without_a_name_are_called_the_same_beside_their_dates() -> None:
    table = records(
        *(f'<p k="d{n}">{n}: <b>nameless</b> 2020/05/0{n + 1}</p>' for n in range(3)),
        dates=("d0", "d1", "d2"),
    )
    assert names(find_authors(table)) == ["nameless"] * 3


def test_a_name_must_cover_two_fifths_of_the_records() -> None:
    def table(named: int) -> RecordTable:
        return records(*(linked(NAMES[n % 3]) if n < named else "<p>Words.</p>" for n in range(5)))

    assert len(find_authors(table(2)).authors) == 2
    assert find_authors(table(1)).authors == {}


def test_a_column_of_dates_is_no_column_of_names() -> None:
    months = ("March 5", "April 6", "May 7")
    table = records(*(f'<i k="d{n}">{month}</i>' for n, month in enumerate(months)), dates=("d0", "d1", "d2"))
    assert find_authors(table).authors == {}
    one = records(*(f'<i k="d{n}">{month}</i>' for n, month in enumerate((*months, "June 8"))), dates=("d0",))
    assert len(find_authors(one).authors) == 4


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param('<a href="/x/{0}">{0}</a>', "<b>{0}</b>", id="a link"),
        pytest.param('<b class="user">{0}</b>', '<b class="thing">{0}</b>', id="markup tells of people"),
        pytest.param("<i>{0}</i><p>Words.</p>", "<p>Words.</p><i>{0}</i>", id="an early place"),
        pytest.param(
            '<a href="/x/{0}"><img></a><a href="/x/{0}">{0}</a>',
            '<a href="/y"><img></a><a href="/x/{0}">{0}</a>',
            id="a profile linked twice",
        ),
        pytest.param("<b>{0}</b>", "<b>{1}</b>", id="more than an initial"),
        pytest.param('<a href="/x/{0}">{0}</a>', '<a href="/x/{2}">{0}</a>', id="one profile each"),
    ],
)
def test_a_column_of_names_scores_higher_with(better: str, worse: str) -> None:
    def score(markup: str) -> float:
        cast = ("anna", "bert", "anna", "carl")
        return find_authors(records(*(markup.format(n, n[0], i) for i, n in enumerate(cast)))).score

    assert score(better) > score(worse) > 0


def test_the_score_of_linked_names_is_that_of_its_parts() -> None:
    table = records(*(f'<a href="/x/{name}">{name}</a>' for name in ("anna", "bert", "carl", "dora")))
    # Every record has a name (1), each its own (1), each leads to one URL (1.5), at the end of its record (0.7).
    assert find_authors(table).score == pytest.approx(1.5 * 0.7)
    people = records(*(f'<a href="/user/{name}">{name}</a>' for name in ("anna", "bert", "carl", "dora")))
    assert find_authors(people).score == pytest.approx(1.5 * 0.7 * 1.25)
    few = records(*(f'<a href="/x/{name}">{name}</a>' for name in ("anna", "anna", "anna", "anna", "bert")))
    assert find_authors(few).score == pytest.approx((0.6 + 0.4 * 2 * 2 / 5) * 1.5 * 0.7)


def test_profiles_that_are_linked_twice_add_to_the_score() -> None:
    cast = ("anna", "bert", "carl", "dora")
    table = records(*(f'<a href="/x/{name}"><img></a><a href="/x/{name}">{name}</a>' for name in cast))
    assert find_authors(table).score == pytest.approx(1.5 * 1.3 * 0.7)


def test_the_only_author_of_a_thread_is_no_button() -> None:
    table = records(*(linked("anna") + f'<a href="/p/{n}">Permalink</a>' for n in range(3)))
    assert names(fill_authors(table, find_authors(table), {})) == ["anna"] * 3


@pytest.mark.parametrize("attribute", ['itemprop="author"', 'rel="author"', 'class="big username"'])
def test_attributes_of_a_name_tell_of_people(attribute: str) -> None:
    cast = ("anna", "bert", "carl", "dora")
    table = records(*(f'<a {attribute} href="/x/{name}">{name}</a>' for name in cast))
    assert find_authors(table).score == pytest.approx(1.5 * 0.7 * 1.25)


def test_parts_of_the_title_are_no_names() -> None:
    long = ("The broken pump", "in the old garage")
    table = records(*(f"<b>{text}</b>" for text in long), title="The broken pump in the old garage")
    plain = records(*(f"<b>{text}</b>" for text in long))
    assert find_authors(table).score == pytest.approx(0.3 * find_authors(plain).score)


def test_a_lone_record_needs_markup_that_tells_of_people() -> None:
    plain, marked = records("<b>anna</b><p>x.</p>"), records('<b class="user">anna</b><p>x.</p>')
    assert find_authors(marked).score == pytest.approx(find_authors(plain).score / 0.6 * 1.25)


def test_records_the_column_missed_get_a_name_with_the_same_kind_of_url() -> None:
    table = records(
        linked("anna"),
        linked("bert"),
        '<p><u><a href="/x">Reply</a></u><u><a href="/user/carl">carl</a></u></p>',
    )
    filled = fill_authors(table, find_authors(table), {})
    assert names(filled) == ["anna", "bert", "carl"]


def test_records_the_column_missed_get_a_name_their_markup_calls_a_person() -> None:
    table = records(linked("anna"), linked("bert"), '<p><i>Reply</i><b class="nick">guest7</b></p>')
    assert names(fill_authors(table, find_authors(table), {})) == ["anna", "bert", "guest7"]


def test_records_the_column_missed_get_a_name_in_the_same_place() -> None:
    table = records(linked("anna"), linked("bert"), "<p>x.</p><a>carl</a>")
    column = AuthorColumn(dict(list(find_authors(table).authors.items())[:2]), 1.0)
    assert names(fill_authors(table, column, {})) == ["anna", "bert", "carl"]


def test_names_in_a_body_are_not_the_author() -> None:
    table = records(linked("anna"), linked("bert"), '<p k="body">x <a href="/user/dora">dora</a></p>')
    column = find_authors(table)
    assert 2 not in fill_authors(table, column, {2: at(table.outline, "body")}).authors
    assert names(fill_authors(table, column, {}))[-1] == "dora"


def test_a_button_in_the_column_is_no_author() -> None:
    posts = [linked(name) + f'<a href="/q/{n}">Quote</a>' for n, name in enumerate(("anna", "bert", "carl"))]
    table = records(*posts, '<b class="guest">Gast</b><p>Words.</p><a href="/q/9">Quote</a>')
    outline = table.outline
    button = next(i for i in table.members[3] if outline.hrefs[i] == "/q/9")
    column = find_authors(table)
    wrong = AuthorColumn({**column.authors, 3: PostAuthor(button, "Quote", "/q/9")}, column.score)
    assert [name for name in names(fill_authors(table, wrong, {})) if name == "Quote"] == []


def test_a_button_that_every_record_shows_is_nobody_where_guests_have_no_link() -> None:
    buttons = '<div><a href="/reply/9">Reply</a></div>'
    heads = ['<a href="/u/1">anna</a>', "Guest", "Guest", '<a href="/u/2">bert</a>', "Guest", "Guest"]
    table = records(*(f"<div><i>3 May 2019</i> {head}</div><p>Words.</p>{buttons}" for head in heads))
    assert names(find_authors(table)) == ["anna", "Guest", "Guest", "bert", "Guest", "Guest"]


def test_an_item_of_a_panel_is_no_name_where_a_name_stands_alone() -> None:
    def panel(name: str, title: str) -> str:
        items = f"<div>{title}</div><div>Posts: 12</div><div>Lives in Ghent</div>"
        return f'<div class="profile">{items}<b>{name}</b></div><p>Words of {name} on pumps.</p>'

    titles = ("V.I.P.", "Owner", "V.I.P.", "V.I.P.")
    table = records(*map(panel, NAMES, titles))
    assert names(find_authors(table)) == list(NAMES)


def test_a_button_below_the_words_does_not_begin_records() -> None:
    words = "Words that somebody wrote about old pumps in wet yards. " * 3
    post = '<p>{words}{n}</p><a href="/reply/21">Antworten</a>'
    table = records(*(post.format(words=words, n=n) * 4 for n in range(3)))
    assert find_authors(table).score == 0.0


def _panel(rank: str, name: str) -> str:
    facts = f"<ul><li><b>{rank}</b></li></ul>" if rank else "<ul><li>&nbsp;</li></ul>"
    return f"<div>{facts}{name}</div><p>Words of a post.</p>"


def test_names_tell_ranks_but_ranks_do_not_tell_names() -> None:
    people = (("V.I.P.", "anna"), ("Regular", "bert"), ("V.I.P.", "carl"), ("V.I.P.", "anna"))
    table = records(*(_panel(rank, name) for rank, name in (*people, *people)))
    assert names(find_authors(table)) == [name for _, name in people] * 2


def test_a_button_that_leads_to_one_page_in_all_records_is_no_author() -> None:
    posts = [
        f'<b>{name}</b><p>Words of a post.</p><a href="/report.php?31">Report</a>'
        for name in ("anna", "bert", "anna")
    ]
    assert names(find_authors(records(*posts))) == ["anna", "bert", "anna"]


def test_a_name_that_stands_in_many_comments_is_no_button() -> None:
    by = ["anna", "bert", "carl", "anna", "dora", "bert"]
    comments = [["bert"], ["anna", "bert"], ["bert", "dora"], ["bert"], ["carl", "anna"], ["anna"]]
    posts = [
        f'<p><b class="x">{name}</b> #{number}</p><p>Words of a post.</p>'
        + "".join(f'<div><b class="y">{one}</b> Short words.</div>' for one in comments[number])
        for number, name in enumerate(by)
    ]
    assert names(find_authors(records(*posts))) == by


def test_the_number_of_a_post_beside_a_name_makes_no_list_of_facts() -> None:
    by = ["anna", "bert", "carl", "anna"]
    posts = [
        f'<p>Sent <span class="x">{name}</span> wrote: <span class="x">#{number}</span></p><p>Words of a post.</p>'
        f'<div><span class="y">{by[number - 2]}</span> Other words.</div>'
        for number, name in enumerate(by, 1)
    ]
    assert names(find_authors(records(*posts))) == by


def _column(texts: str, *, linked: bool = False, weak: bool = False) -> AuthorColumn:
    """A column with one text for each record; "-" where it has none."""
    href = "/user/1" if linked else None
    authors = {n: PostAuthor(n, text, href) for n, text in enumerate(texts.split()) if text != "-"}
    return AuthorColumn(authors, 0.5, weak=weak)


_NAMED = _column("anna bert carl anna bert carl")


@pytest.mark.parametrize(
    ("ranks", "persons", "tells"),
    [
        (_column("R V V R V V"), _NAMED, True),
        (_column("R V S R V S"), _NAMED, False),  # as many: either may be the name
        (_column("R V S R V -"), _NAMED, True),  # but not for all
        (_column("R R R R R R"), _NAMED, False),  # one text tells nothing
        (_column("R V V R V R"), _NAMED, False),  # a person has two ranks
        (_column("R V V R V V", linked=True), _NAMED, False),
        (_column("R V V R V V"), _column("anna bert carl anna bert carl", weak=True), False),
        (_column("R V V R V V"), _column("a b c d e f"), False),  # each text once: no persons
        (_column("R V V R V V"), _column("anna bert carl anna bert -"), True),
        (_column("R V V R V V"), _column("anna bert carl anna - -"), False),  # too few have a name
    ],
)
def test_a_rank_is_told_by_the_person(ranks: AuthorColumn, persons: AuthorColumn, tells: bool) -> None:
    assert _tells_persons(ranks, persons) is tells


def test_a_name_after_by_is_known_wherever_votes_and_buttons_stand_before_it() -> None:
    def post(n: int, name: str) -> str:
        vote = f'<font><a href="/vote/{n}">{n}.5</a></font>' if n % 2 else "<font>(none)</font>"
        line = f'<font k="d{n}">by <a href="/user/{name}">{name}</a> on 3 May 2020 10:0{n}</font>'
        return f'{vote} <font><a href="/p/{n}">#{n}</a></font><br>{line}<p>Words of a post.</p>'

    table = records(*(post(n, name) for n, name in enumerate(NAMES)), dates=("d0", "d1", "d2", "d3"))
    assert names(find_authors(table)) == list(NAMES)
