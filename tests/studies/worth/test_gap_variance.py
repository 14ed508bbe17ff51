"""What a difference of two rungs would vary by in a study of another size, and what such a study would show."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri, stdtrit

from wordworth.studies.worth.gap_variance import GapVariance, smallest_detecting_size

TIMES = np.array([0.5, 1.0, 4.0])


def test_more_items_and_more_labels_narrow_a_difference_but_runs_do_not():
    items, labels, runs = (
        GapVariance(
            **{"items": 0.0, "added": 0.0, "runs": 0.0, "items_between_runs": 0.0, "degrees_of_freedom": 4.0}
            | {part: 1e-4}
        )
        for part in ("items", "label_draws", "runs")
    )
    assert items.error(TIMES) == pytest.approx(0.01 / np.sqrt(TIMES))
    assert labels.error(TIMES) == pytest.approx(0.01 / np.sqrt(TIMES))
    assert runs.error(TIMES) == pytest.approx(np.full(3, 0.01))


def test_a_difference_is_found_with_the_power_that_a_normal_error_gives():
    variance = GapVariance(1e-4, 0.0, 0.0, 0.0, 1.0)
    assert variance.detectable(TIMES[1:2], 0.95, 0.8)[0] == pytest.approx(0.01 * (1.96 + float(ndtri(0.8))), rel=1e-3)


def test_a_variance_of_labels_that_is_known_from_little_needs_a_larger_difference():
    known, guessed = (GapVariance(0.0, 0.0, 0.0, 0.0, degrees, 1e-4) for degrees in (1e5, 4.0))
    found = [float(variance.detectable(TIMES[1:2], 0.95, 0.8)[0]) for variance in (known, guessed)]
    assert found[1] - found[0] == pytest.approx(0.01 * (stdtrit(4, 0.975) - 1.96), rel=1e-2)


def test_the_first_size_that_shows_a_difference_is_found_though_larger_ones_show_less():
    """With one degree of freedom between runs, more items narrow the error and widen Student's quantile."""
    sizes = np.geomspace(1, 1e4, 300)
    detectable = GapVariance(1.0, 0.0, 0.05, 0.0, 1.0).detectable(sizes, 0.95, 0.8)
    assert detectable[0] > detectable.min() < detectable[-1]
    differences = np.linspace(0.5 * detectable.min(), 1.5 * detectable.max(), 40)
    expected = [
        next((size for size, least in zip(sizes, detectable, strict=True) if least <= d), np.inf) for d in differences
    ]
    assert smallest_detecting_size(differences, sizes, detectable).tolist() == expected
    assert np.isinf(expected[0])
    assert expected[-1] == 1.0


def test_the_chance_to_tell_is_how_often_a_larger_study_with_these_items_tells():
    """True differences are flat, items normal: of studies whose difference is the one at hand, how many tell later."""
    rng, times, level = np.random.default_rng(0), 4.0, 0.95
    variance = GapVariance(1e-4, 0.0, 2e-5, 0.0, 1e9)
    true = rng.uniform(-0.08, 0.08, 400_000)
    old, new = 0.01 * rng.standard_normal((2, true.size)) * np.array([[1.0], [np.sqrt(1 / (times - 1))]])
    runs = np.sqrt(2e-5) * rng.standard_normal((2, true.size))
    at_hand = true + old + runs[0]
    later = true + (old + (times - 1) * new) / times + runs[1]
    alike = np.abs(at_hand - 0.012) < 0.0005
    told = (later - 1.96 * variance.error(np.array([times]))[0] > 0)[alike]
    chance = variance.chance_to_tell(0.012, np.array([times]), level)[0]
    assert alike.sum() > 1_000
    assert told.mean() == pytest.approx(chance, abs=0.04)


def test_as_many_items_as_there_are_tell_what_they_told():
    variance = GapVariance(1e-4, 0.0, 0.0, 0.0, 1.0)
    chances = [variance.chance_to_tell(each, np.ones(1), 0.95)[0] for each in (0.0190, 0.0200)]
    assert chances == [0.0, 1.0]
