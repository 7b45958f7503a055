"""Hostile inputs by number: good inputs that were damaged, and inputs that follow a grammar too freely.

The same number always gives the same input. Half of the inputs are mutations of seeds, the others are
generated: lines of headers, trees of tags, values of JSON, parts of URLs and dates.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Sequence

from bench.fuzz_seeds import seeds_of

Generator = Callable[[random.Random], bytes]
_MOST_BYTES = 60_000  # of an input; long inputs are measured by bench.linear_time

# Numbers at the edges of machine words, and texts that are no numbers.
_NUMBERS = (
    "0 -1 1 00 +5 --5 1e9 1e400 NaN inf 0x10 ² ٣ १२ 1_000 2147483648 4294967296 9223372036854775808 "
    "18446744073709551616 -9223372036854775809 1.5 . 999999999999999999999999999999"
)
NUMBERS = [*_NUMBERS.split(), "9" * 5000, ""]
_SIGNS = (
    "İ ß ﬁ Å 漢字 👩‍👩‍👧 % %zz %00 %ff%fe & &#0; &#x110000; &#xD800; &amp;amp; < > <!-- --> ]]> <![CDATA[ "
    "<?xml \\ \\u0000 ' \" ` {{ ${ ../ // :// ? # ; , : = @ * |"
)
_SPACES = ["", " ", "\0", "\r\n", "\n\n", "\t", "\x0b\x0c", "\u2028", "\ufeff", "\u202e"]
_HALVES = ["\ud800", "\udfff\ud800", "\U0010ffff"]
TEXTS = [*_SIGNS.split(), *_SPACES, *_HALVES, "a" * 3000, "á" * 500, "\u0301" * 300]
_WORDS = (
    "ferry|harbour|night|Anna|posted|reply|today|yesterday|May|Monday|page|next|2 days ago|view|10:15|Mär|"
    "вчера|3月|am|pm|GMT|+0200|user|thread|forum|topic|login"
)
WORDS = _WORDS.split("|")
RAW = [
    b"\xff",
    b"\xfe\xff",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\x80",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\x1b$B",
    b"\x1f\x8b",
]


def bytes_of(text: str) -> bytes:
    """The bytes of a text. Half characters stay half."""
    return text.encode("utf-8", "surrogatepass")


def piece(chance: random.Random) -> bytes:
    """A short text of any kind."""
    pick = chance.random()
    if pick < 0.45:
        return bytes_of(chance.choice(WORDS))
    if pick < 0.65:
        return bytes_of(chance.choice(NUMBERS))
    if pick < 0.9:
        return bytes_of(chance.choice(TEXTS))
    return chance.choice(RAW) if pick < 0.96 else chance.randbytes(chance.randrange(1, 9))


def words(chance: random.Random, most: int = 6, between: bytes = b" ") -> bytes:
    """Some pieces."""
    return between.join(piece(chance) for _ in range(chance.randrange(most + 1)))


def mutate(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Damage an input in one to eight places."""
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3, 5, 8))):
        _MUTATIONS[chance.randrange(len(_MUTATIONS))](out, others, chance)
    return bytes(out[:_MOST_BYTES])


def _place(out: bytearray, chance: random.Random, most: int = 64) -> tuple[int, int]:
    start = chance.randrange(len(out) + 1)
    return start, min(len(out), start + chance.randrange(most))


