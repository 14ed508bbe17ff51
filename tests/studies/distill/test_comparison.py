"""Students beside teacher and control: paired over rows and seeds, and honest where nothing differs."""

from types import SimpleNamespace

import numpy as np
import pytest

from wordworth.measures.bootstrap import crossed_interval, run_picks
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import Change
from wordworth.studies.distill.comparison import Students, compare, mean_change
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.distillation.methods import METHODS

ROWS = 400
ACCURACY = metric("accuracy", ())


def scores_of(gold, right, seed):
    """Scores that name the gold class on a share of the rows."""
    rng = np.random.default_rng(seed)
    said = np.where(rng.random(len(gold)) < right, gold, (gold + 1) % 3)
    return np.eye(3)[said]


def compared(shares, seeds=5):
    """Students with these shares of right predictions by method; the teacher has 0.9."""
    task = sample_task("single")
    rng = np.random.default_rng(0)
    gold, texts = rng.integers(3, size=ROWS), tuple(f"text {number}" for number in range(ROWS))
    examples = SimpleNamespace(take=lambda _: SimpleNamespace(first=texts, second=None, groups=None))
    shaped = SimpleNamespace(
        test=np.arange(ROWS), gold=lambda _: gold, metric="accuracy", classes=task.classes, kind=task.kind,
        examples=examples,
    )  # fmt: skip
    students = []
    for at, (name, right) in enumerate(shares.items()):
        runs = tuple(
            SimpleNamespace(seed=seed, test=scores_of(gold, right, 10 * at + seed + 1)) for seed in range(seeds)
        )
        students.append(Students(METHODS[name], METHODS[name].weights, runs, runs[0] if runs else None))
    return compare(shaped, students, scores_of(gold, 0.9, 99), scores_of(gold, 0.4, 98), 0)


def test_a_clear_gain_is_shown_and_losses_add_up():
    control, taught = compared({"finetune": 0.7, "kd": 0.85}).measured
    assert control.gain is None
    assert taught.gain.is_significant
    assert taught.gain.value == pytest.approx(taught.scored.values.mean() - control.scored.values.mean())
    assert taught.gain.value == pytest.approx(taught.change_from_teacher.value - control.change_from_teacher.value)
    assert taught.gain.interval.low > 0


def test_equal_students_show_no_gain():
    assert not compared({"finetune": 0.8, "kd": 0.8}).measured[1].gain.is_significant


def test_seeds_are_paired_and_one_that_failed_is_left_out():
    comparison = compared({"finetune": 0.7, "kd": 0.7})
    control, taught = comparison.measured
    by_seed = taught.scored.values - control.scored.values
    assert taught.gain.value == pytest.approx(by_seed.mean())


def test_students_of_hidden_states_stand_beside_those_of_answers_alone():
    control, answers, states = compared({"finetune": 0.6, "kd": 0.7, "pkd-skip": 0.85}).measured
    assert (control.over_kd, answers.over_kd) == (None, None)
    assert states.over_kd.is_significant
    assert states.over_kd.value == pytest.approx(states.gain.value - answers.gain.value)
    assert compared({"finetune": 0.6, "pkd-skip": 0.85}).measured[1].over_kd is None


def test_without_a_control_the_gain_is_not_known():
    (taught,) = compared({"kd": 0.8}).measured
    assert taught.gain is None
    assert taught.change_from_teacher is not None


def test_the_interval_is_the_crossed_one_over_seeds_and_rows():
    rng = np.random.default_rng(0)
    changes = [Change(float(value), value + 0.01 * rng.normal(size=200)) for value in (0.01, 0.02, 0.05)]
    ours = mean_change(changes, 1, np.random.default_rng(1), ACCURACY)
    values, draws = np.array([each.value for each in changes]), np.stack([each.draws for each in changes])
    assert ours.interval == crossed_interval(values, draws, run_picks(3, 200, np.random.default_rng(1)))


def test_more_methods_ask_for_a_surer_difference():
    rng = np.random.default_rng(0)
    sure = [
        mean_change([Change(0.021, 0.021 + 0.0095 * rng.normal(size=4_000))], number, rng, ACCURACY).is_significant
        for number in (1, 20)
    ]
    assert sure == [True, False]


def test_a_difference_of_two_runs_stays_within_what_is_possible():
    changes = [Change(value, np.full(200, value)) for value in (-0.4, 0.6)]
    ours = mean_change(changes, 1, np.random.default_rng(1), ACCURACY)
    assert (ours.interval.low, ours.interval.high) == (-1.0, 1.0)
