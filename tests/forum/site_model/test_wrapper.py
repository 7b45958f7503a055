import json
from dataclasses import replace

import pytest

from tests.forum import known_models, sites
from threadmill.forum.posts.post_columns import find_post_columns
from threadmill.forum.read_page import PageAnalysis, read_thread
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.site_model.learn_wrapper import learn_wrapper
from threadmill.forum.site_model.wrapper import RecordShape, Wrapper, apply_wrapper, find_records


def _learn(page: str) -> Wrapper:
    analysis = PageAnalysis(sites.tree(page), sites.NOW)
    assert analysis.found_posts
    wrapper = learn_wrapper(
        [(analysis.found_posts.table, find_post_columns(analysis.found_posts.table, sites.NOW))]
    )
    assert wrapper
    return wrapper


def test_a_page_of_one_post_is_read_with_what_longer_pages_taught() -> None:
    page = read_thread(sites.tree(sites.flat_thread(1)), sites.NOW, _learn(sites.flat_thread()))
    assert page.wrapped
    assert [(post.author, post.text) for post in page.posts] == [(sites.NAMES[0], sites.WORDS[0])]


def test_a_wrapper_of_another_layout_is_a_misfit_and_the_page_is_read_directly() -> None:
    page = read_thread(sites.tree(sites.nested_thread()), sites.NOW, _learn(sites.flat_thread()))
    assert page.misfit
    assert len(page.posts) == 4


def test_a_wrapper_survives_json() -> None:
    wrapper = _learn(sites.odd_first_thread())
    assert Wrapper.from_json(json.loads(json.dumps(wrapper.to_json()))) == wrapper


def test_an_odd_first_post_has_a_shape_of_its_own() -> None:
    page = read_thread(sites.tree(sites.odd_first_thread()), sites.NOW, _learn(sites.odd_first_thread()))
    assert page.wrapped
    assert [post.text for post in page.posts] == list(sites.WORDS)


def _thread(guest: int | None = None) -> str:
    def name(number: int) -> str:
        if number == guest:
            return '<span class="user">Guest</span>'
        return f'<a class="user" href="/profile/{number}">{sites.NAMES[number]}</a>'

    posts = "".join(
        f'<li class="item" id="p{number}"><div class="head"><span class="author">{name(number)}</span> '
        f"<i>{number + 1} June 2020 10:00</i></div><div class='text'><p>{sites.WORDS[number]}</p></div></li>"
        for number in range(4)
    )
    return f"<html><body><ul>{posts}</ul></body></html>"


def test_a_guest_has_the_name_that_stands_where_others_link_to_their_profiles() -> None:
    page = read_thread(sites.tree(_thread(guest=2)), sites.NOW, _learn(_thread()))
    assert [post.author for post in page.posts] == [*sites.NAMES[:2], "Guest", sites.NAMES[3]]


def test_a_guest_may_stand_in_a_tag_of_another_name_without_a_class() -> None:
    def name(number: int, guest: int) -> str:
        return "<span>Guest</span>" if number == guest else f"<a href=/u/{number}>{sites.NAMES[number]}</a>"

    def page(guest: int = -1) -> str:
        return "".join(
            f"<div class=post><h4>{name(n, guest)}</h4>"
            f"<i>{n + 1} June 2020 10:00</i><div class=text>{sites.WORDS[n]}</div></div>"
            for n in range(4)
        )

    found = read_thread(sites.tree(page(guest=2)), sites.NOW, _learn(page()))
    assert [post.author for post in found.posts] == [*sites.NAMES[:2], "Guest", sites.NAMES[3]]


def _answers(*comments: str) -> str:
    """Posts, each with a box for comments, which may be empty."""
    posts = "".join(
        f'<li class="item" id="p{number}"><div class="head"><span class="author">'
        f'<a class="user" href="/profile/{number}">{sites.NAMES[number]}</a></span> '
        f"<i>{number + 1} June 2020 10:00</i></div><div class='text'><p>{sites.WORDS[number]}</p></div>"
        f'<div class="notes">{comments[number]}</div></li>'
        for number in range(len(comments))
    )
    return f"<html><body><ul>{posts}</ul></body></html>"


