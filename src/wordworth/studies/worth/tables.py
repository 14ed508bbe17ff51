"""The record's tables of scores: the ladder, the curves, all runs, the gaps and the other usual metrics."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordworth.measures.metrics import usual
from wordworth.records import Table
from wordworth.studies.worth.scores import Scores

if TYPE_CHECKING:
    from wordworth.studies.worth.decision_rule import Verdict
    from wordworth.studies.worth.run_ladder import RungResult
    from wordworth.studies.worth.sensitivity import VerdictInputs
    from wordworth.tasks.task import Labels, Task

_SCORE = {
    "score": "mean over the runs, on the metric's scale",
    "low": "lower end of the 95 % interval",
    "high": "upper end of the 95 % interval",
}

LADDER = {
    "rung": "short name",
    "title": "what it is",
    "family": "constant, counts, random, static, frozen, hybrid or finetuned",
    "state": "measured, dropped (it could not win), failed or skipped (something it needs is missing)",
    "reason": "why it was dropped, failed or skipped",
    "labels": "labels learned from",
    "seeds": "runs behind the score",
    **_SCORE,
    "gap": "score minus the best rung's, over the runs both have",
    "gap_low": "lower end of the gap's 95 % interval",
    "gap_high": "upper end of the gap's 95 % interval",
    "within": "whether it is within epsilon of every other rung (lower bound)",
    "multiple": "times the labels it needs to equal the contextual rung, at the largest size where that is known",
    "multiple_against": "that contextual rung: the one that the verdict is about",
    "multiple_labels": "that size: the labels that the contextual rung learned from",
    "multiple_low": "lower end of the multiple's 95 % interval",
    "multiple_high": "upper end of the multiple's 95 % interval",
    "multiple_state": "exact, at most, more than, never or undefined",
    "disk_bytes": "what must be shipped for it to answer, in bytes",
    "parameters": "number of parameters",
    "width": "number of features of a text",
}
CURVE = {
    "rung": "short name",
    "labels": "labels learned from",
    **_SCORE,
    "seeds": "runs behind the score",
    "extrapolated": "true where the size was not measured but extrapolated from the fitted curve",
}
RUNS = {
    "rung": "short name",
    "labels": "labels learned from",
    "seed": "which draw of the labels",
    "score": "on the metric's scale; a failed run counts as the constant rung",
    "state": "ok, or why it failed",
    "chosen": "what was selected on the training rows, as JSON",
}
GAPS = {
    "rung": "short name",
    "against": "the contextual rung it is compared with",
    "labels": "labels both learned from",
    "gap": "score of rung minus that of against, paired by run and test item",
    "low": "lower end of the 95 % interval",
    "high": "upper end of the 95 % interval",
}
METRICS = {"rung": "short name", "metric": "name of the metric", **_SCORE}


def ladder_table(
    rung_results: Sequence[RungResult],
    scores: Scores,
    verdict: Verdict,
    labels: int,
    multiples: Mapping[str, Mapping[str, Any]],
) -> Table:
    """One row per rung, cheapest first.

    Args:
        rung_results: the rungs and their runs.
        scores: every rung's scores.
        verdict: the verdict at `labels`.
        labels: the number of labels.
        multiples: by rung, the row of the table of multiples to show.
    """
    return Table.of(
        [_rung_row(entry, scores, verdict, labels, multiples.get(entry.rung.name, {})) for entry in rung_results],
        LADDER,
    )


def _rung_row(
    entry: RungResult, scores: Scores, verdict: Verdict, labels: int, multiple: Mapping[str, Any]
) -> dict[str, Any]:
    name = entry.rung.name
    row = dict.fromkeys(LADDER) | {"rung": name, "title": entry.rung.title, "family": entry.rung.family}
    row |= {"state": entry.state, "reason": entry.reason, "seeds": 0, "within": False, "multiple_state": "undefined"}
    if entry.learner is not None:
        cost = entry.learner.cost()
        row |= {"disk_bytes": cost.disk_bytes, "parameters": cost.parameters, "width": cost.num_features}
    if not scores.has(name, labels):
        return row
    interval, gap_interval = scores.score_interval(name, labels), scores.gap_interval(name, verdict.best, labels)
    row |= {"labels": labels, "seeds": scores.seeds_of(name, labels), "score": scores.mean(name, labels)}
    row |= {"low": interval.low, "high": interval.high, "gap": scores.gap(name, verdict.best, labels)}
    row |= {"gap_low": gap_interval.low, "gap_high": gap_interval.high, "within": verdict.of(name).adequate}
    if not multiple:
        return row
    return row | {
        f"multiple{end}": multiple.get(key)
        for end, key in (
            ("", "multiple"),
            ("_against", "against"),
            ("_labels", "labels"),
            ("_low", "low"),
            ("_high", "high"),
            ("_state", "state"),
        )
    }


def curve_rows(scores: Scores, rungs: Sequence[str]) -> list[dict[str, Any]]:
    """The measured points of every learning curve."""
    rows = []
    for rung in rungs:
        for labels in scores.sizes(rung):
            interval = scores.score_interval(rung, labels)
            rows.append(
                {
                    "rung": rung,
                    "labels": labels,
                    "score": scores.mean(rung, labels),
                    "low": interval.low,
                    "high": interval.high,
                }
                | {"seeds": scores.seeds_of(rung, labels), "extrapolated": False}
            )
    return rows


def runs_table(rung_results: Sequence[RungResult], scores: Scores) -> Table:
    """Every run, including failed ones."""
    rows = []
    for entry in rung_results:
        for labels in scores.sizes(entry.rung.name):
            runs = [run for run in entry.runs if run.labels == labels]
            points = scores.table[entry.rung.name, labels].point
            rows += [
                {
                    "rung": run.rung,
                    "labels": labels,
                    "seed": run.seed,
                    "score": float(point),
                    "state": run.error or "ok",
                }
                | {"chosen": json.dumps(dict(run.chosen), sort_keys=True, default=str)}
                for run, point in zip(runs, points, strict=True)
            ]
    return Table.of(rows, RUNS)


def gaps_table(scores: Scores, rungs: Sequence[str], references: Sequence[str]) -> Table:
    """Each rung against each contextual rung at every size they share."""
    rows = []
    for against in references:
        for rung in rungs:
            for labels in scores.sizes(rung):
                if rung != against and scores.has(against, labels):
                    interval = scores.gap_interval(rung, against, labels)
                    gap = scores.gap(rung, against, labels)
                    rows.append(
                        {
                            "rung": rung,
                            "against": against,
                            "labels": labels,
                            "gap": gap,
                            "low": interval.low,
                            "high": interval.high,
                        }
                    )
    return Table.of(rows, GAPS)


def metrics_table(case: VerdictInputs) -> Table:
    """The scores at the top size under every usual metric of the task's kind."""
    rows = []
    names = dict.fromkeys([case.task.metric, *usual(case.task.kind)])
    for name in names:
        scores = case.scores(name)
        for rung in (rung for rung, _ in case.ladder if scores.has(rung, case.labels)):
            interval = scores.score_interval(rung, case.labels)
            score = scores.mean(rung, case.labels)
            rows.append({"rung": rung, "metric": name, "score": score, "low": interval.low, "high": interval.high})
    return Table.of(rows, METRICS)


CLASSES = {"name": "class or tag", "train": "training examples that have it", "test": "test examples that have it"}


def classes_table(task: Task) -> Table:
    """The frequency of each class in the two parts."""
    rows = [
        {"name": name, "train": _count(task.gold(task.train), index), "test": _count(task.gold(task.test), index)}
        for index, name in enumerate(task.classes)
    ]
    return Table.of(rows, CLASSES)


def _count(labels: Labels, index: int) -> int:
    if isinstance(labels, tuple):
        return sum(bool((tags == index).any()) for tags in labels)
    return int(labels[:, index].sum() if labels.ndim == 2 else (labels == index).sum())  # noqa: PLR2004 - one row a label set
