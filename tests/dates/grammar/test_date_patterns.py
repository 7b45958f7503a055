from threadmill.dates.grammar.date_patterns import Alternatives, Shapes, Source

LONG, SHORT = Source("long", "(?P<a>a)b"), Source("short", "(?P<a>a)")


def test_later_shapes_are_offered_where_the_first_deceives() -> None:
    shapes = Alternatives([LONG, SHORT], "a")
    found = shapes.search("xab", 0)
    assert found is not None
    hit, number = found
    assert (hit.name, hit.found.group(hit.groups["a"])) == ("long", "a")
    assert [other.name for other in shapes.match_after("xab", 1, number)] == ["short"]


def test_a_text_is_tried_only_with_the_shapes_whose_needs_it_has() -> None:
    shapes = Shapes([Source("with b", "(?P<a>a)b?", "[b]"), SHORT], "a")
    for letters, name in (("ab", "with b"), ("a", "short")):
        found = shapes.fitting(letters).search(letters, 0)
        assert found is not None
        assert found[0].name == name


def test_texts_with_the_same_needs_share_one_expression() -> None:
    shapes = Shapes([LONG._replace(needs="[b]"), SHORT], "a")
    assert shapes.fitting("aab") is shapes.fitting("b")
