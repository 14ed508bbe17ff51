"""What scikit-learn's solvers would cost in place of the linear head's own, under the same protocol.

    OMP_NUM_THREADS=1 python benchmarks/linear_solvers.py [--rounds 3] [--out docs/records/linear_solvers.json]

A cell is a data set (WORDWORTH_DATA or ../shared/data), a kind of features (TF-IDF of words and characters, or 384
dense columns of LSA) and a number of labels. The head chooses view, strength and logit adjustment by cross-validation
and then learns from all labels: with our solver, and with each of scikit-learn's in its place, on the same folds,
candidates and scaled features, with warm starts where the solver has them. They take turns. What counts is the ratio of
processor times, as other programs may run; features of the folds are computed before. `score` is the task's metric on
1,000 texts that nobody learned from.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.multiclass import OneVsRestClassifier

from measure import Spread, data_file, data_folder, report
from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.measures.metrics import metric
from wordworth.representations.feature_blocks import Blocks
from wordworth.representations.heads import grid_search, linear_head
from wordworth.representations.heads.base import Target, Views
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.heads.linear_losses import LogisticLoss, Loss, SoftmaxLoss, SquaredLoss
from wordworth.representations.heads.newton_cg import Precision, Solution, Start, solve
from wordworth.representations.rung import RunContext
from wordworth.representations.tfidf import Tfidf
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Rows, Task

SETS: dict[str, dict[str, Any]] = {
    "mr/all": {},
    "trec/train": {},
    "clinc150/train": {},
    "tweet_emotion/train": {"metric": "macro_f1"},
    "goemotions/train": {"label": "labels", "kind": "multilabel", "metric": "micro_f1"},
    "stsb/train": {"text": "text_a", "text_b": "text_b", "label": "score", "kind": "regression", "metric": "pearson"},
}
SIZES, TEST, WIDTH = (100, 300, 1_000, 3_000), 1_000, 384
MOST_CLASSES = 20
OURS = "ours"
_WARM = {"max_iter": 1_000, "warm_start": True}
PEERS: dict[str, dict[str, Any]] = {
    "lbfgs, tol 1e-3": {"solver": "lbfgs", "tol": 1e-3, **_WARM},
    "newton-cg, tol 1e-4": {"solver": "newton-cg", "tol": 1e-4, **_WARM},
    "newton-cg, tol 1e-3": {"solver": "newton-cg", "tol": 1e-3, **_WARM},
    "newton-cg, tol 1e-2": {"solver": "newton-cg", "tol": 1e-2, **_WARM},
    "liblinear": {"solver": "liblinear", "max_iter": 1_000},
}
Solver = Callable[..., Solution]


@dataclass
class Peer:
    """One of scikit-learn's solvers with the signature of ours; ridge regression is `Ridge` under all of them."""

    options: dict[str, Any]
    matrices: dict[int, tuple[Blocks, Any]]

    def __call__(self, features: Blocks, loss: Loss, precision: Precision, start: Start | None = None) -> Solution:
        """Solve all models of a batch, one after another."""
        assert precision.steps  # it has its own
        if id(features) not in self.matrices:
            self.matrices[id(features)] = features, joined(features)
        matrix, models = self.matrices[id(features)][1], loss.prior().shape[1]
        solved = [self._model(matrix, loss, index, start) for index in range(models)]
        weights = np.stack([weight.T for weight, _ in solved], axis=1).astype(np.float32)
        offsets = np.stack([offset for _, offset in solved]).astype(np.float32)
        scores = np.zeros((0, 0, 0), np.float32)
        return Solution(weights, offsets, scores, weights, np.ones(models, bool))

    def _model(self, matrix: Any, loss: Loss, index: int, start: Start | None) -> tuple[np.ndarray, np.ndarray]:
        """Weights [k, d] and offsets [k] of one model."""
        if isinstance(loss, SquaredLoss):
            ridge = Ridge(alpha=1 / float(loss.weights[0, 0, 0])).fit(matrix, loss.gold[:, 0, 0])
            return ridge.coef_.reshape(1, -1), np.atleast_1d(ridge.intercept_)
        assert isinstance(loss, SoftmaxLoss | LogisticLoss)
        gold = loss.gold[:, 0].argmax(1) if isinstance(loss, SoftmaxLoss) else loss.signs[:, index, 0]
        strength = float(loss.weights[0, index, 0])
        if (gold == gold[0]).all():
            return np.zeros((1, matrix.shape[1])), loss.prior()[0, index]
        model = LogisticRegression(C=strength, **self.options)
        if self.options["solver"] == "liblinear":
            model.dual = matrix.shape[0] < matrix.shape[1]
            if isinstance(loss, SoftmaxLoss):
                every = OneVsRestClassifier(model).fit(matrix, gold).estimators_
                return np.vstack([each.coef_ for each in every]), np.concatenate([each.intercept_ for each in every])
        elif start is not None and start.variables is not None:
            model.coef_, model.intercept_ = start.variables[:, index].T, start.offsets[index]
        model.fit(matrix, gold)
        return model.coef_, model.intercept_


def joined(features: Blocks) -> Any:
    """Return blocks of features as one matrix, which scikit-learn needs."""
    parts = [part * np.float32(share) for part, share in zip(features.parts, features.factors, strict=True)]
    if all(isinstance(part, np.ndarray) for part in parts):
        return np.ascontiguousarray(np.hstack(parts))
    return csr_matrix(hstack(parts, format="csr"), dtype=np.float32)


