"""Scales, ticks and labels: round numbers where a reader looks, and no name over another."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.reports.charts import axes
from wordworth.reports.charts.axes import Scale, log_ticks, nice_ticks, spread_labels, thinned
from wordworth.reports.charts.palette import PLAIN
from wordworth.reports.charts.svg import text_width

WANTED = st.lists(st.floats(0, 400), max_size=12)


@given(WANTED, st.floats(1, 20))
def test_names_never_touch_and_stay_inside_where_there_is_room(wanted: list[float], gap: float) -> None:
    found = spread_labels(wanted, gap, 0, 400)
    assert all(-1e-6 <= place <= 400 + 1e-6 for place in found)
    assert all(after - before >= gap - 1e-6 for before, after in itertools.pairwise(sorted(found)))


@given(WANTED, st.floats(1, 20))
def test_names_keep_the_order_of_their_curves(wanted: list[float], gap: float) -> None:
    found = spread_labels(wanted, gap, 0, 400)
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    assert [found[place] for place in order] == sorted(found)


def test_names_that_do_not_touch_stay_where_they_are_wanted() -> None:
    assert spread_labels([10, 50, 90], 16, 0, 100) == pytest.approx([10, 50, 90])


def test_two_names_at_one_place_part_evenly() -> None:
    assert spread_labels([50, 50], 16, 0, 100) == pytest.approx([42, 58])


def test_too_many_names_share_the_room_there_is() -> None:
    assert spread_labels([5, 5, 5], 60, 0, 100) == pytest.approx([0, 50, 100])


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_ticks_lie_inside_the_axis_and_there_are_a_handful(low: float, width: float) -> None:
    high = low + width
    if high <= low:
        return
    ticks = nice_ticks(low, high)
    slack = width * 1e-6 + 1e-9 * abs(low)
    assert all(low - slack <= tick <= high + slack for tick in ticks)
    assert 2 <= len(ticks) <= 9


@given(st.floats(1e-6, 1e6), st.floats(1.01, 1e6))
def test_logarithmic_ticks_lie_inside_the_axis(low: float, ratio: float) -> None:
    ticks = log_ticks(low, low * ratio)
    assert ticks
    assert all(low * 0.99 <= tick <= low * ratio * 1.01 for tick in ticks)


def test_a_scale_maps_its_ends_and_keeps_the_rest_inside() -> None:
    scale = Scale(10, 1000, 0, 100, log=True)
    assert [scale(value) for value in (10, 100, 1000)] == pytest.approx([0, 50, 100])
    assert scale(0) == 0
    assert scale(1e9) == 100
    assert Scale(3, 3, 0, 100)(3) == 50


@given(
    st.lists(st.tuples(st.floats(0, 500), st.floats(5, 60)), min_size=1, max_size=15, unique_by=lambda pair: pair[0])
)
def test_tick_labels_that_are_kept_do_not_touch_and_the_last_one_is(labels: list[tuple[float, float]]) -> None:
    pixels, widths = [pixel for pixel, _ in labels], [width for _, width in labels]
    kept = sorted(thinned(pixels, widths), key=lambda place: pixels[place])
    assert pixels.index(max(pixels)) in kept
    for before, after in itertools.pairwise(kept):
        assert pixels[before] + widths[before] / 2 < pixels[after] - widths[after] / 2


def test_a_long_name_of_a_value_outside_the_axis_is_cut_and_its_value_stays():
    box = axes.Box(40, 30, 340, 350)
    svg = axes.outside_axis([("a name " * 40, PLAIN, 0.5)], box, box.upward(0.7, 0.8), str)
    (words,) = re.findall(r">([^<]+)</text>", svg)
    assert words.endswith("… 0.5: below this axis")
    assert text_width(words, 12) <= box.right - box.left


@pytest.mark.parametrize(("width", "written"), [
    (300, "majority class 8.4: below this axis"), (175, "majority class 8.4: below"), (120, "majority class 8.4"),
])  # fmt: skip
def test_where_the_plot_is_narrow_words_go_before_the_name_is_cut(width, written):
    box = axes.Box(40, 30, 40 + width, 350)
    svg = axes.outside_axis([("majority class", PLAIN, 0.084)], box, box.upward(0.7, 0.8), lambda v: f"{100 * v:g}")
    assert re.findall(r">([^<]+)</text>", svg) == [written]
