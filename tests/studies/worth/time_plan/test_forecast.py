"""The forecast adds up what each part of a study takes, from speeds that are given here."""

import math

import numpy as np
import pytest
from tests.studies.worth.made_up import task

from wordworth.representations.constant_baseline import Majority
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.finetuned_encoder import FineTuned
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.tfidf import Tfidf
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.time_plan.forecast import forecast
from wordworth.studies.worth.time_plan.scope import Scope
from wordworth.studies.worth.time_plan.speeds import FitSpeed, Speeds, TrainingSpeed

ROWS = 200
TUNED, COUNTS = FineTuned("some-encoder", FineTuning(epochs=1, stop_from=1_000)), RepresentationRung(Tfidf())
GRID = LabelGrid((50, 100), tuple(np.arange(ROWS) for _ in range(5)))
"""Five subsets of each size; a fine-tuned rung has three runs, of 100 labels."""


def of(scope: Scope, speeds: Speeds, *rungs, threads: int = 1):
    made = task(ROWS)
    return forecast(made, rungs, GRID, scope, speeds, threads)


def test_reading_grows_with_the_rows_and_takes_less_of_texts_that_are_cut():
    speeds = Speeds(windowed_seconds=0.5, truncated_seconds=0.1)
    whole = Scope(len(task(ROWS).used), distil=False)
    read = of(whole, speeds).reading
    assert read == pytest.approx(0.5 * whole.rows)
    assert of(Scope(whole.rows, "cut", distil=False), speeds).reading == pytest.approx(read / 5)
    assert of(Scope(whole.rows // 2, distil=False), speeds).reading == pytest.approx(read / 2)
    assert of(Scope(whole.rows), speeds).reading > read  # a table is made as well


def test_a_test_file_is_read_whole_however_few_rows_are_learned_from():
    speeds = Speeds(windowed_seconds=0.5)
    made = task(ROWS)
    learned = len(made.train)
    whole, half = (Scope(rows, distil=False, test_rows=len(made.test)) for rows in (learned, learned // 2))
    assert of(whole, speeds).reading == pytest.approx(0.5 * len(made.used))
    assert of(half, speeds).reading == pytest.approx(0.5 * (learned // 2 + len(made.test)))


def test_fine_tuning_takes_the_tokens_of_its_steps_and_of_its_answers():
    speeds = Speeds(training={TUNED.name: TrainingSpeed(0.01, (20, 40))})
    made = task(ROWS)
    scope = Scope(len(made.used))
    steps, tokens_per_step = math.ceil(100 / 16), 30 * 16
    answers = 30 * len(made.test) / 3
    one_run = 0.01 * (steps * tokens_per_step + answers)
    taken = of(scope, speeds, TUNED)
    assert taken.finetuning == pytest.approx(1.15 * 3 * one_run, rel=1e-6)
    assert of(scope, speeds, TUNED, threads=2).finetuning == pytest.approx(taken.finetuning / 2)
    few = Scope(scope.rows, few_runs=True)
    assert of(few, speeds, TUNED).finetuning == pytest.approx(taken.finetuning / 3)


def test_other_fits_grow_by_a_power_of_their_labels_and_the_constant_costs_nothing():
    speeds = Speeds(fits={COUNTS.name: FitSpeed(2.0, 50)})
    taken = of(Scope(len(task(ROWS).used)), speeds, COUNTS, Majority.of("single"))
    assert taken.fits == pytest.approx(1.15 * 5 * 2.0 * (1 + 2**0.85))


def test_fits_that_share_one_interpreter_gain_little_from_a_second_thread():
    speeds = Speeds(fits={COUNTS.name: FitSpeed(2.0, 50)}, training={TUNED.name: TrainingSpeed(0.01, (20, 40))})
    scope = Scope(len(task(ROWS).used))
    alone, shared = (of(scope, speeds, COUNTS, threads=threads).fits for threads in (1, 2))
    assert alone / 2 < shared < alone
    assert of(scope, speeds, COUNTS, TUNED, threads=2).fits == pytest.approx(alone / 2)


def test_a_rung_that_was_not_measured_counts_as_the_mean_of_the_others():
    table = RepresentationRung(Tfidf(), head=COUNTS.head)
    speeds = Speeds(fits={"some": FitSpeed(1.0, 50), "other": FitSpeed(3.0, 50)})
    taken = of(Scope(len(task(ROWS).used)), speeds, table)
    assert taken.fits == pytest.approx(1.15 * 5 * 2.0 * (1 + 2**0.85))
