import turbohtml

from threadmill.template.places.paths import PlacePaths, locate_elements
from threadmill.template.places.place_statistics import (
    LINKED,
    NEW,
    REPEATED,
    TOTAL,
    PlaceStatistics,
    Wordings,
    gather_statistics,
    measure_recurrence,
)
from threadmill.template.places.text_outline import hash_wording, outline_texts

MENU = frozenset([hash_wording("Home")])


def gather(*bodies: str) -> tuple[PlaceStatistics, dict[str, int], dict[int, float]]:
    outlines = [outline_texts(turbohtml.parse(f"<body>{body}</body>")) for body in bodies]
    paths = PlacePaths()
    located = [list(locate_elements(outline, frozenset([".m", ".c"]), paths)) for outline in outlines]
    wordings = Wordings(MENU, MENU, frozenset(), frozenset())
    found = gather_statistics(outlines, located, wordings, len(paths.children) + 1)
    places = {step: number for (_, step), number in paths.children.items()}
    return found, places, measure_recurrence(outlines, located, set(places.values()))


def test_characters_are_summed_by_what_they_are() -> None:
    found, places, _ = gather(
        "<div class=m><a>Home</a></div><p class=c>first text</p>",
        "<div class=m><a>Home</a><a>Other</a></div><p class=c>second</p>",
    )
    menu, content = found.sums[places["div.m"]], found.sums[places["p.c"]]
    assert (menu[TOTAL], menu[REPEATED], menu[LINKED], menu[NEW]) == (13, 8, 5, 0)
    assert (content[TOTAL], content[REPEATED], content[NEW]) == (16, 0, 16)
    assert found.pages[places["div.m"]] == 2
    assert found.count[places["div.m"]] == 2


def test_the_share_of_new_text_is_a_mean_over_pages() -> None:
    found, places, _ = gather(
        "<p class=c>ten letter</p>", "<div class=m>12345 abcd</div><p class=c>ten letter</p>"
    )
    shares = found.varied_per_page()
    assert shares[places["p.c"]] == (1 + 10 / (10 + len("0 abcd"))) / 2


def test_a_place_between_new_texts_is_enclosed_and_one_behind_a_heading_headed() -> None:
    found, places, _ = gather(
        "<p>new</p><div class=m>x</div><p>other</p>", "<h2>Head</h2><div class=m>x</div>"
    )
    assert found.enclosed[places["div.m"]] == 1
    assert found.headed[places["div.m"]] == 1


def test_recurrence_is_the_share_of_wordings_on_two_pages() -> None:
    _, places, recurrence = gather(
        "<div class=m>Next <b>one</b></div>", "<div class=m>Next <b>two</b></div>", "<div class=m>Next</div>"
    )
    assert recurrence[places["div.m"]] == 12 / 18
