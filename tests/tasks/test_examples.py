"""The inputs of a task: every part of an example goes with its text, whichever rows are taken."""

import numpy as np
import pytest

from wordworth.tasks.examples import Answer, Examples, span_labels

WHOLE = Examples(
    first=("a", "b", "c"),
    second=("A", "B", "C"),
    words=(("a",), ("b", "b"), ()),
    options=(("x", "y"), ("x", "z"), ("y", "z")),
    ids=("1", "2", "3"),
    documents=(0, 0, 1),
    groups=(5, 6, 5),
)


def test_all_parts_of_an_example_stay_together():
    assert WHOLE.take([2, 0]) == Examples(
        first=("c", "a"),
        second=("C", "A"),
        words=((), ("a",)),
        options=(("y", "z"), ("x", "y")),
        ids=("3", "1"),
        documents=(1, 0),
        groups=(5, 5),
    )


def test_parts_that_are_not_there_stay_away():
    taken = Examples(("a", "b")).take(np.array([1, 1]))
    assert taken == Examples(("b", "b"))
    assert taken.second is None


def test_no_rows_are_no_examples():
    assert len(WHOLE.take([])) == 0
    assert WHOLE.take([]).second == ()


@pytest.mark.parametrize(
    "answers", [[(), ()], [(Answer("x", 1),), (Answer("y", 2),)], [(Answer("x", 1), Answer("y", 2)), ()]]
)
def test_answers_are_one_entry_a_question_however_many_there_are(answers):
    labels = span_labels(answers)
    assert labels.shape == (2,)
    assert [tuple(gold) for gold in labels] == answers
