import numpy as np
import pytest

from wordworth.studies.languages.bootstrap_interval_columns import (
    above_zero_verdict,
    described,
    difference,
    value_columns,
)


def test_a_difference_is_beyond_doubt_at_a_level_corrected_for_the_comparisons():
    draws = np.random.default_rng(0).normal(2.3, 1, 100_000)
    assert above_zero_verdict((2.3, draws), 1) == "yes"
    assert above_zero_verdict((2.3, draws), 10) == "cannot tell"
    assert above_zero_verdict((-2.3, -draws), 1) == "no"


def test_a_value_has_a_column_and_the_ends_of_its_interval_and_an_absent_one_has_three_empty_cells():
    draws = np.linspace(0, 1, 1_001)
    cells = value_columns(difference((0.9, draws), (0.4, np.zeros_like(draws))), "gap")
    assert cells == pytest.approx({"gap": 0.5, "gap_low": 0.025, "gap_high": 0.975})
    assert cells.keys() == value_columns(None, "gap").keys() == described("gap", "a gap").keys()
    assert set(value_columns(None, "gap").values()) == {None}
