"""Untrusted XML read piece by piece."""

import pytest

from threadmill.crawl.frontier.xml_stream import MAX_DEPTH, MAX_TEXT, read_xml


def _read(*pieces: bytes) -> tuple[str, list[tuple[str, dict[str, str], str]]]:
    found: list[tuple[str, dict[str, str], str]] = []

    def handle(names: list[str], attributes: dict[str, str], text: str) -> None:
        found.append(("/".join(names), attributes, text))

    return read_xml(pieces, handle), found


def test_elements_are_handled_as_they_end_with_their_ancestors() -> None:
    flaw, found = _read(b'<a:Feed x="1"><b> one ', b"piece</b><c/></a:Feed>")
    assert flaw == ""
    assert found == [("feed/b", {}, "one piece"), ("feed/c", {}, ""), ("feed", {"x": "1"}, "")]


@pytest.mark.parametrize(
    ("document", "flaw"),
    [
        (b"<a><b></a>", "bad-xml"),
        (b"<a>", "bad-xml"),
        (b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "xml-entities"),
        (b"<a>&nbsp;</a>", ""),
        (b"<a>" * MAX_DEPTH + b"</a>" * MAX_DEPTH, ""),
        (b"<a>" * (MAX_DEPTH + 1), "xml-too-deep"),
        (b"<?xml version='1.0' encoding='nonsense'?><a/>", "bad-xml"),
    ],
)
def test_flaws_of_a_document_are_named(document: bytes, flaw: str) -> None:
    assert _read(document)[0] == flaw


def test_text_is_bounded() -> None:
    pieces = [b"<a>", *[b"x" * 1000 + b"<!-- -->"] * 20, b"</a>"]
    flaw, found = _read(*pieces)
    assert flaw == ""
    assert MAX_TEXT == 8192
    assert len(found[0][2]) == 9000  # the piece that exceeds the limit is the last one
