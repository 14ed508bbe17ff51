"""The cheap rungs against what a specialist makes of the same labels with scikit-learn alone."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.svm import LinearSVC

from specialist_models import GRAMS, CountedGrams, FixedVectors, folds, score, tuned
from specialist_offsets import offsets_for
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.rung import RunContext
from wordworth.representations.tfidf import Tfidf
from wordworth.tasks.task import Examples, Task

SETTINGS = {"sublinear_tf": True}
ENDS = ("ing", "ed", "ly", "er", "est", "ness")
MODELS = tuple(f"svc {strength} {weight}" for strength in (0.1, 1, 10) for weight in (None, "balanced"))
MARGIN = 4.0
"""Points; the standard error of macro F1 on 1,500 texts with 150 of the rarest class is about two."""


def uneven_task(labels=240, tested=600, seed=0):
    """Three uneven classes of which each has stems of its own, most of them rare, among words that say nothing."""
    rng = np.random.default_rng(seed)
    stems = np.array(["".join(rng.choice(list("bcdfglmnprst"), 3)) + rng.choice(list("aeiou")) for _ in range(900)])
    shares = 1 / np.arange(3, 303)
    shares /= shares.sum()
    gold = rng.choice(3, size=labels + tested, p=(0.7, 0.2, 0.1))
    texts = []
    for label in gold:
        own = rng.choice(stems[label * 300 : label * 300 + 300], size=2, p=shares)
        words = [str(word) + str(rng.choice(ENDS)) for word in (*own, *rng.choice(stems, size=6))]
        texts.append(" ".join(rng.permutation(words)))
    rows = np.arange(labels + tested)
    classes = ("common", "rare", "rarest")
    return Task("uneven", "single", Examples(tuple(texts)), gold, classes, rows[:labels], rows[labels:], "macro_f1")


def pipeline(names, model):
    grams = FeatureUnion([(name, TfidfVectorizer(**GRAMS[name], **SETTINGS)) for name in names])
    return Pipeline([("grams", grams), ("model", model)])


@pytest.mark.parametrize("view", ["words", "characters", "both"])
def test_counting_once_gives_each_fold_the_features_of_a_pipeline_fitted_on_it(view):
    task = uneven_task()
    learned, left = folds(task.kind, task.gold(task.train))[0]
    _, ours, ours_left = next(CountedGrams.of(task, task.train).views(learned, left, (view,)))
    names = GRAMS if view == "both" else (view,)
    texts = np.array(task.examples.first)
    theirs = pipeline(names, "passthrough")["grams"].fit(texts[learned])
    expected, expected_left = theirs.transform(texts[learned]), theirs.transform(texts[left])
    assert ours.shape == expected.shape
    assert abs(ours - expected).max() < 1e-12
    assert abs(ours_left - expected_left).max() < 1e-12


def test_a_candidate_is_judged_as_grid_search_over_the_whole_pipeline_judges_it():
    task = uneven_task()
    gold = task.gold(task.train)
    models = [
        LinearSVC(C=0.1),
        LinearSVC(C=1),
        OneVsRestClassifier(LogisticRegression(C=3, solver="liblinear", dual=True)),
    ]
    search = GridSearchCV(
        pipeline(("words",), LinearSVC()), {"model": models}, scoring="f1_macro", cv=folds(task.kind, gold), refit=False
    )
    search.fit([task.examples.first[row] for row in task.train], gold)
    only = ("svc 0.1 None", "svc 1 None", "logistic 3 None")
    ours = tuned(task, task.train, CountedGrams.of(task, task.train), ("words",), only)
    assert ours.judged == pytest.approx(100 * search.best_score_, abs=1e-9)


@pytest.mark.parametrize(("seed", "labels"), [(0, 240), (1, 480)])
def test_the_tfidf_rung_is_not_four_points_behind_a_tuned_pipeline_of_scikit_learn(seed, labels):
    task = uneven_task(labels, tested=1_500, seed=seed)
    specialist = tuned(task, task.train, CountedGrams.of(task, task.train), only=MODELS)
    rung = RepresentationRung(Tfidf()).prepare(task, RunContext()).fit(task.train, np.random.default_rng(0))
    gold = task.gold(task.test)
    assert score(task, gold, rung.predict(task.test)) > score(task, gold, specialist.answers) - MARGIN


def test_standardised_vectors_take_their_scale_from_the_training_part_alone():
    task = uneven_task(60, 60)
    vectors = np.random.default_rng(0).normal(3, 5, (120, 4))
    _, learned, left = next(FixedVectors({"vectors": vectors}).views(np.arange(40), np.arange(40, 60)))
    assert np.allclose(learned.mean(0), 0)
    assert np.allclose(learned.std(0), 1)
    assert np.allclose(left, (vectors[40:60] - vectors[:40].mean(0)) / vectors[:40].std(0))
    assert len(task.train) == 60


@pytest.mark.parametrize("metric", ["macro_f1", "f1:rarest"])
def test_offsets_never_lower_the_score_of_the_texts_they_were_set_on(metric):
    rng = np.random.default_rng(0)
    task = replace(uneven_task(300, 10), metric=metric)
    gold = task.gold(task.train)
    scores = rng.normal(size=(300, 3)) + 0.8 * np.eye(3)[gold] + [2, 0, 0]
    moved = offsets_for(metric, task.kind, task.classes, gold, scores)
    assert score(task, gold, scores + moved) > score(task, gold, scores) + 5
