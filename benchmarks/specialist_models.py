"""What a specialist makes of a data set with scikit-learn alone: grams or given vectors, a linear model, honest folds.

A candidate is judged as `GridSearchCV` over the whole `Pipeline` judges it: vocabulary, frequencies and scale are
learned from the training part of each fold. Texts are only counted once: a fold's own counts are the columns that its
training part holds, so its TF-IDF is the same (`tests/parity/test_rungs_against_scikit_learn.py` holds it to that).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from scipy.stats import pearsonr, spearmanr
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, f1_score, matthews_corrcoef
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from specialist_offsets import offsets_for
from wordworth.tasks import task_types
from wordworth.tasks.task import Kind, Labels, Rows, Task

GRAMS: Mapping[str, dict[str, Any]] = {
    "words": {"analyzer": "word", "ngram_range": (1, 2)},
    "characters": {"analyzer": "char_wb", "ngram_range": (2, 5)},
}
ABSENT = -1e6
"""The score of a class that a fold's training part does not hold."""
WEIGHTS = (None, "balanced")
HINGES, LOGISTICS = (0.03, 0.1, 0.3, 1, 3, 10), (0.3, 3, 30, 300)
DENSE_HINGES, DENSE_LOGISTICS = (1e-5, 1e-4, 1e-3, 1e-2), (1e-4, 1e-3, 1e-2, 0.1)
Matrix: TypeAlias = Any  # csr_matrix, or float64 [n, d]
Views: TypeAlias = Iterator[tuple[str, Matrix, Matrix]]


@dataclass(frozen=True, slots=True)
class CountedGrams:
    """The grams of a task's texts, counted with the vocabulary of the labels that are learned from."""

    tables: Mapping[str, tuple[csr_matrix, ...]]

    @classmethod
    def of(cls, task: Task, rows: Rows) -> CountedGrams:
        """Count in every text of the task the n-grams that occur in the texts at `rows`."""
        examples = task.examples
        sides = [examples.first] if examples.second is None else [examples.first, examples.second]
        tables = {}
        for name, settings in GRAMS.items():
            counter = CountVectorizer(**settings, dtype=np.float64)
            counter.fit([side[row] for side in sides for row in rows])
            tables[name] = tuple(csr_matrix(counter.transform(side)) for side in sides)
        return cls(tables)

    def views(self, train: Rows, other: Rows, names: Sequence[str] | None = None) -> Views:
        """Yield the TF-IDF of `train` and of `other`, learned from `train`: words, characters, both side by side."""
        made = {name: self._weighed(name, train, other) for name in GRAMS}
        if len(made["words"]) == 1:
            alone = {name: tuple(sides[0]) for name, sides in made.items()}
            alone["both"] = tuple(csr_matrix(hstack(parts)) for parts in zip(*alone.values(), strict=True))
        else:
            alone = {name: tuple(map(_joined, *sides)) for name, sides in made.items()}
            alone["both"] = tuple(csr_matrix(hstack(parts)) for parts in zip(*alone.values(), strict=True))
            near = [tuple(map(_cosine, *sides)) for sides in made.values()]
            alone["cosines"] = tuple(np.hstack(parts) for parts in zip(*near, strict=True))
        yield from ((name, *parts) for name, parts in alone.items() if names is None or name in names)

    def _weighed(self, name: str, train: Rows, other: Rows) -> list[tuple[csr_matrix, csr_matrix]]:
        """Return the TF-IDF of `train` and of `other`, for each side of the task."""
        learned = [table[train] for table in self.tables[name]]
        kept = np.unique(np.concatenate([table.indices for table in learned]))
        weigher = TfidfTransformer(sublinear_tf=True).fit(_stack(learned)[:, kept])
        return [
            (weigher.transform(table[train][:, kept]), weigher.transform(table[other][:, kept]))
            for table in self.tables[name]
        ]


@dataclass(frozen=True, slots=True)
class FixedVectors:
    """Vectors of all the task's rows by view, as a static rung has them."""

    vectors: Mapping[str, NDArray[np.float64]]

    def views(self, train: Rows, other: Rows, names: Sequence[str] | None = None) -> Views:
        """Yield the vectors of `train` and of `other`, standardised by the mean and deviation over `train`."""
        for name, vectors in self.vectors.items():
            if names is None or name in names:
                scaler = StandardScaler().fit(vectors[train])
                yield name, scaler.transform(vectors[train]), scaler.transform(vectors[other])


Source: TypeAlias = CountedGrams | FixedVectors


@dataclass(frozen=True, slots=True)
class Tuned:
    """The specialist's choice and its answers.

    Attributes:
        choice: view, model, C and class weight.
        judged: the mean of its score over the folds.
        held_out: its scores of the labelled rows, each from the fold that held the row out.
        answers: the scores of the test rows by the choice, learned from all labels.
    """

    choice: tuple[str, str]
    judged: float
    held_out: NDArray[np.float64]
    answers: NDArray[np.float64]


def tuned(
    task: Task,
    rows: Rows,
    source: Source,
    names: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
) -> Tuned:
    """Choose a candidate by cross-validation inside the labels of `rows`, and fit it to all of them.

    Args:
        task: what is learned.
        rows: the labels to learn from.
        source: the features.
        names: the views to try, all where None.
        only: the models to try, as `candidates` calls them, all where None.
    """
    gold, models = task.gold(rows), candidates(task.kind, task.metric, dense=isinstance(source, FixedVectors))
    models = {name: model for name, model in models.items() if only is None or name in only}
    parts = folds(task.kind, gold)
    held_out: dict[tuple[str, str], NDArray[np.float64]] = {}
    judged: dict[tuple[str, str], list[float]] = {}
    for learned, left in parts:
        for view, features, others in source.views(rows[learned], rows[left], names):
            for model, estimator in models.items():
                scores = fitted_scores(clone(estimator), features, gold[learned], others, task)
                key = view, model
                held_out.setdefault(key, np.zeros((len(rows), *scores.shape[1:])))[left] = scores
                judged.setdefault(key, []).append(score(task, gold[left], scores))
    best = max(judged, key=lambda key: float(np.mean(judged[key])))
    _, features, others = next(source.views(rows, task.test, (best[0],)))
    answers = fitted_scores(clone(models[best[1]]), features, gold, others, task)
    return Tuned(best, float(np.mean(judged[best])), held_out[best], answers)


