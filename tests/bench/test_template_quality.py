from bench.template_quality import make_figures
from threadmill.lab.evaluate.template_scores import TemplateScore
from threadmill.template import FramingMethod


def test_the_worst_site_counts() -> None:
    good = TemplateScore(pages=9, framing=100, removed=100, content=1000, lost=0)
    bad = TemplateScore(pages=9, framing=100, removed=90, content=1000, lost=5, broken=2)
    scores = {FramingMethod.PLACES: [good, bad], FramingMethod.PAPER: [bad]}
    removed, lost, broken = make_figures(scores, held_back=True)
    assert (removed.value, lost.value, broken.value) == (0.9, 0.005, 2)
    assert [figure.is_reached for figure in (removed, lost, broken)] == [False] * 3
    assert removed.peers == {"paper": 0.9}


def test_no_site_gives_no_figure() -> None:
    assert make_figures({method: [] for method in FramingMethod}, held_back=False) == []
