"""Every run is scored on the items that it predicted; runs that predict folds are scored together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.studies.fake_ladder import MAJORITY, FakeRung, constant, task
from tests.studies.worth.made_up import rung_results

from wordworth.measures.metrics import metric
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.label_grid import label_grid
from wordworth.studies.worth.run_ladder import fit_all, open_rungs
from wordworth.studies.worth.run_scores import CrossFittedScores, regressed
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap
from wordworth.studies.worth.settings import WorthSettings

ACCURACY = metric("accuracy", ("class 0", "class 1"))


def test_two_systems_that_answer_every_test_text_alike_are_as_close_as_the_test_part_can_show():
    """The same predictions under two names: 400 texts bound their difference by about 3.4 of them (1.96 sqrt(3))."""
    entries, _, layout = rung_results(
        MAJORITY, FakeRung("one", "counts", constant(0.8)), FakeRung("two", "frozen", constant(0.8))
    )
    copied = [run.predictions for run in entries[1].runs]
    entries[2].runs = [
        type(run)("two", run.labels, run.seed, copied[i], {}, 0.0) for i, run in enumerate(entries[2].runs)
    ]
    scores = measure(entries, task(), metric("accuracy", ("class 0", "class 1")), Bootstrap(400, 0))
    doubt = scores.gap_interval("one", "two", layout.top)
    items = len(task().test)
    assert -5 / items < doubt.low <= -2.5 / items < 2.5 / items <= doubt.high < 5 / items
    assert doubt == scores.gap_interval("two", "one", layout.top).negated()


def test_test_texts_that_hang_together_are_drawn_together():
    """Half of the test texts said twice bear no more evidence than once: the interval stays as wide."""
    made = task(400)
    half = made.test[: len(made.test) // 2]
    once, twice = replace(made, test=half), replace(made, test=np.concatenate([half, half]))
    entries, _, layout = rung_results(MAJORITY, FakeRung("tfidf", "counts", constant(0.8)), rows=400)
    spans = []
    for one in (once, twice):
        said = [np.asarray(run.predictions)[: len(half)] for run in entries[1].runs]
        entries[1].runs = [
            replace(run, predictions=np.concatenate([part] * (len(one.test) // len(half))))
            for run, part in zip(entries[1].runs, said, strict=True)
        ]
        found = measure(entries[1:], one, metric("accuracy", one.classes), Bootstrap(400, 0))
        spans.append(found.score_interval("tfidf", layout.top))
    assert spans[0] == spans[1]


def test_the_interval_of_macro_f1_lies_around_the_score_where_classes_are_rare():
    """A class of one row is absent from a third of the resamples, so that their mean is far below the score."""
    rng, classes, rows = np.random.default_rng(0), 150, 600
    share = 1 / np.arange(1, classes + 1)
    gold, other = rng.choice(classes, (2, rows), p=share / share.sum())
    answered = np.eye(classes)[np.where(rng.random(rows) < rng.beta(6, 2, classes)[gold], gold, other)]
    every = np.arange(rows)
    made = replace(
        task(rows), labels=gold, classes=tuple(map(str, range(classes))), train=every, test=every, metric="macro_f1"
    )
    results = [RungResult(FakeRung("tfidf", "counts", constant(0)), runs=[Run("tfidf", rows, 0, answered, {}, 0.0)])]
    scores = measure(results, made, metric("macro_f1", made.classes), Bootstrap(200, 0))
    score, span = scores.mean("tfidf", rows), scores.score_interval("tfidf", rows)
    assert abs((span.low + span.high) / 2 - score) < 0.005
    resampled = scores.table["tfidf", rows].as_first.mean()  # as in comparisons, where this cancels out
    assert resampled < score - 0.01


def in_folds(rows=300, folds=5):
    """A made-up task whose rows are all tested, in folds."""
    made, every = task(rows), np.arange(rows)
    return replace(made, train=every, test=every, folds=tuple(every[number::folds] for number in range(folds)))


@pytest.fixture(scope="module")
def fitted():
    """Three rungs fitted on a task in folds, a fine-tuned one on three of five."""
    made = in_folds()
    rungs = [MAJORITY, FakeRung("tfidf", "counts", constant(0.7)), FakeRung("tuned", "finetuned", constant(0.9))]
    context = RunContext(threads=1)
    results, grid = open_rungs(rungs, made, context, ()), label_grid(made, WorthSettings())
    fit_all(results, {result.rung.name: grid.runs(result.rung) for result in results}, made, grid, context)
    return results, made, grid


def test_every_row_is_predicted_once_by_a_model_that_learned_from_the_other_folds(fitted):
    results, made, grid = fitted
    runs = [run for run in results[1].runs if run.labels == grid.top]
    assert sorted(np.concatenate([run.items for run in runs])) == list(range(len(made.test)))
    for run in runs:
        assert not set(grid.rows(run.labels, run.seed)) & set(made.test[run.items])


def test_the_score_of_folds_is_that_of_all_their_predictions(fitted):
    results, made, grid = fitted
    scores = measure(results, made, ACCURACY, Bootstrap(100, 0))
    right = np.zeros(len(made.test))
    for run in results[1].runs:
        if run.labels == grid.top:
            right[run.items] = np.argmax(run.predictions, axis=1) == made.gold(made.test[run.items])
    assert scores.mean("tfidf", grid.top) == pytest.approx(right.mean())
    by_run = scores.table["tfidf", grid.top].by_run
    assert by_run == pytest.approx([right[fold].mean() for fold in made.folds])


def test_runs_on_fewer_labels_are_scored_each_on_the_rows_that_it_has_not_seen(fitted):
    results, made, grid = fitted
    scores, size = measure(results, made, ACCURACY, Bootstrap(100, 0)), grid.sizes[0]
    run = results[1].run(size, 3)
    right = np.argmax(run.predictions, axis=1) == made.gold(made.test[run.items])
    assert scores.table["tfidf", size].point[3] == pytest.approx(right.mean())
    assert len(run.items) > len(made.folds[3])


def test_a_rung_that_predicted_three_folds_is_estimated_on_all_by_those_that_learned(fitted):
    results, made, grid = fitted
    scores = measure(results, made, ACCURACY, Bootstrap(100, 0))
    tuned, tfidf = (scores.table[name, grid.top] for name in ("tuned", "tfidf"))
    assert isinstance(tuned, CrossFittedScores)
    assert (tuned.runs, tfidf.runs) == (3, 5)
    some = measure([replace(result, runs=[run for run in result.runs if run.labels == grid.top and run.seed < 3])
                    for result in results], made, ACCURACY, Bootstrap(100, 0))  # fmt: skip
    right = [np.concatenate([np.argmax(run.predictions, axis=1) == made.gold(made.test[run.items])
                             for run in results[2].runs if run.labels == grid.top])]  # fmt: skip
    assert some.mean("tuned", grid.top) == pytest.approx(np.mean(right))
    expected = regressed(some.table["tuned", grid.top], some.table["tfidf", grid.top], tfidf)
    assert scores.mean("tuned", grid.top) == pytest.approx(expected.point[0])
    gap = scores.gap("tuned", "tfidf", grid.top)
    assert gap == pytest.approx(scores.mean("tuned", grid.top) - scores.mean("tfidf", grid.top))


def test_items_that_do_not_count_have_no_weight_in_any_fold(fitted):
    results, made, grid = fitted
    keep = (np.arange(len(made.test)) % 3 == 0).astype(float)
    scores = measure(results, made, ACCURACY, Bootstrap(100, 0), keep=keep)
    right = np.zeros(len(made.test))
    for run in results[1].runs:
        if run.labels == grid.top:
            right[run.items] = np.argmax(run.predictions, axis=1) == made.gold(made.test[run.items])
    assert scores.mean("tfidf", grid.top) == pytest.approx(right[keep > 0].mean())
    assert scores.row_counts.tested == keep.sum()


def test_sampling_weights_make_the_score_that_of_all_rows_they_stand_for():
    """A test row of weight 3 scores as three rows of weight 1 would."""
    made = task(200)
    entries, _, layout = rung_results(MAJORITY, FakeRung("tfidf", "counts", constant(0.8)), rows=200)
    weights = np.where(np.arange(200) % 4 == 0, 3, 1)
    weighted = replace(made, examples=replace(made.examples, weights=tuple(weights.tolist())))
    repeated = np.repeat(np.arange(len(made.test)), weights[made.test])
    copies = replace(made, test=made.test[repeated])
    entries[1].runs = [run for run in entries[1].runs if run.labels == layout.top]
    of_copies = [replace(run, predictions=np.asarray(run.predictions)[repeated]) for run in entries[1].runs]
    by_weight = measure(entries[1:], weighted, ACCURACY, Bootstrap(200, 0)).mean("tfidf", layout.top)
    entries[1].runs = of_copies
    by_copies = measure(entries[1:], copies, ACCURACY, Bootstrap(200, 0)).mean("tfidf", layout.top)
    assert by_weight == pytest.approx(by_copies, abs=1e-12)
