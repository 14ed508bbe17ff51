"""Trees in the plane: words stay in their frame and off each other; both axes have one unit."""

import re

from hypothesis import given
from hypothesis import strategies as st

from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.palette import PLAIN
from wordworth.reports.charts.tree_plane import PANEL, TreeEdge, TreePanel, TreeWord, draw

FINITE = st.floats(-50, 50, allow_nan=False)


def panel(points, edges=()):
    return TreePanel("title", [TreeWord(f"word{n}", x, y, "line") for n, (x, y) in enumerate(points)], edges)


@given(st.lists(st.tuples(FINITE, FINITE), min_size=1, max_size=12))
def test_words_stay_in_the_frame(points):
    drawing = draw([panel(points), panel(points)], Size("phone", 358, 2 * PANEL), "label")
    assert len(drawing.stops) == 2 * len(points)
    for number, stop in enumerate(drawing.stops):
        top = PANEL * (number // len(points))
        assert 0 < stop.x < 358
        assert top < stop.y < top + PANEL


def test_words_at_one_point_are_written_under_each_other():
    drawing = draw([panel([(0, 0), (0, 0), (5, 1)])], Size("wide", 552, PANEL), "label")
    heights = [float(y) for y in re.findall(r'<text [^>]*y="([0-9.]+)"[^>]*>word[01]<', str(drawing.svg))]
    assert abs(heights[0] - heights[1]) > 14


def test_edges_are_solid_dashed_or_dotted():
    edges = [TreeEdge(0, 1, PLAIN), TreeEdge(0, 2, PLAIN, "dashed"), TreeEdge(1, 2, PLAIN, "dotted")]
    picture = str(draw([panel([(0, 0), (1, 1), (2, 0)], edges)], Size("wide", 552, PANEL), "label").svg)
    assert re.findall(r'stroke-dasharray="([^"]*)"', picture) == ["5 4", "1 4"]
