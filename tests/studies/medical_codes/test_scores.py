"""Scores by hand, rare codes, and intervals that are paired and cover where systems are equal."""

import numpy as np
import pytest

from wordworth.studies.medical_codes.scores import (
    ALL,
    COMMON,
    F1,
    JACCARD,
    PRECISION,
    RARE,
    THRESHOLDS,
    Answers,
    best_threshold,
    rare_codes,
    score_all,
)

RNG = np.random.default_rng(0)
TRUTH = RNG.random((60, 5)) < np.array([0.6, 0.5, 0.4, 0.1, 0.05])
TRUTH[~TRUTH.any(1), 0] = True
PATIENT = np.repeat(np.arange(20), 3)
RARELY = np.array([False, False, False, True, True])


def answers(system, scores, runs=1):
    return Answers(system, np.stack([scores] * runs), np.stack([scores] * runs), ("",) * runs)


def scored(*systems, draws=200):
    return score_all(systems, (TRUTH, TRUTH), RARELY, PATIENT, draws, 0)


def test_rare_codes_are_the_rarest_that_make_up_at_most_a_fifth():
    counts = [60, 20, 10, 6, 4]
    trained = np.zeros((100, 5), dtype=bool)
    for code, number in enumerate(counts):
        trained[:number, code] = True
    assert rare_codes(trained).tolist() == [False, False, True, True, True]


def test_right_answers_have_one_and_their_interval_is_a_point():
    scores = scored(answers("right", TRUTH.astype(float)))
    for codes in (ALL, COMMON, RARE):
        for measure in (PRECISION, JACCARD, F1):
            value = scores.value(codes, measure, "right")
            assert (value.value, value.interval.low, value.interval.high) == (1, 1, 1)
    assert scores.visits == {ALL: 60, COMMON: int(TRUTH[:, :3].any(1).sum()), RARE: int(TRUTH[:, 3:].any(1).sum())}


def test_a_system_is_no_different_from_itself_and_a_noisier_one_is_surely_behind():
    good, bad = TRUTH + RNG.normal(0, 0.4, TRUTH.shape), RNG.normal(size=TRUTH.shape)
    scores = scored(answers("good", good, 3), answers("same", good, 3), answers("bad", bad))
    same = scores.difference(ALL, PRECISION, "good", "same")
    assert (same.value, same.interval.low, same.interval.high) == (0, 0, 0)
    behind = scores.difference(ALL, PRECISION, "bad", "good")
    assert behind.interval.high < 0
    values = [scores.value(ALL, PRECISION, system).value for system in ("bad", "good")]
    assert behind.value == pytest.approx(values[0] - values[1])


def test_rare_codes_that_no_test_visit_has_are_left_out():
    rare = np.zeros(5, dtype=bool)
    scores = score_all([answers("right", TRUTH.astype(float))], (TRUTH, TRUTH), rare, PATIENT, 100, 0)
    assert scores.visits[RARE] == 0
    assert (RARE, PRECISION, "right") not in scores.by_key


@pytest.mark.slow
def test_the_interval_of_a_difference_that_is_none_holds_zero_in_nineteen_of_twenty_data_sets():
    rng, held, sets = np.random.default_rng(1), 0, 200
    for _ in range(sets):
        habit = np.repeat(rng.normal(size=(20, 5)), 3, axis=0)
        truth = habit + rng.normal(size=(60, 5)) > 0.5
        truth[~truth.any(1), 0] = True
        systems = [answers(name, habit + rng.normal(size=(60, 5))) for name in ("first", "second")]
        scores = score_all(systems, (truth, truth), RARELY, PATIENT, 200, 0)
        value = scores.difference(ALL, PRECISION, "first", "second")
        held += value.interval.low <= 0 <= value.interval.high
    assert 0.88 <= held / sets <= 0.99


def test_intervals_of_two_runs_stay_within_what_is_possible():
    unsure = Answers("unsure", *[np.stack([TRUTH, ~TRUTH]).astype(float)] * 2, ("",) * 2)
    zero = answers("zero", np.zeros(TRUTH.shape), 2)
    scores = scored(unsure, zero)
    value, difference = scores.value(ALL, PRECISION, "unsure"), scores.difference(ALL, PRECISION, "unsure", "zero")
    assert (value.interval.low, value.interval.high) == (0.0, 1.0)
    assert (difference.interval.low, difference.interval.high) == (-1.0, 1.0)


def test_the_best_threshold_separates_what_is_true():
    truth = np.array([[True, False], [False, True]])
    assert best_threshold(truth, np.array([[0.62, 0.58], [0.3, 0.9]])) == 0.6
    assert best_threshold(truth, np.ones((2, 2))) == THRESHOLDS[0]