def test_a_box_of_comments_that_was_once_taken_for_a_body_does_not_hide_the_words() -> None:
    learnt = _learn(_answers("", "", "", ""))
    misled = replace(
        learnt,
        shapes=tuple(
            replace(shape, bodies=(("ul/li.item/div.notes", 1), *shape.bodies)) for shape in learnt.shapes
        ),
    )
    page = read_thread(sites.tree(_answers("", "", "")), sites.NOW, misled)
    assert page.wrapped
    assert [post.text for post in page.posts] == list(sites.WORDS[:3])


@pytest.mark.parametrize("name", known_models.NAMES)
def test_the_wrapper_of_a_simulated_forum_reads_its_pages_as_known(name: str) -> None:
    assert known_models.read_with_wrapper(name) == known_models.known()[name]["read"]


def _flat(*parts: str) -> str:
    return f"<html><body><div class='all'>{''.join(parts)}</div></body></html>"


def _parts(number: int) -> str:
    return (
        f'<h4 class="by"><a class="user" href="/profile/{number}">{sites.NAMES[number]}</a> '
        f"<i>{number + 1} June 2020 10:00</i></h4>"
        f"<div class='txt'><p>{sites.WORDS[number]}</p></div><hr class='end'>"
    )


def test_a_record_of_several_siblings_ends_where_the_next_begins() -> None:
    wrapper = _learn(_flat(*map(_parts, range(4))))
    page = read_thread(sites.tree(_flat(*map(_parts, range(3)))), sites.NOW, wrapper)
    assert page.wrapped
    assert [(post.author, post.text) for post in page.posts] == list(
        zip(sites.NAMES[:3], sites.WORDS, strict=False)
    )
    outline = PageOutline(sites.tree(_flat(_parts(0), "<p class='ad'>Buy pumps</p>", _parts(1), _parts(2))))
    table, columns, fit = apply_wrapper(wrapper, outline)
    assert [[outline.tags[root] for root in record.roots] for record in table.records] == [
        ["h4", "div", "hr"]
    ] * 3
    assert len(columns.bodies) == 3
    assert fit == 1.0


def test_a_page_without_records_does_not_fit() -> None:
    wrapper = _learn(sites.flat_thread())
    table, columns, fit = apply_wrapper(
        wrapper, PageOutline(sites.tree("<html><body><p>x</p></body></html>"))
    )
    assert (len(table.records), len(columns.bodies), fit) == (0, 0, 0.0)


def test_a_record_without_author_date_and_id_is_an_advertisement() -> None:
    wrapper = _learn(sites.flat_thread())
    advertisement = (
        '<div class="post"><div class="main"><p class="when"><a>-</a></p>'
        '<div class="words">Buy!</div></div></div>'
    )
    page = sites.flat_thread().replace(
        '<div class="post" id="p102">', advertisement + '<div class="post" id="p102">'
    )
    found = read_thread(sites.tree(page), sites.NOW, wrapper)
    assert found.wrapped
    assert [post.text for post in found.posts] == list(sites.WORDS)


def test_the_fit_is_the_share_of_the_expected_columns() -> None:
    wrapper = _learn(sites.flat_thread())
    page = sites.flat_thread().replace('class="name" href="/user/', 'class="nick" data-x="')
    _, columns, fit = apply_wrapper(wrapper, PageOutline(sites.tree(page)))
    assert columns.authors == {}
    assert fit == pytest.approx(0.75)