def outcome(task: Task, rows: Rows, best: Tuned) -> dict[str, Any]:
    """Return the choice, its score on the test texts, and that with offsets set on the held-out scores."""
    truth, plain = task.gold(task.test), score(task, task.gold(task.test), best.answers)
    moved = offsets_for(task.metric, task.kind, task.classes, task.gold(rows), best.held_out)
    with_offsets = (
        {}
        if moved is None
        else {
            "with_offsets": score(task, truth, best.answers + moved),
            "with_half": score(task, truth, best.answers + moved / 2),
            "judged_plain": score(task, task.gold(rows), best.held_out),
            "judged_with_offsets": score(task, task.gold(rows), best.held_out + moved),
        }
    )
    return {
        "view": best.choice[0],
        "model": best.choice[1],
        "judged": best.judged,
        "score": plain,
        **with_offsets,
    }


def candidates(kind: Kind, metric: str, *, dense: bool) -> dict[str, Any]:
    """Return linear models over a log grid of C, with class weights where the metric cares for rare classes."""
    if kind == "regression":
        strengths = np.logspace(0, 5, 6) if dense else np.logspace(-2, 3, 6)
        return {f"ridge {alpha:g}": Ridge(alpha=alpha) for alpha in strengths}
    cares = kind == "multilabel" or metric not in {"accuracy", "micro_f1"}
    hinges, logistics = (DENSE_HINGES, DENSE_LOGISTICS) if dense else (HINGES, LOGISTICS)
    made: dict[str, Any] = {}
    for weight in WEIGHTS if cares else WEIGHTS[:1]:
        made |= {f"svc {c:g} {weight}": LinearSVC(C=c, class_weight=weight) for c in hinges}
        dual = {"solver": "liblinear", "dual": not dense, "class_weight": weight}
        made |= {f"logistic {c:g} {weight}": OneVsRestClassifier(LogisticRegression(C=c, **dual)) for c in logistics}
    if kind != "multilabel":
        return made
    return {name: model if name.startswith("log") else OneVsRestClassifier(model) for name, model in made.items()}


def folds(kind: Kind, gold: Labels) -> list[tuple[Rows, Rows]]:
    """Return five folds of a few labels, three of a thousand or more, stratified where an item has one class."""
    number, blank = 5 if len(gold) < 1_000 else 3, np.zeros(len(gold))
    if task_types.get(kind).multiclass:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a class with fewer members than folds
            return list(StratifiedKFold(number, shuffle=True, random_state=0).split(blank, gold))
    return list(KFold(number, shuffle=True, random_state=0).split(blank))


def fitted_scores(model: Any, features: Matrix, gold: Any, others: Matrix, task: Task) -> NDArray[np.float64]:
    """Fit the model and return its scores of `others`: [n, classes], or [n] numbers.

    Args:
        model: an estimator of scikit-learn.
        features: those to learn from.
        gold: their labels.
        others: the features to score.
        task: gives the kind and the classes.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", message="Label not .* is present in all")
        model.fit(features, gold)
    if task.type.numeric:
        return np.asarray(model.predict(others), dtype=np.float64)
    scores = np.asarray(model.decision_function(others), dtype=np.float64)
    if task.kind == "multilabel":
        return scores
    wide = np.full((len(scores), len(task.classes)), ABSENT)
    wide[:, model.classes_] = scores if scores.ndim == 2 else np.stack([-scores / 2, scores / 2], 1)
    return wide


def score(task: Task, gold: Any, scores: NDArray[np.float64]) -> float:
    """Return the task's metric as scikit-learn or scipy computes it, in points."""
    if task.type.numeric:
        if np.ptp(scores) == 0:
            return 0.0
        return 100 * float((pearsonr if task.metric == "pearson" else spearmanr)(gold, scores).statistic)
    predictions = scores > 0 if task.kind == "multilabel" else scores.argmax(1)
    if task.metric.startswith("f1:"):
        wanted = [task.classes.index(task.metric.removeprefix("f1:"))]
        return 100 * float(f1_score(gold, predictions, labels=wanted, average="macro", zero_division=0))
    if task.metric.endswith("_f1"):
        return 100 * float(f1_score(gold, predictions, average=task.metric.removesuffix("_f1"), zero_division=0))
    return 100 * float(
        matthews_corrcoef(gold, predictions) if task.metric == "matthews" else accuracy_score(gold, predictions)
    )


def _stack(tables: Sequence[csr_matrix]) -> csr_matrix:
    """Stack tables, rows under rows."""
    return csr_matrix(hstack([table.T for table in tables]).T)


def _joined(first: csr_matrix, second: csr_matrix) -> csr_matrix:
    """Join both texts' TF-IDF, their differences, their products, and their cosine."""
    return csr_matrix(
        hstack([first, second, abs(first - second), first.multiply(second), csr_matrix(_cosine(first, second))])
    )


def _cosine(first: csr_matrix, second: csr_matrix) -> NDArray[np.float64]:
    return np.asarray(first.multiply(second).sum(1), dtype=np.float64).reshape(-1, 1)
