from pathlib import Path

import pytest

from tests.random_corpus import brute_force, random_corpus
from threadmill.corpus.query import matches as module
from threadmill.corpus.query.matches import all_matches, count_matches
from threadmill.corpus.query.position_index import IndexBuilder, PositionIndex
from threadmill.errors import UsageError

QUERIES = (
    '"the"',
    '"the"%c',
    '"nothing"',
    '[lemma="go" & tag="V.*"] []{0,3} "home" within s',
    '[lemma="go"] []{0,3} "home"',
    '[tag="DET"]? [tag="ADJ"]* [tag="NOUN"] within s',
    '[tag!="PUNCT"]{2,4} "of"',
    '("the"%c | [tag="ADJ"]) "cats?" within s',
    "<s> [tag=\"DET\"] []",
    '[] </s>',
    '<s> []+ "home" </s>',
    '[!(tag="NOUN" | tag="VERB")] [lemma="cat"]',
    '[word="é"]',
    '[word="é" %d]',
    '[word=="."]',
    '[word!=="."] [word=="."]',
    '[] [] []',
    '[]{2} [lemma="red"] within <doc lang="en"/>',
    '[tag="NOUN"] within <doc lang="c." date="2011.*"/>',
    '("a" | "cat") | "go" "home"',
    '[word="[^t].*" & lemma="g."]',
    '("the" "cat")+ within s',
)  # fmt: skip


def make_index(directory: Path, lines: list[str]) -> PositionIndex:
    builder = IndexBuilder(directory, ("word", "lemma", "tag"))
    builder.add(lines)
    return builder.finish()


@pytest.mark.parametrize("small_blocks", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_matches_are_those_of_an_evaluator_that_tries_everything(
    seed: int, small_blocks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if small_blocks:
        monkeypatch.setattr(module, "_FIRST_BLOCK", 3)
        monkeypatch.setattr(module, "_BLOCK", 7)
    corpus = random_corpus(seed)
    index = make_index(tmp_path / "index", corpus.lines)
    for query in QUERIES:
        found = all_matches(index, query)
        pairs = list(zip(found.begins.tolist(), found.ends.tolist(), strict=True))
        assert pairs == brute_force(corpus, query), query
        assert count_matches(index, query) == len(pairs), query


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "found the end"),
        ("[lemma=]", "a value in quotation marks"),
        ('[lemma="go"', "']'"),
        ('"a" within', "a structure"),
        ("[]*", "matches no position"),
        ('[colour="red"]', "no attribute 'colour'"),
        ('"a" within chapter', "no structure 'chapter'"),
        ('"("', "a regular expression"),
        ('"a"{3,1}', "a repetition"),
        ('"a" ; "b"', "a position such as"),
        ('"a" within <doc colour="x"/>', "no attribute 'colour'"),
        ('("a"{90}){90}', "repeats too much"),
        ('"a"{' + "9" * 5000 + "}", "a repetition"),
        ("(" * 5000, "at most 50 brackets or signs"),
        ("[" + "!" * 5000, "at most 50 brackets or signs"),
        ('"a"' + "*" * 5000, "at most 50 brackets or signs"),
        ('"a{99999999999999999999}"', "a regular expression"),
        ('"' + "(" * 5000 + '"', "a regular expression"),
        ('"[[a"', "a regular expression"),
    ],
)
def test_a_wrong_query_is_named(query: str, said: str, tmp_path: Path) -> None:
    index = make_index(tmp_path / "index", random_corpus(1).lines)
    with pytest.raises(UsageError, match=said.replace("(", r"\(")):
        count_matches(index, query)


def test_an_empty_corpus_has_no_matches(tmp_path: Path) -> None:
    index = make_index(tmp_path / "index", [])
    assert count_matches(index, '"a"') == 0
    assert len(all_matches(index, "[] []")) == 0
