"""One of several options, whose number may vary."""

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.tasks.examples import Examples
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE
from wordworth.tasks.task_types.prediction_cells import PredictedCell

EXAMPLES = Examples(("context", "another"), options=(("a", "b"), ("a", "b", "c", "d")))


def test_guessing_scores_one_in_the_number_of_options():
    assert MULTIPLE_CHOICE.chance_score(EXAMPLES) == pytest.approx((1 / 2 + 1 / 4) / 2)


def test_an_answer_is_the_number_of_the_option_and_its_text():
    answer = MULTIPLE_CHOICE.answer(np.array([0.0, np.log(3), -np.inf]), (), ("no", "yes"))
    assert answer == {"choice": 1, "option": "yes", "probabilities": [0.25, 0.75]}


def test_a_predicted_option_must_be_there_and_those_that_are_not_cannot_win():
    cells = [PredictedCell("1", "line 1"), PredictedCell("3", "line 2")]
    scores = MULTIPLE_CHOICE.parse_predictions(cells, (), EXAMPLES.options)
    assert scores.argmax(1).tolist() == [1, 3]
    assert np.isneginf(scores[0, 2:]).all()
    with pytest.raises(BadInput, match="line 1: prediction '2' is not one of 0 to 1"):
        MULTIPLE_CHOICE.parse_predictions([PredictedCell("2", "line 1"), cells[1]], (), EXAMPLES.options)


def test_labels_are_numbers_of_options():
    assert MULTIPLE_CHOICE.label_problem(np.array([1, 3]), EXAMPLES, ()) == ""
    assert "index" in MULTIPLE_CHOICE.label_problem(np.array([2, 3]), EXAMPLES, ())
    one = Examples(("context",), options=(("a",),))
    assert "two options" in MULTIPLE_CHOICE.label_problem(np.array([0]), one, ())


def test_options_that_hardly_differ_are_degenerate_unless_the_right_ones_win():
    rng = np.random.default_rng(0)
    gold, still = rng.integers(4, size=400), rng.normal(0, 0.001, (400, 4))
    assert MULTIPLE_CHOICE.is_degenerate(gold, still)
    assert not MULTIPLE_CHOICE.is_degenerate(gold, still * 1000)
    assert not MULTIPLE_CHOICE.is_degenerate(gold, 0.01 * np.eye(4)[gold])
