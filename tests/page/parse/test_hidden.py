import pytest

from threadmill.page.parse.hidden import hidden_elements
from threadmill.page.parse.tree import parse


def hidden_ids(html: str, sheets: tuple[str, ...] = ()) -> dict[str, str]:
    found = hidden_elements(parse(html).document, sheets)
    return {element.attr("id") or "": reason for element, reason in found.items()}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "markup",
    [
        "<p id=x hidden>a",
        "<p id=x style='color:red; DISPLAY : none !important'>a",
        "<p id=x style='visibility:hidden'>a",
        "<p id=x style='Visibility: collapse'>a",
        "<style>.q, #x { color: red; display: none }</style><p id=x>a",
        "<style>/* {} */ @media screen { p { color: red } } #x{display:none}</style><p id=x>a",
        "<style>/*! a licence */*, :after { margin: 0 } #x{display:none}</style><p id=x>a",
        "<style>#x{display:\n none} /* never closed</style><p id=x>a",
        "<dialog id=x>a</dialog>",
    ],
)
def test_what_a_reader_does_not_see_is_found(markup: str) -> None:
    assert list(hidden_ids(markup)) == ["x"]


@pytest.mark.parametrize(
    "markup",
    [
        "<style>@media print { #x { display: none } }</style><p id=x>a",
        "<style>#x:hover { display: none }</style><p id=x>a",
        "<style>#x[[ { display: none }</style><p id=x>a",
        "<p id=x style='list-style: none; overflow: hidden'>a",
        "<p id=x hidden=until-found>a",
        "<style>body { visibility: hidden }</style><body id=x>a",
    ],
)
def test_what_a_reader_sees_stays(markup: str) -> None:
    assert hidden_ids(markup) == {}


def test_a_linked_sheet_hides_when_it_is_given() -> None:
    assert hidden_ids("<p id=x class=c>a", (".c{display:none}",)) == {"x": "hidden by a style sheet"}
