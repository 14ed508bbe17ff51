"""A random split learns from as many rows as the study and is scored on as many others, whatever their group."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.studies.fake_ladder import FakeLearner, FakeRung, constant, task

from wordworth.studies.worth.random_split_score import random_split, without_groups
from wordworth.studies.worth.rung_result import RungResult
from wordworth.studies.worth.scores import Bootstrap


class Recorded(FakeLearner):
    """Notes the rows that it learns from."""

    def fit(self, rows, rng):
        LEARNED.append(rows)
        return super().fit(rows, rng)


LEARNED: list[np.ndarray] = []


def test_learned_and_tested_rows_are_disjoint_and_as_many_as_in_the_study():
    made = task(100)
    made = replace(made, examples=replace(made.examples, groups=tuple(range(100))))
    rung = FakeRung("cheap", "counts", constant(0.8))
    LEARNED.clear()
    result = RungResult(rung, learner=Recorded(rung, made))
    split = random_split([result], made, 60, Bootstrap(50, 0), by_time=False)
    assert split.rung == "cheap"
    assert len(LEARNED[0]) == len(set(LEARNED[0].tolist())) == 60
    again = random_split([result], made, 60, Bootstrap(50, 0), by_time=False)
    assert (split.score, split.interval) == (again.score, again.interval)
    assert (LEARNED[0] == LEARNED[1]).all()
    assert without_groups(made).examples.groups is None


def test_without_a_cheap_rung_there_is_none():
    made = task(100)
    contextual = RungResult(FakeRung("dear", "frozen", constant(0)))
    assert random_split([contextual], made, 60, Bootstrap(50, 0), by_time=True) is None
