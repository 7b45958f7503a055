"""How the three dialects write a form, a value and a link. They have everything else in common.

manatee ((No)Sketch Engine) decodes no entities, so `sketch` escapes only forms that look like a tag, and the
double quotes of a value that has both kinds of quotes. CWB
always decodes entities in values, and in forms with -x, so `cwb` escapes as XML does. `knot` is the format of
the source: links in columns, and no bar in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from threadmill.corpus.text.delimited_text import DELIMITERS
from threadmill.errors import UsageError

_TAG_LIKE = re.compile(r"</?[A-Za-z_!?]")
_ESCAPED = re.compile(r"&(?:amp;)*lt;")
_TO_ESCAPE = re.compile(
    rf"(?<![^{DELIMITERS}])(?:<(?=/?[A-Za-z_!?])|&(?=(?:amp;)*lt;))"
)  # in a delimited text
# A value with both kinds of quotes has &quot; in it. So what looks like one is escaped too.
_QUOTE_LIKE = re.compile(r"&(?=(?:amp;)*quot;)")
_QUOTES = re.compile(r"&(?:amp;)*quot;")
_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos);")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
# In the order in which they must be replaced.
_XML = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"))


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way to write vertical text."""

    name: str
    entities: bool  # the corpus manager decodes XML entities
    links_in_columns: bool
    bar: str  # replaces "|" in text

    def write_form(self, form: str) -> str:
        """A form as it is written in the first column of a line."""
        if self.bar != "|":
            form = form.replace("|", self.bar)
        if self.entities:
            return _escape(form)
        if form[:1] not in {"<", "&"}:
            return form
        if _TAG_LIKE.match(form):
            return f"&lt;{form[1:]}"
        return f"&amp;{form[1:]}" if _ESCAPED.match(form) else form

    def write_cut(self, cut: str) -> str:
        """The same for all forms of a delimited text at once."""
        if self.bar != "|":
            cut = cut.replace("|", self.bar)
        if self.entities:
            return _escape(cut)
        if "<" not in cut and "&" not in cut:
            return cut
        return _TO_ESCAPE.sub(_escaped, cut)

    def read_form(self, column: str) -> str:
        """The inverse of write_form."""
        if self.entities:
            return _unescape(column)
        if not _ESCAPED.match(column):
            return column
        return f"<{column[4:]}" if column.startswith("&lt;") else f"&{column[5:]}"

    def write_column(self, value: str | None) -> str:
        """A lemma or a tag, empty if there is none."""
        text = value or ""
        if self.bar != "|":
            text = text.replace("|", self.bar)
        return _escape(text) if self.entities else text

    def read_column(self, column: str) -> str | None:
        """The inverse of write_column."""
        return (_unescape(column) if self.entities else column) or None

    def write_value(self, value: str) -> str:
        """The value of an attribute with its quotes."""
        text = value.replace("|", self.bar)
        if self.entities:
            return f'"{_escape(text)}"'
        if "&" in text:
            text = _QUOTE_LIKE.sub("&amp;", text)
        if '"' not in text:
            return f'"{text}"'
        if "'" not in text:
            return f"'{text}'"
        return f'"{text.replace(chr(34), "&quot;")}"'

    def read_value(self, text: str) -> str:
        """The inverse of write_value, for a value without its quotes."""
        if self.entities:
            return _unescape(text)
        return _QUOTES.sub(_read_quote, text) if "&" in text else text


def _read_quote(match: re.Match[str]) -> str:
    return '"' if match.group() == "&quot;" else f"&{match.group()[len('&amp;') :]}"


def _escape(text: str) -> str:
    for sign, entity in _XML:
        if sign in text:
            text = text.replace(sign, entity)
    return text


def _escaped(match: re.Match[str]) -> str:
    return "&lt;" if match.group() == "<" else "&amp;"


def _unescape(text: str) -> str:
    return _ENTITY.sub(lambda match: _ENTITIES[match.group(1)], text) if "&" in text else text


DIALECTS = {
    "sketch": Dialect("sketch", entities=False, links_in_columns=False, bar="|"),
    "cwb": Dialect("cwb", entities=True, links_in_columns=False, bar="|"),
    "knot": Dialect("knot", entities=False, links_in_columns=True, bar="¦"),
}


def dialect(name: str) -> Dialect:
    """A dialect by its name."""
    if name not in DIALECTS:
        raise UsageError(f"there is no vertical dialect {name!r}; choose one of {', '.join(DIALECTS)}")
    return DIALECTS[name]
