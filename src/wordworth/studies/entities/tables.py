"""The tables of a record of kind `entities`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from wordworth.records import Table
from wordworth.studies.entities.comparison import SystemRuns
from wordworth.studies.entities.systems import LINKED, SYSTEMS, LinkCounts
from wordworth.studies.estimate import Estimate

SCORES = {
    "system": "linked, shuffled (every entity exchanged for another), unlinked, or control (the other model, unlinked)",
    "read": "what it reads, in words",
    "runs": "number of runs that ended",
    "score": "score on the test rows, the mean over runs",
    "deviation": "standard deviation over runs",
    "low": "lower end of the 95 % interval of the mean, over runs and test rows",
    "high": "upper end of the interval",
}
DIFFERENCES = {
    "first": "linked",
    "second": "the system that is compared with it",
    "difference": "mean over seeds of the first system's score less the second's",
    "low": "lower end of its 95 % interval, paired by seed and test row",
    "high": "upper end of the interval",
    "sure": "whether the interval excludes 0 at a level corrected for the number of comparisons",
}
LINKS = {
    "part": "train or test",
    "rows": "number of rows",
    "linked_rows": "number of rows with an entity",
    "mentions": "number of mentions with an entity",
    "entities": "number of different entities",
    "unseen": "number of them that no training row has",
}
RUNS = {
    "system": "name of the system",
    "seed": "number of the seed",
    "steps": "updates in the whole run",
    "kept_step": "the update whose weights make its predictions",
    "state": "finished, collapsed (predicts the same for every example) or failed (its loss was not finite)",
    "dev": "score on the dev part",
    "test": "score on the test rows",
}


def tables_of(
    systems: Sequence[SystemRuns], differences: Mapping[str, Estimate], counts: Sequence[LinkCounts]
) -> dict[str, Table]:
    """Return the tables of an `entities` record by name.

    Args:
        systems: the runs of every system.
        differences: name of each other system -> the score of the system with the texts' links minus the other system's
            score.
        counts: the numbers of links in the training and in the test rows.
    """
    rows = [
        {
            "first": LINKED,
            "second": name,
            "difference": each.value,
            **each.interval.columns(),
            "sure": each.is_significant,
        }
        for name, each in differences.items()
    ]
    return {
        "scores": Table.of([_score(each) for each in systems], SCORES),
        "differences": Table.of(rows, DIFFERENCES),
        "links": Table.of([asdict(each) for each in counts], LINKS),
        "runs": Table.of([row for each in systems for row in _runs(each)], RUNS),
    }


def _score(each: SystemRuns) -> dict[str, Any]:
    values = each.scored.values
    row: dict[str, Any] = {"system": each.system, "read": SYSTEMS[each.system], "runs": len(values)}
    row |= dict.fromkeys(("score", "deviation", "low", "high"))
    if len(values):
        row |= {"score": float(values.mean()), "low": each.scored.low, "high": each.scored.high}
    if len(values) > 1:
        row["deviation"] = float(values.std(ddof=1))
    return row


def _runs(each: SystemRuns) -> Iterator[dict[str, Any]]:
    scores = iter(each.scored.values.tolist())
    for run in each.results:
        yield {
            "system": each.system,
            "seed": run.seed,
            "steps": run.steps,
            "kept_step": run.kept_step,
            "state": run.state,
            "dev": run.dev_score,
            "test": None if run.test is None else next(scores),
        }
