import pytest

from threadmill.lab.simulate.random_forum.url_template import UrlTemplate, plain

PATH = UrlTemplate("/thread/{id}-{slug}{pos}", "/page-{n}", last="/latest")
QUERY = UrlTemplate("/show.php?t={id}&s={slug}{pos}", "&start={n}", parameters=True, last="&goto=last")

INSIDE = UrlTemplate("/show.php?dir=en&s={slug}&msg={id}{pos}", ".{n}", parameters=True)


@pytest.mark.parametrize("template", [PATH, QUERY, INSIDE])
@pytest.mark.parametrize("number", ["", "3"])
def test_what_was_written_is_read_back(template: UrlTemplate, number: str) -> None:
    parts = {"id": "42", "slug": "a-boat"}
    assert template.read(template.write(parts, number)) == (parts | ({"n": number} if number else {}))


@pytest.mark.parametrize("template", [PATH, QUERY])
def test_a_link_to_the_last_post_is_told_from_pages(template: UrlTemplate) -> None:
    found = template.read(template.write({"id": "42", "slug": "a"}, last=True))
    assert found is not None
    assert found["last"]
    assert "n" not in found


def test_parameters_may_come_in_any_order_but_none_may_lack() -> None:
    assert QUERY.read("/show.php?start=20&s=x;t=7") == {"id": "7", "slug": "x", "n": "20"}
    assert QUERY.read("/show.php?s=x") is None
    assert QUERY.read("/other.php?t=7&s=x") is None


def test_the_page_may_stand_inside_a_value() -> None:
    assert INSIDE.read("/show.php?msg=7.21&dir=en&s=x") == {"id": "7", "slug": "x", "n": "21"}
    assert INSIDE.read("/show.php?msg=7.21&s=x") is None


def test_the_first_page_may_have_its_number() -> None:
    assert UrlTemplate("/t/{id}{pos}", "/{n}", first="1").write({"id": "5"}) == "/t/5/1"


def test_ids_are_read_by_their_pattern() -> None:
    template = UrlTemplate("/t/{id}")
    template.set_ids(r"\d+")
    assert (template.read("/t/12"), template.read("/t/ab")) == ({"id": "12"}, None)


def test_letters_that_a_url_cannot_have_are_quoted_once() -> None:
    template = UrlTemplate("/{slug}")
    assert template.write({"slug": "a b/ü"}) == "/a%20b%2F%C3%BC"
    assert template.write({"slug": "a%20b"}) == "/a%20b"


def test_host_fragment_and_session_are_taken_off() -> None:
    assert plain("http://a.example/t?sid=1f&p=2#x", "sid") == "/t?p=2"
    assert plain("http://a.example/t?p=2&sid=1f", "sid") == "/t?p=2"
    assert plain("http://a.example", "sid") == "/"
