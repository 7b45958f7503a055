"""Writes the content of a page with its structure: as Markdown (GFM), as HTML, as XML and as TEI."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html import escape

from threadmill.page.clean import LazyPage
from threadmill.page.structure import ContentNode, StructureOptions, content_tree
from threadmill.types import Metadata

_HEADINGS = {f"h{i}": i for i in range(1, 7)}
_BLOCK_TAGS = frozenset(
    [*_HEADINGS, "p", "ul", "ol", "blockquote", "pre", "table", "dl", "hr", "line", "caption", "figcaption",
     "li", "dt", "dd", "tr", "td", "th"]
)  # fmt: skip
_SPECIAL = re.compile(r"([\\`*_\[\]<>~|])")
_LEADING = re.compile(r"^(\s*)(\d{1,9}[.)]|[-+#=]+)(?=\s|$)", re.MULTILINE)
_ENTITY = re.compile(r"&(?=#?\w{1,31};)")
_BACKTICKS = re.compile(r"`+")

Part = ContentNode | str


def write_page(page: LazyPage, name: str, options: StructureOptions) -> str:
    """The page in one of the formats of WRITERS."""
    return WRITERS[name](content_tree(page, options), page)


def _markdown(root: ContentNode, page: LazyPage) -> str:  # noqa: ARG001
    return "\n\n".join(_blocks(root.children))


def _paragraphs(children: Iterable[Part]) -> Iterator[Part | list[Part]]:
    """The children, with runs of inline children as one list each."""
    run: list[Part] = []
    for child in children:
        if isinstance(child, str) or child.tag not in _BLOCK_TAGS:
            run.append(child)
            continue
        if run:
            yield run
            run = []
        yield child
    if run:
        yield run


def _blocks(children: Iterable[Part]) -> list[str]:
    """Blocks of Markdown."""
    found: list[str] = []
    for part in _paragraphs(children):
        if isinstance(part, list):
            found.append(_paragraph(part))
        elif isinstance(part, ContentNode):
            found.extend(_block(part))
    return [block for block in found if block.strip()]


def _paragraph(run: list[Part]) -> str:
    text = _inline(run).strip()
    lines = [" ".join(line.split()) for line in text.split("\n")]
    text = "\\\n".join(
        line.removesuffix("\\") if not line.endswith("\\\\") else line for line in lines if line
    )
    return _LEADING.sub(_escape_leading, text)


def _escape_leading(match: re.Match[str]) -> str:
    space, mark = match.groups()
    return f"{space}{mark[:-1]}\\{mark[-1]}" if mark[0].isdigit() else f"{space}\\{mark}"


def _block(node: ContentNode) -> list[str]:
    tag = node.tag
    if tag in _HEADINGS:
        text = _paragraph(node.children).replace("\\\n", " ")
        return [f"{'#' * _HEADINGS[tag]} {text}"] if text else []
    if tag == "dt":
        return [f"**{text}**" for text in [_paragraph(node.children)] if text]
    writer = _BLOCK_WRITERS.get(tag)
    return writer(node) if writer is not None else _blocks(node.children)


def _quote(node: ContentNode) -> list[str]:
    return ["\n".join(f"> {line}".rstrip() for line in "\n\n".join(_blocks(node.children)).split("\n"))]


def _list(node: ContentNode) -> list[str]:
    number = int(node.values.get("start", "1"))
    lines: list[str] = []
    items = [child for child in node.children if isinstance(child, ContentNode) and child.tag != "line"]
    loose = any(_is_loose(item) for item in items)
    for item in items:
        mark = f"{number}. " if node.tag == "ol" else "- "
        number += 1
        blocks = _blocks(item.children if item.tag == "li" else [item])
        text = ("\n\n" if loose else "\n").join(blocks)
        box = {"yes": "[x] ", "no": "[ ] "}.get(item.values.get("checked", ""), "")
        indent = " " * len(mark)
        lines.append(mark + box + "\n".join(f"{indent}{line}".rstrip() for line in text.split("\n")).lstrip())
    return [("\n\n" if loose else "\n").join(lines)]


def _is_loose(item: ContentNode) -> bool:
    """Whether an item has paragraphs of its own."""
    return any(isinstance(child, ContentNode) and child.tag in {"p", "pre", "table", "blockquote"}
               for child in item.children)  # fmt: skip


def _code_block(node: ContentNode) -> list[str]:
    text = node.text().strip("\n")
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{node.values.get('language', '')}\n{text}\n{fence}"]


def _rows(node: ContentNode) -> Iterator[ContentNode]:
    for child in node.children:
        if isinstance(child, ContentNode):
            if child.tag == "tr":
                yield child
            elif child.tag != "table":
                yield from _rows(child)


def _cells(row: ContentNode) -> list[ContentNode]:
    return [cell for cell in row.children if isinstance(cell, ContentNode) and cell.tag in {"td", "th"}]


def _table(node: ContentNode) -> list[str]:
    """A table of GFM; one with a single column is layout, and becomes paragraphs."""
    rows = [_cells(row) for row in _rows(node)]
    rows = [row for row in rows if row]
    captions = [child for child in node.children if isinstance(child, ContentNode) and child.tag == "caption"]
    found = [block for caption in captions for block in _blocks(caption.children)]
    width = max(map(len, rows), default=0)
    if width < 2 or any(_holds_blocks(cell) for row in rows for cell in row):
        return found + [block for row in rows for cell in row for block in _blocks(cell.children)]
    texts = [[_cell(cell) for cell in row] + [""] * (width - len(row)) for row in rows]
    marks = {"left": ":--", "right": "--:", "center": ":-:", "": "---"}
    aligned = [marks[cell.values.get("align", "")] for cell in rows[0]] + ["---"] * (width - len(rows[0]))
    lines = [f"| {' | '.join(row)} |" for row in [texts[0], aligned, *texts[1:]]]
    return [*found, "\n".join(lines)]


def _holds_blocks(cell: ContentNode) -> bool:
    return any(
        isinstance(child, ContentNode)
        and (child.tag in {"table", "pre", "ul", "ol", "blockquote", *_HEADINGS} or _holds_blocks(child))
        for child in cell.children
    )


def _cell(cell: ContentNode) -> str:
    return " ".join(block.replace("\\\n", " ").replace("\n", " ") for block in _blocks(cell.children))


_BLOCK_WRITERS: dict[str, Callable[[ContentNode], list[str]]] = {
    "ul": _list,
    "ol": _list,
    "blockquote": _quote,
    "pre": _code_block,
    "table": _table,
    "hr": lambda _: ["---"],
}

_MARKS = {"strong": "**", "em": "*", "del": "~~"}


def _inline(children: Iterable[Part], *, inside: frozenset[str] = frozenset()) -> str:
    pieces: list[str] = []
    for child in children:
        if isinstance(child, str):
            pieces.append(_ENTITY.sub("&amp;", _SPECIAL.sub(r"\\\1", child)))
        elif child.tag == "br":
            pieces.append("\n")
        elif child.tag == "img":
            pieces.append(f"![{_label(child.values['alt'])}]({_target(child.values['src'])})")
        elif child.tag == "code":
            pieces.append(_code(child.text()))
        elif child.tag == "a" and "a" not in inside:
            text = _inline(child.children, inside=inside | {"a"})
            pieces.append(_around(text, "[", f"]({_target(child.values['href'])})"))
        elif child.tag in _MARKS and child.tag not in inside:
            text = _inline(child.children, inside=inside | {child.tag})
            pieces.append(_around(text, _MARKS[child.tag], _MARKS[child.tag]))
        elif child.tag in {"sup", "sub"}:
            text = _inline(child.children, inside=inside)
            pieces.append(_around(text, f"<{child.tag}>", f"</{child.tag}>"))
        else:
            pieces.append(_inline(child.children, inside=inside))
    return "".join(pieces)


def _around(text: str, before: str, after: str) -> str:
    """Marks stand at words: white space at the ends goes outside."""
    bare = text.strip()
    if not bare:
        return text
    start = len(text) - len(text.lstrip())
    return f"{text[:start]}{before}{bare}{after}{text[start + len(bare) :]}"


def _code(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        return ""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _label(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _target(url: str) -> str:
    return (
        url.replace(" ", "%20")
        .replace("(", "%28")
        .replace(")", "%29")
        .replace("<", "%3C")
        .replace(">", "%3E")
    )


def _html(root: ContentNode, page: LazyPage) -> str:
    title = escape(page.metadata.title)
    language = f' lang="{escape(page.language)}"' if page.language else ""
    body = _elements(root.children, _name_in_html)
    return (
        f'<!doctype html>\n<html{language}><head><meta charset="utf-8"><title>{title}</title></head>\n'
        f"<body>\n{body}\n</body></html>"
    )


# How each format names an element: name, and attributes from the values of the node.
Naming = Callable[[ContentNode], tuple[str, dict[str, str]]]
_EMPTY = frozenset({"br", "hr", "img", "lb", "graphic"})
_UNNAMED = frozenset({"line", "root"})


def _name_in_html(node: ContentNode) -> tuple[str, dict[str, str]]:
    values = {key: value for key, value in node.values.items() if key in {"href", "src", "alt"}}
    if node.tag == "ol" and node.values.get("start", "1") != "1":
        values["start"] = node.values["start"]
    return node.tag, values


def _elements(children: Iterable[Part], naming: Naming, *, holds_text: bool = False) -> str:
    """Elements with their text; runs of text become paragraphs where the frame holds no text."""
    pieces: list[str] = []
    for part in _paragraphs(children):
        if isinstance(part, list):
            text = _inline_elements(part, naming).strip()
            if text:
                pieces.append(text if holds_text else f"<p>{text}</p>")
        elif isinstance(part, ContentNode):
            pieces.append(_element(part, naming))
    return "\n".join(filter(None, pieces))


def _element(node: ContentNode, naming: Naming) -> str:
    if node.tag in _UNNAMED:
        return _elements(node.children, naming)
    if node.tag == "pre":
        return _preformatted(node, naming)
    mixed = any(isinstance(child, ContentNode) and child.tag in _BLOCK_TAGS for child in node.children)
    if mixed:
        inner = _elements(node.children, naming, holds_text=node.tag in _HOLD_TEXT)
    else:
        inner = _inline_elements(node.children, naming).strip()
    return _tagged(naming, node, inner) if inner or node.tag in {"td", "th", "hr"} else ""


_HOLD_TEXT = frozenset({"li", "td", "th", "dd", "dt", "p"})


def _preformatted(node: ContentNode, naming: Naming) -> str:
    code = escape(node.text().strip("\n"))
    if naming is not _name_in_html:
        return f'<ab type="code">{code}</ab>'
    language = node.values.get("language", "")
    shown = f' class="language-{escape(language)}"' if language else ""
    return f"<pre><code{shown}>{code}\n</code></pre>"


def _inline_elements(children: Iterable[Part], naming: Naming) -> str:
    return "".join(
        escape(child)
        if isinstance(child, str)
        else _tagged(naming, child, _inline_elements(child.children, naming))
        for child in children
    )


def _tagged(naming: Naming, node: ContentNode, inner: str) -> str:
    name, values = naming(node)
    if not name:
        return inner
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in values.items())
    if name in _EMPTY:
        return f"<{name}{attributes}/>"
    return f"<{name}{attributes}>{inner}</{name}>"


_TEI_NAMES = {
    "p": "p", "ul": "list", "ol": "list", "li": "item", "blockquote": "quote",
    "table": "table", "tr": "row", "td": "cell", "th": "cell", "br": "lb", "dl": "list", "dt": "item",
    "dd": "item",    "figcaption": "p", "caption": "head",
}  # fmt: skip
_RENDITIONS = {"strong": "#b", "code": "#t", "em": "#i", "del": "overstrike", "sup": "#sup", "sub": "#sub"}


def _name_in_tei(node: ContentNode) -> tuple[str, dict[str, str]]:
    tag = node.tag
    if tag in _HEADINGS:
        return "ab", {"type": "header", "rend": tag}
    if tag in _RENDITIONS:
        return "hi", {"rend": _RENDITIONS[tag]}
    if tag == "a":
        return "ref", {"target": node.values["href"]}
    if tag == "img":
        return "graphic", {"url": node.values["src"]}
    name = _TEI_NAMES.get(tag, "")
    if tag in {"ul", "ol"}:
        return name, {"rend": tag}
    if tag == "th":
        return name, {"role": "label"}
    return name, {}


def _xml(root: ContentNode, page: LazyPage) -> str:
    metadata = page.metadata
    values = {
        "title": metadata.title, "author": metadata.author,
        "date": metadata.date.isoformat() if metadata.date else "",
        "url": page.url or "", "sitename": metadata.site_name, "language": page.language,
    }  # fmt: skip
    attributes = "".join(f' {key}="{escape(_clean(value))}"' for key, value in values.items() if value)
    return f"<doc{attributes}>\n<main>\n{_clean(_elements(root.children, _name_in_tei))}\n</main>\n</doc>"


def _tei(root: ContentNode, page: LazyPage) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">\n'
        f'{_clean(_tei_header(page.metadata, page.url or ""))}\n<text>\n<body>\n<div type="entry">\n'
        f"{_clean(_elements(root.children, _name_in_tei)) or '<p/>'}\n</div>\n</body>\n</text>\n</TEI>"
    )


def _tei_header(metadata: Metadata, url: str) -> str:
    title = escape(metadata.title)
    authors = "".join(f"<author>{escape(name)}</author>" for name in metadata.authors)
    publisher = escape(metadata.site_name or "N/A")
    when = metadata.date.isoformat() if metadata.date else ""
    date = f'<date type="publication">{when}</date>' if when else ""
    licence = f"<availability><p>{escape(metadata.licence)}</p></availability>" if metadata.licence else ""
    source = f'<ptr type="URL" target="{escape(url)}"/>' if url else ""
    abstract = f"<abstract><p>{escape(metadata.description)}</p></abstract>" if metadata.description else ""
    return (
        f'<teiHeader><fileDesc><titleStmt><title type="main">{title}</title>{authors}</titleStmt>'
        f"<publicationStmt><publisher>{publisher}</publisher>{licence}{date}</publicationStmt>"
        f"<sourceDesc><bibl>{title}{source}</bibl></sourceDesc></fileDesc>"
        f"<profileDesc>{abstract}</profileDesc></teiHeader>"
    )


_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _clean(text: str) -> str:
    """The text without characters that XML does not allow."""
    return _NOT_XML.sub("", text)


WRITERS: dict[str, Callable[[ContentNode, LazyPage], str]] = {
    "markdown": _markdown,
    "html": _html,
    "xml": _xml,
    "tei": _tei,
}
