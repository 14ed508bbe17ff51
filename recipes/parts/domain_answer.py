"""Does the domain's text help? Three models' scores, their differences, and an answer for each measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from parts.scored import Scored
from wordworth.records import Finding

PLAIN = "plain"
BITS = "bits per character"

Answer = Literal["yes", "no", "cannot tell"]
Key = tuple[str, str, str]
"""The measure, the corpus or task, and the part of it."""

SCORES = {
    "measure": "bits per character (lower is better) or the metric of the task (higher is better)",
    "on": "text or task",
    "part": "held-out, or the part of the task",
    "model": "plain: as it was; the others: the same gone on with the corpus of that name",
    "mean": "over seeds",
    "low": "lower end of the 95 % interval, over seeds and documents (sentences where the task marks none)",
    "high": "upper end of it",
    "seeds": "runs",
}
GAINS = {
    "measure": "bits per character or the metric of the task",
    "on": "text or task",
    "part": "held-out, or the part of the task",
    "model": "the model that gains",
    "over": "the model it is held against",
    "gain": "by how much it is better, paired by seed: fewer bits, or a higher metric; negative where it is worse",
    "low": "lower end of the 95 % interval",
    "high": "upper end of it",
    "seeds": "runs of each",
}
ANSWERS = {
    "measure": "bits per character or the metric of the task",
    "on": "text or task",
    "answer": "no: the gain over the plain model, or over the control, is below a hundredth of a bit, or half a point "
    "of the metric, even at the upper end; yes: both intervals lie above 0; else cannot tell",
}


def margin(measure: str) -> float:
    """Return the gain below which two models count as equal, in bits per character or in a metric whose best is 1."""
    return 0.01 if measure == BITS else 0.005


def score_rows(scores: Mapping[Key, Mapping[str, Scored]]) -> list[dict[str, Any]]:
    """Return the table of scores."""
    return [
        {**named(key), "model": model, "mean": score.mean, **ends(score)}
        for key, models in scores.items()
        for model, score in models.items()
    ]


def gain_rows(scores: Mapping[Key, Mapping[str, Scored]]) -> list[dict[str, Any]]:
    """Return the table of gains: the domain's over both others, and the control's over the plain model.

    Args:
        scores: what was measured -> the scores of the plain model, the domain's and the control's, in this order.
    """
    return [
        {**named(key), "model": model, "over": over, "gain": advantage.mean, **ends(advantage)}
        for key, models in scores.items()
        for plain, domain, control in [tuple(models)]
        for model, over in ((domain, plain), (domain, control), (control, plain))
        for advantage in [gain(key[0], models[model], models[over])]
    ]


def gain(measure: str, score: Scored, other: Scored) -> Scored:
    """Return how much better `score` is than `other`: fewer bits, or a higher metric."""
    return other.minus(score) if measure == BITS else score.minus(other)


def answer_rows(gains: Sequence[Mapping[str, Any]], domain: str) -> list[dict[str, Any]]:
    """Return an answer for the domain's own held-out text, and one for each task's test part.

    Args:
        gains: the rows of `gain_rows`.
        domain: name of the corpus of the domain, and of the model that has gone on with it.
    """
    questions = {
        (row["measure"], row["on"]): None
        for row in gains
        if row["part"] == "test" or (row["measure"], row["on"]) == (BITS, domain)
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
                    if (row["measure"], row["on"], row["model"]) == (measure, on, domain) and row["part"] != "dev"
                ],
            ),
        }
        for measure, on in questions
    ]


def answer(measure: str, gains: Sequence[tuple[float, float]]) -> Answer:
    """Return the answer to the intervals of the domain model's gains over the others."""
    if any(high < margin(measure) for _, high in gains):
        return "no"
    return "yes" if all(low > 0 for low, _ in gains) else "cannot tell"


def verdict(answers: Sequence[Mapping[str, Any]], gains: Sequence[Mapping[str, Any]]) -> Finding:
    """Return the answers and, where general text was asked about, its cost, in a sentence each."""
    if not answers:
        return Finding("verdict", "No measure has a seed of all three models yet.")
    by = {reply: [row for row in answers if row["answer"] == reply] for reply in ("yes", "no", "cannot tell")}
    numbers = {f"{row['measure']} on {row['on']}": row["answer"] for row in answers}
    replies = "; ".join(f"{reply}: {', '.join(map(_what, rows))}" for reply, rows in by.items() if rows)
    general = [row for row in gains if row["on"] == "general" and row["over"] == PLAIN]
    forgot = " ".join(
        f"Going on with {row['model']} text costs {-row['gain']:+.3f} bits a character on general text "
        f"(95 %: {-row['high']:+.3f} to {-row['low']:+.3f})."
        for row in general
    )
    return Finding(
        "verdict", f"Does pretraining on the domain help? {replies[:1].upper()}{replies[1:]}. {forgot}".strip(), numbers
    )


def _what(row: Mapping[str, Any]) -> str:
    return f"{row['measure']} on {row['on']}"


def named(key: Key) -> dict[str, str]:
    return dict(zip(("measure", "on", "part"), key, strict=True))


def ends(score: Scored) -> dict[str, Any]:
    return {"low": score.interval.low, "high": score.interval.high, "seeds": len(score.point)}
