"""Charts as pure functions: what they are given is drawn, inside the frame, at every size."""

from __future__ import annotations

import re

import pytest

from wordworth.reports.charts import decision_map, dot_intervals, lines, scatter
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.decision_map import Grid
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.scatter import ScatterChart, ScatterPoint
from wordworth.reports.charts.svg import fit, tag, text_width

SIZES = [Size("wide", 552, 400), Size("phone", 358, 400)]
CHEAP, DEAR = SeriesStyle(1, "square"), SeriesStyle(6, "circle")


def points(*scores: float, predicted: int = 0) -> tuple[Point, ...]:
    last = len(scores) - predicted
    return tuple(
        Point(100 * 2**place, score, score - 0.02, score + 0.02, predicted=place >= last)
        for place, score in enumerate(scores)
    )


def chart(*series: Line) -> LineChart:
    counts = sorted({point.x for line in series for point in line.points})
    x = HorizontalAxis("labels", counts[0] / 2, counts[-1] * 2, counts, str, str, log=True)
    return LineChart(
        series, x, "accuracy", lambda score: f"{100 * score:g}", lambda line, point: f"{line.name} {point.value:.3f}"
    )


@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.name)
def test_a_curve_has_its_line_its_band_and_its_name(size: Size) -> None:
    svg = lines.draw(chart(Line("TF-IDF", CHEAP, points(0.6, 0.7, 0.75))), size, "x").svg
    assert svg.count('class="line"') == 1
    assert svg.count('class="band series-1"') == 1
    assert ">TF-IDF</text>" in svg


def test_what_is_predicted_is_dashed_shaded_and_hollow() -> None:
    svg = lines.draw(chart(Line("TF-IDF", CHEAP, points(0.6, 0.7, 0.75, predicted=1))), SIZES[0], "x").svg
    assert 'class="line guess"' in svg
    assert 'class="future"' in svg
    assert svg.count("hollow") == 1
    measured = lines.draw(chart(Line("TF-IDF", CHEAP, points(0.6, 0.7, 0.75))), SIZES[0], "x").svg
    assert "guess" not in measured
    assert "future" not in measured


def test_a_constant_far_below_does_not_squeeze_the_axis_and_is_named_at_its_foot() -> None:
    floor = Line("Majority class", SeriesStyle(0, "circle"), points(0.1, 0.1, 0.271111), floor=True)
    svg = lines.draw(chart(floor, Line("TF-IDF", CHEAP, points(0.8, 0.81, 0.82))), SIZES[0], "x").svg
    assert "Majority class 27.1: below this axis" in svg
    assert ">20</text>" not in svg


def test_one_size_is_drawn_as_points_with_whiskers() -> None:
    svg = lines.draw(chart(Line("TF-IDF", CHEAP, points(0.8))), SIZES[0], "x").svg
    assert 'class="whisker"' in svg
    assert "NaN" not in svg


def test_a_stop_at_each_number_of_labels_tells_every_curve_best_first() -> None:
    drawing = lines.draw(
        chart(Line("TF-IDF", CHEAP, points(0.6, 0.7)), Line("MiniLM", DEAR, points(0.7, 0.6))), SIZES[0], "x"
    )
    assert [[line.split()[0] for _, line in stop.lines] for stop in drawing.stops] == [
        ["MiniLM", "TF-IDF"],
        ["TF-IDF", "MiniLM"],
    ]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.name)
def test_names_stay_inside_the_drawing(size: Size) -> None:
    many = [Line(f"A rather long name {place}", CHEAP, points(0.6, 0.7 + place / 100)) for place in range(12)]
    svg = lines.draw(chart(*many), size, "x").svg
    for x, words in re.findall(r'<text x="([\d.]+)"[^>]*class="direct"[^>]*>([^<]*)<', svg):
        assert float(x) + text_width(words, 12) <= size.width


