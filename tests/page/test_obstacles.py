import random
import zlib

import pytest

from threadmill.page.obstacles import find_problem, name_of_binary

WORDS = b"<p>" + b"A sentence about tides and piers. " * 20 + b"</p>"


def kind(body: bytes, **more: object) -> str:
    found = find_problem(body, **more)  # type: ignore[arg-type]
    return found.kind if found else ""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<html><body>" + WORDS, ""),
        (b"<html><body><form><input type=password name=p></form>" + WORDS, ""),  # a page with a log-in box
        (b"<h1>Members only</h1><form><input name=u><input type=PASSWORD></form>", "log-in"),
        (
            b"<title>Just a moment...</title><body><script src=/challenge-platform/x.js></script>",
            "challenge",
        ),
        (b"<body><p>Checking your browser before you may go on.</p>", "challenge"),
        (b"<body>" + WORDS + b"<p>They use hcaptcha.com there.</p>", ""),
        (b"<body><div id=root></div><script src=/main.js></script>", "script"),
        (
            b"<body><i></i><script>go()</script><noscript>Please enable JavaScript.</noscript>",
            "script",
        ),
        (b"<body><noscript>Bitte JavaScript aktivieren</noscript><script>1</script>" + WORDS, ""),
        (b"<body><div id=app>" + WORDS + b"</div><script src=/main.js></script>", ""),
        (b"", "empty"),
        (b"<html><body>  <br>\n</body></html>", "empty"),
        (b"<p>Short, but a page.</p>", ""),
        (b"%PDF-1.7 x", "no page"),
        (b"\x89PNG\r\n\x1a\n\0\0", "no page"),
        (b"\0\1\2\3" * 50, "no page"),
        ("<p>Wörter</p>".encode("utf-16"), ""),
        ("<p>Wörter</p>".encode("utf-16-le"), ""),
        (random.Random(1).randbytes(3000), "no page"),
        (zlib.compress(random.Random(2).randbytes(500) * 4), "no page"),
        (b"PAR1\x15\x04 text", "no page"),
        ("<p>".encode("ascii") + "日本語のテキスト".encode("iso-2022-jp"), ""),
        ("日本語のテキスト".encode("iso-2022-jp"), ""),
        ("Привет, это текст".encode("cp1251"), ""),
        (b"A note of old days,\x0cwith a new page. " * 9, ""),
    ],
)
def test_a_page_says_what_keeps_us_out(body: bytes, expected: str) -> None:
    assert kind(body) == expected


@pytest.mark.parametrize(
    ("status", "body", "headers", "expected"),
    [
        (401, b"", (), "password"),
        (403, b"no", (), "refused"),
        (403, b"<script src=/cdn-cgi/challenge-platform/x>", (), "challenge"),
        (503, b"wait", (("CF-Mitigated", "challenge"),), "challenge"),
        (404, b"", (), "missing"),
        (502, b"", (), "failed"),
        (451, b"", (), "refused"),
    ],
)
def test_a_status_says_it_too(
    status: int, body: bytes, headers: tuple[tuple[str, str], ...], expected: str
) -> None:
    assert kind(body, status=status, headers=headers) == expected


def test_a_type_that_is_no_text_is_named_unless_a_page_came_under_it() -> None:
    assert "application/octet-stream" in name_of_binary(b"abc", "application/octet-stream")
    assert name_of_binary(b" <html>", "application/octet-stream") == ""
    assert name_of_binary(b"a,b", "text/csv") == ""


def test_every_problem_has_a_sentence_that_says_what_to_do() -> None:
    for status in (401, 403, 404, 500):
        problem = find_problem(b"", status)
        assert problem is not None
        assert len(problem.sentence.split()) > 5
