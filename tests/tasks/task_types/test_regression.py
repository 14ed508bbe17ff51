"""One number for each example."""

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.tasks.examples import Examples
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task_types.prediction_cells import PredictedCell
from wordworth.tasks.task_types.regression import REGRESSION
from wordworth.text.file_formats.in_memory import as_file


def test_predictions_are_finite_numbers():
    assert REGRESSION.parse_predictions(
        [PredictedCell("1.5", "line 1"), PredictedCell("-2", "line 2")], (), ()
    ).tolist() == [1.5, -2]
    for text in ("nan", "inf", "much"):
        with pytest.raises(BadInput, match=f"line 3: prediction '{text}' is not a finite number"):
            REGRESSION.parse_predictions([PredictedCell(text, "line 3")], (), ())


def test_a_label_is_shown_with_two_decimals_and_written_as_it_is():
    assert REGRESSION.label_text(np.float64(1.2345), ()) == "1.23"
    assert REGRESSION.plain_value(np.float64(1.2345), ()) == 1.2345


def test_labels_are_finite_float64():
    examples = Examples(("a", "b"))
    assert REGRESSION.label_problem(np.array([1.0, 2.0]), examples, ()) == ""
    assert REGRESSION.label_problem(np.array([1.0, np.nan]), examples, ()) != ""
    assert REGRESSION.label_problem(np.array([1, 2]), examples, ()) != ""


def test_the_constant_answer_is_the_mean_and_predictions_near_it_are_degenerate():
    gold = np.array([1.0, 2.0, 6.0])
    assert float(REGRESSION.constant_scores(gold, ())) == 3
    assert REGRESSION.is_degenerate(gold, np.array([3, 3.01, 3]))
    assert not REGRESSION.is_degenerate(gold, gold)


def test_a_cell_of_hundreds_of_digits_is_not_printed_whole():
    rows = [{"text": f"text {row}", "label": "9" * 400 if row == 3 else row / 7} for row in range(40)]
    with as_file(rows) as path, pytest.raises(BadInput, match=r"label '9{59} is not a number"):
        read_task(path, ReadSettings(kind="regression"))


def test_a_number_too_large_for_float32_models_is_refused():
    rows = [{"text": f"text {row}", "label": -1e200 if row == 3 else row} for row in range(40)]
    with as_file(rows) as path, pytest.raises(BadInput, match=r"row 4: label '-1e\+200' is too large to learn from"):
        read_task(path, ReadSettings(kind="regression"))