def test_an_anchor_before_a_post_may_be_missing_at_the_first_post_of_a_page() -> None:
    posts = [
        f"<div class=post><b class=by><a href='/user/{name}'>{name}</a></b> <i>2024-05-{day} 10:15</i>"
        f"<div class=body>{words}</div></div>"
        for day, name, words in zip(range(11, 16), sites.NAMES * 2, sites.WORDS * 2, strict=False)
    ]
    anchored = [f"<a class=jump name=msg{number}></a>{post}" for number, post in enumerate(posts)]
    page = f"<body><div id=list>{posts[0]}{''.join(anchored[1:])}</div></body>"
    assert len(read_thread(sites.tree(page), sites.NOW, _learn(page)).posts) == len(posts)


def test_posts_without_classes_side_by_side_begin_at_their_anchors() -> None:
    posts = (
        f"<a name=msg{day}></a><div><b>{name}</b> 2024-05-{day} 10:15</div><div>{words}</div><hr>"
        for day, name, words in zip(range(11, 16), sites.NAMES * 2, sites.WORDS * 2, strict=False)
    )
    page = f"<body><div>Home</div><h1>Pumps</h1>{''.join(posts)}<div>All times are UTC.</div></body>"
    found = read_thread(sites.tree(page), sites.NOW, _learn(page))
    assert found.wrapped
    assert [post.author for post in found.posts] == [*sites.NAMES, *sites.NAMES][:5]
    assert [post.text for post in found.posts] == [*sites.WORDS, *sites.WORDS][:5]


def test_a_label_that_all_posts_show_is_no_name_of_a_guest() -> None:
    def comments(*names: str) -> str:
        posts = (
            f"<li><span>{words}</span> - {name} Geplaatst <span>2024-05-{day} 10:15</span></li>"
            for day, name, words in zip(range(11, 16), names, sites.WORDS * 2, strict=False)
        )
        return f"<body><h1>Pumps</h1><ul>{''.join(posts)}</ul></body>"

    members = [f"<a href='/user/{name}'>{name}</a>" for name in (*sites.NAMES, *sites.NAMES)]
    wrapper = _learn(comments(*members))
    page = comments(*members[:2], "<span>Gast</span>", *members[3:])
    found = read_thread(sites.tree(page), sites.NOW, wrapper)
    assert found.wrapped
    names = [*sites.NAMES, *sites.NAMES]
    assert [post.author for post in found.posts][:4] == [*names[:2], "Gast", names[3]]


def test_a_first_post_alone_fits_although_replies_have_permalinks_and_it_has_none() -> None:
    reply = (
        '<li class="reply" id="p{0}"><a class="by" href="/profile/{0}">{1}</a> <i>{0} June 2020 10:00</i> '
        '<a class="link" href="#p{0}">link</a><div class="text"><p>{2}</p></div></li>'
    )
    first = (
        f'<div class="lead"><a class="by" href="/profile/9">{sites.NAMES[0]}</a> <i>1 June 2020 9:00</i>'
        f'<div class="text"><p>{sites.WORDS[0]}</p></div></div>'
    )
    replies = "".join(reply.format(n, sites.NAMES[n], sites.WORDS[n]) for n in range(1, 4))
    wrapper = _learn(f"<html><body>{first}<ul>{replies}</ul></body></html>")
    page = read_thread(sites.tree(f"<html><body>{first}</body></html>"), sites.NOW, wrapper)
    assert page.wrapped
    assert [post.text for post in page.posts] == [sites.WORDS[0]]


def _with_advert(link: str, anchor: str = "") -> str:
    advert = (
        f'<li class="item"{anchor}><div class="head"><span class="author">Advert</span> '
        f"<i>9 June 2020 10:00</i></div><div class='text'><p><a href='{link}'>Pumps</a></p></div></li>"
    )
    return _thread().replace("</ul>", f"{advert}</ul>")


def test_a_dated_advertisement_is_no_post_but_a_post_may_be_a_link_alone() -> None:
    """Adverts came with each page, so that counters never fitted and threads were read in vain."""
    wrapper, away = _learn(_thread()), "http://ads.example.org/?1"
    for page, posts in (
        (_with_advert(away), 4),
        (_with_advert(away, ' id="p9"'), 5),
        (_with_advert("/t/7"), 5),
    ):
        assert len(read_thread(sites.tree(page), sites.NOW, wrapper).posts) == posts


