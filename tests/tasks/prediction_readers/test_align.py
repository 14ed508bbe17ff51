"""Each example has exactly one prediction, by id or by order."""

import pytest

from wordworth.errors import BadInput
from wordworth.tasks.prediction_readers.align import ExpectedIds, by_id, in_order, unique

EXPECTED = ExpectedIds("the dev part", ("a", "b", "c"))


def test_predictions_by_id_come_in_the_order_of_the_part():
    assert by_id(EXPECTED, {"c": 3, "a": 1, "b": 2}, "p.csv") == [1, 2, 3]


def test_an_id_too_many_and_one_too_few_are_named():
    with pytest.raises(BadInput, match=r"p\.csv: 1 id \('x'\) that the dev part does not have"):
        by_id(EXPECTED, {"a": 1, "b": 2, "c": 3, "x": 4}, "p.csv")
    with pytest.raises(BadInput, match=r"2 ids \('b', 'c'\) of the dev part without a prediction"):
        by_id(EXPECTED, {"a": 1}, "p.csv")


def test_predictions_in_order_are_as_many_as_the_examples():
    assert in_order(EXPECTED, (1, 2, 3), "p.csv") == [1, 2, 3]
    with pytest.raises(BadInput, match="2 predictions where the dev part has 3 examples"):
        in_order(EXPECTED, (1, 2), "p.csv")


def test_an_id_that_stands_twice_is_refused_and_of_many_three_are_named():
    unique(["a", "b"], "p.csv")
    with pytest.raises(BadInput, match=r"4 ids \('a', 'b', 'c', \.\.\.\) twice"):
        unique(list("abcd") * 2, "p.csv")
