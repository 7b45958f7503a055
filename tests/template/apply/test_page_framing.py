import pytest

from tests.template.sites import make_page, make_site
from threadmill.template import FramingMethod, TemplateFit, find_framing, learn_template, mark_framing, unmark

PAGES = [page.html for page in make_site(30)]
TEMPLATE = learn_template(PAGES)


@pytest.mark.parametrize("method", FramingMethod)
def test_a_page_of_the_site_fits_and_a_strange_one_does_not(method: FramingMethod) -> None:
    assert find_framing(TEMPLATE, make_page(99).html, method).fit > 0.5
    assert find_framing(TEMPLATE, b"<html><body><p>strange</p></body></html>", method).fit == 0.0


def test_only_the_method_of_the_source_names_a_cluster() -> None:
    assert find_framing(TEMPLATE, PAGES[0], FramingMethod.PAPER).cluster in range(len(TEMPLATE.clusters))
    assert find_framing(TEMPLATE, PAGES[0], FramingMethod.PLACES).cluster is None


@pytest.mark.parametrize("method", FramingMethod)
def test_marks_can_be_taken_off_again(method: FramingMethod) -> None:
    marked = mark_framing(TEMPLATE, PAGES[0], method)
    assert marked != PAGES[0]
    assert unmark(marked) == PAGES[0]


def test_the_template_is_out_of_date_when_ten_pages_fit_badly() -> None:
    fit = TemplateFit()
    assert (fit.mean, fit.fallen) == (1.0, False)
    fallen = []
    for _ in range(10):
        fit.note(0.4)
        fallen.append(fit.fallen)
    assert fallen == [False] * 9 + [True]
    assert fit.mean == pytest.approx(0.4)


def test_a_mean_fit_of_a_half_is_enough_and_old_pages_are_forgotten() -> None:
    fit = TemplateFit()
    for _ in range(40):
        fit.note(0.0)
    for _ in range(30):
        fit.note(0.5)
    assert (fit.mean, fit.fallen) == (0.5, False)
