from pathlib import Path

import pytest

from threadmill.crawl.fetch.cookies import read_cookie_file
from threadmill.errors import NothingFoundError, UsageError

LINES = """# Netscape HTTP Cookie File
.example.org\tTRUE\t/\tTRUE\t1999999999\tsid\tabc
#HttpOnly_forum.example.org\tFALSE\t/f\tFALSE\t0\tmember\t1=2
# a remark\twith\ttabs\tin\tit\tand\tmore
broken line
forum.example.org\tFALSE\t/\tFALSE\tsoon\tempty
"""


def test_the_columns_are_read_with_http_only_and_session_cookies(tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text(LINES, "utf-8")
    wide, own, empty = read_cookie_file(file)
    assert (wide.domain, wide.host_only, wide.secure, wide.expires) == (
        "example.org",
        False,
        True,
        1999999999,
    )
    assert (own.domain, own.host_only, own.path, own.value, own.expires) == (
        "forum.example.org",
        True,
        "/f",
        "1=2",
        None,
    )
    assert (empty.name, empty.value, empty.expires) == ("empty", "", None)


@pytest.mark.parametrize("text", ["", "[{}]", "a;b;c\n", "\x00\t\t\t\t\t\t"])
def test_a_file_without_cookies_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match="Netscape"):
        read_cookie_file(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(NothingFoundError, match="nowhere"):
        read_cookie_file(tmp_path / "nowhere")
