"""Points with intervals and names."""

from __future__ import annotations

import re

from wordworth.reports.charts import scatter
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.scatter import ScatterChart, ScatterPoint
from wordworth.reports.charts.svg import text_width

SIZES = [Size("wide", 552, 400), Size("phone", 358, 400)]
CHEAP, DEAR = SeriesStyle(1, "square"), SeriesStyle(6, "circle")


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
