"""What is no page is told by its first bytes, whatever its server calls it."""

import random

import pytest

from threadmill.corpus.verticalise import is_binary

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
