"""The seconds of one fit, from speeds that are given here."""

from dataclasses import replace

import pytest
from tests.studies.worth.made_up import task

from wordworth.representations.constant_baseline import Majority
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.finetuned_encoder import FineTuned
from wordworth.representations.tfidf import Tfidf
from wordworth.studies.worth.time_plan.fit_seconds import FitSeconds
from wordworth.studies.worth.time_plan.speeds import FitSpeed, Speeds, TrainingSpeed

COUNTS, TUNED = RepresentationRung(Tfidf()), FineTuned("some-encoder")


def seconds(**speeds) -> FitSeconds:
    return FitSeconds.of(task(200), Speeds(**speeds), test_items=100)


def test_a_fit_takes_longer_with_more_labels_but_less_than_in_proportion():
    of = seconds(fits={COUNTS.name: FitSpeed(2.0, 50)})
    assert of(COUNTS, 50) == pytest.approx(2.0)
    assert 2.0 < of(COUNTS, 100) < 4.0


def test_where_one_fold_is_enough_fits_of_more_labels_take_little_more():
    of = seconds(fits={COUNTS.name: FitSpeed(2.0, 100)})
    assert of(COUNTS, 3_000) < 3 * of(COUNTS, 600)


def test_texts_in_groups_are_held_out_in_every_fold_however_many_they_are():
    whole = task(200)
    grouped = replace(whole, examples=replace(whole.examples, groups=tuple(row % 20 for row in range(200))))
    speeds = Speeds(fits={COUNTS.name: FitSpeed(2.0, 100)})
    alone, in_groups = (FitSeconds.of(made, speeds, 100)(COUNTS, 3_000) for made in (whole, grouped))
    assert in_groups == pytest.approx(5 * alone)


def test_a_constant_takes_no_time_and_nothing_is_said_of_what_was_not_measured():
    assert seconds(fits={COUNTS.name: FitSpeed(2.0, 50)})(Majority.of("single"), 50) == 0.0
    assert seconds()(COUNTS, 50) == seconds()(TUNED, 50) == 0.0


def test_training_an_encoder_takes_longer_with_more_test_items():
    speeds = Speeds(training={TUNED.name: TrainingSpeed(0.01, (20, 40))})
    few, many = (FitSeconds.of(task(200), speeds, items)(TUNED, 100) for items in (10, 100))
    assert many - few == pytest.approx(0.01 * 30 * 90 / 3)
