import random
from pathlib import Path

import pytest

from threadmill.corpus.near_duplicates.detector import DocumentIndex
from threadmill.corpus.near_duplicates.document_join import SignatureWriter, find_duplicates
from threadmill.errors import ArchiveError
from threadmill.parallel.parts import Part

WORDS = [f"word{number}" for number in range(400)]


def documents(count: int, seed: int) -> list[str]:
    """Half of them are versions of earlier ones, some of them versions of versions; some are empty."""
    chance = random.Random(seed)
    made: list[str] = []
    for _ in range(count):
        if made and chance.random() < 0.5:
            words = chance.choice(made).split()
            for _ in range(int(len(words) * chance.random() * 0.25)):
                words[chance.randrange(len(words))] = chance.choice(WORDS)
        else:
            words = chance.choices(WORDS, k=chance.choice((0, 1, 20, 60)))
        made.append(" ".join(words))
    return made


def write_part(folder: Path, name: str, texts: list[str]) -> Part:
    with (folder / f"{name}.part").open("wb") as file:
        writer = SignatureWriter(file.write)
        for text in texts:
            writer.add(text)
    return Part(name, ((name, ""),), 0, "", {"documents": writer.documents})


@pytest.mark.parametrize("threshold", [0.5, 0.7, 0.9])
def test_the_decisions_are_those_of_the_index_in_memory(
    tmp_path: Path, threshold: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("threadmill.corpus.near_duplicates.document_join._BUFFERED", 10)  # many flushes
    texts = documents(1500, seed=3)
    index = DocumentIndex(threshold)
    expected = [index.add(text) is not None for text in texts]
    parts = [write_part(tmp_path, str(at), texts[at : at + 400]) for at in range(0, 1500, 400)]
    found = find_duplicates(tmp_path, parts, threshold)
    assert found.tolist() == expected
    assert 300 < sum(expected) < 1200


def test_nothing_is_a_duplicate_of_nothing(tmp_path: Path) -> None:
    assert find_duplicates(tmp_path, [write_part(tmp_path, "a", [])], 0.7).tolist() == []
    texts = ["", "one text of some words", "", "another text of other words here"]
    assert not find_duplicates(tmp_path, [write_part(tmp_path, "b", texts)], 0.7).any()


def test_signatures_that_are_cut_off_are_an_error(tmp_path: Path) -> None:
    part = write_part(tmp_path, "a", ["one text of some words", "another one"])
    file = tmp_path / "a.part"
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(ArchiveError, match="the signatures of a are cut off"):
        find_duplicates(tmp_path, [part], 0.7)
