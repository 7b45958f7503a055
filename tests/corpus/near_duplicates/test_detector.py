import random
from pathlib import Path

import pytest

from threadmill.corpus.near_duplicates.detector import DocumentIndex, SeenNgrams, ngrams, word_hashes


def words(seed: int, count: int = 120) -> list[str]:
    return [f"w{n}" for n in random.Random(seed).choices(range(5000), k=count)]


def test_a_word_has_one_hash_wherever_it_stands() -> None:
    a, b = word_hashes("alpha beta gamma"), word_hashes("  GAMMA\talpha\nalpha ")
    assert a[0] == b[1] == b[2]
    assert a[2] == b[0]
    assert len(set(a.tolist())) == 3


def test_a_text_shorter_than_an_ngram_is_one_ngram() -> None:
    assert len(ngrams(word_hashes("two words"), 7)) == 1
    assert len(ngrams(word_hashes("a b c d"), 3)) == 2


def test_a_long_text_has_the_hashes_of_its_parts() -> None:
    text = " ".join(words(1, 400_000))
    assert word_hashes(text).tolist()[:3] == word_hashes(text[:100]).tolist()[:3]
    assert len(word_hashes(text)) == 400_000


def test_an_edited_version_is_found_and_another_text_is_not() -> None:
    index = DocumentIndex()
    original = words(1)
    assert index.add(" ".join(original)) is None
    assert index.add(" ".join(words(2))) is None
    assert index.add(" ".join([*original[:60], "changed", *original[61:]])) == 0
    assert index.add(" ".join(original[:60])) is None
    assert len(index) == 3


@pytest.mark.quality
def test_precision_and_recall_against_exact_jaccard_stay_above_their_floors() -> None:
    chance = random.Random(5)
    index = DocumentIndex()
    documents = [words(seed) for seed in range(600)]
    for document in documents:
        assert index.add(" ".join(document)) is None
    right = wrong = missed = 0
    for document in documents:
        rate = chance.choice([0.02, 0.05, 0.1, 0.15, 0.2])
        version = [f"x{chance.random()}" if chance.random() < rate else word for word in document]
        grams = [set(zip(d, d[1:], d[2:], strict=False)) for d in (document, version)]
        similar = len(grams[0] & grams[1]) / len(grams[0] | grams[1]) >= 0.7
        found = index.add(" ".join(version)) is not None
        right += similar and found
        wrong += found and not similar
        missed += similar and not found
    assert right / (right + wrong) >= 0.98
    assert right / (right + missed) >= 0.97


def test_the_table_grows_and_forgets_nothing() -> None:
    index = DocumentIndex()
    texts = [" ".join(words(seed, 30)) for seed in range(6000)]
    for text in texts:
        index.add(text)
    assert sum(index.add(text) is not None for text in texts) >= 5990


def test_an_index_goes_on_after_saving(tmp_path: Path) -> None:
    index = DocumentIndex()
    index.add(" ".join(words(1)))
    index.save(tmp_path)
    again = DocumentIndex()
    again.load(tmp_path)
    assert again.add(" ".join(words(1))) == 0
    assert again.add(" ".join(words(2))) is None
    assert len(again) == 2


def test_a_paragraph_of_seen_runs_is_seen_and_a_short_one_never() -> None:
    seen = SeenNgrams(megabytes=1)
    first = " ".join(words(1, 40))
    assert not seen.seen(first)
    assert seen.seen(first)
    assert seen.seen(first + " with a new end")
    assert not seen.seen(" ".join(words(2, 40)))
    assert not seen.seen("Yes, thank you.")
    assert not seen.seen("Yes, thank you.")


def test_seen_runs_are_there_after_saving(tmp_path: Path) -> None:
    seen = SeenNgrams(megabytes=1)
    seen.seen(" ".join(words(1, 40)))
    seen.save(tmp_path)
    again = SeenNgrams(megabytes=1)
    again.load(tmp_path)
    assert again.seen(" ".join(words(1, 40)))


def test_no_text_is_no_duplicate() -> None:
    index = DocumentIndex()
    assert index.add("") is None
    assert index.add("  ") is None
    assert len(index) == 0


def test_texts_without_spaces_are_compared_by_their_characters() -> None:
    text = "我们在河边的老磨坊里等了一个下午,水车一直在转,没有人说话。" * 3
    index = DocumentIndex()
    assert index.add(text) is None
    assert index.add(text.replace("下午", "早上", 1)) == 0
    assert index.add("今天的天气很好,孩子们在公园里放风筝,老人们坐着下棋聊天,谁也不着急回家。") is None
    seen = SeenNgrams(megabytes=1)
    assert not seen.seen(text)
    assert seen.seen(text)
