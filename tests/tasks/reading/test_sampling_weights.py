"""Sampling weights of a test file: read for its rows alone, one on average, and refused where they mean nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tasks.reading.rows import reviews, write

from wordworth.errors import BadInput
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task


def weighted_task(
    tmp_path: Path, weights: list[Any], controls: Mapping[str, list[Any]] | None = None, **settings: Any
) -> Task:
    """A task of 60 training rows, and of as many other test rows as there are weights, with further columns."""
    rows = [{"text": f"other {number}", "label": ("bad", "good")[number % 2]} for number in range(len(weights))]
    columns = {"w": weights, **(controls or {})}
    more = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    file = write(tmp_path / "test.jsonl", [row | cells for row, cells in zip(rows, more, strict=True)])
    train = write(tmp_path / "train.jsonl", reviews())
    return read_task(train, ReadSettings(**{"test": str(file), "test_weight": "w", **settings}))


def test_the_weights_of_test_rows_are_one_on_average(tmp_path: Path) -> None:
    task = weighted_task(tmp_path, [1, 3] * 20)
    np.testing.assert_allclose(task.sampling_weights, [0.5, 1.5] * 20)
    finding = next(finding for finding in task.warnings if finding.name == "method.test_weight")
    assert "weighted by 'w'" in finding.text
    assert finding.numbers["effective"] == pytest.approx(40 * 4**2 / 2 / (1 + 9))


def test_rows_drawn_evenly_weigh_the_same(tmp_path: Path) -> None:
    task = weighted_task(tmp_path, [2] * 40, test_weight=None)
    assert task.sampling_weights.tolist() == [1.0] * 40
    assert not [finding for finding in task.warnings if finding.name == "method.test_weight"]


@pytest.mark.parametrize("weight", ["0", "-1", "nan", "inf", "much", ""])
def test_what_is_no_weight_is_refused_with_its_line(tmp_path: Path, weight: str) -> None:
    with pytest.raises(BadInput, match=r"test.jsonl, line 3: the sampling weight .* is not a number above 0; a row"):
        weighted_task(tmp_path, ["1", "1", weight] + ["1"] * 37)


def test_a_missing_column_of_weights_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="test weight column 'ww' not found"):
        weighted_task(tmp_path, [1] * 40, test_weight="ww")


@pytest.mark.parametrize("test", [None, 0.2])
def test_weights_without_a_test_file_are_refused(test: float | None) -> None:
    with pytest.raises(BadInput, match="`test_weight`: sampling weights are those of a file of test rows"):
        ReadSettings(test=test, test_weight="w")


def test_control_variables_beside_the_weights_correct_them(tmp_path: Path) -> None:
    """Half of the drawn rows have 1 and half -1 by the weights 1 and 3; over all rows the mean is 0."""
    task = weighted_task(tmp_path, [1, 3] * 20, {"w_control_1": [1, -1] * 20, "w_control_3": [9] * 40})
    assert task.controls is not None
    assert task.controls.shape == (40, 1)
    np.testing.assert_allclose(task.sampling_weights, 1)
    np.testing.assert_allclose(task.design_weights, [1, 3] * 20)
    finding = next(finding for finding in task.warnings if finding.name == "method.test_weight")
    assert finding.numbers["controls"] == 1
    assert "1 control variable of the file" in finding.text


def test_too_few_rows_for_a_control_variable_leave_it_out(tmp_path: Path) -> None:
    task = weighted_task(tmp_path, [1, 3] * 9, {"w_control_1": [1, -1] * 9})
    assert task.controls is None
    np.testing.assert_allclose(task.sampling_weights, [0.5, 1.5] * 9)


@pytest.mark.parametrize("cell", ["", "nan", "inf", "much"])
def test_what_is_no_control_variable_is_refused_with_its_line(tmp_path: Path, cell: str) -> None:
    with pytest.raises(BadInput, match=r"test.jsonl, line 2: the control variable .* is not a number; take the column"):
        weighted_task(tmp_path, [1] * 40, {"w_control_1": ["1", cell, *["0"] * 38]})
