import pytest

from tests.random_corpus import RandomCorpus, brute_force
from threadmill.corpus.query.concordance import LineChoice, concordance, group_matches
from threadmill.corpus.query.position_index import PositionIndex
from threadmill.errors import UsageError

QUERY = '[lemma="go"]'


def test_lines_have_their_context_and_document(corpus: RandomCorpus, index: PositionIndex) -> None:
    found = concordance(index, QUERY, LineChoice(limit=5, skip=2), context=3)
    places = [begin for begin, _ in brute_force(corpus, QUERY)]
    assert found.count == len(places)
    assert [line.place for line in found.lines] == places[2:7]
    for line in found.lines:
        first, end, attributes = next(d for d in corpus.documents if d[0] <= line.place < d[1])
        words = [position["word"] for position in corpus.positions]
        assert line.left == " ".join(words[max(first, line.place - 3) : line.place])
        assert line.right == " ".join(words[line.place + 1 : min(end, line.place + 4)])
        assert line.document == attributes


@pytest.mark.parametrize("order", ["left", "right", "match"])
def test_lines_are_sorted_by_their_neighbours(order: str, index: PositionIndex) -> None:
    lines = concordance(index, QUERY, LineChoice(limit=10_000, order=order), context=1).lines
    words = [
        {"left": line.left, "right": line.right, "match": line.match}[order].casefold() for line in lines
    ]
    inside = [word for word in words if word]  # at the edge of a document the next word is not shown
    assert inside == sorted(inside)


def test_a_sample_is_drawn_by_its_seed(index: PositionIndex) -> None:
    one, again, other = (
        [line.place for line in concordance(index, QUERY, LineChoice(sample=9, seed=seed)).lines]
        for seed in (1, 1, 2)
    )
    assert one == again
    assert one != other
    assert len(one) == 9
    assert one == sorted(one)


def test_shuffled_lines_are_the_same_lines(index: PositionIndex) -> None:
    plain = concordance(index, QUERY, LineChoice(limit=10_000)).lines
    mixed = concordance(index, QUERY, LineChoice(limit=10_000, order="shuffle", seed=3)).lines
    assert mixed != plain
    assert sorted(line.place for line in mixed) == [line.place for line in plain]


@pytest.mark.parametrize("by", ["match.word", "left1.lemma", "right2.tag", "doc.lang"])
def test_groups_add_up(by: str, corpus: RandomCorpus, index: PositionIndex) -> None:
    counts: dict[str, int] = {}
    for begin, end in brute_force(corpus, QUERY):
        if by == "doc.lang":
            value = next(d[2]["lang"] for d in corpus.documents if d[0] <= begin < d[1])
        else:
            place, name = {"match.word": (begin, "word"), "left1.lemma": (begin - 1, "lemma")}.get(
                by, (end + 1, "tag")
            )
            if not 0 <= place < index.size:
                continue
            value = corpus.positions[place][name]
        counts[value] = counts.get(value, 0) + 1
    assert dict(group_matches(index, QUERY, by)) == counts


def test_a_match_of_several_words_is_one_group(index: PositionIndex) -> None:
    found = group_matches(index, '[tag="DET"] [lemma="cat"]', "match.lemma")
    assert [value for value, _ in found] == ["the cat"]


def test_a_wrong_order_or_group_is_named(index: PositionIndex) -> None:
    with pytest.raises(UsageError, match="the order is one of"):
        concordance(index, QUERY, LineChoice(order="best"))
    with pytest.raises(UsageError, match="a group is"):
        group_matches(index, QUERY, "lemma")