def _flip(out: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    if out:
        out[chance.randrange(len(out))] = chance.randrange(256)


def _delete(out: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    start, end = _place(out, chance, chance.choice((2, 16, 500)))
    del out[start:end]


def _insert(out: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    start, _end = _place(out, chance)
    out[start:start] = piece(chance)


def _replace(out: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    start, end = _place(out, chance, 12)
    out[start:end] = piece(chance)


def _repeat(out: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    start, end = _place(out, chance, chance.choice((4, 40, 400)))
    out[start:start] = out[start:end] * chance.choice((1, 2, 3, 30))


def _truncate(out: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    del out[chance.randrange(len(out) + 1) :]


def _splice(out: bytearray, others: Sequence[bytes], chance: random.Random) -> None:
    other = chance.choice(others)
    start, end = _place(out, chance, 200)
    first = chance.randrange(len(other) + 1)
    out[start:end] = other[first : first + chance.randrange(2000)]


def _change_number(out: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    """Put an extreme number in the place of a run of digits."""
    start = chance.randrange(len(out) + 1)
    while start < len(out) and not 48 <= out[start] <= 57:
        start += 1
    end = start
    while end < len(out) and 48 <= out[end] <= 57:
        end += 1
    out[start:end] = bytes_of(chance.choice(NUMBERS))


def _swap_lines(out: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    lines = bytes(out).split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    out[:] = b"\n".join(lines)


_OFTEN = (_flip, _insert, _replace, _change_number)
_MUTATIONS = (*_OFTEN, *_OFTEN, _delete, _repeat, _truncate, _splice, _swap_lines)


# Generators: the structure is right, and what is in it is anything.

_TAGS = (
    "div p span a b i table tr td th ul li dl dt dd h1 h2 form input select option textarea script "
    "style template svg math article section time blockquote pre br hr img iframe base meta link title "
    "head body html frameset noscript x-a font center"
)
TAGS = _TAGS.split()
_ATTRIBUTES = (
    "class id href src title datetime style name content property rel charset http-equiv lang dir data- "
    "id data-time itemprop itemtype type value hidden aria-hidden colspan rowspan action alt"
)
ATTRIBUTES = _ATTRIBUTES.split()
_CLASSES = (
    "post message author username date time body content quote pager next last topic thread forum row "
    "odd even hidden"
)
CLASSES = _CLASSES.split()


def html(chance: random.Random) -> bytes:
    """A tree of tags, some of them unclosed or closed in another order, or a list of records like posts."""
    if chance.random() < 0.4:
        return b"".join([b"<body>", _tree(chance, 5), _records(chance), _tree(chance, 5)])
    tree = _tree(chance, chance.choice((3, 10, 40, 120)))
    return tree * chance.choice((1, 1, 1, 4, 9)) if len(tree) < 4000 else tree


def _tree(chance: random.Random, size: int) -> bytes:
    out = [b"<!doctype html>" if chance.random() < 0.5 else b""]
    stack: list[bytes] = []
    for _ in range(size):
        act = chance.random()
        if act < 0.5:
            tag = chance.choice(TAGS).encode()
            out.append(b"<" + tag + _attributes(chance) + chance.choice((b">", b">", b">", b"/>", b"")))
            stack.append(tag)
        elif act < 0.75 and stack:
            out.append(b"</" + stack.pop(chance.choice((-1, -1, 0))) + b">")
        else:
            out.append(words(chance))
    return b"".join(out)


def _records(chance: random.Random) -> bytes:
    """Records of one form: an author with a link, a date, a text, and noise in some of them."""
    tag, inner = (chance.choice(TAGS[:20]).encode() for _ in range(2))
    name, place = (chance.choice(CLASSES).encode() for _ in range(2))
    parts = [b"author", b"date", b"text", b"link", b"number", b"noise"]
    chance.shuffle(parts)
    out = []
    for number in range(chance.choice((1, 2, 3, 8, 15))):
        values = {
            b"author": b"<a href='/user/%d'>%s</a>" % (number % 4, piece(chance)),
            b"date": b"<%s class=%s>%s</%s>" % (inner, place, date(chance), inner),
            b"text": b"<div>" + words(chance, 25) + b"</div>",
            b"link": b"<a href='" + url(chance) + b"'>#%d</a>" % number,
            b"number": bytes_of(chance.choice(NUMBERS[:20])),
            b"noise": _tree(chance, 3) if chance.random() < 0.3 else b"",
        }
        inside = b" ".join(values[part] for part in parts)
        out.append(b"<%s class=%s>%s</%s>" % (tag, name, inside, tag))
    return b"".join(out)


def _attributes(chance: random.Random) -> bytes:
    out = b""
    for _ in range(chance.choice((0, 0, 1, 1, 2, 4))):
        name = chance.choice(ATTRIBUTES)
        value = chance.choice(CLASSES).encode() if name in {"class", "id"} else _value(name, chance)
        sign = chance.choice((b'"', b"'", b""))
        out += b" " + name.encode() + b"=" + sign + value + sign
    return out


def _value(name: str, chance: random.Random) -> bytes:
    if name in {"href", "src", "action"}:
        return url(chance)
    if name in {"datetime", "data-time", "content", "title", "value"}:
        return chance.choice((date, words, url))(chance)
    return css(chance) if name == "style" else words(chance, 2)


_SCHEMES = "http:// https:// // / javascript: mailto: data: HTTP: http:/ file:/// ftp://"
_HOSTS = (
    "a.example|127.0.0.1|[::1]|[::|xn--|xn--a-ecp.ru|b.example:99999|u:p@c.example|1.2.3|0x7f.1|ex ample|"
    "münchen.example|..|-|"
)
HOSTS = [*_HOSTS.split("|"), "a" * 300]
_PARAMETERS = "t|page|start|sid|PHPSESSID|utm_source|f|p[]||a=b|offset"


def url(chance: random.Random) -> bytes:
    """A URL with odd parts."""
    parts = [bytes_of(chance.choice(["", *_SCHEMES.split()])), bytes_of(chance.choice(HOSTS))]
    for _ in range(chance.choice((0, 1, 2, 5))):
        parts += [chance.choice((b"/", b"/", b"/;", b"//", b"/../")), words(chance, 2, b"-")]
    if chance.random() < 0.6:
        names = _PARAMETERS.split("|")
        pairs = [bytes_of(chance.choice(names)) + b"=" + piece(chance) for _ in range(chance.randrange(5))]
        parts.append(b"?" + chance.choice((b"&", b"&", b";", b"&amp;")).join(pairs))
    return b"".join(parts) + (b"#" + piece(chance) if chance.random() < 0.3 else b"")


def date(chance: random.Random) -> bytes:
    """A date made of parts of many dates."""

    def number() -> str:
        small, year = str(chance.randrange(-1, 61)), str(chance.randrange(1900, 2101))
        return chance.choice((small, small, year, chance.choice(NUMBERS[:20])))

    parts = [number(), number(), number(), chance.choice(WORDS), f"{number()}:{number()}"]
    parts.append(chance.choice(("Tue", "May", "mai", "T", "Z", "GMT", "+99:99", "-0000")))
    parts.append(f"{number()}-{number()}-{number()}T{number()}:{number()}:{number()}+{number()}")
    chosen = chance.sample(parts, chance.randrange(1, len(parts)))
    return bytes_of(chance.choice((" ", "-", "/", ", ", ".", "")).join(chosen))


_RULES = (
    "display:none~visibility:hidden~position:absolute;left:-9999px~@import url(x)~content:'\\~/*~color:red~"
    "@media print{~background:url(javascript:1)~}~.a,.b>c::after{"
)


def css(chance: random.Random) -> bytes:
    """Rules of a style sheet."""
    out = []
    for _ in range(chance.randrange(8)):
        rule = f".{chance.choice(CLASSES)}{{{chance.choice(_RULES.split('~'))}}}".encode()
        out.append(rule if chance.random() < 0.6 else piece(chance))
    return b"".join(out)


_HEADERS = (
    "Content-Type Content-Length Transfer-Encoding Content-Encoding Date Last-Modified ETag Set-Cookie "
    "Location Retry-After Connection X-A WARC-Type WARC-Date WARC-Record-ID WARC-Target-URI WARC- "
    "Payload-Digest WARC-Truncated Expires Vary Link"
)
HEADERS = _HEADERS.split()
_HEADER_VALUES = """
text/html|text/html; charset=utf-16|text/html; charset="|application/http;msgtype=response|chunked|gzip
br, gzip|zstd|deflate|identity, chunked|close|keep-alive|response|revisit|warcinfo|<urn:uuid:1>|sha1:ABC|W/"a"
Tue, 15 Nov 1994 08:12:31 GMT|2024-05-31T10:15:00Z|0001-01-01T00:00:00+14:00|a=b; Path=/; Max-Age=5
a=b; Domain=.com|a=b; Expires=Sat, 01 Jan 9999 00:00:00 -9999|http://a.example/x|//|120|time
"""
HEADER_VALUES = _HEADER_VALUES.strip().replace("\n", "|").split("|")


def header_lines(chance: random.Random) -> bytes:
    """Lines of a head."""
    lines = []
    for _ in range(chance.randrange(9)):
        value = (
            bytes_of(chance.choice(HEADER_VALUES))
            if chance.random() < 0.6
            else chance.choice((words, date, url))(chance)
        )
        name = bytes_of(chance.choice(HEADERS)) if chance.random() < 0.9 else piece(chance)
        lines.append(name + chance.choice((b": ", b":", b" : ", b"")) + value)
    return b"".join(line + chance.choice((b"\r\n", b"\r\n", b"\n", b"\r\n ")) for line in lines)


def http(chance: random.Random) -> bytes:
    """An answer of a server."""
    status = chance.choice(
        (
            b"200 OK",
            b"301 Moved",
            b"304",
            b"204 None",
            b"100 Continue",
            b"999 x",
            b"20",
            b"-1",
            b"",
            b"101 Up",
        )
    )
    body = chance.choice(
        (
            b"hello",
            _chunks(chance),
            gzip.compress(b"hello"),
            words(chance),
            b"",
            b"\x1f\x8b\x08" + piece(chance),
        )
    )
    version = chance.choice((b"HTTP/1.1 ", b"HTTP/1.0 ", b"HTTP/2 ", b"http/1.1 ", b"ICY ", b""))
    return version + status + b"\r\n" + header_lines(chance) + chance.choice((b"\r\n", b"\n", b"")) + body


def _chunks(chance: random.Random) -> bytes:
    sizes = ("5", "05", "FFFFFFFFFFFFFFFF", "-5", "5;a=b", " 5 ", "0", "g", "")
    out = [
        bytes_of(chance.choice(sizes)) + b"\r\n" + piece(chance)[:9] + b"\r\n"
        for _ in range(chance.randrange(5))
    ]
    return b"".join(out) + chance.choice((b"0\r\n\r\n", b"0\r\nX: y\r\n\r\n", b""))


def warc(chance: random.Random) -> bytes:
    """Records, some of them compressed."""
    out = b""
    for _ in range(chance.randrange(1, 4)):
        block = http(chance)
        length = len(block) if chance.random() < 0.7 else chance.choice((0, 5, 10**6, -1, 10**30))
        record = (
            chance.choice((b"WARC/1.1", b"WARC/1.0", b"WARC/9", b"warc/1.1")) + b"\r\n" + header_lines(chance)
        )
        record += b"Content-Length: %d\r\n\r\n" % length + block + b"\r\n\r\n"
        out += gzip.compress(record) if chance.random() < 0.4 else record
    return out


_KEYS = (
    "text url title author date blocks level kind lang id format pages clusters framing stage task_id "
    "site_id items version a"
)
KEYS = _KEYS.split()


def json_value(chance: random.Random, depth: int = 0) -> bytes:
    """A value of JSON, now and then broken or nested without end."""
    pick = chance.random()
    if depth == 0 and pick < 0.02:
        return chance.choice((b"[", b'{"a":', b'{"text":[')) * chance.choice((10, 990, 20_000))
    if depth < 4 and pick < 0.4:
        pairs = [
            json.dumps(chance.choice(KEYS)).encode() + b": " + json_value(chance, depth + 1)
            for _ in range(chance.randrange(5))
        ]
        return b"{" + b", ".join(pairs) + b"}"
    if depth < 4 and pick < 0.55:
        return b"[" + b", ".join(json_value(chance, depth + 1) for _ in range(chance.randrange(4))) + b"]"
    if pick < 0.75:
        return json.dumps(" ".join(chance.choices(TEXTS + WORDS, k=3))).encode()
    return chance.choice(
        (b"null", b"true", b"1e999", b"-1", b"NaN", b'"\\ud800"', b"1" * 5000, b"0.1", piece(chance))
    )


def json_lines(chance: random.Random) -> bytes:
    """Some lines of JSON."""
    return b"\n".join(json_value(chance) for _ in range(chance.randrange(1, 5)))


_ROBOTS = "User-agent|Disallow|Allow|Crawl-delay|Sitemap|Request-rate|Visit-time|user agent|#|Host|"
_ROBOTS_RULES = f"*|/|threadmill|Threadmill/1.0|/a*b$|/{'*' * 50}|$|1/10s|0600-0845|10|1e400|nan|-5"


def robots(chance: random.Random) -> bytes:
    """Lines of a robots.txt."""
    lines = []
    for _ in range(chance.randrange(12)):
        name = bytes_of(chance.choice(_ROBOTS.split("|"))) + chance.choice((b": ", b":", b""))
        rule = bytes_of(chance.choice(_ROBOTS_RULES.split("|")))
        lines.append(name + (rule if chance.random() < 0.7 else piece(chance)))
    mark = chance.choice((b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
    return mark + chance.choice((b"\n", b"\r\n", b"\r")).join(lines)


_XML_TAGS = (
    "urlset url loc lastmod sitemapindex sitemap rss channel item link guid pubDate feed entry updated id a:b"
)
XML_TAGS = _XML_TAGS.split()


def xml(chance: random.Random) -> bytes:
    """A sitemap or feed with entities, CDATA and tags that do not close."""
    out = [
        chance.choice(
            (
                b"",
                b'<?xml version="1.0" encoding="utf-16"?>',
                b"<?xml version='1.0'?>",
                b'<!DOCTYPE a [<!ENTITY b "c">]>',
            )
        )
    ]
    for _ in range(chance.randrange(1, 14)):
        tag = chance.choice(XML_TAGS).encode()
        inner = chance.choice((words, url, date))(chance)
        ends = (b"</" + tag + b">", b"</" + tag + b">", b"", b"/>")
        out.append(
            b"<" + tag + chance.choice((b">", b" href='x'>", b" xmlns='y'>")) + inner + chance.choice(ends)
        )
    return b"".join(out)


_STRUCTURES = (
    '<doc>|<doc url="a" n="1">|</doc>|<p>|</p>|<head>|</head>|<s>|</s>|<g/>|<dup/>|<link url=\'x\'>|</link>|'
    '<sec>|</sec>|<p|<doc a="|<>|</>'
)
_LINK_COLUMNS = ("\thttp://a.example\t1", '\t<link="x">\t<length=9>', "\t\t", "\tlink\t-1", "\ta\tb\tc\td")


def vertical(chance: random.Random) -> bytes:
    """Lines of a vertical file."""
    lines = []
    for _ in range(chance.randrange(1, 30)):
        links = bytes_of(chance.choice(_LINK_COLUMNS)) if chance.random() < 0.4 else b""
        tag = bytes_of(chance.choice(_STRUCTURES.split("|")))
        lines.append(tag if chance.random() < 0.6 else piece(chance) + links)
    return b"\n".join(lines)


def conllu(chance: random.Random) -> bytes:
    """Lines of a CoNLL-U file."""
    ids = ("1", "2", "1-2", "1.1", "x", "1-", "-", "", "٣")
    lines = []
    for _ in range(chance.randrange(1, 12)):
        columns = [
            bytes_of(chance.choice(ids)),
            *(piece(chance) for _ in range(chance.choice((9, 9, 9, 8, 0)))),
        ]
        heads = (b"# newdoc", b"# newpar id = d-p1", b"# doc_url = x", b"", b"#")
        lines.append(b"\t".join(columns) if chance.random() < 0.7 else chance.choice(heads))
    return b"\n".join(lines)


_SECTIONS = "fetch crawl archive store service watch console x"
SECTIONS = _SECTIONS.split()
_NAMES = (
    "delay concurrency timeout max_body_bytes url port contact enabled max_pages robots "
    "compression_level budget password y"
)
NAMES = _NAMES.split()


_TOML = '1~-1~"x"~true~[1, 2]~{a = 1}~nan~1e400~2024-05-31~\'\'\'~"\\u0000"~0x10~1_000~99999999999999999999'


def toml(chance: random.Random) -> bytes:
    """A file of settings."""
    lines = []
    for _ in range(chance.randrange(1, 9)):
        value = chance.choice(_TOML.split("~")).encode() if chance.random() < 0.8 else piece(chance)
        section = f"[{chance.choice(SECTIONS)}]".encode()
        lines.append(section if chance.random() < 0.35 else chance.choice(NAMES).encode() + b" = " + value)
    return b"\n".join(lines)


def environment(chance: random.Random) -> bytes:
    """Lines NAME=VALUE."""
    return b"\n".join(
        f"THREADMILL_{chance.choice(SECTIONS)}_{chance.choice(NAMES)}".upper().encode() + b"=" + piece(chance)
        for _ in range(chance.randrange(1, 5))
    )


def packed(chance: random.Random) -> bytes:
    """A body in some content encodings, whole or broken."""
    body = gzip.compress(words(chance, 30)) if chance.random() < 0.6 else words(chance, 30)
    cut = chance.randrange(len(body) + 1) if chance.random() < 0.5 else len(body)
    return (
        chance.choice(
            (b"gzip", b"x-gzip, br", b"zstd", b"deflate", b"br", b"", b"chunked", piece(chance)[:20])
        )
        + b"\n"
        + body[:cut]
    )


def text(chance: random.Random) -> bytes:
    """Sentences with odd characters."""
    return words(chance, 40, chance.choice((b" ", b". ", b"", b"\n")))


_CQL = (
    '[~]~(~)~{~}~{0,3}~{2,}~{99999}~*~+~?~|~&~!~=~!=~==~<s>~</s>~<doc>~within~"a.*"~"["~"("~\\~"\\~word~lemma~'
    'tag="N.*"~word="ferry"~%c~%d~"a"~\'b\'~[]~containing~s~<doc n="1"/>~,~1~x'
)


def cql(chance: random.Random) -> bytes:
    """Words of a query in any order."""
    signs = _CQL.split("~")
    found = [
        bytes_of(chance.choice(signs)) if chance.random() < 0.9 else piece(chance)
        for _ in range(chance.randrange(1, 16))
    ]
    return chance.choice((b" ", b"")).join(found)


def table(chance: random.Random) -> bytes:
    """Cells with tabs or other separators between them, as in cookie files and lists of sites."""
    separator = chance.choice((b"\t", b"\t", b";", b",", b"|"))
    cells = (b".a.example", b"TRUE", b"/", b"0", b"1893456000", b"b.example", b"http://c.example/", b"#")
    return b"\n".join(
        separator.join(
            chance.choice(cells) if chance.random() < 0.7 else piece(chance)
            for _ in range(chance.choice((1, 2, 6, 7, 7, 7, 8)))
        )
        for _ in range(chance.randrange(1, 9))
    )


def _values(chance: random.Random) -> bytes:
    return chance.choice((words, date, header_lines))(chance)


def _listing(chance: random.Random) -> bytes:
    return xml(chance) if chance.random() < 0.8 else json_value(chance)


GENERATORS: dict[str, Generator] = {
    "html": html,
    "warc": warc,
    "http": http,
    "headers": _values,
    "robots": robots,
    "xml": _listing,
    "url": url,
    "date": date,
    "css": css,
    "json": json_lines,
    "vertical": vertical,
    "conllu": conllu,
    "toml": toml,
    "environment": environment,
    "packed": packed,
    "text": text,
    "query": words,
    "recipe": toml,
    "corrections": toml,
    "cookie file": table,
    "table": table,
    "cql": cql,
    "results": json_lines,
}


def make_input(kind: str, chance: random.Random) -> bytes:
    """An input of a kind, damaged or generated."""
    generate = GENERATORS[kind]
    if chance.random() < 0.5:
        return generate(chance)[:_MOST_BYTES]
    seeds = seeds_of(kind)
    seed = chance.choice(seeds) if chance.random() < 0.8 else generate(chance)
    return mutate(seed, seeds, chance)
