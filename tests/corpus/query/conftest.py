import pytest

from tests.random_corpus import RandomCorpus, random_corpus
from threadmill.corpus.query.position_index import IndexBuilder, PositionIndex


@pytest.fixture(scope="session")
def corpus() -> RandomCorpus:
    return random_corpus(7, documents=40)


@pytest.fixture(scope="session")
def index(corpus: RandomCorpus, tmp_path_factory: pytest.TempPathFactory) -> PositionIndex:
    builder = IndexBuilder(tmp_path_factory.mktemp("positions") / "index", ("word", "lemma", "tag"))
    builder.add(corpus.lines)
    return builder.finish()