def read(folder: Path, name: str, classes: int) -> Task:
    """Read a data set as a task with at most its first `classes` classes."""
    file = data_file(folder, f"{name}.csv*")
    task = read_task(file, ReadSettings(**{"text": "text", "label": "label", **SETS[name]}))
    rows = np.arange(len(task.examples))
    if task.type.multiclass:
        rows = rows[np.asarray(task.labels) < classes]
        task = replace(task, classes=task.classes[:classes])
    order = seeds.child(0, "solvers", name).permutation(rows)
    return replace(task, name=name, numbers=None, train=order[: -TEST or None], test=order[-TEST:])


@dataclass
class Cell:
    """Features of some labels, of every fold among them, and of the test part, all computed."""

    task: Task
    rows: Rows
    dense: bool

    def __post_init__(self) -> None:
        self.known: dict[bytes, tuple[Views, Views]] = {}
        self.target = Target.of(self.task, self.rows)

    def folds(self, training: Rows, held_out: Rows) -> tuple[Views, Views]:
        """Return the views (sets of features) of a fold's training and held-out rows."""
        return self.of(self.rows[training], self.rows[held_out])

    def of(self, training: Rows, others: Rows) -> tuple[Views, Views]:
        """Return the views of two groups of rows, fitted on the first group."""
        key = training.tobytes() + others.tobytes()
        if key not in self.known:
            fitted = Tfidf().fit(self.task.examples.take(training))
            sides = [dict(fitted.views(self.task.examples.take(part), RunContext())) for part in (training, others)]
            self.known[key] = lsa(*sides) if self.dense else (sides[0], sides[1])
        return self.known[key]

    def fit(self, solver: Solver) -> tuple[float, float, np.ndarray]:
        """Return the processor seconds of choosing and learning, the score on the test part, and the predictions."""
        grid_search.solve = linear_head.solve = solver  # type: ignore[attr-defined]
        training, test = self.of(self.rows, self.task.test)
        began = time.process_time()
        choice = LinearHead().choose(self.folds, self.target, seeds.child(0, "solvers"))
        fitted = LinearHead().learn(training, self.target, choice)
        seconds = time.process_time() - began
        predictions = fitted.predict(test[fitted.view])
        score = metric(self.task.metric, self.task.classes).score(self.task.gold(self.task.test), predictions)
        return seconds, float(score), np.asarray(predictions)


def lsa(training: Views, others: Views) -> tuple[Views, Views]:
    """Return one dense view: the leading singular directions of the training rows (Deerwester et al. 1990)."""
    sides = [joined(Blocks.of(views["both"])) for views in (training, others)]
    svd = TruncatedSVD(min(WIDTH, sides[0].shape[0] - 1), random_state=0).fit(sides[0])
    first, second = (svd.transform(side).astype(np.float32) for side in sides)
    return {"lsa": first}, {"lsa": second}


def measured(cell: Cell, rounds: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each of scikit-learn's solvers: processor seconds and scores of both solvers."""
    cell.fit(solve)  # computes the features of all folds
    runs: dict[str, list[tuple[float, float, np.ndarray]]] = {name: [] for name in (OURS, *PEERS)}
    for number in range(rounds):
        names = list(runs)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            runs[name].append(cell.fit(solve if name == OURS else Peer(PEERS[name], {})))
    ours = runs.pop(OURS)
    for name, theirs in runs.items():
        yield {
            "set": cell.task.name,
            "features": "lsa" if cell.dense else "tfidf",
            "classes": max(len(cell.task.classes), 1),
            "labels": len(cell.rows),
            "solver": name,
            "seconds_ours": min(run[0] for run in ours),
            "seconds": min(run[0] for run in theirs),
            "ratio": Spread.of([other[0] / own[0] for other, own in zip(theirs, ours, strict=True)]),
            "score_ours": ours[0][1],
            "score": theirs[0][1],
            "agreement": agreement(ours[0][2], theirs[0][2]),
        }


def agreement(first: np.ndarray, second: np.ndarray) -> float:
    """Return the share of equal predictions; for predicted numbers return their correlation."""
    if first.ndim == 1:
        return float(np.corrcoef(first, second)[0, 1])
    return float(np.mean(first.argmax(1) == second.argmax(1)))


def mix(rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Return over all cells each solver's time as a multiple of ours, and the difference of its scores from ours."""
    lines = {}
    for name in PEERS:
        own = [row for row in rows if row["solver"] == name]
        apart = [row["score"] - row["score_ours"] for row in own]
        lines[name] = {
            "all_seconds": sum(row["seconds"] for row in own) / sum(row["seconds_ours"] for row in own),
            "median_ratio": float(np.median([row["ratio"].median for row in own])),
            "highest_ratio": max(row["ratio"].median for row in own),
            "mean_score_difference": float(np.mean(apart)),
            "largest_score_difference": float(np.abs(apart).max()),
        }
    return lines


def main() -> None:
    """Measure every cell, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sets", nargs="*", choices=list(SETS), default=list(SETS), metavar="SET")
    parser.add_argument("--sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--classes", type=int, default=MOST_CLASSES, help="most classes of a data set")
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    warnings.filterwarnings("ignore", module="sklearn")
    folder, rows = data_folder(), list[dict[str, Any]]()
    for name in options.sets:
        task = read(folder, name, options.classes)
        for size in (size for size in options.sizes if size <= len(task.train)):
            for dense in (False, True) if task.examples.second is None else (False,):
                for row in measured(Cell(task, np.sort(task.train[:size]), dense), options.rounds):
                    print({key: str(value) if key == "ratio" else value for key, value in row.items()}, flush=True)
                    rows.append(row)
    report({"mix": mix(rows), "cells": rows}, options.out)


if __name__ == "__main__":
    run_script(main)
