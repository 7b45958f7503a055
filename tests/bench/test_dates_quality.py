from bench.dates_quality import Report, judge, report_figures
from bench.dates_set import Item


def test_the_figures_of_a_check_have_the_bars_of_the_generated_set() -> None:
    report = Report()
    judge(Item("5 May 2019", ((0, 10, "DATE"),), "2019-05-05", "en", "byline"), report)
    judge(Item("version 1.2.3", (), None, "", "negative"), report)
    figures = {figure.what: figure for figure in report_figures(report, "two texts")}
    assert figures["DATE spec F1, two texts"].is_reached
    assert figures["false alarms, two texts"].is_reached
    assert figures["date right spec, two texts"].value == 1.0


def test_what_a_check_does_not_ask_has_no_figure() -> None:
    assert report_figures(Report(), "nothing") == []
