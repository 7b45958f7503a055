"""A link without text over a box is the link of the title in that box, unless it is a button."""

from tests.forum.outlines import at, outline_of
from threadmill.forum.records.page_outline import PageOutline

TITLES = ("How do you clean it?", "Noise from the engine", "A trip to the coast", "Anyone near Leeds?")


def cards(link: str = "<a class=overlay k=l{n} href=/t/{n}></a>", more: str = "") -> PageOutline:
    return outline_of(
        "".join(
            f"<div class=card>{link.format(n=n)}<div>{n}</div><div class=when>1 Mar, 2016 @ {n}pm</div>"
            f"<div class=name k=t{n}>{title}</div><div class=by>ann</div>{more.format(n=n)}</div>"
            for n, title in enumerate(TITLES, 1)
        )
    )


def test_the_longest_words_of_a_box_are_its_link() -> None:
    outline = cards()
    for n in range(1, 5):
        assert (outline.tags[at(outline, f"t{n}")], outline.hrefs[at(outline, f"t{n}")]) == ("a", f"/t/{n}")
        assert outline.hrefs[at(outline, f"l{n}")] is None


def test_a_link_with_a_label_or_beside_other_links_is_a_button() -> None:
    labelled = cards("<a class=go title=Permalink k=l{n} href=/t/{n}></a>")
    beside = cards(more="<a href=/u/{n}>profile</a>")
    for outline in (labelled, beside):
        assert outline.tags[at(outline, "t1")] == "div"
        assert outline.hrefs[at(outline, "l1")] == "/t/1"


def test_links_that_lead_to_one_place_and_few_links_stay() -> None:
    same = cards("<a k=l{n} href=/top></a>")
    few = outline_of(f"<div><a k=l1 href=/t/1></a><p k=t1>{TITLES[0]}</p></div>")
    for outline in (same, few):
        assert outline.hrefs[at(outline, "t1")] is None


def test_boxes_that_all_say_the_same_have_no_titles() -> None:
    outline = outline_of("".join(f"<div><a href=/t/{n}></a><p k=t{n}>Read more</p></div>" for n in range(4)))
    assert outline.hrefs[at(outline, "t1")] is None
