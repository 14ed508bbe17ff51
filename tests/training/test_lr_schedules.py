"""Learning-rate schedules at their published values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.training.lr_schedules import (
    CURVES,
    cosine_curve,
    linear,
    linear_curve,
    original,
    original_curve,
    stable_then_decay,
    within,
)

STEPS = (0, 1, 99, 100, 550, 1000)


def test_the_original_schedule_drops_at_the_end_of_warm_up():
    assert [1e-4 * original(1000, 100)(t) for t in STEPS] == pytest.approx(
        [0, 0.01e-4, 0.99e-4, 0.90e-4, 0.45e-4, 0], abs=1e-12
    )


def test_the_cramming_rate_peaks_at_three_quarters():
    assert [CURVES["one-cycle"](0.1)(x) for x in (0, 0.375, 0.75, 1)] == [0.25, 0.625, 1, 0]


def test_gpts_cosine_and_berts_line_are_half_way_down_at_half_time_and_end_at_zero():
    assert cosine_curve(0.002)(0.5) == pytest.approx(0.5, abs=1e-12)
    assert original(1000, 100)(500) == 0.5
    assert original_curve(0.1)(0.5) == 0.5
    assert cosine_curve(0.002)(1.0) == pytest.approx(0, abs=1e-12)
    assert original(1000, 100)(1000) == original_curve(0.1)(1) == 0


def test_gpts_fine_tuning_rate_is_berts_line_but_for_a_sliver_of_the_warm_up():
    """GPT multiplies warm-up and line, `min(1, x / w) (1 - x)`; BERT's code takes one and then the other."""
    warmup = 0.002
    ours = [original_curve(warmup)(x / 10_000) for x in range(10_001)]
    gpts = [min(1, x / 10_000 / warmup) * (1 - x / 10_000) for x in range(10_001)]
    assert (ours[5000], gpts[5000]) == (0.5, 0.5)
    assert ours[-1] == gpts[-1] == 0
    assert ours[20:] == gpts[20:]
    assert max(abs(one - other) for one, other in zip(ours, gpts, strict=True)) < warmup


@pytest.mark.parametrize("name", sorted(CURVES))
def test_every_curve_stays_between_nothing_and_the_peak_and_ends_at_nothing(name):
    curve = CURVES[name](0.06)
    shares = [curve(x / 1000) for x in range(1001)]
    assert min(shares) >= 0
    assert max(shares) == pytest.approx(1, abs=0.07)
    assert shares[-1] == pytest.approx(0, abs=1e-9)


def test_curves_are_the_schedules_over_the_passed_share():
    assert [linear_curve(0.1)(t / 1000) for t in STEPS] == pytest.approx([linear(1000, 100)(t) for t in STEPS])
    assert [original_curve(0.1)(t / 1000) for t in STEPS] == pytest.approx([original(1000, 100)(t) for t in STEPS])


def test_the_stable_rate_is_held_and_falls_in_the_last_fifth():
    rate = stable_then_decay(0.1)
    assert [rate(0.05), rate(0.1), rate(0.5), rate(0.8), rate(0.85)] == pytest.approx([0.5, 1, 1, 1, 0.5])


def test_the_usual_schedule_starts_its_descent_at_the_peak():
    assert [linear(1000, 100)(t) for t in STEPS] == pytest.approx([0, 0.01, 0.99, 1.0, 0.5, 0])


@given(steps=st.integers(1, 3000), warmup=st.floats(0, 0.5))
def test_no_update_of_a_run_has_rate_zero_and_the_peak_is_reached_at_most_once(steps, warmup):
    shares = [within(linear, steps, warmup=warmup)(t) for t in range(steps)]
    assert min(shares) > 0
    assert max(shares) <= 1
    top = shares.index(max(shares))
    assert shares == sorted(shares[: top + 1]) + sorted(shares[top + 1 :], reverse=True)
