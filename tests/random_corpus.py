"""A random corpus with its lines, and an evaluator of CQL that shares no code with ours."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from threadmill.corpus.query import cql

WORDS = {"the": ("the", "DET"), "The": ("the", "DET"), "cat": ("cat", "NOUN"), "cats": ("cat", "NOUN"),
         "go": ("go", "VERB"), "went": ("go", "VERB"), "home": ("home", "NOUN"), "é": ("é", "X"),
         "e": ("e", "X"), "of": ("of", "ADP"), "red": ("red", "ADJ"), ".": (".", "PUNCT")}  # fmt: skip


@dataclass(frozen=True)
class RandomCorpus:
    """The lines, and the same as plain lists."""

    lines: list[str]
    positions: list[dict[str, str]]
    sentences: list[tuple[int, int]]
    documents: list[tuple[int, int, dict[str, str]]]


def random_corpus(seed: int, documents: int = 12) -> RandomCorpus:
    """Documents of sentences of words that repeat often."""
    rnd = random.Random(seed)
    lines: list[str] = []
    positions: list[dict[str, str]] = []
    sentences: list[tuple[int, int]] = []
    found = []
    for number in range(documents):
        attributes = {
            "url": f"u{number}",
            "lang": rnd.choice(("en", "cs")),
            "date": f"20{10 + number % 4}-05",
        }
        lines += ["<doc " + " ".join(f'{k}="{v}"' for k, v in attributes.items()) + ">", "<p>"]
        first = len(positions)
        for _ in range(rnd.randint(1, 5)):
            lines.append("<s>")
            begin = len(positions)
            for _ in range(rnd.randint(1, 9)):
                word = rnd.choice(list(WORDS))
                positions.append({"word": word, "lemma": WORDS[word][0], "tag": WORDS[word][1]})
                lines.append("\t".join(positions[-1].values()))
            sentences.append((begin, len(positions)))
            lines.append("</s>")
        found.append((first, len(positions), attributes))
        lines += ["</p>", "</doc>"]
    return RandomCorpus(lines, positions, sentences, found)


def brute_force(corpus: RandomCorpus, query: str) -> list[tuple[int, int]]:
    """The matches of a query by trying all first positions: the shortest, the first with its end."""
    parsed = cql.parse_cql(query)
    found: list[tuple[int, int]] = []
    for begin in range(len(corpus.positions)):
        limit = min([_limit(corpus, part, begin) for part in parsed.within], default=len(corpus.positions))
        ends = [end for end in _ends(corpus, parsed.pattern, begin) if begin < end <= limit]
        if ends and min(ends) not in {end for _, end in found}:
            found.append((begin, min(ends)))
    return found


def _limit(corpus: RandomCorpus, part: cql.Within, begin: int) -> int:
    if part.structure == "s":
        return next(end for first, end in corpus.sentences if first <= begin < end)
    _, end, attributes = next(d for d in corpus.documents if d[0] <= begin < d[1])
    return end if all(_condition(c, attributes) for c in part.conditions) else -1


def _ends(corpus: RandomCorpus, node: cql.Node, at: int) -> set[int]:
    if isinstance(node, cql.Step):
        return {at + 1} if at < len(corpus.positions) and _test(node.test, corpus.positions[at]) else set()
    if isinstance(node, cql.Edge):
        edges = {end if node.is_end else first for first, end in corpus.sentences}
        return {at} if at in edges else set()
    if isinstance(node, cql.OneOf):
        return set().union(*(_ends(corpus, part, at) for part in node.parts))
    if isinstance(node, cql.InOrder):
        places = {at}
        for part in node.parts:
            places = set().union(*(_ends(corpus, part, place) for place in places)) if places else set()
        return places
    places, found = {at}, {at} if node.least == 0 else set()
    for done in range(1, node.most + 1):
        places = set().union(*(_ends(corpus, node.part, place) for place in places)) if places else set()
        if done >= node.least:
            found |= places
    return found


def _test(test: cql.Test, position: dict[str, str]) -> bool:
    if isinstance(test, cql.ValueCondition):
        return _condition(test, position)
    if isinstance(test, cql.NoneOf):
        return not _test(test.part, position)
    if isinstance(test, cql.AllOf):
        return all(_test(part, position) for part in test.parts)
    return any(_test(part, position) for part in test.parts)


def _condition(condition: cql.ValueCondition, values: dict[str, str]) -> bool:
    value, pattern = values[condition.attribute], condition.pattern
    if condition.ignore_accents:
        value, pattern = value.replace("é", "e"), pattern.replace("é", "e")
    if condition.plain:
        same = value.lower() == pattern.lower() if condition.ignore_case else value == pattern
    else:
        same = re.fullmatch(pattern, value, re.IGNORECASE if condition.ignore_case else 0) is not None
    return same != condition.negated
