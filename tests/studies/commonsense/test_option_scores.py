"""What counts as an answer, and as a right one."""

import numpy as np

from wordworth.studies.commonsense.items import Choice, ChoiceSet
from wordworth.studies.commonsense.option_scores import UNANSWERED, Answers, chosen


def test_the_highest_score_is_chosen_and_a_tie_is_no_choice():
    assert chosen(np.array([-3.0, -2.0])) == 1
    assert chosen(np.array([-2.0, -2.0])) is None
    assert chosen(np.array([-2.0, np.nan])) is None


def test_an_item_is_right_wrong_or_unanswered():
    items = ChoiceSet("s", "pronouns", [Choice("", ("a", "b"), "", 1)] * 4, "", "", 4)
    scores = [np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.array([1.0, 1.0]), None]
    answers = Answers(items, {"m": scores}, {"m": scores[::-1]}, frozenset())
    assert answers.right("m").tolist() == [1, 0, 0, UNANSWERED]
    assert answers.right("m", random=True).tolist() == [UNANSWERED, 0, 0, 1]
