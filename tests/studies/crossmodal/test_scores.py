"""Shares and differences with their intervals, by hand."""

import numpy as np
import pytest

from wordworth.studies.crossmodal.evaluation import COMPLETION, MEASURES
from wordworth.studies.crossmodal.scores import score_all
from wordworth.studies.crossmodal.systems import PAIRED, PRIOR, SHUFFLED, Outcomes


def made(paired, shuffled):
    rows, answers = np.arange(len(paired[0])), np.ones((len(paired[0]), len(MEASURES)))
    right = {
        name: np.stack([np.repeat(np.array(run, dtype=float)[:, None], len(MEASURES), 1) for run in runs])
        for name, runs in ((PAIRED, paired), (SHUFFLED, shuffled), (PRIOR, [[0.5] * len(rows)]))
    }
    valid = {name: np.zeros((1, len(COMPLETION))) for name in right}
    return Outcomes(rows, right, answers, valid, {PAIRED: [1], SHUFFLED: [1]}, np.zeros((0, 4), dtype=np.int64))


def test_a_share_is_over_all_answers_and_runs():
    scores = score_all(made([[1, 1, 0, 0], [1, 1, 1, 0]], [[0, 0, 0, 1], [0, 0, 0, 1]]), list("abcd"), 200, 0)
    value = scores.value(PAIRED, MEASURES[0])
    assert value.value == pytest.approx((0.5 + 0.75) / 2)
    assert value.interval.low <= value.value <= value.interval.high
    assert scores.difference(MEASURES[0], PAIRED, SHUFFLED).value == pytest.approx(0.625 - 0.25)
    assert scores.difference(MEASURES[0], PAIRED, PRIOR).value == pytest.approx(0.125)


def test_systems_that_are_right_of_the_same_do_not_differ():
    same = [[1, 0, 1, 0]]
    scores = score_all(made(same, same), list("aabb"), 200, 0)
    interval = scores.difference(MEASURES[0], PAIRED, SHUFFLED).interval
    assert (interval.low, interval.high) == (0, 0)


def test_groups_are_resampled_whole():
    scores = score_all(made([[1, 1, 0, 0]], [[0, 0, 0, 0]]), list("aabb"), 400, 0)
    interval = scores.value(PAIRED, MEASURES[0]).interval
    assert (interval.low, interval.high) == (0, 1)


def test_intervals_of_two_runs_stay_within_what_is_possible():
    scores = score_all(made([[1, 1, 1, 1], [0, 0, 0, 0]], [[0, 0, 0, 0], [1, 1, 1, 1]]), list("abcd"), 200, 0)
    value, difference = scores.value(PAIRED, MEASURES[0]), scores.difference(MEASURES[0], PAIRED, SHUFFLED)
    assert (value.interval.low, value.interval.high) == (0, 1)
    assert (difference.interval.low, difference.interval.high) == (-1, 1)
