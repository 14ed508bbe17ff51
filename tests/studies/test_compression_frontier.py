"""A frontier: each candidate is scored on the same rows beside the first, and timed in turn with it."""

import numpy as np
from tests.studies.new_parts import new_parts

from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import PairedChanges
from wordworth.models.pruning import ModelSize
from wordworth.progress import SILENT
from wordworth.studies.compression_frontier import FRONTIER, WHOLE, Candidate, frontier
from wordworth.tasks.examples import Examples

GOLD = np.arange(60) % 2
TEXTS = Examples(tuple(str(row) for row in range(60)))


def answers(wrong):
    """Predictions that are wrong for the texts of the first so many numbers."""

    def predict(examples):
        numbers = np.array([int(text) for text in examples.first])
        return np.eye(2)[np.where(numbers < wrong, 1 - GOLD[numbers], GOLD[numbers])]

    return predict


def measured(*wrong, parts=None, predict=answers, gold=GOLD, rule=None, constant=None):
    candidates = [
        Candidate(WHOLE if not number else f"model {number}", predict(each), ModelSize(4, 2, 100), 400 - number, "way")
        for number, each in enumerate(wrong)
    ]
    rule = rule or metric("accuracy", ("a", "b"))
    comparison = PairedChanges.of(rule, gold, ("a", "b"), 200, np.random.default_rng(0))
    with SILENT.step("measuring", 1) as step:
        return frontier(candidates, TEXTS, comparison, step, parts, constant)


def test_scores_are_beside_the_first_candidate():
    whole, better, worse = measured(12, 6, 30)
    assert (whole.score, better.score, worse.score) == (0.8, 0.9, 0.5)
    assert [round(each.change.value, 9) for each in (whole, better, worse)] == [0.0, 0.1, -0.3]
    assert worse.change.interval.low < -0.3 < worse.change.interval.high < 0
    assert whole.change.interval.low < 0 < whole.change.interval.high  # a width, though nothing changed


def test_every_candidate_is_timed_at_both_batch_sizes_and_described():
    variants = measured(12, 6)
    for each in variants:
        assert set(each.speed) == {1, 32}
        assert list(each.columns()) == list(FRONTIER)
    assert [each.columns()["bytes"] for each in variants] == [400, 399]
    assert "milliseconds_32" in variants[1].speed_columns()


def test_milliseconds_follow_from_those_of_the_whole_model_which_all_rows_stand_beside():
    whole, *smaller = measured(12, 6, 30)
    for each in smaller:
        for batch in (1, 32):
            times_as_fast = whole.speed[batch].milliseconds / each.speed[batch].milliseconds
            assert abs(times_as_fast / each.speed[batch].speedup[0] - 1) < 1e-9


def test_what_an_earlier_call_measured_is_read_with_its_speed_tags_of_sentences_included():
    def tags(wrong):
        def predict(examples):
            calls.append(wrong)
            return tuple(np.arange(1 + int(text) % 3) % 2 for text in examples.first)

        return predict

    gold, calls, parts = tuple(np.arange(1 + number % 3) % 2 for number in range(60)), [], new_parts()
    first = measured(12, 6, parts=parts, predict=tags, gold=gold, rule=metric("token_accuracy", ("a", "b")))
    done = len(calls)
    again = measured(12, 6, parts=parts, predict=tags, gold=gold, rule=metric("token_accuracy", ("a", "b")))
    assert len(calls) == done > 0
    assert [each.score for each in again] == [each.score for each in first] == [1.0, 1.0]
    assert [each.speed for each in again] == [each.speed for each in first]


def test_every_candidate_is_compared_with_the_constant_answer_where_one_is_given():
    always_one = np.tile([0.0, 1.0], (60, 1))
    good, poor = measured(12, 40, constant=always_one)
    assert (round(good.above_constant.value, 9), round(poor.above_constant.value, 9)) == (0.3, round(1 / 3 - 0.5, 9))
    assert good.above_constant.interval.low > 0 > poor.above_constant.interval.low
    assert measured(12)[0].above_constant is None
