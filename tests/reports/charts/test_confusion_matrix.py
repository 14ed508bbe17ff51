"""A confusion matrix shows each pair of classes as a square, readable on a phone and without colours."""

import re

import pytest

from wordworth.reports.charts import confusion_matrix
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.confusion_matrix import Matrix

WIDE, PHONE = Size("wide", 552, 0), Size("phone", 358, 0)
MATRIX = Matrix(("sports", "politics", "never"), [[8, 2, 0], [1, 1_234, 0], [0, 0, 0]])


def drawn(data=MATRIX, size=WIDE):
    return confusion_matrix.draw(data, size, "what is taken for what")


def test_every_pair_of_classes_has_a_square_that_says_what_it_counts():
    words = {stop.title: stop.lines[0][1] for stop in drawn().stops}
    assert len(words) == 9
    assert words["gold sports, predicted politics"] == "2, 20.0 % of 10"
    assert words["gold politics, predicted politics"] == "1,234, 99.9 % of 1,235"
    assert words["gold never, predicted never"] == "0, no example has this label"


def test_a_larger_share_of_its_row_is_darker():
    opacities = [float(number) for number in re.findall(r'fill-opacity="([\d.]+)"', drawn().svg)]
    assert opacities[0] > opacities[1] > opacities[2]
    assert opacities[0] < opacities[4]
    assert opacities[6:] == [opacities[2]] * 3


def test_counts_are_written_and_zeros_are_not():
    assert re.findall(r'class="tick-label count">([^<]+)<', drawn().svg) == ["8", "2", "1", "1,234"]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("classes", [2, 5, 12])
def test_the_drawing_stays_within_its_width(size, classes):
    names = tuple(f"a rather long name of a class {number}" for number in range(classes))
    svg = drawn(Matrix(names, [[1] * classes] * classes), size).svg
    squares = re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', svg)
    assert len(squares) == classes**2
    assert max(float(x) + float(width) for x, width in squares) <= size.width


def test_the_height_that_is_asked_for_holds_the_drawing():
    squares = re.findall(r'y="([\d.]+)" width="[\d.]+" height="([\d.]+)" class="share"', drawn().svg)
    assert len(squares) == 9
    assert max(float(y) + float(height) for y, height in squares) <= confusion_matrix.height(MATRIX)
