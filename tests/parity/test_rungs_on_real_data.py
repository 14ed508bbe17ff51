"""On real data, a rung is within a point of what pipelines of scikit-learn, tuned inside the labels, make of them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from specialist_models import CountedGrams, FixedVectors, score, tuned
from wordworth.models.load import load
from wordworth.representations.ladder import default_ladder, select_rungs
from wordworth.representations.rung import RunContext
from wordworth.tasks.reading.read_task import ReadSettings, read_task

pytestmark = pytest.mark.peers

DATA = Path(os.environ.get("WORDWORTH_DATA", Path(__file__).parents[3] / "shared" / "data"))
SETS = {"mr/all": "accuracy", "cr/all": "accuracy", "trec/train": "accuracy", "subj/all": "accuracy"}
LABELS, TESTED = 500, 2_500
POINT = 1.0


def drawn(name):
    """A real data set, of which 500 rows are learned from and at most 2,500 others predicted."""
    file = DATA / f"{name}.csv.xz"
    if not file.exists():
        pytest.skip(f"no {name} in the folder of data sets: set WORDWORTH_DATA")
    whole = read_task(file, ReadSettings(text="text", label="label", metric=SETS[name]))
    rows = np.random.default_rng(0).permutation(len(whole.examples))
    return replace(whole, train=rows[:LABELS], test=rows[LABELS : LABELS + TESTED])


def gap(task, rung_name, peer):
    """How far a rung is ahead of the peer, in points."""
    *_, rung = select_rungs(default_ladder(task.kind, models=(), vectors=()), (rung_name,))
    fitted = rung.prepare(task, RunContext()).fit(task.train, np.random.default_rng(0))
    gold = task.gold(task.test)
    return score(task, gold, fitted.predict(task.test)) - score(task, gold, peer.answers)


def test_the_tfidf_rung_is_within_a_point_of_tuned_pipelines_of_scikit_learn():
    gaps = {}
    for name in SETS:
        task = drawn(name)
        gaps[name] = gap(task, "tfidf", tuned(task, task.train, CountedGrams.of(task, task.train)))
    assert np.mean(list(gaps.values())) > -POINT, gaps


@pytest.mark.filterwarnings("ignore::wordworth.errors.ZeroVectorWarning")
def test_the_glove_rung_is_within_a_point_of_tuned_models_of_scikit_learn_on_mean_vectors():
    table, gaps = load("glove"), {}
    for name in SETS:
        task = drawn(name)
        vectors = np.asarray(table.encode(list(task.examples.first)), dtype=np.float64)
        gaps[name] = gap(task, "glove", tuned(task, task.train, FixedVectors({"mean": vectors})))
    assert np.mean(list(gaps.values())) > -POINT, gaps
