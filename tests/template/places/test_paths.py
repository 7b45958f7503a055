from threadmill.template.places.paths import ROOT, PlacePaths, from_end, from_start, locate_elements, step_of
from threadmill.template.places.text_outline import TextOutline


def test_a_place_keeps_its_number() -> None:
    paths = PlacePaths()
    assert paths.child(ROOT, "div") == 1
    assert paths.child(1, "p") == 2
    assert paths.child(ROOT, "div") == 1
    assert paths.child(ROOT, "p") == 3


def test_a_step_has_the_known_names_only() -> None:
    assert step_of("div", ["#a", ".b", ".c"], frozenset([".b", ".c"])) == "div.b.c"
    assert step_of("div", ["#a"], frozenset()) == "div"


def test_nameless_elements_are_counted_from_both_ends() -> None:
    assert [from_start("p", before) for before in (0, 3, 4, 9)] == ["p[1]", "p[4]", "p[…]", "p[…]"]
    assert [from_end("p", after) for after in (0, 1, 2)] == ["p[-1]", "p[-2]", None]


def test_named_elements_have_one_place_and_nameless_ones_up_to_two() -> None:
    outline = TextOutline(
        tags=["body", "div", "p", "p", "p"],
        tokens=[(), (".menu",), (), (), ()],
        parents=[-1, 0, 0, 0, 0],
        ends=[5, 2, 3, 4, 5],
    )
    paths = PlacePaths()
    found = list(locate_elements(outline, frozenset([".menu"]), paths))
    names = {number: step for (_, step), number in paths.children.items()}
    assert [(element, names[place]) for element, place in found] == [
        (1, "div.menu"), (2, "p[1]"), (3, "p[2]"), (4, "p[3]"), (3, "p[-2]"), (4, "p[-1]"),
    ]  # fmt: skip
