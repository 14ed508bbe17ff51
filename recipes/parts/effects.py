"""Decide whether an effect is there: by how much one arm of an ablation is better than another, and how surely."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from parts.scored import Runs, Scored, difference, mean_of, scored_of
from wordworth.records import Finding

NATS, MEAN = "held-out nats", "mean of tasks"
MARGIN = {NATS: 0.02}
SCORE_MARGIN = 0.01
"""The gain of a score from 0 to 1 below which two arms count as equal, one point; `MARGIN` has that of nats a piece."""
Answer = Literal["seen", "not seen", "cannot be told"]
GAINS = {
    "family": "table or figure of the paper",
    "effect": "what should help",
    "better": "the arm that should do better",
    "worse": "the arm that it is held against",
    "measure": f"a task's metric, their mean, or {NATS} a masked piece (of both arms the same questions)",
    "gain": "by how much the first arm does better, paired by seed",
    "low": "lower end of its 95 % interval, over seeds and test examples (documents)",
    "high": "upper end of it",
    "seeds": "runs of each",
    "could_see": "a gain of so much would just have been told from none: half the interval",
    "published": "the same gain in the paper, of models of BERT-base's size; null where it gives none",
    "learned": "whether either arm surely does better than one who says what is most usual",
    "answer": "not seen: the interval ends before a point (two hundredths of a nat) on the side that is expected; "
    "seen: it begins beyond 0 there; else, with one seed, or where nothing was learned, it cannot be told",
}


@dataclass(frozen=True)
class Effect:
    """An effect that the paper reports: one arm is better than another, from which it differs in one thing.

    Attributes:
        family: the group in which the effect is listed.
        what: the difference between the arms, which should help.
        better: name of the arm that should be better.
        worse: name of the arm that should be worse.
        published: task -> the paper's gain, negative if the paper reports a loss.
        features: whether frozen features are compared too.
        nats: whether the losses on masked pieces of both arms can be compared.
    """

    family: str
    what: str
    better: str
    worse: str
    published: Mapping[str, float] = field(default_factory=dict)
    features: bool = False
    nats: bool = False


def answer(gain: Scored, measure: str, expected: float = 1.0, *, learned: bool = True) -> Answer:
    """Return the answer to a gain.

    Args:
        gain: the gain over runs and items, with its interval.
        measure: the measure, which decides the margin below which two arms count as equal.
        expected: the published gain, of which only the sign counts.
        learned: whether at least one arm is better than a model that has not learned; if not, nothing can be told.
    """
    low, high = gain.interval.low, gain.interval.high
    if expected < 0:
        low, high = -high, -low
    if len(gain.point) < 2 or not learned:
        return "cannot be told"
    if high < MARGIN.get(measure, SCORE_MARGIN):
        return "not seen"
    return "seen" if low > 0 else "cannot be told"


def gain_rows(
    effect: Effect,
    scores: Mapping[str, Mapping[str, Runs]],
    floors: Mapping[str, float],
    tasks: Collection[str],
) -> list[dict[str, Any]]:
    """Return the effect on each measure that both arms have, and on the mean of tasks.

    Args:
        effect: the effect, which names the arms.
        scores: arm -> measure -> scores of the runs.
        floors: measure -> the score of the most frequent answer.
        tasks: the measures that are averaged.
    """
    better, worse = scores.get(effect.better, {}), scores.get(effect.worse, {})
    both = [name for name in better if name in worse]
    pairs = {name: (better[name], worse[name]) for name in both if name != NATS}
    averaged = [name for name in pairs if name in tasks]
    if len(averaged) > 1:
        pairs[MEAN] = (mean_of([better[name] for name in averaged]), mean_of([worse[name] for name in averaged]))
        floors = {**floors, MEAN: sum(floors[name] for name in averaged) / len(averaged)}
    if NATS in both and effect.nats:
        pairs[NATS] = (worse[NATS], better[NATS])  # fewer are better
    rows = []
    for name, pair in pairs.items():
        gain = difference(*pair)
        if gain is not None:
            rows.append(
                _row(effect, name, gain, learned=any(has_learned(name, runs, floors.get(name)) for runs in pair))
            )
    return rows


def has_learned(measure: str, runs: Runs, floor: float | None) -> bool:
    """Return whether the interval of the mean score is on the better side of the floor; True if there is no floor."""
    if floor is None or not runs:
        return floor is None
    span = scored_of(runs).interval
    return span.high < floor if measure == NATS else span.low > floor


def _row(effect: Effect, measure: str, gain: Scored, *, learned: bool) -> dict[str, Any]:
    published, span = effect.published.get(measure), gain.interval
    return {
        "family": effect.family,
        "effect": effect.what,
        "better": effect.better,
        "worse": effect.worse,
        "measure": measure,
        "gain": gain.mean,
        "low": span.low,
        "high": span.high,
        "seeds": len(gain.point),
        "could_see": (span.high - span.low) / 2,
        "published": published,
        "learned": learned,
        "answer": answer(gain, measure, 1.0 if published is None else published, learned=learned),
    }


def verdict(gains: Sequence[Mapping[str, Any]]) -> Finding:
    """Return the effects grouped by their answer, each with its measures."""
    if not gains:
        return Finding("verdict", "No effect has a seed of both of its arms yet.")
    sentences = []
    for reply in ("seen", "not seen", "cannot be told"):
        by: dict[str, list[str]] = {}
        for row in gains:
            if row["answer"] == reply:
                by.setdefault(row["effect"], []).append(row["measure"])
        if by:
            listed = "; ".join(f"{effect} ({', '.join(measures)})" for effect, measures in by.items())
            sentences.append(f"{reply.capitalize()} at this scale: {listed}.")
    counts = {reply: sum(row["answer"] == reply for row in gains) for reply in ("seen", "not seen", "cannot be told")}
    return Finding("verdict", "\n".join(sentences), counts)
