"""All metrics by name: `metric(name, classes)` scores a test set, or a thousand resampled ones at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, overload

import numpy as np

from wordworth.errors import BadInput, nearest
from wordworth.measures import chunk_f1, classification, correlation, squad
from wordworth.measures.weighted_sums import Floats, Gold, Predicted, Rule

Kind: TypeAlias = Literal["single", "pair", "regression", "multilabel", "tags", "choice", "span"]
_CLASSES: tuple[Kind, ...] = ("single", "pair")
_CLASS_F1 = "f1:"


@dataclass(frozen=True, slots=True)
class Metric:
    """A score that is larger where predictions are better, at most 1.

    Attributes:
        name: as a user writes it, `macro_f1` or `f1:refund`.
        title: as reports show it.
        kinds: the kinds of task that it measures.
        rule: takes gold, predictions and weights, gives one score per draw.
        least: the worst possible score; minus infinity where there is none.
    """

    name: str
    title: str
    kinds: frozenset[Kind]
    rule: Rule
    least: float = 0.0

    @overload
    def score(self, gold: Gold, predicted: Predicted, weights: None = None) -> float: ...
    @overload
    def score(self, gold: Gold, predicted: Predicted, weights: Floats) -> Floats: ...
    def score(self, gold: Gold, predicted: Predicted, weights: Floats | None = None) -> float | Floats:
        """Score predictions; with weights, score each resampled set, which has item i `weights[draw, i]` times.

        Args:
            gold: int64 [n] classes, float64 [n] values, bool [n, classes], or n int64 arrays of tags.
            predicted: float64 [n, classes] scores, float64 [n] values, or n int64 arrays of tags.
            weights: float64 [draws, items] of whole numbers, or None for every item once.

        Returns:
            A float, or float64 [draws] with weights.

        Raises:
            ValueError: there are no items, the numbers of items differ, or a prediction is NaN.
        """
        items = len(gold)
        if items == 0 or len(predicted) != items or (weights is not None and weights.shape[1] != items):
            num_weights = "" if weights is None else f" and {weights.shape[1]} weights"
            raise ValueError(
                f"{items} gold items, {len(predicted)} predictions{num_weights}: each item needs one of each"
            )
        if weights is None:
            return float(self.rule(gold, predicted, np.ones((1, items)))[0])
        return self.rule(gold, predicted, weights)


def metric(name: str, classes: Sequence[str]) -> Metric:
    """Look up a metric by name, for a task with these classes (or tags; none for regression).

    `accuracy`, `macro_f1`, `micro_f1`, `matthews`, `f1:<class>` for classes; `micro_f1`, `macro_f1`, `accuracy` (all
    labels right), `f1:<class>` for many labels; `entity_f1`, `entity_precision`, `entity_recall`, `token_accuracy`,
    `f1:<type>` for tags; `pearson`, `spearman`, `r2` for values; `accuracy` for choices (scores of options, -inf where
    an example has fewer); `span_f1`, `exact_match`, `has_answer_f1`, `no_answer_f1` for answers (gold object [n] of
    tuples of answers, n texts).

    Raises:
        BadInput: there is no metric, class or entity type of that name.
    """
    if name.startswith(_CLASS_F1):
        return _of_class(name, classes)
    known = _plain(classes)
    if name not in known:
        raise BadInput(f"no metric {name!r}", mend=nearest(name, [*known, f"{_CLASS_F1}<class>"]))
    return known[name]


def require_metric(name: str, kind: Kind | None, classes: Sequence[str] | None = None, where: str = "--metric") -> None:
    """Check that a metric that the user named exists and measures such a task.

    Args:
        name: the metric.
        kind: the kind of task, or None if the user did not name it.
        classes: of the task; None before the file is read, when the class in `f1:<class>` cannot be checked.
        where: what the error points to.

    Raises:
        BadInput: there is no metric, class or entity type of that name, or it measures other kinds of task.
    """
    if classes is None and name.startswith(_CLASS_F1):
        return
    try:
        kinds = metric(name, classes or ()).kinds
    except BadInput as error:
        raise BadInput(error.what, where=where, mend=error.mend) from error
    if kind is not None and kind not in kinds:
        what = f"metric {name!r} does not measure a task of kind {kind}"
        raise BadInput(what, where=where, mend=nearest(name, usual(kind)))


def usual(kind: Kind) -> tuple[str, ...]:
    """The metrics a practitioner expects for a kind of task, the default first."""
    return {
        "single": ("accuracy", "macro_f1", "matthews"),
        "pair": ("accuracy", "macro_f1", "matthews"),
        "regression": ("spearman", "pearson", "r2"),
        "multilabel": ("micro_f1", "macro_f1", "accuracy"),
        "tags": ("entity_f1", "token_accuracy"),
        "choice": ("accuracy",),
        "span": ("span_f1", "exact_match"),
    }[kind]


def errors(gold: Gold, predicted: Predicted) -> Floats:
    """float64 [items]: each item's error in [0, 1].

    Classes: 0 right, 1 wrong. Many labels: the share of labels that are wrong. Tags: the share of the sentence's words
    with a wrong tag, 0 for an empty sentence. Values: the absolute error over the range of gold, at most 1. Answers:
    1 minus their F1.
    """
    if isinstance(gold, np.ndarray) and gold.dtype == np.object_:
        return 1.0 - squad.overlaps(gold, predicted)
    if isinstance(gold, tuple):
        pairs = zip(*chunk_f1.tagged(gold, predicted), strict=True)
        return np.array(
            [
                float(np.mean(gold_tags != predicted_tags)) if len(gold_tags) else 0.0
                for gold_tags, predicted_tags in pairs
            ]
        )
    if gold.dtype == np.bool_:
        return np.asarray((classification.predicted_labels(classification.classes_of(predicted)) != gold).mean(axis=1))
    if np.issubdtype(gold.dtype, np.floating):
        wrong = np.abs(gold - correlation.values(predicted))
        return np.minimum(1.0, wrong / (np.ptp(gold) or 1.0))
    return 1.0 - classification.hits(gold, predicted)


def _plain(classes: Sequence[str]) -> dict[str, Metric]:
    metrics = (
        Metric("accuracy", "accuracy", frozenset({*_CLASSES, "multilabel", "tags", "choice"}), _accuracy),
        Metric("macro_f1", "macro F1", frozenset({*_CLASSES, "multilabel"}), classification.macro_f1),
        Metric("micro_f1", "micro F1", frozenset({*_CLASSES, "multilabel"}), classification.micro_f1),
        Metric("matthews", "Matthews correlation", frozenset(_CLASSES), classification.matthews, -1.0),
        Metric("pearson", "Pearson correlation", frozenset({"regression"}), correlation.pearson, -1.0),
        Metric("spearman", "Spearman correlation", frozenset({"regression"}), correlation.spearman, -1.0),
        Metric("r2", "R squared", frozenset({"regression"}), correlation.r2, -np.inf),
        Metric("entity_f1", "entity F1", frozenset({"tags"}), chunk_f1.entity_f1(classes)),
        Metric("entity_precision", "entity precision", frozenset({"tags"}), chunk_f1.entity_precision(classes)),
        Metric("entity_recall", "entity recall", frozenset({"tags"}), chunk_f1.entity_recall(classes)),
        Metric("token_accuracy", "token accuracy", frozenset({"tags"}), chunk_f1.token_accuracy),
        Metric("span_f1", "answer F1", frozenset({"span"}), squad.span_f1),
        Metric("exact_match", "exact match", frozenset({"span"}), squad.span_exact_match),
        Metric("has_answer_f1", "answer F1 where there is one", frozenset({"span"}), squad.part_f1(answerable=True)),
        Metric("no_answer_f1", "answer F1 where there is none", frozenset({"span"}), squad.part_f1(answerable=False)),
    )
    return {metric.name: metric for metric in metrics}


def _accuracy(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Accuracy over items, or over the words of tagged sentences."""
    rule = chunk_f1.token_accuracy if isinstance(gold, tuple) else classification.accuracy
    return rule(gold, predicted, weights)


def _of_class(name: str, classes: Sequence[str]) -> Metric:
    class_name = name.removeprefix(_CLASS_F1)
    if class_name in classes:
        rule = classification.class_f1(list(classes).index(class_name))
        return Metric(name, f"F1 of {class_name}", frozenset({*_CLASSES, "multilabel"}), rule)
    types = chunk_f1.scheme(classes).types
    if class_name in types:
        return Metric(name, f"entity F1 of {class_name}", frozenset({"tags"}), chunk_f1.entity_f1(classes, class_name))
    raise BadInput(
        f"metric {name!r}: no class {class_name!r}", mend=nearest(class_name, dict.fromkeys([*classes, *types]))
    )
