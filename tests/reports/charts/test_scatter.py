"""Points with intervals and names."""

from __future__ import annotations

import re

import pytest

from wordworth.reports.charts import scatter
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.scatter import ScatterChart, ScatterPoint
from wordworth.reports.charts.svg import text_width

WIDE, PHONE = Size("wide", 552, 360), Size("phone", 358, 360)
CHEAP, DEAR = SeriesStyle(1, "square"), SeriesStyle(6, "circle")


def test_points_have_whiskers_and_names_that_do_not_cover_each_other() -> None:
    four = tuple(
        ScatterPoint(f"Rung {place}", CHEAP, 70 + place, 0.8 + place / 500, 0.78, 0.83, ("",)) for place in range(4)
    )
    data = ScatterChart(four, "texts a second", "accuracy", str, str)
    svg = scatter.draw(data, WIDE, "x").svg
    assert svg.count('class="whisker"') == 12
    drawn_names = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" class="direct halo">([^<]*)<', svg)
    rooms = [(float(x), float(y), float(x) + text_width(words, 12), float(y) + 12) for x, y, words in drawn_names]
    assert len(rooms) == 4
    for place, one in enumerate(rooms):
        for other in rooms[place + 1 :]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


LADDER = (
    ("TF-IDF + linear", 9_000, 80.8, 76.3, 84.6), ("random vectors", 50_000, 75.3, 71.3, 78.9),
    ("GloVe", 56_000, 71.2, 66.6, 75.7), ("WordLlama", 16_000, 78.4, 74.1, 82.3),
    ("MiniLM as a table", 190_000, 76.8, 72.2, 80.7), ("wordworth-mini as a table", 24_000, 72.0, 67.3, 76.3),
    ("MiniLM (frozen)", 810, 82.9, 78.8, 86.5), ("wordworth-mini (frozen)", 1_900, 73.6, 69.2, 77.8),
    ("TF-IDF beside MiniLM", 760, 84.5, 80.4, 87.8), ("TF-IDF beside wordworth-mini", 1_600, 78.7, 74.1, 82.6),
    ("MiniLM (fine-tuned)", 800, 85.5, 81.4, 88.8), ("wordworth-mini (fine-tuned)", 1_850, 79.7, 75.1, 83.6),
)  # fmt: skip
"""Two encoders with all that is made of them: name, texts a second, score and interval."""


@pytest.mark.parametrize(("count", "size"), [(7, PHONE), (10, PHONE), (7, WIDE), (12, WIDE)])
def test_no_interval_runs_through_a_name(count: int, size: Size) -> None:
    rungs = LADDER[:count]
    points = tuple(ScatterPoint(name, CHEAP, x, y, low, high, ("",)) for name, x, y, low, high in rungs)
    svg = scatter.draw(ScatterChart(points, "texts a second", "accuracy", str, str), size, "x").svg
    drawn_names = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" class="direct halo">([^<]*)<', svg)
    names = [(float(x), float(y) - 9, float(x) + 0.9 * text_width(words, 12), float(y)) for x, y, words in drawn_names]
    assert " ".join(words for _, _, words in drawn_names) == " ".join(point.name for point in points)
    assert all(left >= 0 and right <= size.width for left, _, right, _ in names)
    stems = re.findall(r'<line x1="([\d.]+)" x2="\1" y1="([\d.]+)" y2="([\d.]+)" class="whisker"', svg)
    assert len(stems) == len(points)
    for x, low, high in (map(float, stem) for stem in stems):
        top, bottom = sorted((low, high))
        for (*_, words), (left, over, right, under) in zip(drawn_names, names, strict=True):
            assert not (left < x < right and over < bottom and top < under), words


TAGGERS = (
    ("a word's usual tag", 742_603, 69.3, 61.4, 76.5, False),
    ("CRF on words and affixes", 404, 83.7, 76.6, 89.0, True),
    ("random vectors", 162, 73.9, 66.0, 80.6, False), ("GloVe", 340, 75.8, 67.2, 83.3, False),
    ("WordLlama", 229, 70.6, 62.9, 77.7, False), ("MiniLM (frozen)", 19, 84.8, 78.2, 89.3, False),
    ("MiniLM (fine-tuned)", 32, 75.6, 57.4, 90.6, True),
)  # fmt: skip


def test_where_a_place_is_scarce_a_name_covers_an_interval_rather_than_another_name_and_is_not_cut() -> None:
    points = tuple(
        ScatterPoint(name, CHEAP, x, y / 100, low / 100, high / 100, ("",), strong=strong)
        for name, x, y, low, high, strong in TAGGERS
    )
    svg = scatter.draw(ScatterChart(points, "texts a second", "entity F1", str, str), PHONE, "x").svg
    drawn_names = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" class="direct halo( strong)?">([^<]*)<', svg)
    rooms = [
        (float(x), float(y) - 9, float(x) + text_width(words, 12, bold=bool(strong)), float(y))
        for x, y, strong, words in drawn_names
    ]
    assert "…" not in svg
    for place, one in enumerate(rooms):
        for other in rooms[place + 1 :]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_the_axis_includes_what_it_must_and_ends_at_the_highest_possible_value() -> None:
    point = ScatterPoint("Rung", CHEAP, 70, 99.0, 98.0, 100.0, ("",))
    chart = ScatterChart((point,), "texts a second", "accuracy", str, str, include=(90.0,), highest=100.0)
    svg = scatter.draw(chart, WIDE, "x").svg
    ticks = [float(words) for words in re.findall(r'text-anchor="end">([\d.]+)<', svg)]
    assert (min(ticks), max(ticks)) == (90.0, 100.0)
