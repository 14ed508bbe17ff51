"""The map of points: where they stand, in few bytes, and which labels are written."""

import re

from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.palette import SERIES
from wordworth.reports.charts.point_map import MapLabel, MapPoint, PointMap, draw

SIZE = Size("wide", 500, 400)


def points(number: int) -> list[MapPoint]:
    return [MapPoint(each % 50, each // 50, SERIES[each % 2], f"{each} · name", "text") for each in range(number)]


def test_every_point_has_a_tooltip_at_its_place_with_equal_units_both_ways():
    corners = [MapPoint(0, 0, SERIES[0], "a"), MapPoint(2, 0, SERIES[0], "b"), MapPoint(0, 1, SERIES[1], "c", "text")]
    stops = draw(PointMap(corners), SIZE, "map").stops
    assert [(stop.title, stop.lines) for stop in stops] == [("a", ()), ("b", ()), ("c", ((None, "text"),))]
    assert stops[1].x - stops[0].x == 2 * (stops[0].y - stops[2].y) > 0
    assert all(0 < stop.x < 500 and 0 < stop.y < 400 for stop in stops)


def test_the_points_of_a_style_are_one_path_of_few_bytes():
    svg = draw(PointMap(points(2_000)), SIZE, "map").svg
    assert svg.count('class="dots') == 2
    assert len(svg) < 2_000 * 60


def test_labels_do_not_overlap_and_are_escaped():
    labels = [MapLabel(25, 10, SERIES[0], f"{each} <b>") for each in range(30)]
    svg = draw(PointMap(points(500), labels), SIZE, "map").svg
    places = [float(y) for y in re.findall(r'<text x="[\d.]+" y="([\d.]+)"', svg)]
    assert "&lt;b&gt;" in svg
    assert "<b>" not in svg
    assert 5 <= len(places) < 30
    assert min(b - a for a, b in zip(sorted(places), sorted(places)[1:], strict=False)) >= 14


def test_points_at_one_place_are_drawn():
    assert draw(PointMap([MapPoint(1, 1, SERIES[0], "a")] * 3), SIZE, "map").stops[0].x == 250
