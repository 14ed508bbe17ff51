import numpy as np
import pytest

from wordworth.representations.heads.base import Target
from wordworth.representations.model_selection import best, score


def target(labels, kind="single", metric="accuracy"):
    return Target(kind=kind, labels=labels, classes=("a", "b", "c"), metric=metric)


def test_the_best_is_the_first_of_those_judged_best():
    assert best("abcd", lambda _: [0.1, 0.5, 0.5, 0.2]) == "b"


def test_nothing_to_choose_asks_nothing():
    assert best([7], lambda _: pytest.fail("asked")) == 7


def test_the_score_is_the_tasks_metric():
    said = np.eye(3)[[0, 1, 1, 2]]
    assert score(target(np.array([0, 1, 2, 2])), said) == 0.75
    assert score(target(np.array([0, 1, 2, 2]), metric="macro_f1"), said) == pytest.approx(7 / 9)
