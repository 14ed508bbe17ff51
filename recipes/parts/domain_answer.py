"""Does the domain's text help? Three models' scores, their differences, and an answer for each measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from parts.scored import Scored
from wordworth.records import Finding

PLAIN, DOMAIN, CONTROL = "plain", "biomedical", "patents"
BITS, F1 = "bits per character", "entity F1"
MARGIN = {BITS: 0.01, F1: 0.005}
"""Gains of less are none."""
Answer = Literal["yes", "no", "cannot tell"]
Key = tuple[str, str, str]
"""What is measured, on what, and which part of it."""

SCORES = {
    "measure": "bits per character (lower is better) or entity F1 (higher is better)",
    "on": "text or task",
    "part": "held-out, or the official part",
    "model": "plain: as it was; biomedical and patents: the same gone on with such text",
    "mean": "over seeds",
    "low": "lower end of the 95 % interval, over seeds and documents (sentences where the task marks none)",
    "high": "upper end of it",
    "seeds": "runs",
}
GAINS = {
    "measure": "bits per character or entity F1",
    "on": "text or task",
    "part": "held-out, or the official part",
    "model": "the model that gains",
    "over": "the model it is held against",
    "gain": "by how much it is better, paired by seed: fewer bits, or more F1; negative where it is worse",
    "low": "lower end of the 95 % interval",
    "high": "upper end of it",
    "seeds": "runs of each",
}
ANSWERS = {
    "measure": "bits per character or entity F1",
    "on": "text or task",
    "answer": "no: the gain over the plain model, or over the control, is below a hundredth of a bit, or half a point "
    "of F1, even at the upper end; yes: both intervals lie above 0; else cannot tell",
}


def score_rows(scores: Mapping[Key, Mapping[str, Scored]]) -> list[dict[str, Any]]:
    """The table of scores."""
    return [
        {**named(key), "model": model, "mean": one.mean, **ends(one)}
        for key, models in scores.items()
        for model, one in models.items()
    ]


def gain_rows(scores: Mapping[Key, Mapping[str, Scored]]) -> list[dict[str, Any]]:
    """The table of gains: the domain's over both others, and the control's over the plain model."""
    pairs = ((DOMAIN, PLAIN), (DOMAIN, CONTROL), (CONTROL, PLAIN))
    return [
        {**named(key), "model": model, "over": over, "gain": one.mean, **ends(one)}
        for key, models in scores.items()
        for model, over in pairs
        for one in [gain(key[0], models[model], models[over])]
    ]


def gain(measure: str, one: Scored, other: Scored) -> Scored:
    """By how much one is better: fewer bits, or more F1."""
    return other.minus(one) if measure == BITS else one.minus(other)


def answer_rows(gains: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """An answer for the domain's own held-out text, and one for each task's test part."""
    asked = {
        (row["measure"], row["on"]): None
        for row in gains
        if row["part"] == "test" or (row["measure"], row["on"]) == (BITS, DOMAIN)
    }
    return [
        {
            "measure": measure,
            "on": on,
            "answer": answer(
                measure,
                [
                    (row["low"], row["high"])
                    for row in gains
                    if (row["measure"], row["on"], row["model"]) == (measure, on, DOMAIN) and row["part"] != "dev"
                ],
            ),
        }
        for measure, on in asked
    ]


def answer(measure: str, gains: Sequence[tuple[float, float]]) -> Answer:
    """Of the intervals of what the domain's model gains over the others."""
    if any(high < MARGIN[measure] for _, high in gains):
        return "no"
    return "yes" if all(low > 0 for low, _ in gains) else "cannot tell"


def verdict(answers: Sequence[Mapping[str, Any]], gains: Sequence[Mapping[str, Any]]) -> Finding:
    """Everything in three sentences."""
    if not answers:
        return Finding("verdict", "No measure has a seed of all three models yet.")
    by = {reply: [row for row in answers if row["answer"] == reply] for reply in ("yes", "no", "cannot tell")}
    numbers = {f"{row['measure']} on {row['on']}": row["answer"] for row in answers}
    said = "; ".join(f"{reply}: {', '.join(map(_what, rows))}" for reply, rows in by.items() if rows)
    general = [row for row in gains if row["on"] == "general" and row["over"] == PLAIN]
    forgot = " ".join(
        f"Going on with {row['model']} text costs {-row['gain']:+.3f} bits a character on general text "
        f"(95 %: {-row['high']:+.3f} to {-row['low']:+.3f})."
        for row in general
    )
    return Finding("verdict", f"Does pretraining on the domain help? {said[:1].upper()}{said[1:]}. {forgot}", numbers)


def _what(row: Mapping[str, Any]) -> str:
    return f"{row['measure']} on {row['on']}"


def named(key: Key) -> dict[str, str]:
    return dict(zip(("measure", "on", "part"), key, strict=True))


def ends(one: Scored) -> dict[str, Any]:
    return {"low": one.interval.low, "high": one.interval.high, "seeds": len(one.point)}
