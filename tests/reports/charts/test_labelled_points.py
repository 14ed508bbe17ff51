"""A plane of labelled points has one unit on both axes and holds every point."""

import pytest

from wordworth.reports.charts import labelled_points
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.labelled_points import PlanePoint
from wordworth.reports.charts.palette import SeriesStyle


def drawn(places, width=358):
    points = [PlanePoint(x, y, "<1>", SeriesStyle(6, "circle"), f"{x} {y}", "line") for x, y in places]
    return labelled_points.draw(points, Size("w", width, 380), "label")


@pytest.mark.parametrize("width", [552, 358])
def test_points_keep_their_proportions_and_stay_inside(width):
    stops = drawn([(0, 0), (3, 0), (0, 1)], width).stops
    across, up = stops[1].x - stops[0].x, stops[0].y - stops[2].y
    assert across == pytest.approx(3 * up)
    assert all(0 < stop.x < width and 0 < stop.y < 380 for stop in stops)


def test_equal_points_can_be_drawn_and_labels_are_escaped():
    found = drawn([(1, 1), (1, 1)])
    assert len(found.stops) == 2
    assert "<1>" not in found.svg
