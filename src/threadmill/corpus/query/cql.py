"""Reads queries in CQL, the corpus query language: [lemma="go" & tag="V.*"] []{0,3} "home" within s.

A query becomes an automaton: states, and arrows between them that take one position each. Structure
tags (<s>, </s>) take none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import NoReturn

from threadmill.errors import UsageError

_TOKEN = re.compile(
    r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<tag></?[A-Za-z_][\w-]*>)
    |(?P<name>[A-Za-z_][\w-]*)
    |(?P<repeat>\{\s*\d*\s*(?:,\s*\d*\s*)?\}|[*+?])
    |(?P<flags>%[cdl]+)
    |(?P<sign>!==|==|!=|[\[\]()&|!=<>/])
    )""",
    re.VERBOSE,
)
_MOST_REPEATED = 100  # positions of an open repetition such as []*
_MOST_STATES = 2000
_MOST_NESTED = 50
_LONGEST_NUMBER = 6  # digits
DEFAULT_ATTRIBUTE = "word"


@dataclass(frozen=True, slots=True)
class ValueCondition:
    """A value of one attribute: a regular expression for the whole value, or a plain text."""

    attribute: str
    pattern: str
    negated: bool = False
    plain: bool = False  # the pattern is a text, not a regular expression
    ignore_case: bool = False
    ignore_accents: bool = False


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of the parts hold. Without parts, any position."""

    parts: tuple[Test, ...] = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of the parts holds."""

    parts: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class NoneOf:
    """The part does not hold."""

    part: Test


Test = ValueCondition | AllOf | AnyOf | NoneOf
ANY = AllOf()


@dataclass(frozen=True, slots=True)
class Step:
    """One position that passes a test."""

    test: Test


@dataclass(frozen=True, slots=True)
class Edge:
    """The begin or the end of a structure, between two positions."""

    structure: str
    is_end: bool


