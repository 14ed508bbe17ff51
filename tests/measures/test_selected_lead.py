"""A lead that is reported because it stands out is neither too large on average nor too sure."""

from __future__ import annotations

import numpy as np
import pytest

from wordworth.measures.selected_lead import selected_lead


def test_a_lead_far_beyond_the_threshold_is_as_measured():
    corrected = selected_lead(10.0, 1.0, 2.0)
    assert corrected.estimate == pytest.approx(10.0, abs=1e-6)
    assert (corrected.interval.low, corrected.interval.high) == pytest.approx((8.04, 11.96), abs=0.01)


def test_a_lead_at_the_threshold_is_corrected_downwards_and_its_interval_never_below_the_usual_one_at_99_9_percent():
    corrected = selected_lead(2.01, 1.0, 2.0)
    assert corrected.estimate < 0.5
    assert corrected.interval.low == pytest.approx(2.01 - 3.291, abs=1e-3)


@pytest.mark.parametrize("true_lead", [0.0, 0.4, 1.0, 2.0, 4.0])
def test_reported_leads_are_covered_whatever_the_true_lead(true_lead):
    measured = np.random.default_rng(1).normal(true_lead, 1.0, 60_000)
    reported = [selected_lead(float(lead), 1.0, 2.0) for lead in measured[measured > 2.0][:600]]
    covered = np.mean([true_lead in corrected.interval for corrected in reported])
    above = np.mean([corrected.estimate > true_lead for corrected in reported])
    assert covered > 0.90
    assert true_lead < 0.5 or 0.4 < above < 0.6
