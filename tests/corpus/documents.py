"""Documents of any kind, for property tests."""

from hypothesis import strategies as st

from threadmill.corpus.build.documents import IMAGE, Document, Passage, Section, Span, canonical
from threadmill.types import Token

SCRAPS = st.sampled_from(
    ["<p>", "</doc>", "<g/>", "&lt;p>", "&amp;lt;", "&", "<", "a|b", '"', "'", "<link=", IMAGE, "x"]
)
WORDS = st.one_of(SCRAPS, st.text(min_size=1, max_size=8))
COLUMN = st.one_of(st.none(), WORDS)
TOKENS = st.builds(Token, WORDS, st.booleans(), COLUMN, COLUMN)
PLAIN_TOKENS = st.builds(Token, WORDS, st.booleans())
URLS = st.one_of(st.text(max_size=12), st.just("http://example.org/a b|c\"d'e"))
SPANS = st.builds(Span, URLS, st.integers(0, 8), st.integers(0, 10), st.sampled_from(["link", "image"]))
VALUES = st.one_of(
    st.text(max_size=12), st.sampled_from(["a \"b\" 'c'", 'a "b"', "it's", "a > b", "<x>", "&quot;"])
)
NAMES = st.sampled_from(["url", "title", "date", "Crawl-ID", "9x", "lang"])
ATTRIBUTES = st.lists(st.tuples(NAMES, VALUES), max_size=4).map(tuple)


def documents(tokens: st.SearchStrategy[Token] = PLAIN_TOKENS) -> st.SearchStrategy[Document]:
    """Documents as they can be written."""
    sentences = st.lists(st.lists(tokens, max_size=4).map(tuple), max_size=3).map(tuple)
    passages = st.builds(
        Passage, sentences, st.lists(SPANS, max_size=4).map(tuple), ATTRIBUTES, st.booleans()
    )
    children = st.recursive(
        passages,
        lambda inner: st.builds(
            Section, st.sampled_from(["post", "quote"]), ATTRIBUTES, st.lists(inner, max_size=3).map(tuple)
        ),
        max_leaves=4,
    )
    body = st.lists(children, max_size=4).map(tuple)
    return st.builds(Document, ATTRIBUTES, body, st.one_of(st.none(), passages), st.booleans()).map(canonical)
