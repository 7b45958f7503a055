import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.random_corpus import RandomCorpus
from threadmill.corpus.query import position_index as module
from threadmill.corpus.query.position_index import IndexBuilder, PositionIndex
from threadmill.errors import UsageError

LINES = """\
<doc url="a&b" lang='say "en"'>
<s>
Well
<g/>
,
<link url="x">
AT&T
</link>
&lt;b>
</s>
</doc>
"""


def build(directory: Path, text: str, dialect: str = "sketch") -> PositionIndex:
    builder = IndexBuilder(directory, ("word",), dialect)
    builder.add(text.splitlines(keepends=True))
    return builder.finish()


def test_every_position_is_there(corpus: RandomCorpus, index: PositionIndex) -> None:
    for name, attribute in index.attributes.items():
        wanted = [position[name] for position in corpus.positions]
        assert attribute.values_at(np.arange(index.size)) == wanted
        for value, count in Counter(wanted).items():
            number = attribute.lexicon.number(value)
            assert number is not None
            assert attribute.counts[number] == count
            assert attribute.places(number).tolist() == [
                at for at, found in enumerate(wanted) if found == value
            ]


def test_blocks_do_not_change_the_lists(
    corpus: RandomCorpus, index: PositionIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_BLOCK", 5)
    builder = IndexBuilder(tmp_path / "small", ("word", "lemma", "tag"))
    builder.add(corpus.lines)
    small = builder.finish()
    for name, attribute in index.attributes.items():
        for number in range(len(attribute.lexicon)):
            assert (small.attributes[name].places(number) == attribute.places(number)).all()


def test_structures_are_ranges_with_values(corpus: RandomCorpus, index: PositionIndex) -> None:
    sentences, documents = index.structure("s"), index.structure("doc")
    assert list(zip(sentences.begins, sentences.ends, strict=True)) == corpus.sentences
    lexicon, stream = documents.values("lang")
    assert [lexicon[int(number)] for number in stream] == [
        document[2]["lang"] for document in corpus.documents
    ]


@pytest.mark.parametrize("pattern", ["c.*", "the|go", "[^c].*", "", ".", r"\.", r"\W", "T.e", "(?i)THE"])
def test_a_pattern_matches_whole_values(pattern: str, index: PositionIndex) -> None:
    lexicon = index.attribute("word").lexicon
    found = {lexicon[int(n)] for n in np.flatnonzero(lexicon.matching(pattern))}
    values = [lexicon[number] for number in range(len(lexicon))]
    assert found == {value for value in values if re.fullmatch(pattern, value)}


def test_text_is_rebuilt_with_its_spaces(tmp_path: Path) -> None:
    index = build(tmp_path / "index", LINES)
    assert index.text(0, 4) == "Well, AT&T <b>"
    lexicon, stream = index.structure("doc").values("lang")
    assert lexicon[int(stream[0])] == 'say "en"'


def test_entities_of_the_dialect_are_decoded(tmp_path: Path) -> None:
    assert build(tmp_path / "index", "<s>\nAT&amp;T\n</s>\n", "cwb").text(0, 1) == "AT&T"


def test_an_index_replaces_an_earlier_one(tmp_path: Path) -> None:
    build(tmp_path / "index", LINES)
    assert build(tmp_path / "index", "<s>\none\n</s>\n").size == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index"]


def test_a_directory_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("all of it")
    with pytest.raises(UsageError, match="holds other files"):
        build(tmp_path, LINES)
    assert (tmp_path / "thesis.txt").exists()


def test_what_is_no_index_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no index of positions; make one"):
        PositionIndex(tmp_path)


def test_the_hint_for_a_missing_date_says_what_a_thread_gets(tmp_path: Path) -> None:
    documents = build(tmp_path / "i", LINES).structure("doc")
    with pytest.raises(UsageError, match="vert --metadata writes it, for a thread that of its first post"):
        documents.values("date")
    with pytest.raises(UsageError, match="vert --metadata writes it for pages that state it"):
        documents.values("author")


@pytest.mark.parametrize(("different", "kind"), [(256, np.uint8), (257, np.uint16), (65_537, np.int32)])
def test_streams_take_the_smallest_numbers_that_hold_all_values(
    tmp_path: Path, different: int, kind: type
) -> None:
    index = build(tmp_path / "index", "".join(f"w{number}\n" for number in range(different)) + "w0\n")
    words = index.attributes["word"]
    assert words.stream.dtype == kind
    assert words.values_at(np.array([0, different - 1, different])) == ["w0", f"w{different - 1}", "w0"]
    assert words.places(0).tolist() == [0, different]
