"""The picture of a word's occurrences."""

import re
from math import dist

from wordworth.reports.charts import word_occurrences
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.word_occurrences import Occurrence

LOOK = SeriesStyle(6, "circle")


def marks(*places, numbered=None):
    return [Occurrence(x, y, LOOK, f"{x} {y}", "1" * (place == numbered)) for place, (x, y) in enumerate(places)]


def test_a_number_stands_where_no_other_mark_is():
    corners = ((-20, -10), (20, 10))
    for neighbour in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        picture = word_occurrences.draw(marks(*corners, (0, 0), neighbour, numbered=2), "x")
        centres = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', picture)]
        (at,) = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*text-anchor="(\w+)"', picture)
        middle = float(at[0]) + {"start": 4, "end": -4, "middle": 0}[at[2]], float(at[1]) - 4
        assert min(dist(middle, centre) for centre in centres) >= 12, neighbour


def test_a_number_stays_inside_the_picture():
    for edge in range(4):
        picture = word_occurrences.draw(marks((-3, 0), (3, 0), (0, 2), (0, -2), numbered=edge), "x")
        (at,) = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"', picture)
        assert 4 < float(at[0]) < 356
        assert 8 < float(at[1]) < 258


def test_marks_under_others_are_counted():
    assert word_occurrences.covered(marks((0, 0), (1, 1), (2, 0))) == 0
    assert word_occurrences.covered(marks((0, 0), (1, 1), (0, 0), (1, 1.001), (0, 0))) == 3
