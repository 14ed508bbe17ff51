"""All metrics by name: `metric(name, classes)` scores one test set, or a thousand resampled ones at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, overload

import numpy as np

from wordworth.errors import BadInput, nearest
from wordworth.measures import chunk_f1, classification, correlation, precision_recall_at_k, squad
from wordworth.measures.weighted_sums import Floats, Gold, Predicted, Rule
from wordworth.registry import Registry
from wordworth.sentence_formatting import one_spelling

CLASS_F1 = "f1:"
"""The beginning of the names of metrics of one class."""
LabelForm = Literal["class", "flags", "value", "tags", "option", "answers"]
"""The form of gold labels and predictions, described in `Metric.score`; each kind of task has one."""
_Forms = frozenset[LabelForm]
CLASSES = _Forms({"class", "flags"})
"""The forms of labels that are one class, or several, of a text."""
_CLASS, _VALUE = _Forms({"class"}), _Forms({"value"})
_TAGS, _ANSWERS = _Forms({"tags"}), _Forms({"answers"})
CLASS_F1_FORMS = CLASSES | _TAGS
"""The forms of labels that `f1:<class>` measures."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A score, at most 1, that is larger where predictions are better.

    Attributes:
        name: the name as a user writes it, such as `macro_f1` or `f1:refund`.
        title: the name in reports.
        kinds: kinds of task that the metric applies to; it also applies to every kind whose labels have one of `forms`.
        rule: takes gold labels, predictions and weights (the number of times that each item is in each resample), and
            returns one score for each resample.
        least: the worst possible score; minus infinity if scores have no lower bound.
        forms: the forms of labels that the metric applies to, whatever the kind of task; Wordworth's own metrics have
            `forms` and no `kinds`.
        worst: for each class the index of its worst wrong answer, if wrong answers differ in cost; else empty.
        biased: whether the mean over resamples differs much from the score, as for macro F1, so that `centred` moves
            draws.
    """

    name: str
    title: str
    kinds: frozenset[str]
    rule: Rule
    least: float = 0.0
    forms: _Forms = frozenset()
    worst: tuple[int, ...] = ()
    biased: bool = False

    @property
    def score_range(self) -> tuple[float, float]:
        """The worst and the best possible score."""
        return self.least, 1.0

    @overload
    def score(self, gold: Gold, predicted: Predicted, weights: None = None) -> float: ...
    @overload
    def score(self, gold: Gold, predicted: Predicted, weights: Floats) -> Floats: ...
    def score(self, gold: Gold, predicted: Predicted, weights: Floats | None = None) -> float | Floats:
        """Score predictions; with weights, score each resampled set: set d contains item i `weights[d, i]` times.

        Metrics such as accuracy and F1 derive predictions from the scores. With one class or option per item, the
        prediction is the class with the highest score, or in a tie the first of them. With several labels per item,
        every label with a score above 0 is predicted.

        Args:
            gold: the labels, by their form: `class` or `option` int64 [n]; `value` float64 [n]; `flags` bool [n,
                classes]; `tags` n int64 arrays; `answers` object [n] of tuples.
            predicted: float64 [n, classes or options] scores, float64 [n] values, n int64 arrays of tags, or n texts.
            weights: float64 [draws, items], 0 or more each, or None for every item once.

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

    def centred(self, draws: Floats, score: float) -> Floats:
        """Return bootstrap draws of the metric; draws of a biased metric are moved so that their mean is the score.

        The correction is made by `classification.centred`; draws of other metrics are returned unchanged.

        Args:
            draws: float64 [...], the scores of resamples.
            score: the score of the whole sample.
        """
        return classification.centred(draws, score) if self.biased else draws

    def resampling_bias(self, draws: Floats, score: float) -> float:
        """Return how far the mean over bootstrap draws is from the score; 0 for a metric that is not biased.

        Args:
            draws: float64 [...], the scores of resamples.
            score: the score of the whole sample.
        """
        return float(draws.mean()) - score if self.biased else 0.0


_REGISTERED: Registry[Metric] = Registry("metric", group="wordworth.metrics", builtin={})
"""Metrics that callers or other packages registered; Wordworth's own are made for the classes of a task."""


def metric(name: str, classes: Sequence[str]) -> Metric:
    """Return the metric with this name, for a task with these classes or tags (empty for regression).

    The metrics of one class per text are `accuracy`, `macro_f1`, `micro_f1`, `matthews` and `f1:<class>`. The metrics
    of several labels per text are `micro_f1`, `macro_f1`, `accuracy` (all labels of a text right) and `f1:<class>`.
    Both kinds of task also have `precision@k`, `recall@k` and `f1@k` of the k highest scores, such as `precision@3`.
    The metrics of tagging are `entity_f1`, `entity_precision`, `entity_recall`, `token_accuracy` and `f1:<type>`. The
    metrics of regression are `pearson`, `spearman` and `r2`.

    The metric of multiple choice is `accuracy`; an example with fewer options than others has the score -inf for the
    options that it lacks. The metrics of answers to questions are `span_f1`, `exact_match`, `has_answer_f1` and
    `no_answer_f1`; gold labels are then an object array [n] of tuples of accepted answers for n texts. Metrics that
    other packages registered are known too.

    Args:
        name: the name, as listed above.
        classes: the classes or tags of the task, in the order of their indices.

    Raises:
        BadInput: there is no metric, class or entity type of that name.
    """
    if name.startswith(CLASS_F1):
        return _of_class(name, classes)
    if precision_recall_at_k.AT in name:
        return _of_top_labels(name, classes)
    known = {each.name: each for each in known_metrics(classes)}
    if name in known:
        return known[name]
    raise BadInput(f"no metric {name!r}", mend=nearest(name, [*known, f"{CLASS_F1}<class>"]))


