"""Compute scores as the official scorers of data sets do, in their units and digits, and bootstrap them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.chunk_f1 import scheme
from wordworth.measures.classification import centred
from wordworth.measures.metrics import metric
from wordworth.measures.squad import best_threshold, scored, scores_with_threshold
from wordworth.measures.weighted_sums import Flags, Floats, Gold, Integers, Predicted, floats, ratio
from wordworth.studies.evaluate.settings import EvaluateSettings
from wordworth.tasks import task_types
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.formats.dataset_spec import DatasetSpec
from wordworth.tasks.prediction_readers.align import ExpectedIds
from wordworth.tasks.prediction_readers.conll import read_tags
from wordworth.tasks.prediction_readers.squad import read_answers, read_no_answer_probabilities
from wordworth.tasks.prediction_readers.tabular import read_predictions

PERCENT = 100.0
_SQUAD_DIGITS, _OTHER_DIGITS = 4, 2

Resampled = Callable[[Floats], Floats]
"""Function from weights of items in resampled splits, float64 [draws, items], to scores of these, float64 [draws]."""


@dataclass(frozen=True, slots=True)
class OfficialScore:
    """One score of the predictions for a split.

    Attributes:
        name: the name by which the official scorer calls the score.
        score: the official number; shares and correlations are in percent.
        digits: number of decimals to show.
        items: number of items that were scored, such as texts, sentences or questions.
        unit: name of the items, in the plural.
        resampled: function that computes the score of resampled splits; None for a number without an interval, such as
            a threshold.
        biased: whether the mean of the score over resamples is far from the score itself; if so, `bootstrap_scores`
            corrects the resampled scores for this bias.
    """

    name: str
    score: float
    digits: int
    items: int
    unit: str
    resampled: Resampled | None
    biased: bool = False


@dataclass(frozen=True, slots=True)
class PredictedPart:
    """A split of a data set, with a file of predictions for it.

    Attributes:
        dataset: the description of the data set.
        part: the examples and labels of the split.
        predictions: the file of predictions.
        expected: the ids of the items that need a prediction.
        settings: the settings of the study.
    """

    dataset: DatasetSpec
    part: Part
    predictions: Path
    expected: ExpectedIds
    settings: EvaluateSettings


def score_table(predicted: PredictedPart) -> list[OfficialScore]:
    """Score a table of predicted classes, numbers or options by the metrics of the data set.

    Raises:
        BadInput: the predictions do not match the split.
    """
    dataset, part = predicted.dataset, predicted.part
    asks = task_types.get(dataset.kind).asks_questions
    unit = "questions" if asks else "texts" if part.examples.second is None else "pairs"
    scores = read_predictions(predicted.predictions, dataset, part, predicted.expected)
    return metric_scores(dataset.classes, dataset.metrics, np.asarray(part.labels), scores, unit)


def score_tags(predicted: PredictedPart) -> list[OfficialScore]:
    """Score predicted tags as conlleval does.

    Raises:
        BadInput: the predictions do not match the split.
    """
    dataset, part = predicted.dataset, predicted.part
    tags = read_tags(predicted.predictions, dataset, part, predicted.expected)
    return tag_scores(dataset.classes, tuple(part.labels), tags)


def score_answers(predicted: PredictedPart) -> list[OfficialScore]:
    """Score predicted answers as SQuAD's scripts do.

    Raises:
        BadInput: the predictions do not match the split.
    """
    settings, expected = predicted.settings, predicted.expected
    null_scores = None if settings.na_probs is None else read_no_answer_probabilities(Path(settings.na_probs), expected)
    threshold = 1.0 if settings.na_threshold is None else settings.na_threshold
    return span_scores(predicted.part, read_answers(predicted.predictions, expected), null_scores, threshold)


def metric_scores(
    classes: tuple[str, ...], metrics: Sequence[str], gold: Gold, predicted: Predicted, unit: str
) -> list[OfficialScore]:
    """Score predictions with each metric, in percent.

    Args:
        classes: the classes of the task, in order.
        metrics: names of metrics.
        gold: the gold labels.
        predicted: predictions for the same items, in the form that the metrics take.
        unit: name of the items, in the plural.
    """
    return [_metric_score(name, classes, gold, predicted, (len(gold), unit)) for name in metrics]


def tag_scores(
    classes: tuple[str, ...], gold: tuple[Integers, ...], predicted: tuple[Integers, ...]
) -> list[OfficialScore]:
    """Score tags as conlleval does: precision, recall and F1 over all entities, and the F1 of each type.

    Args:
        classes: names of the tags.
        gold: for each sentence int64 [words], the index of each word's gold tag.
        predicted: for each sentence int64 [words], the index of each word's predicted tag.
    """
    types = scheme(classes).types
    names = ("entity_precision", "entity_recall", "entity_f1", *(f"f1:{kind}" for kind in types))
    return metric_scores(classes, names, gold, predicted, "sentences")


def span_scores(part: Part, predicted: list[str], null_scores: Floats | None, threshold: float) -> list[OfficialScore]:
    """Score predicted answers to questions as SQuAD's official scripts do.

    The rules of SQuAD 2.0 apply if some question has no gold answer, else the rules of SQuAD 1.1.

    Args:
        part: the questions and their gold answers.
        predicted: the predicted answer of each question; empty for no answer.
        null_scores: float64 [questions], the predicted probability that there is no answer; None if not known.
        threshold: answers whose null score is larger count as no answer.
    """
    gold = [[answer.text for answer in answers] for answers in part.labels]
    answerable = np.array([bool(texts) for texts in gold], dtype=np.bool_)
    second = not answerable.all()
    raw = np.array([scored(texts, answer, empty=second) for texts, answer in zip(gold, predicted, strict=True)])
    everyone = np.ones(len(gold), dtype=np.bool_)
    if not second:
        return [_mean("exact_match", raw[:, 0], everyone), _mean("f1", raw[:, 1], everyone)]
    exact, f1 = (raw[:, 0], raw[:, 1])
    if null_scores is not None:
        exact, f1 = (
            scores_with_threshold(per_question, null_scores, answerable, threshold) for per_question in (exact, f1)
        )
    parts = (("", everyone), ("HasAns_", answerable), ("NoAns_", ~answerable))
    scores = [
        _mean(f"{prefix}{name}", values, questions)
        for prefix, questions in parts
        if questions.any()
        for name, values in (("exact", exact), ("f1", f1))
    ]
    return scores if null_scores is None else scores + _best_scores(raw, null_scores, answerable, predicted)


def _best_scores(raw: Floats, null_scores: Floats, answerable: Flags, answers: list[str]) -> list[OfficialScore]:
    """Return the best exact match and F1 that any threshold of the null scores gives, and the two thresholds."""
    answered = np.array([bool(answer) for answer in answers], dtype=np.bool_)
    scores: list[OfficialScore] = []
    for column, name in enumerate(("exact", "f1")):
        best, threshold = best_threshold(raw[:, column], null_scores, answerable, answered)
        for label, number in ((f"best_{name}", best), (f"best_{name}_thresh", threshold)):
            scores.append(OfficialScore(label, number, _SQUAD_DIGITS, len(raw), "questions", None))
    return scores


def _mean(name: str, values: Floats, mask: Flags) -> OfficialScore:
    """Return the mean of `values` over the questions in `mask`, in percent, summed in the order of the official script.

    The order decides the last digits.
    """
    selected = values[mask]

    def resampled(weights: Floats) -> Floats:
        return PERCENT * ratio(floats(weights[:, mask] @ selected), weights[:, mask].sum(axis=1))

    score = PERCENT * sum(selected.tolist()) / len(selected)
    return OfficialScore(name, score, _SQUAD_DIGITS, len(selected), "questions", resampled)


def _metric_score(
    name: str, classes: tuple[str, ...], gold: Gold, predicted: Predicted, over: tuple[int, str]
) -> OfficialScore:
    rule = metric(name, classes)

    def resampled(weights: Floats) -> Floats:
        return PERCENT * rule.score(gold, predicted, weights)

    return OfficialScore(
        name, PERCENT * rule.score(gold, predicted), _OTHER_DIGITS, over[0], over[1], resampled, rule.biased
    )


_MOST_CELLS = 4_000_000
"""Most weights that are in memory together: 32 MB of float64."""


def bootstrap_scores(
    official: Sequence[OfficialScore], group: NDArray[np.int64], count: int, seed: int
) -> dict[str, Floats]:
    """Compute scores on bootstrap resamples of a split.

    Args:
        official: the scores; those that cannot be resampled are left out of the result.
        group: int64 [items], the number of each item's group; items of a group are drawn together.
        count: the number of resampled splits.
        seed: seed of the resampling.

    Returns:
        Name of each score -> its values on the resampled splits, float64 [count].
    """
    resamplable = [(score.name, score.resampled) for score in official if score.resampled is not None]
    scores: dict[str, list[Floats]] = {name: [] for name, _ in resamplable}
    for weights in _weights(group, count, seed):
        for name, resampled in resamplable:
            scores[name].append(resampled(weights))
    draws = {name: np.concatenate(parts) for name, parts in scores.items()}
    biased = {score.name: centred(draws[score.name], score.score, PERCENT) for score in official if score.biased}
    return draws | biased


def _weights(group: NDArray[np.int64], count: int, seed: int) -> Iterator[Floats]:
    """Yield the items' weights in `count` resampled splits, float64 [draws, items], a few draws at a time."""
    at_once = max(1, min(count, _MOST_CELLS // len(group)))
    for start in range(0, count, at_once):
        size = min(at_once, count - start)
        yield item_weights(len(group), size, seeds.child(seed, "bootstrap", start), group)