def test_an_advertisement_has_no_link_into_the_site_where_posts_have_no_ids_either() -> None:
    post = (
        "<div class=post><div class=by><a href='/user/{0}'>{0}</a> <i>{1} June 2020 10:00</i></div>"
        "<div class=text><p>{2}</p></div></div>"
    )
    posts = [post.format(sites.NAMES[n], n + 1, sites.WORDS[n]) for n in range(4)]
    advert = (
        "<div class=post><div class=by><span>Advert</span> <i>9 June 2020 10:00</i></div>"
        "<div class=text><p><a href='http://ads.example.org/?1'>Pumps</a></p></div></div>"
    )
    wrapper = _learn(f"<body>{''.join(posts)}</body>")
    page = f"<body>{posts[0]}{posts[1]}{advert}{posts[2]}{posts[3]}</body>"
    assert len(read_thread(sites.tree(page), sites.NOW, wrapper).posts) == 4


def _boxed(*bodies: str, guest: int = -1) -> str:
    """Posts whose paragraphs are div elements, with the name of a guest as bare text after the subject."""

    def name(number: int) -> str:
        if number == guest:
            return "Guest"
        return f'<a href="/profile/{number}">{sites.NAMES[number]}</a>'

    posts = "".join(
        f'<li id="p{number}"><div class="head"><div>Re: Pump</div>{name(number)} » '
        f"<i>{number + 1} June 2020 10:00</i></div><div class='text'>{body}</div></li>"
        for number, body in enumerate(bodies)
    )
    return f"<html><body><h1>Pump</h1><ul>{posts}</ul></body></html>"


def test_a_body_of_several_paragraphs_is_read_whole_though_the_wrapper_saw_only_one() -> None:
    one = [f"<div>{words}</div>" for words in sites.WORDS]
    several = [one[0], f"<blockquote>Quoted</blockquote>{one[1]}<div>And more.</div>", one[2]]
    page = read_thread(sites.tree(_boxed(*several)), sites.NOW, _learn(_boxed(*one)))
    assert page.wrapped
    assert [post.text for post in page.posts] == [
        sites.WORDS[0],
        f"{sites.WORDS[1]}\nAnd more.",
        sites.WORDS[2],
    ]


@pytest.mark.parametrize("subject", ["<h3>Re: Pump</h3>", "<strong>Re: Pump</strong>"])
def test_the_subject_above_a_body_is_no_part_of_it(subject: str) -> None:
    bodies = [f"{subject}<div class='said'><p>{words}</p></div>" for words in sites.WORDS]
    page = read_thread(sites.tree(_boxed(*bodies)), sites.NOW, _learn(_boxed(*bodies)))
    assert page.wrapped
    assert [post.text for post in page.posts] == list(sites.WORDS)


@pytest.mark.parametrize("wrapped", [True, False])
def test_a_guest_may_stand_as_bare_text_beside_other_elements(wrapped: bool) -> None:
    one = [f"<p>{words}</p>" for words in sites.WORDS]
    wrapper = _learn(_boxed(*one)) if wrapped else None
    page = read_thread(sites.tree(_boxed(*one, guest=2)), sites.NOW, wrapper)
    assert page.wrapped is wrapped
    assert [post.author for post in page.posts] == [*sites.NAMES[:2], "Guest", sites.NAMES[3]]


def _article_with_comments(number: int) -> str:
    """A page whose first post stands apart, has another layout and shows no author."""
    comments = "".join(
        f'<li class="item" id="p{number}{n}"><a class="user" href="/profile/{n}">{sites.NAMES[n]}</a> '
        f"<i>{n + 2} June 2020 10:00</i><div class='text'><p>{sites.WORDS[n]} {number}</p></div></li>"
        for n in range(4)
    )
    lead = (
        f'<article class="story"><h1>Story {number}</h1><i>1 June 2020 10:00</i>'
        f"<div class='text'><p>Story {number} is told at some length, so that there is something to read."
        "</p></div></article>"
    )
    return f"<html><body><main>{lead}<ul>{comments}</ul></main></body></html>"


