import math
from collections import Counter
from pathlib import Path

import pytest

from tests.random_corpus import RandomCorpus, brute_force, random_corpus
from threadmill.corpus.query import measures
from threadmill.corpus.query.measures import Neighbourhood
from threadmill.corpus.query.position_index import IndexBuilder, PositionIndex
from threadmill.errors import UsageError


def test_a_frequency_list_counts_all_values(corpus: RandomCorpus, index: PositionIndex) -> None:
    counts = Counter(position["lemma"] for position in corpus.positions)
    found = measures.frequency_list(index, "lemma")
    assert {line.value: line.count for line in found} == counts
    assert [line.count for line in found] == sorted(counts.values(), reverse=True)
    assert found[0].per_million == pytest.approx(1e6 * found[0].count / index.size)
    assert [line.value for line in measures.frequency_list(index, "word", pattern="cat.?")] == sorted(
        ("cat", "cats"), key=lambda w: -Counter(p["word"] for p in corpus.positions)[w]
    )


@pytest.mark.parametrize("length", [1, 2, 3])
def test_ngrams_stay_in_their_sentence(
    length: int, corpus: RandomCorpus, index: PositionIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measures, "_BLOCK", 64)
    words = [position["word"] for position in corpus.positions]
    counts = Counter(
        " ".join(words[at : at + length])
        for begin, end in corpus.sentences
        for at in range(begin, end - length + 1)
    )
    found = measures.ngrams(index, length, least=1, limit=100_000)
    assert {line.value: line.count for line in found} == counts
    few = measures.ngrams(index, length, least=1, limit=5)
    assert few == found[:5]


def test_collocations_follow_their_formulas(corpus: RandomCorpus, index: PositionIndex) -> None:
    matches = brute_force(corpus, '[lemma="go"]')
    together: Counter[str] = Counter()
    for begin, end in matches:
        first, last = next(s for s in corpus.sentences if s[0] <= begin < s[1])
        near = [*range(max(first, begin - 2), begin), *range(end, min(last, end + 1))]
        together.update(corpus.positions[at]["lemma"] for at in near)
    all_counts = Counter(position["lemma"] for position in corpus.positions)
    found = measures.collocations(index, '[lemma="go"]', Neighbourhood("lemma", 2, 1), least=1)
    assert {line.value: line.count for line in found} == together
    line = found[0]
    x, y, xy, n = len(matches), all_counts[line.value], together[line.value], index.size
    assert line.log_dice == pytest.approx(14 + math.log2(2 * xy / (x + y)))
    assert line.mi == pytest.approx(math.log2(xy * n / (x * y)))
    assert line.t_score == pytest.approx((xy - x * y / n) / math.sqrt(xy))
    assert [line.log_dice for line in found] == sorted((line.log_dice for line in found), reverse=True)


def test_log_likelihood_of_a_known_table() -> None:
    # Dunning (1993), table 1: "the swiss", 110 of 2,442 bigrams, gives 270.72.
    assert measures.log_likelihood(110, 2552, 221, 31_777) == pytest.approx(270.72, abs=0.02)
    assert measures.log_likelihood(10, 100, 100, 1000) == pytest.approx(0)


def test_keywords_are_frequent_here_only(tmp_path: Path, index: PositionIndex) -> None:
    builder = IndexBuilder(tmp_path / "other", ("word", "lemma", "tag"))
    builder.add(line for line in random_corpus(3).lines if not line.startswith("go\t"))
    found = measures.keywords(index, builder.finish(), "word")
    assert found[0].value == "go"
    assert found[0].reference_count == 0
    assert found[0].log_likelihood > 0
    assert found[0].log_ratio > 1


def test_an_even_word_is_spread_more_than_one_in_a_single_document(tmp_path: Path) -> None:
    documents = [
        f"<doc date='201{d % 3}'>\n" + "a\nb\nc\n" * 20 + ("rare\n" * 12 if d == 4 else "") for d in range(12)
    ]
    builder = IndexBuilder(tmp_path / "index", ("word",))
    builder.add("</doc>\n".join([*documents, ""]).splitlines(keepends=True))
    index = builder.finish()
    even, rare = measures.dispersion(index, '"a"'), measures.dispersion(index, '"rare"')
    assert (even.documents, rare.documents, rare.all_documents) == (12, 1, 12)
    assert even.dp < 0.05
    assert rare.dp > 0.8
    assert even.juilland_d > 0.9 > rare.juilland_d
    assert even.arf == pytest.approx(even.count, rel=0.1)
    assert rare.arf < 2
    assert measures.dispersion(index, '"nothing"').count == 0


def test_time_counts_matches_per_million_of_that_time(corpus: RandomCorpus, index: PositionIndex) -> None:
    found = {line.value: line for line in measures.frequency_over_time(index, '"cat"')}
    for year in ("2010", "2011", "2012", "2013"):
        ranges = [d for d in corpus.documents if d[2]["date"].startswith(year)]
        count = sum(
            corpus.positions[at]["word"] == "cat" for first, end, _ in ranges for at in range(first, end)
        )
        assert found[year].count == count
        assert found[year].per_million == pytest.approx(
            1e6 * count / sum(end - first for first, end, _ in ranges)
        )
    assert measures.frequency_over_time(index, '"cat"', per="month")[0].value == "2010-05"
    with pytest.raises(UsageError, match="per year, month or day"):
        measures.frequency_over_time(index, '"cat"', per="week")
