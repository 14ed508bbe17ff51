"""On real data, cheap rungs are level with what pipelines of scikit-learn, tuned inside the labels, make of them."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from specialist_models import CountedGrams, FixedVectors, score, tuned
from specialists import vectors
from wordworth.representations.ladder import default_ladder, select_rungs
from wordworth.representations.rung import RunContext
from wordworth.tasks.reading.read_task import ReadSettings, read_task

pytestmark = [pytest.mark.peers, pytest.mark.timeout(1200)]  # a minute and a half of a free processor at most

DATA = Path(os.environ.get("WORDWORTH_DATA", Path(__file__).parents[3] / "shared" / "data"))
SETS = {"mr/all": "accuracy", "cr/all": "accuracy", "trec/train": "accuracy", "subj/all": "accuracy"}
LABELS, TESTED, DRAWS = 500, 2_500, 3
LEAST_MEAN, LEAST = -0.3, -1.0
"""In points, of all sets and of each: the bounds of `docs/benchmarks/quality.md`. A draw's difference has a standard
deviation of some 0.7 points, and so the mean of the three draws of a set one of 0.4."""


@cache
def whole(name):
    file = DATA / f"{name}.csv.xz"
    if not file.exists():
        pytest.skip(f"no {name} in the folder of data sets: set WORDWORTH_DATA")
    return read_task(file, ReadSettings(text="text", label="label", metric=SETS[name]))


def drawn(name, draw):
    """A real data set, of which 500 rows are learned from and at most 2,500 others predicted."""
    rows = np.random.default_rng(draw).permutation(len(whole(name).examples))[: LABELS + TESTED]
    used = np.sort(rows)  # no others: features would be computed of them too
    train, test = np.split(np.searchsorted(used, rows), [LABELS])
    return replace(
        whole(name), examples=whole(name).examples.take(used), labels=whole(name).gold(used), train=train, test=test
    )


def gap(task, rung_name):
    """How far a rung is ahead of the specialist, who has the same features, in points."""
    *_, rung = select_rungs(default_ladder(task.kind, models=(), vectors=()), (rung_name,))
    of_rung = CountedGrams.of(task, task.train) if rung_name == "tfidf" else FixedVectors(vectors(task, rung))
    fitted = rung.prepare(task, RunContext()).fit(task.train, np.random.default_rng(0))
    gold = task.gold(task.test)
    return score(task, gold, fitted.predict(task.test)) - score(task, gold, tuned(task, task.train, of_rung).answers)


@pytest.mark.filterwarnings("ignore::wordworth.errors.ZeroVectorWarning")
@pytest.mark.parametrize("rung_name", ["tfidf", "random", "glove", "wordllama"])
def test_a_cheap_rung_is_level_with_tuned_pipelines_of_scikit_learn(rung_name):
    gaps = {name: np.mean([gap(drawn(name, draw), rung_name) for draw in range(DRAWS)]) for name in SETS}
    assert np.mean(list(gaps.values())) >= LEAST_MEAN, gaps
    assert min(gaps.values()) >= LEAST, gaps