def test_first_posts_without_an_author_have_a_shape_if_they_head_several_pages() -> None:
    tables = []
    for number in range(3):
        found = PageAnalysis(sites.tree(_article_with_comments(number)), sites.NOW).found_posts
        assert found
        tables.append((found.table, find_post_columns(found.table, sites.NOW)))
    wrapper = learn_wrapper(tables)
    assert wrapper
    page = read_thread(sites.tree(_article_with_comments(7)), sites.NOW, wrapper)
    assert page.wrapped
    assert [post.text[:7] for post in page.posts[:1]] == ["Story 7"]
    assert len(page.posts) == 5


def test_a_button_that_all_posts_share_is_no_permalink() -> None:
    page = _thread().replace("</i></div>", '</i> <a href="/reply/7">Reply</a></div>')
    wrapper = _learn(_thread())
    key = ("li.item/div.head/a", 1)
    table, columns, _ = apply_wrapper(replace(wrapper, links=(key,)), PageOutline(sites.tree(page)))
    assert len(table.records) == 4
    assert columns.links == {}


def _divided(*ids: str) -> str:
    posts = "".join(
        f'<a id="{name}"></a><div><b class="user">{sites.NAMES[n]}</b> <i>{n + 1} June 2020 10:00</i></div>'
        f'<div class="text">{sites.WORDS[n]}</div><hr>'
        for n, name in enumerate(ids)
    )
    return f'<html><body><main class="content"><h1>A thread</h1>{posts}</main></body></html>'


def test_anchors_before_posts_may_have_ids_of_any_form() -> None:
    wrapper = _learn(_divided("msg_74b430d6", "msg_12ebaa87", "msg_91232438", "msg_5f9c16f1"))
    page = _divided("msg_b1232438", "msg_abcdef12", "msg_4b", "msg_1")
    assert len(apply_wrapper(wrapper, PageOutline(sites.tree(page)))[0].records) == 4


def _post(kind: str, below: str = "") -> str:
    when = '<div class="when"><time datetime="2025-03-01T10:00:00Z">1 March</time></div>'
    return f'<div class="{kind}">{when}<p>Words</p>{below}</div>'


def test_comments_on_a_question_are_found_like_those_on_answers() -> None:
    answer = RecordShape("div.main/div.list/div.answer", ("div.answer/div.when/time",), (), (), ())
    comment = RecordShape("div.answer/div.below/div.comment", ("div.comment/div.when/time",), (), (), ())
    wrapper = Wrapper((answer, comment), (), (), (), ())
    on_answer = _post("answer", f'<div class="below">{_post("comment")}</div>')
    on_question = _post("answer", f'<div class="under">{_post("comment")}</div>')
    page = f'<div class="main"><div class="list">{on_question}{on_answer}</div>{_post("comment")}</div>'
    found = find_records(wrapper, PageOutline(sites.tree(page)))
    assert len(found) == 4  # not the one that is in no post


def test_the_body_of_a_reply_inside_a_post_is_found_below_the_reply() -> None:
    key = ("div.list/div.post/div.words", 1)
    shape = RecordShape("div.main/div.list/div.post", ("div.post/div.when/time",), (), (), (key,))
    wrapper = Wrapper((shape,), (), (), (), ())

    def post(words: str, below: str = "") -> str:
        head = '<div class="when"><time datetime="2020-01-03T10:11">3 January 2020</time></div>'
        return f'<div class="post">{head}<div class="words">{words}</div>{below}</div>'

    nested = post("First of all.", f'<div class="replies">{post("Then an answer.")}</div>')
    page = f'<div class="main"><div class="list">{nested}</div></div>'
    table, columns, _ = apply_wrapper(wrapper, PageOutline(sites.tree(page)))
    texts = [table.outline.text(columns.bodies[number]) for number in range(len(table.records))]
    assert texts == ["First of all.", "Then an answer."]


