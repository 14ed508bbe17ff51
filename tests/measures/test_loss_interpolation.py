"""Figures of a loss along a line: hand-made curves."""

import numpy as np
import pytest

from wordworth.measures.loss_interpolation import basin_width, falling_share, reaches_end

PLACES = np.array([-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0])


def test_only_segments_between_start_and_end_count():
    losses = np.array([9.0, 4.0, 5.0, 3.0, 2.0, 1.0, 7.0, 8.0])
    assert falling_share(PLACES, losses) == pytest.approx(0.75)
    assert falling_share(PLACES, np.stack([losses, -losses])).tolist() == pytest.approx([0.75, 0.25])


def test_the_width_is_where_straight_lines_between_points_cross_twice_the_loss_at_the_end():
    losses = np.array([9.0, 4.0, 5.0, 3.0, 1.0, 1.0, 3.0, 8.0])
    # left: 1 + (0.75 - 0.5) * 1/2 before it; right: half of the way from 1 to 1.5
    assert basin_width(PLACES, losses) == pytest.approx(0.25 + 0.125 + 0.25)
    assert not reaches_end(PLACES, losses)


def test_a_parabola_has_the_width_of_its_formula():
    places = np.linspace(-1, 3, 4001)
    losses = 1 + 4 * (places - 1) ** 2
    assert basin_width(places, losses) == pytest.approx(1.0, abs=1e-3)


def test_a_basin_that_reaches_the_last_point_is_said_to():
    losses = np.array([9.0, 4.0, 5.0, 3.0, 1.0, 1.0, 1.5, 1.9])
    assert reaches_end(PLACES, losses)
    assert basin_width(PLACES, losses) == pytest.approx(0.25 + 0.125 + 1.0)


def test_a_loss_of_zero_has_no_basin():
    losses = np.array([9.0, 4.0, 5.0, 3.0, 1.0, 0.0, 3.0, 8.0])
    assert basin_width(PLACES, losses) == 0
