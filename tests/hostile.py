"""87 pages of the kind that brings extractors down; every one holds a sentence that must survive."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

MB = 1_000_000
CONTENT = (
    "The lighthouse keeper wrote in his diary every evening, and on this one he wrote that the sea had been "
    "quiet, that two ships had passed, and that nobody had answered his light from the other shore."
)
_P = f"<p>{CONTENT}</p>"


_PIECES = (
    "<~>~</~/>~<!--~-->~<![CDATA[~]]>~&~&#~;~'~\"~=~<p~<div~<table>~<td~<a href=~<b>~</b>~<i~<select>~<svg>~"
    "<math>~<form>~<template>~</body>~</html>~x~ž~漢"
)


def _page(before: str = "", after: str = "", head: str = "<title>Diary</title>") -> bytes:
    return f"<!doctype html><html><head>{head}</head><body>{before}{_P}{after}</body></html>".encode()


def _raw(before: bytes = b"", after: bytes = b"") -> bytes:
    return before + _P.encode() + after


def _noise(size: int, seed: int) -> bytes:
    return random.Random(seed).randbytes(size)


def _soup() -> bytes:
    """Tags, quotes and brackets in an order no author would write."""
    source = random.Random(3)
    pieces = [*_PIECES.split("~"), " ", "\n", "\0", "\u202e"]
    return _raw(after="".join(source.choices(pieces, k=40_000)).encode())


def pages() -> Iterator[tuple[str, bytes]]:
    """(name, page) of all of them."""
    for name, make in GENERATORS.items():
        yield name, make()


GENERATORS: dict[str, Callable[[], bytes]] = {
    # size
    "one line of 10 MB": lambda: _page(after="<p>" + "word " * (2 * MB)),
    "one word of 10 MB": lambda: _page(after="<p>" + "a" * (10 * MB)),
    "10 MB of spaces": lambda: _page(before=" " * (10 * MB)),
    "10 MB of line feeds": lambda: _page(before="\n" * (10 * MB)),
    "10 MB of digits": lambda: _page(after="<div>" + "0123456789" * MB),
    "5 MB of Chinese without a stop": lambda: _page(after="<p>" + "漢字" * 800_000),
    "a preformatted block of 5 MB": lambda: _page(after="<pre>" + "  x = 1\n" * 600_000),
    "a script of 10 MB": lambda: _page(before="<script>" + "var a = '<p>no</p>';" * 500_000 + "</script>"),
    "a style element of 5 MB": lambda: _page(head="<style>" + ".a{display:none}" * 300_000 + "</style>"),
    "a JSON-LD script of 5 MB": lambda: _page(
        head='<script type="application/ld+json">[' + '{"@type":"Article"},' * 200_000 + "{}]</script>"
    ),
    "a comment of 10 MB": lambda: _page(before="<!--" + "no " * (3 * MB) + "-->"),
    "a text area of 5 MB": lambda: _page(before="<textarea>" + "no " * (MB) + "</textarea>"),
    # depth
    "100,000 nested divs": lambda: _page(after="<div>" * 100_000),
    "100,000 nested divs, closed": lambda: _page(after="<div>" * 100_000 + "deep" + "</div>" * 100_000),
    "100,000 nested spans": lambda: _page(after="<p>" + "<span>" * 100_000),
    "100,000 nested fonts": lambda: _page(after="<font>" * 100_000),
    "50,000 nested links": lambda: _page(after="<a href=/x>" * 50_000),
    "50,000 nested bolds around blocks": lambda: _page(after="<b><p>" * 50_000),
    "20,000 nested tables": lambda: _page(after="<table><tr><td>" * 20_000),
    "20,000 nested lists": lambda: _page(after="<ul><li>x" * 20_000),
    "20,000 nested quotes": lambda: _page(after="<blockquote>" * 20_000),
    "20,000 nested forms": lambda: _page(after="<form>" * 20_000),
    "20,000 nested buttons": lambda: _page(after="<button>" * 20_000),
    "20,000 nested selects": lambda: _page(after="<select><option>" * 20_000),
    "20,000 nested svg": lambda: _page(after="<svg><g>" * 20_000),
    "20,000 nested math": lambda: _page(after="<math><mrow>" * 20_000),
    "20,000 nested templates": lambda: _page(after="<template>" * 20_000),
    "5,000 shadow roots": lambda: _page(
        after="<x-a><template shadowrootmode=open><p>x</p></template></x-a>" * 5_000
    ),
    "20,000 nested objects": lambda: _page(after="<object>" * 20_000),
    "20,000 nested headings": lambda: _page(after="<h1>" * 20_000),
    # number
    "200,000 empty paragraphs": lambda: _page(after="<p></p>" * 200_000),
    "60,000 short paragraphs": lambda: _page(after="<p>x" * 60_000),
    "60,000 links": lambda: _page(after="<a href=/x>x</a> " * 60_000),
    "60,000 links in one paragraph, each with a base to resolve": lambda: _page(
        after="<p>" + "<a href='../../x?y=1#z'>x</a> " * 60_000
    ),
    "60,000 images": lambda: _page(after="<img src=/x.png alt=x>" * 60_000),
    "60,000 breaks": lambda: _page(after="x<br>" * 60_000),
    "100,000 breaks and nothing else": lambda: _page(after="<br>" * 100_000),
    "60,000 list items": lambda: _page(after="<ul>" + "<li>x" * 60_000),
    "60,000 table cells": lambda: _page(after="<table><tr>" + "<td>x" * 60_000),
    "60,000 options": lambda: _page(after="<select>" + "<option>x" * 60_000),
    "100,000 comments": lambda: _page(after="<!--x-->" * 100_000),
    "100,000 unknown tags": lambda: _page(after="<foo-bar>x</foo-bar>" * 50_000),
    "20,000 different tags": lambda: _page(after="".join(f"<t{i}>x</t{i}>" for i in range(20_000))),
    "20,000 different classes": lambda: _page(
        after="".join(f"<p class='c{i} d{i}'>x" for i in range(20_000))
    ),
    "20,000 meta elements": lambda: _page(head="<meta name=author content=x>" * 20_000),
    "20,000 titles": lambda: _page(head="<title>x</title>" * 20_000),
    "20,000 alternate links": lambda: _page(head="<link rel=alternate hreflang=de href=/de>" * 20_000),
    "5,000 style elements that hide": lambda: _page(
        head="".join(f"<style>.h{i}{{display:none}}</style>" for i in range(5_000))
    ),
    "60,000 hidden elements": lambda: _page(after="<p hidden>no</p>" * 60_000),
    "60,000 elements with inline style": lambda: _page(after="<p style='display:none'>no</p>" * 60_000),
    # attributes
    "an attribute of 5 MB": lambda: _page(before=f"<p title='{'x' * 5 * MB}'></p>"),
    "a class of 2 MB": lambda: _page(before=f"<div class='{'post body ' * 200_000}'></div>"),
    "an href of 5 MB": lambda: _page(before=f"<p>See <a href='/{'x' * 5 * MB}'>this</a> here.</p>"),
    "a style attribute of 5 MB": lambda: _page(before=f"<p style='{'color:none;' * 400_000}'>x</p>"),
    "an alt text of 2 MB": lambda: _page(before=f"<p>x<img src=a alt='{'x ' * MB}'></p>"),
    "100,000 attributes on one tag": lambda: _page(
        before="<p " + " ".join(f"a{i}=1" for i in range(100_000)) + "></p>"
    ),
    "a tag name of 1 MB": lambda: _page(after=f"<{'x' * MB}>x"),
    "an attribute that is never closed": lambda: _raw(after=b"<p title='" + b"x" * MB),
    "data URIs of 3 MB": lambda: _page(before=f"<img src='data:image/png;base64,{'A' * 3 * MB}'>"),
    "a lang attribute of 1 MB": lambda: _raw(before=f"<html lang='{'x' * MB}'>".encode()),
    # entities
    "500,000 entities": lambda: _page(after="<p>" + "&amp;" * 500_000),
    "500,000 numeric entities": lambda: _page(after="<p>" + "&#x41;" * 500_000),
    "entities out of range": lambda: _page(after="<p>" + "&#99999999999999;&#xD800;&#0;" * 50_000),
    "ampersands that name nothing": lambda: _page(after="<p>" + "&nosuchthing" * 200_000),
    "a million laughs": lambda: b"<!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><body>&b;" + _P.encode(),
    # what never ends
    "a title that never ends": lambda: _raw(before=_P.encode() + b"<title>" + b"x " * (2 * MB)),
    "a comment that never ends": lambda: _raw(after=b"<!--" + b"x " * MB),
    "a script that never ends": lambda: _raw(after=b"<script>" + b"x<!-- <script> " * 100_000),
    "a style that never ends": lambda: _raw(after=b"<style>" + b"a{" * 500_000),
    "a CDATA section that never ends": lambda: _raw(after=b"<svg><![CDATA[" + b"x " * MB),
    "a doctype that never ends": lambda: _raw(after=b"<!doctype " + b"x " * MB),
    "plaintext": lambda: _raw(after=b"<plaintext>" + b"</p>x " * 100_000),
    "a million less-than signs": lambda: _raw(after=b"<" * MB),
    "CSS comments that never end": lambda: _page(head="<style>" + "/*" * 200_000 + "display:none</style>"),
    # bytes
    "NUL bytes between letters": lambda: _raw(after=b"<p>" + b"a\0b\0 " * 200_000),
    "1 MB of NUL bytes": lambda: _raw(after=b"\0" * MB),
    "1 MB of noise": lambda: _raw(after=_noise(MB, 1)),
    "noise before the page": lambda: _raw(before=_noise(1000, 2) + b"<!doctype html><body>"),
    "UTF-8 called UTF-16": lambda: _raw(before=b"<meta charset=utf-16>"),
    "UTF-16 declared by nobody": lambda: (
        f"<html><head><title>Diary</title></head><body>{_P}</body></html>".encode("utf-16")
    ),
    "Latin-2 called UTF-8": lambda: _raw(
        before=b"<meta charset=utf-8>", after="<p>žluťoučký kůň".encode("cp1250")
    ),
    "an encoding nobody knows": lambda: _raw(before=b"<meta charset=x-klingon>"),
    "truncated UTF-8": lambda: _raw(after="<p>漢字".encode()[:-1]),
    "surrogates in UTF-8": lambda: _raw(after=b"<p>\xed\xa0\x80\xed\xb0\x80" * 1000),
    "control characters and direction marks": lambda: _page(
        after="<p>" + "\x01\x08\x1b\u202e\u2066\ufeff x" * 20_000
    ),
    "combining marks without end": lambda: _page(after="<p>a" + "\u0301" * 500_000),
    # shapes
    "tag soup": _soup,
}