def known_metrics(classes: Sequence[str] = ()) -> list[Metric]:
    """Return all metrics of a task with these classes, except the metrics that measure a single class."""
    return [*_plain(tuple(classes)).values(), *map(_REGISTERED.get, _REGISTERED.names())]


def register(metric: Metric) -> None:
    """Add a metric to the registry under its name, so that the function `metric` finds it.

    Raises:
        BadInput: another metric has this name.
    """
    if metric.name in _plain(()):
        raise BadInput(f"there is a metric {metric.name!r} already", mend="register yours under another name")
    _REGISTERED.register(metric.name, metric)


def errors(gold: Gold, predicted: Predicted) -> Floats:
    """Return the error of each item's prediction, from 0 to 1, float64 [items].

    Classes: 0 right, 1 wrong, where the class with the highest score is predicted, or in a tie the first of them. Many
    labels: the share of labels that are wrong, where every label with a score above 0 is predicted. Tags: the share of
    the sentence's words with a wrong tag, 0 for an empty sentence. Values: the absolute error over the range of gold,
    at most 1. Answers: 1 minus their F1.

    Args:
        gold: the gold labels of n items.
        predicted: the predictions for these items, in the form that metrics take.
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


@lru_cache(maxsize=8)  # a grid search asks hundreds of times
def _plain(classes: tuple[str, ...]) -> Mapping[str, Metric]:
    metrics = (
        _ours("accuracy", "accuracy", CLASSES | _TAGS | {"option"}, _accuracy),
        _ours("macro_f1", "macro F1", CLASSES, classification.macro_f1, biased=True),
        _ours("micro_f1", "micro F1", CLASSES, classification.micro_f1),
        _ours("matthews", "Matthews correlation", _CLASS, classification.matthews, -1.0),
        _ours("pearson", "Pearson correlation", _VALUE, correlation.pearson, -1.0),
        _ours("spearman", "Spearman correlation", _VALUE, correlation.spearman, -1.0),
        _ours("r2", "R squared", _VALUE, correlation.r2, -np.inf),
        _ours("entity_f1", "entity F1", _TAGS, chunk_f1.entity_f1(classes)),
        _ours("entity_precision", "entity precision", _TAGS, chunk_f1.entity_precision(classes)),
        _ours("entity_recall", "entity recall", _TAGS, chunk_f1.entity_recall(classes)),
        _ours("token_accuracy", "token accuracy", _TAGS, chunk_f1.token_accuracy),
        _ours("span_f1", "answer F1", _ANSWERS, squad.span_f1),
        _ours("exact_match", "exact match", _ANSWERS, squad.span_exact_match),
        _ours("has_answer_f1", "answer F1 where there is one", _ANSWERS, squad.f1_by_answerability(answerable=True)),
        _ours("no_answer_f1", "answer F1 where there is none", _ANSWERS, squad.f1_by_answerability(answerable=False)),
    )
    return MappingProxyType({metric.name: metric for metric in metrics})


def _ours(name: str, title: str, forms: _Forms, rule: Rule, least: float = 0.0, *, biased: bool = False) -> Metric:
    return Metric(name, title, frozenset(), rule, least, forms, biased=biased)


def _accuracy(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Return the accuracy over items, or over the words of tagged sentences, float64 [draws]."""
    rule = chunk_f1.token_accuracy if isinstance(gold, tuple) else classification.accuracy
    return rule(gold, predicted, weights)


def _of_class(name: str, classes: Sequence[str]) -> Metric:
    class_name = class_spelling(name.removeprefix(CLASS_F1), classes)
    if class_name in classes:
        rule = classification.class_f1(list(classes).index(class_name))
        return _ours(name, f"F1 of {class_name}", CLASSES, rule)
    types = chunk_f1.scheme(classes).types
    if class_name in types:
        return _ours(name, f"entity F1 of {class_name}", _TAGS, chunk_f1.entity_f1(classes, class_name))
    raise BadInput(
        f"metric {name!r}: no class {class_name!r}", mend=nearest(class_name, dict.fromkeys([*classes, *types]))
    )


def _of_top_labels(name: str, classes: Sequence[str]) -> Metric:
    """Return the metric with this name: precision, recall or F1 at k.

    Raises:
        BadInput: there is no such metric, or k is not from 1 to the number of classes (any k without classes).
    """
    measure, _, number = name.partition(precision_recall_at_k.AT)
    if measure not in precision_recall_at_k.RULES:
        names = [f"{known}{precision_recall_at_k.AT}{number}" for known in precision_recall_at_k.RULES]
        raise BadInput(f"no metric {name!r}", mend=nearest(name, names))
    if not number.isdecimal() or not 1 <= int(number) <= (len(classes) or int(number)):
        most = f"1 to {len(classes)}" if classes else "1 or more"
        raise BadInput(
            f"metric {name!r} needs a number of labels, {most}", mend=f"write {measure}{precision_recall_at_k.AT}1"
        )
    title, rule = precision_recall_at_k.RULES[measure]
    return _ours(name, f"{title} at {int(number)}", CLASSES, rule(int(number)))


def class_spelling(wanted: str, classes: Sequence[str]) -> str:
    """Return the class that a user means, even if a truth value or a whole number is spelled in another way.

    A class `1` is also found by `1.0`, a class `True` by `true`. If no class matches, `wanted` is returned.

    Args:
        wanted: the class as the user wrote it.
        classes: the names of the classes.
    """
    if wanted in classes:
        return wanted
    return next((name for name in classes if one_spelling(name) == one_spelling(wanted)), wanted)
