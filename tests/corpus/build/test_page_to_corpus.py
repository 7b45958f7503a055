"""A batch of pages: none loses another, and what is no page is told by its first bytes."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from threadmill.corpus.build.page_to_corpus import CorpusOptions, PageConverter, is_binary
from threadmill.corpus.text.sentences import SentenceSplitter
from threadmill.types import Capture

PAGE = "<html><body><p>Привет, мир. 你好世界. Hello, world.</p></body></html>"
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61")
GIF = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,"


@pytest.mark.parametrize("payload", [PNG, GIF, b"%PDF-1.4\n%text", random.Random(1).randbytes(5000)])
def test_pictures_documents_and_noise_are_no_pages(payload: bytes) -> None:
    assert is_binary(payload)


@pytest.mark.parametrize("coding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030"])
def test_pages_in_any_coding_are_pages(coding: str) -> None:
    assert not is_binary(PAGE.encode(coding))


@pytest.mark.parametrize(
    "payload",
    [b"", b"plain text", b"\x00" * 50 + PAGE.encode(), b"\x01<\x02t\x03".join([b""] * 9) + b"<Table>"],
)
def test_a_page_with_some_noise_is_still_a_page(payload: bytes) -> None:
    assert not is_binary(payload)


TEXT = "The old mill stood at the end of the village, and nobody had lived there for many years."


def capture(text: str) -> Capture:
    page = f"<html lang=en><title>Mill</title><article><p>{TEXT}</p><p>{text} {TEXT}</p></article>".encode()
    at = datetime(2020, 1, 1, tzinfo=UTC)
    headers = (("Content-Type", "text/html"), ("Server", "x"))
    return Capture(f"http://x.org/{text}", at, 200, headers, page)


def test_a_page_gives_the_same_alone_and_among_others() -> None:
    captures = [capture(text) for text in ("One.", "两个。句子。", "Three <a href=/>links</a>.", "Четыре!")]
    verticaliser = PageConverter(CorpusOptions())
    alone = [text for one in captures for text in verticaliser.batch([one]).texts]
    assert verticaliser.batch(captures).texts == alone
    assert len(alone) == 4


def test_a_page_that_cannot_be_cut_is_counted_and_loses_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_all = SentenceSplitter.cut_all

    def cut_all_but_one(splitter: SentenceSplitter, texts: Sequence[str]) -> list[str]:
        if any("Poison" in text for text in texts):
            raise RecursionError
        return cut_all(splitter, texts)

    monkeypatch.setattr(SentenceSplitter, "cut_all", cut_all_but_one)
    found = PageConverter(CorpusOptions()).batch([capture(text) for text in ("Milk.", "Poison.", "Tea.")])
    assert [text.partition("url=")[2][:18] for text in found.texts] == [
        '"http://x.org/Milk',
        '"http://x.org/Tea.',
    ]
    assert found.reasons == {"failed with RecursionError": 1}
