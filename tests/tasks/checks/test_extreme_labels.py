"""A few numbers far from all others: codes for missing values, and slips."""

import numpy as np
import pandas as pd
import pytest

from wordworth.tasks.reading.read_task import ReadSettings, read_task


def warned(tmp_path, values):
    rows = pd.DataFrame({"text": [f"text {n} of words" for n in range(len(values))], "price": values})
    rows.to_csv(tmp_path / "prices.csv", index=False)
    task = read_task(tmp_path / "prices.csv", ReadSettings(text="text", label="price", kind="regression"))
    return [finding for finding in task.warnings if finding.name == "warning.extreme_labels"]


def prices(n=300, seed=0):
    return np.random.default_rng(seed).normal(20, 5, n).round(2)


def test_a_few_numbers_far_from_all_others_are_counted_and_the_furthest_is_shown(tmp_path):
    values = prices()
    values[[0, 100, 200]] = 99_999
    (found,) = warned(tmp_path, values)
    assert found.numbers == {"rows": 3, "of": 300, "furthest": 99_999.0}
    assert found.text.startswith("3 of 300 labels are far from all others, which lie between ")
    assert ": the furthest is 99,999 (" in found.text
    assert "line 2)" in found.text


def test_one_slip_is_told_as_one(tmp_path):
    values = prices()
    values[7] = -2_000
    (found,) = warned(tmp_path, values)
    assert found.text.startswith("1 of 300 labels is far from all others")
    assert "it is −2,000 (" in found.text


def test_a_code_of_many_digits_is_written_out(tmp_path):
    values = prices()
    values[7] = 9_999_999
    (finding,) = warned(tmp_path, values)
    assert "it is 9,999,999 (" in finding.text


@pytest.mark.parametrize(
    "values",
    [
        prices(),
        np.exp(np.random.default_rng(0).normal(0, 2, 300)),
        np.arange(300) % 100 == 0,
        np.where(np.arange(300) % 5 == 0, -999.0, prices()),
    ],
    ids=["bell", "long tail", "rare ones", "too many to be slips"],
)
def test_numbers_without_a_gap_or_with_many_beyond_it_are_not_warned_of(tmp_path, values):
    assert warned(tmp_path, np.asarray(values, dtype=float)) == []
