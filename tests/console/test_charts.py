from xml.etree.ElementTree import fromstring

from threadmill.console.charts import ChartSeries, bar_chart, line_chart, sparkline

HOSTILE = "</title><script>x</script>\"'&"


def test_a_chart_is_well_formed_and_escapes_texts() -> None:
    for chart in (
        bar_chart([HOSTILE, "b"], [ChartSeries(HOSTILE, [1, 2])], HOSTILE),
        line_chart([HOSTILE, "b"], ChartSeries("share", [0.5, 1.0]), HOSTILE, top=1),
        sparkline([0, 3, 1], HOSTILE),
    ):
        fromstring(str(chart))  # noqa: S314 -- made here
        assert "<script" not in chart


def test_bars_are_stacked_and_as_high_as_their_values() -> None:
    chart = bar_chart(["a"], [ChartSeries("new", [3]), ChartSeries("old", [7])], "pages")
    svg = fromstring(str(chart).partition("<ul")[0])  # noqa: S314 -- made here
    new, old = (float(rect.get("height", "0")) for rect in svg.iter("rect"))
    assert old / new == 7 / 3 or abs(old / new - 7 / 3) < 0.01
    assert "legend" in chart


def test_a_chart_of_nothing_is_a_chart() -> None:
    assert "<svg" in bar_chart([], [], "nothing")
    assert "<svg" in line_chart([], ChartSeries("x", []), "nothing")
    assert "<svg" in sparkline([0, 0], "nothing")


def test_labels_of_an_axis_do_not_overlap() -> None:
    days = [f"2026-10-{day:02d}" for day in range(1, 31)]
    svg = fromstring(str(bar_chart(days, [ChartSeries("MB", [1.0] * 30)], "days")))  # noqa: S314 -- made here
    shown = [text for text in svg.iter("text") if (text.text or "").startswith("2026")]
    assert len(shown) >= 3
    ends = 0.0
    for text in shown:
        width, x = 6 * len(text.text or ""), float(text.get("x", "0"))
        begin = x if text.get("text-anchor") == "start" else x - width / 2
        assert begin >= ends
        ends = begin + width


def test_each_line_of_a_small_axis_has_a_label_of_its_own() -> None:
    chart = fromstring(bar_chart(["a"], [ChartSeries("MB", [0.07])], "growth"))  # noqa: S314 -- our own
    labels = [text.text for text in chart.iter("text") if text.get("text-anchor") == "end"]
    assert len(labels) == len(set(labels)) == 3
