import pytest

from tests.template.sites import make_site
from threadmill.lab.evaluate.template_scores import Bm25Index, score_site
from threadmill.lab.evaluate.template_sites import FramingTruth
from threadmill.template import FramingMethod

TRUTH = FramingTruth("made", "div.main")


def test_a_document_that_says_the_words_oftener_ranks_first() -> None:
    index = Bm25Index([["a", "b", "c"], ["a", "a", "b"], ["c", "d", "e"]])
    assert index.rank(["a"], 1) == 1
    assert index.rank(["a"], 0) == 2
    assert index.rank(["z"], 0) == 2  # nobody says it: the middle of three


@pytest.mark.quality
def test_framing_goes_and_content_stays_on_a_site_that_was_not_learnt_from() -> None:
    pages = [page.html for page in make_site(80)]
    scores = dict(score_site(TRUTH, pages, FramingMethod, held_out=True))
    ours, theirs = scores[FramingMethod.PLACES], scores[FramingMethod.PAPER]
    assert ours.removed_share >= 0.98
    assert ours.lost_share == 0
    assert ours.broken == theirs.broken == 0
    assert ours.removed_share > theirs.removed_share
    assert ours.after >= ours.before


def test_what_is_missed_is_counted() -> None:
    pages = [page.html for page in make_site(20)]
    pages = [
        html.replace(b"<body>", b"<body><p>aside %d %s</p>" % (i, b"xyz" * i)) for i, html in enumerate(pages)
    ]
    scores = dict(score_site(TRUTH, pages, [FramingMethod.PLACES]))
    assert scores[FramingMethod.PLACES].removed_share < 1
    assert sum(scores[FramingMethod.PLACES].examples["missed"].values()) > 0