def a_map(rungs: list[list[str | None]], *, doubt: bool = False) -> Grid:
    return Grid(
        labels=tuple(100.0 * 2**place for place in range(len(rungs[0]))),
        texts=tuple(1000.0 * 10**place for place in range(len(rungs))),
        rung=tuple(map(tuple, rungs)),
        uncertain=tuple(tuple(doubt for _ in row) for row in rungs),
        names={"a": "TF-IDF", "b": "MiniLM"},
        styles={"a": CHEAP, "b": DEAR},
        describe=lambda row, column: (str(rungs[row][column]),),
        here=200.0,
    )


def area(svg: str, look: str) -> float:
    """Pixels covered by a region: its path is made of rectangles."""
    path = re.search(rf'd="([^"]*)" class="region {look}"', svg)
    corners = re.findall(r"M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)", path[1] if path else "")
    return sum((float(right) - float(left)) * (float(low) - float(high)) for left, low, right, high in corners)


def test_regions_cover_the_map_in_proportion_to_their_cells() -> None:
    svg = decision_map.draw(a_map([["b", "b", "a", "a"], ["b", "a", "a", "a"]]), SIZES[0], "x").svg
    assert area(svg, "series-1") / area(svg, "series-6") == pytest.approx(5 / 3, rel=0.02)
    assert ">TF-IDF</text>" in svg
    assert ">MiniLM</text>" in svg


def test_only_doubtful_cells_are_hatched() -> None:
    assert 'class="doubt"' in decision_map.draw(a_map([["a", "b"]], doubt=True), SIZES[0], "x").svg
    assert 'class="doubt"' not in decision_map.draw(a_map([["a", "b"]]), SIZES[0], "x").svg


def test_a_cell_in_doubt_is_no_rungs_region_and_says_so() -> None:
    svg = decision_map.draw(a_map([["a", "b"]], doubt=True), SIZES[0], "x").svg
    assert area(svg, "series-1") == area(svg, "series-6") == 0
    assert ">cannot tell yet</text>" in svg


def test_a_cell_that_no_rung_holds_stays_empty() -> None:
    drawing = decision_map.draw(a_map([["a", None], ["a", None]]), SIZES[0], "x")
    assert drawing.stops[1].lines == ((None, "None"),)
    assert area(drawing.svg, "series-1") < 0.6 * 552 * 400


def test_a_map_of_one_cell_is_drawn() -> None:
    assert "NaN" not in decision_map.draw(a_map([["a"]]), SIZES[1], "x").svg


def test_points_have_whiskers_and_names_that_do_not_cover_each_other() -> None:
    four = tuple(
        ScatterPoint(f"Rung {place}", CHEAP, 70 + place, 0.8 + place / 500, 0.78, 0.83, ("",)) for place in range(4)
    )
    data = ScatterChart(four, "texts a second", "accuracy", str, str)
    svg = scatter.draw(data, SIZES[0], "x").svg
    assert svg.count('class="whisker"') == 12
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" class="direct">([^<]*)<', svg)
    rooms = [(float(x), float(y), float(x) + text_width(words, 12), float(y) + 12) for x, y, words in found]
    assert len(rooms) == 4
    for place, one in enumerate(rooms):
        for other in rooms[place + 1 :]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def a_row(difference: float | None) -> DotRow:
    ends = (None, None) if difference is None else (difference - 0.01, difference + 0.01)
    dot = Dot(CHEAP, difference, *ends, null=0.002 if difference is not None else None)
    return DotRow("TF-IDF", (dot,), ((None, ""),), absent="not defined")


def test_a_row_has_its_whisker_and_its_null_and_an_undefined_one_its_reason() -> None:
    data = DotChart((("unseen", (a_row(0.02), a_row(None))),), "points", str)
    svg = dot_intervals.draw(data, Size("wide", 552, dot_intervals.height(data)), "x").svg
    assert svg.count('class="whisker"') == 3
    assert svg.count('class="null"') == 1
    assert ">not defined</text>" in svg


def test_elements_escape_what_they_are_given() -> None:
    assert tag("text", "<b>", class_='"&') == '<text class="&#34;&amp;">&lt;b&gt;</text>'


@pytest.mark.parametrize("width", [5, 30, 80, 500])
def test_names_are_cut_to_the_room_there_is(width: float) -> None:
    words = fit("A name that is quite long", 12, width)
    assert words
    assert text_width(words, 12) <= width or len(words) <= 2