@dataclass(frozen=True, slots=True)
class InOrder:
    """The parts one after another."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of the parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeated:
    """The part so many times."""

    part: Node
    least: int
    most: int


Node = Step | Edge | InOrder | OneOf | Repeated


@dataclass(frozen=True, slots=True)
class Within:
    """A match lies in one range of a structure, whose attributes may have to match, too."""

    structure: str
    conditions: tuple[ValueCondition, ...] = ()


@dataclass(frozen=True, slots=True)
class CqlQuery:
    """A parsed query."""

    pattern: Node
    within: tuple[Within, ...] = ()


@dataclass(slots=True)
class Automaton:
    """States from 0 (begin); arrows take a position, or stay at an edge of a structure or for nothing."""

    steps: list[tuple[int, Test, int]] = field(default_factory=list)
    jumps: list[tuple[int, Edge | None, int]] = field(default_factory=list)
    states: int = 1
    final: int = 0

    def new_state(self) -> int:
        """One more state."""
        self.states += 1
        if self.states > _MOST_STATES:
            raise UsageError("the query repeats too much; use smaller numbers in { }")
        return self.states - 1


def parse_cql(text: str, default: str = DEFAULT_ATTRIBUTE) -> CqlQuery:
    """Read a query. A string alone means the attribute `default`."""
    return _Parser(text, default).query()


def make_automaton(pattern: Node) -> Automaton:
    """The automaton of a pattern."""
    automaton = Automaton()
    automaton.final = _add(automaton, pattern, 0)
    return automaton


def _add(automaton: Automaton, node: Node, begin: int) -> int:
    """Add a part that begins in a state. Returns the state in which it ends."""
    if isinstance(node, Step):
        end = automaton.new_state()
        automaton.steps.append((begin, node.test, end))
        return end
    if isinstance(node, Edge):
        end = automaton.new_state()
        automaton.jumps.append((begin, node, end))
        return end
    if isinstance(node, InOrder):
        for part in node.parts:
            begin = _add(automaton, part, begin)
        return begin
    end = automaton.new_state()
    if isinstance(node, OneOf):
        for part in node.parts:
            automaton.jumps.append((_add(automaton, part, begin), None, end))
        return end
    at = begin
    for done in range(node.most):
        if done >= node.least:
            automaton.jumps.append((at, None, end))
        at = _add(automaton, node.part, at)
    automaton.jumps.append((at, None, end))
    return end


def lengths(node: Node) -> tuple[int, int]:
    """The fewest and the most positions of a part."""
    if isinstance(node, Step):
        return 1, 1
    if isinstance(node, Edge):
        return 0, 0
    if isinstance(node, Repeated):
        least, most = lengths(node.part)
        return least * node.least, most * node.most
    pairs = [lengths(part) for part in node.parts]
    if isinstance(node, InOrder):
        return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
    return min(pair[0] for pair in pairs), max(pair[1] for pair in pairs)


class _Parser:
    """Reads the words of a query from left to right."""

    def __init__(self, text: str, default: str) -> None:
        self._text = text = text.rstrip()
        self._default = default
        self._words: list[tuple[str, str, int]] = []
        at = 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None or match.lastgroup is None:
                self._fail(at)
            self._words.append((match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
            at = match.end()
        self._at = 0
        self._check_depth()

    def _check_depth(self) -> None:
        """Refuse a query that stands too deep in itself: Python could not follow it."""
        depth = signs = 0
        for kind, value, place in self._words:
            if kind == "sign" and value in {"(", ")"}:
                depth += 1 if value == "(" else -1
            signs = signs + 1 if kind == "repeat" or (kind, value) == ("sign", "!") else 0
            if depth > _MOST_NESTED or signs > _MOST_NESTED:
                self._fail(place, f"at most {_MOST_NESTED} brackets or signs within one another")

    def _fail(self, at: int, wanted: str = 'a position such as [lemma="go"] or "word"') -> NoReturn:
        found = repr(self._text[at : at + 20]) if self._text[at:].strip() else "the end"
        raise UsageError(f"expected {wanted} at character {at + 1} of the query, but found {found}")

    def _peek(self) -> tuple[str, str]:
        return self._words[self._at][:2] if self._at < len(self._words) else ("", "")

    def _place(self) -> int:
        return self._words[self._at][2] if self._at < len(self._words) else len(self._text)

    def _take(self, value: str) -> bool:
        if self._peek()[1] == value and self._peek()[0] != "string":
            self._at += 1
            return True
        return False

    def _need(self, value: str) -> None:
        if not self._take(value):
            self._fail(self._place(), repr(value))

    def query(self) -> CqlQuery:
        pattern = self._alternatives()
        within = []
        while self._take("within"):
            within.append(self._within())
        if self._at < len(self._words):
            self._fail(self._place(), "the end of the query, or within")
        if lengths(pattern)[0] == 0:
            raise UsageError(
                'the query matches no position at all; ask for at least one, as in [word="a"] []*'
            )
        return CqlQuery(pattern, tuple(within))

    def _within(self) -> Within:
        kind, value = self._peek()
        if kind == "tag" and not value.startswith("</"):
            self._at += 1
            return Within(value[1:-1])
        if kind == "name":
            self._at += 1
            return Within(value)
        if not self._take("<"):
            self._fail(self._place(), 'a structure such as s or <doc lang="en"/>')
        name = self._name()
        conditions = []
        while self._peek()[0] == "name":
            conditions.append(self._condition())
            self._take("&")
        self._take("/")
        self._need(">")
        return Within(name, tuple(conditions))

    def _name(self) -> str:
        kind, value = self._peek()
        if kind != "name":
            self._fail(self._place(), "a name")
        self._at += 1
        return value

    def _alternatives(self) -> Node:
        parts = [self._sequence()]
        while self._take("|"):
            parts.append(self._sequence())
        return parts[0] if len(parts) == 1 else OneOf(tuple(parts))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while True:
            kind, value = self._peek()
            if kind == "string" or value in {"[", "("} or kind == "tag":
                parts.append(self._repeated())
            else:
                break
        if not parts:
            self._fail(self._place())
        return parts[0] if len(parts) == 1 else InOrder(tuple(parts))

    def _repeated(self) -> Node:
        node = self._single()
        while self._peek()[0] == "repeat":
            node = Repeated(node, *self._times(self._peek()[1]))
            self._at += 1
        return node

    def _times(self, text: str) -> tuple[int, int]:
        if text in {"*", "+", "?"}:
            return {"*": (0, _MOST_REPEATED), "+": (1, _MOST_REPEATED), "?": (0, 1)}[text]
        low, comma, high = text[1:-1].replace(" ", "").partition(",")
        if len(low) > _LONGEST_NUMBER or len(high) > _LONGEST_NUMBER:
            self._fail(self._place(), "a repetition such as {2} or {0,3}")
        least = int(low or 0)
        most = (int(high) if high else _MOST_REPEATED) if comma else least
        if not least <= most or (not low and not high):
            self._fail(self._place(), "a repetition such as {2} or {0,3}")
        return least, most

    def _single(self) -> Node:
        kind, value = self._peek()
        if kind == "string":
            self._at += 1
            return Step(self._with_flags(ValueCondition(self._default, _content(value))))
        if kind == "tag":
            self._at += 1
            return Edge(value.strip("</>"), value.startswith("</"))
        if self._take("("):
            node = self._alternatives()
            self._need(")")
            return node
        self._need("[")
        if self._take("]"):
            return Step(ANY)
        test = self._any_of()
        self._need("]")
        return Step(test)

    def _any_of(self) -> Test:
        parts = [self._all_of()]
        while self._take("|"):
            parts.append(self._all_of())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _all_of(self) -> Test:
        parts = [self._test()]
        while self._take("&"):
            parts.append(self._test())
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def _test(self) -> Test:
        if self._take("!"):
            return NoneOf(self._test())
        if self._take("("):
            test = self._any_of()
            self._need(")")
            return test
        if self._peek()[0] == "string":
            value = self._peek()[1]
            self._at += 1
            return self._with_flags(ValueCondition(self._default, _content(value)))
        return self._condition()

    def _condition(self) -> ValueCondition:
        name = self._name()
        sign = self._peek()[1]
        if sign not in {"=", "!=", "==", "!=="}:
            self._fail(self._place(), "= or !=")
        self._at += 1
        kind, value = self._peek()
        if kind != "string":
            self._fail(self._place(), "a value in quotation marks")
        self._at += 1
        plain = sign.endswith("==")
        return self._with_flags(
            ValueCondition(name, _content(value, plain=plain), negated=sign.startswith("!"), plain=plain)
        )

    def _with_flags(self, condition: ValueCondition) -> ValueCondition:
        kind, value = self._peek()
        if kind != "flags":
            return condition
        self._at += 1
        return replace(
            condition,
            ignore_case="c" in value,
            ignore_accents="d" in value,
            plain=condition.plain or "l" in value,
        )


def _content(quoted: str, *, plain: bool = False) -> str:
    """The text between quotation marks. In a regular expression a backslash keeps its meaning."""
    mark, text = quoted[0], quoted[1:-1]
    return re.sub(r"\\(.)", r"\1", text) if plain else text.replace(f"\\{mark}", mark)