def test_parts_of_a_post_may_have_the_class_of_its_top() -> None:
    """Utility classes: "grid" is a post, its head and its words. Heads became posts without words."""
    post = (
        "<div class=grid><div class=grid><a href='/user/{0}'>{0}</a> <time>{1} June 2020 10:00</time></div>"
        "<div class=grid>{2}</div></div>"
    )
    posts = [post.format(sites.NAMES[n], n + 1, sites.WORDS[n]) for n in range(4)]
    page = f"<body><main class=flex><div class=grid>{''.join(posts)}</div></main></body>"
    found = read_thread(sites.tree(page), sites.NOW, _learn(page))
    assert found.wrapped
    assert [post.text for post in found.posts] == list(sites.WORDS[:4])


def test_buttons_below_a_body_are_no_paragraph_of_it() -> None:
    """In <dd> without classes the buttons are a <div> like the text, and the whole <dd> became the body."""
    posts = "".join(
        f"<dt><span>{name}</span> | 2020-05-0{number} 10:0{number}</dt>"
        f"<dd><div>Words of post {number} that say something about the pump.</div>"
        f'<div><a href="/reply?x={number}">Reply</a> | <a href="/report?x={number}">Report</a></div></dd>'
        for number, name in enumerate(("anna", "bert", "carl", "anna", "dora"), 1)
    )
    page = f"<h1>Pumps</h1><dl>{posts}</dl>"
    outline = PageOutline(sites.tree(page))
    bodies = apply_wrapper(_learn(page), outline)[1].bodies
    assert [outline.text(body) for body in bodies.values()] == [
        f"Words of post {number} that say something about the pump." for number in range(1, 6)
    ]


def _roots_of(shape: RecordShape, inner: str) -> list[list[str]]:
    """The symbols of the siblings of each record of a list."""
    outline = PageOutline(sites.tree(f'<div class="main"><div class="list">{inner}</div></div>'))
    found = find_records(Wrapper((shape,), (), (), (), ()), outline)
    return [[outline.symbols[root] for root in record.roots] for record in found]


def _shape(lead: tuple[str, ...] = (), tail: tuple[str, ...] = ()) -> RecordShape:
    return RecordShape("div.main/div.list/div.post", ("div.post/div.when/time",), lead, tail, ())


def test_a_record_takes_the_siblings_before_it_that_its_shape_has() -> None:
    inner = f"<h3>One</h3>{_post('post')}<h3>Two</h3>{_post('post')}"
    assert _roots_of(_shape(lead=("h3",)), inner) == [["h3", "div.post"], ["h3", "div.post"]]
    assert _roots_of(_shape(), inner) == [["div.post"], ["div.post"]]


def test_without_the_siblings_before_it_there_is_no_record_unless_these_are_anchors() -> None:
    inner = f"{_post('post')}<h3>Two</h3>{_post('post')}"
    assert _roots_of(_shape(lead=("h3",)), inner) == [["h3", "div.post"]]
    inner = f'{_post("post")}<a name="p2"></a>{_post("post")}'
    assert _roots_of(_shape(lead=("a",)), inner) == [["div.post"], ["a", "div.post"]]


def test_a_record_takes_the_siblings_after_it_up_to_others_and_not_the_lead_of_the_next() -> None:
    inner = f"<hr>{_post('post')}<p>a</p><hr>{_post('post')}<p>b</p><p>c</p><b>end</b><p>d</p>"
    assert _roots_of(_shape(tail=("p",)), inner) == [["div.post", "p"], ["div.post", "p", "p"]]
    shape = _shape(lead=("hr",), tail=("p", "hr"))
    assert _roots_of(shape, inner) == [["hr", "div.post", "p"], ["hr", "div.post", "p", "p"]]
    assert _roots_of(_shape(tail=("p", "hr")), inner)[0] == ["div.post", "p", "hr"]
