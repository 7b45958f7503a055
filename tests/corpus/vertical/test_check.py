import importlib.util
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from threadmill.corpus.build.documents import Document
from threadmill.corpus.vertical import Writer, dialect
from threadmill.corpus.vertical.check import Checker

_spec = importlib.util.spec_from_file_location("corpus_documents", Path(__file__).parents[1] / "documents.py")
assert _spec is not None
assert _spec.loader is not None
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)


def faults(text: str | bytes) -> list[str]:
    data = text.encode() if isinstance(text, str) else text
    return [str(fault) for fault in Checker().check(data.splitlines(keepends=True))]


@pytest.mark.parametrize("name", ["sketch", "cwb", "knot"])
@settings(deadline=None, max_examples=60)
@given(document=_module.documents(_module.TOKENS))
def test_what_we_write_has_no_fault(name: str, document: Document) -> None:
    text = Writer(dialect(name), ("word", "lemma", "tag")).write(document)
    data = [f"{line}\n".encode() for line in text.split("\n")[:-1]]
    assert [str(fault) for fault in Checker().check(data)] == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("<doc>\n<p>\n<s>\na\n</p>\n</doc>\n", "line 5: </p> comes before the <s> of line 3 is closed"),
        ("<doc>\n<p>\n<s>\na\n</s>\n</p>\n", "line 1: <doc> is never closed"),
        ("<doc>\n<s>\na\n</s>\n</doc>\n", "line 2: <s> inside <doc>"),
        ("<doc>\n<p>\n<g/>\na\n</p>\n</doc>\n", "line 3: <g/> without a position before it in the passage"),
        ("<doc>\n<p>\na\n<g/>\n</p>\n</doc>\n", "line 5: <g/> without a position after it in the passage"),
        ("<doc>\n<p>\na\tb\nc\n</p>\n</doc>\n", "line 4: 1 columns, but the positions before have 2"),
        ("<doc>\n\n</doc>\n", "line 2: an empty line"),
        ("\ufeff<doc>\n</doc>\n", "line 1: a byte order mark"),
        ("<doc>\r\n</doc>\n", "line 1: ends in a carriage return"),
        ("<?xml version='1.0'?>\n<doc>\n</doc>\n", "line 1: a declaration, comment or processing instruction: corpus managers take it for a position"),  # noqa: E501
        ("<doc Title='x'>\n</doc>\n", "line 1: a tag that is not well formed: <doc Title='x'>"),
        ("<doc a='1' a='2'>\n</doc>\n", "line 1: <doc> has an attribute twice"),
        ("<doc>\n<p>\ne\u0301\n</p>\n</doc>\n", "line 3: not in Unicode's normal form C"),
        (b"<doc>\n<p>\n\xff\n</p>\n</doc>\n", "line 3: not UTF-8 at byte 1"),
        ("<doc>\n<p>\nx\x07\n</p>\n</doc>\n", "line 3: a control character"),
        ('<doc>\n<p>\na\t<link="http://x/">\t<length=2>\n</p>\n</doc>\n', "line 3: <length=2>, but this passage has only 1 positions so far"),  # noqa: E501
        (f"<doc t='{'x' * 5000}'>\n</doc>\n", "line 1: the value of t is longer than 4095 bytes"),
        ("", "line 1: the file is empty"),
    ],
)  # fmt: skip
def test_each_fault_is_named_with_its_line(text: str | bytes, fault: str) -> None:
    assert fault in faults(text)


TAGS = ["<g/>", "<p>", "</p>", "<s>", "</s>", "<link url='u'>", "</link>", "<head>", "</head>", "</doc>"]
SCRAPS = [
    *TAGS,
    "x",
    "x\ty",
    "",
    "<",
    "<b",
    "<B>",
    "e\u0301",
    "z\r",
    "\ta",
    '<img url="u">',
    "</img>",
    "<q/>",
]


@settings(deadline=None, max_examples=200)
@given(
    document=_module.documents(_module.TOKENS),
    name=st.sampled_from(["sketch", "cwb", "knot"]),
    changes=st.lists(st.tuples(st.integers(0, 200), st.sampled_from(SCRAPS), st.booleans()), max_size=3),
)
def test_passing_over_faultless_passages_misses_no_fault(
    document: Document, name: str, changes: list[tuple[int, str, bool]]
) -> None:
    lines = Writer(dialect(name)).write(document).split("\n")[:-1] * 2
    for at, scrap, instead in changes:
        lines[at % len(lines) : at % len(lines) + instead] = [scrap]
    data = [f"{line}\n".encode() for line in lines]
    fast, slow = Checker(), Checker(at_once=1)
    assert list(fast.check(data)) == list(slow.check(data))
    assert (fast.positions, fast.documents) == (slow.positions, slow.documents)


def test_thirty_thousand_lines_pass_through_one_at_a_time() -> None:
    lines = (b"<doc>\n" if i % 3 == 0 else b"<p>\n" if i % 3 == 1 else b"</p>\n" for i in range(3))
    assert list(Checker().check(lines))[-1].message == "<doc> is never closed"


def test_documents_of_cqpweb_are_counted() -> None:
    checker = Checker()
    lines = ['<text id="t1">', "<p>", "<s>", "a", "</s>", "</p>", "</text>"]
    assert not list(checker.check(f"{line}\n".encode() for line in lines * 2))
    assert checker.documents == 2
    within = Checker()
    assert not list(within.check(f"{line}\n".encode() for line in ["<doc>", *lines, "</doc>"]))
    assert within.documents == 1
