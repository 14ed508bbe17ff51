"""`OfficialScore`: one official score, in the units and digits of its scorer, and how to score a resampled part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.measures.chunk_f1 import scheme
from wordworth.measures.metrics import metric
from wordworth.measures.squad import best_threshold, scored, withheld
from wordworth.measures.weighted_sums import Flags, Floats, Gold, Integers, Predicted, floats, ratio
from wordworth.tasks.formats.part import Part

PERCENT = 100.0
_SQUAD_DIGITS, _OTHER_DIGITS = 4, 2

Resampled = Callable[[Floats], Floats]
"""Weights float64 [draws, items] in, the score of each draw out, float64 [draws]."""


@dataclass(frozen=True, slots=True)
class OfficialScore:
    """One score.

    Attributes:
        name: as its scorer calls it.
        score: the official number.
        digits: how many decimals are shown.
        items: how many questions, texts or entities it is over.
        unit: what these are.
        resampled: the score of resampled parts; None for a threshold, which has no interval.
    """

    name: str
    score: float
    digits: int
    items: int
    unit: str
    resampled: Resampled | None


def metric_lines(
    classes: tuple[str, ...], metrics: Sequence[str], gold: Gold, predicted: Predicted, unit: str
) -> list[OfficialScore]:
    """Metrics of a task, in percent."""
    return [_line(name, classes, gold, predicted, (len(gold), unit)) for name in metrics]


def tag_lines(
    classes: tuple[str, ...], gold: tuple[Integers, ...], predicted: tuple[Integers, ...]
) -> list[OfficialScore]:
    """The precision, recall and F1 over all entities, and the F1 of each type, as conlleval has them."""
    types = scheme(classes).types
    names = ("entity_precision", "entity_recall", "entity_f1", *(f"f1:{kind}" for kind in types))
    return metric_lines(classes, names, gold, predicted, "sentences")


def answer_lines(part: Part, said: list[str], doubts: Floats | None, threshold: float) -> list[OfficialScore]:
    """The lines of SQuAD's own scripts: version 2.0's names where a question has no answer, else version 1.1's."""
    gold = [[answer.text for answer in answers] for answers in part.labels]
    answerable = np.array([bool(texts) for texts in gold], dtype=np.bool_)
    second = not answerable.all()
    raw = np.array([scored(texts, answer, empty=second) for texts, answer in zip(gold, said, strict=True)])
    everyone = np.ones(len(gold), dtype=np.bool_)
    if not second:
        return [_mean("exact_match", raw[:, 0], everyone), _mean("f1", raw[:, 1], everyone)]
    exact, f1 = (raw[:, 0], raw[:, 1])
    if doubts is not None:
        exact, f1 = (withheld(one, doubts, answerable, threshold) for one in (exact, f1))
    parts = (("", everyone), ("HasAns_", answerable), ("NoAns_", ~answerable))
    lines = [
        _mean(f"{prefix}{name}", values, kept)
        for prefix, kept in parts
        if kept.any()
        for name, values in (("exact", exact), ("f1", f1))
    ]
    return lines if doubts is None else lines + _best_lines(raw, doubts, answerable, said)


def _best_lines(raw: Floats, doubts: Floats, answerable: Flags, said: list[str]) -> list[OfficialScore]:
    """The best score that any threshold gives, chosen with gold in hand, and that threshold."""
    answered = np.array([bool(answer) for answer in said], dtype=np.bool_)
    lines: list[OfficialScore] = []
    for column, name in enumerate(("exact", "f1")):
        best, threshold = best_threshold(raw[:, column], doubts, answerable, answered)
        lines.append(OfficialScore(f"best_{name}", best, _SQUAD_DIGITS, len(raw), "questions", None))
        lines.append(OfficialScore(f"best_{name}_thresh", threshold, _SQUAD_DIGITS, len(raw), "questions", None))
    return lines


def _mean(name: str, values: Floats, kept: Flags) -> OfficialScore:
    """The mean over some of the questions; the official sum goes question by question."""
    some = values[kept]

    def resampled(weights: Floats) -> Floats:
        return PERCENT * ratio(floats(weights[:, kept] @ some), weights[:, kept].sum(axis=1))

    score = PERCENT * sum(some.tolist()) / len(some)
    return OfficialScore(name, score, _SQUAD_DIGITS, len(some), "questions", resampled)


def _line(
    name: str, classes: tuple[str, ...], gold: Gold, predicted: Predicted, over: tuple[int, str]
) -> OfficialScore:
    rule = metric(name, classes)

    def resampled(weights: Floats) -> Floats:
        return PERCENT * rule.score(gold, predicted, weights)

    return OfficialScore(name, PERCENT * rule.score(gold, predicted), _OTHER_DIGITS, over[0], over[1], resampled)
