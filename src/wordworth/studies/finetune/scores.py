"""What the runs of one configuration are worth together: each metric's mean, its spread over seeds, its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import crossed_interval, item_weights, run_picks
from wordworth.measures.metrics import metric, usual
from wordworth.tasks.reading.example_groups import group_ids

if TYPE_CHECKING:
    from wordworth.studies.finetune.run_result import Result
    from wordworth.tasks.task import Task

SCORES = {
    "metric": "the measure's name",
    "title": "as a reader reads it",
    "runs": "runs that ended, the collapsed ones too",
    "mean": "mean over these runs",
    "deviation": "standard deviation over runs",
    "least": "lowest run",
    "most": "highest run",
    "low": "lower end of the 95 % interval of the mean, over runs and test examples",
    "high": "upper end of it",
    "best": "the run whose weights are kept",
}
_DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class Scored:
    """One metric on the test part, run by run."""

    name: str
    title: str
    values: np.ndarray
    low: float
    high: float


def metrics_of(task: Task) -> tuple[str, ...]:
    """The task's own metric first, then the others that its publication or a practitioner would report."""
    both = task.kind == "span" and len({len(one) > 0 for one in task.gold(task.test)}) > 1
    parts = ("has_answer_f1", "no_answer_f1") if both else ()
    return tuple(dict.fromkeys((task.metric, *task.metrics, *usual(task.kind), *parts)))


def scored(task: Task, ended: Sequence[Result], name: str, seed: int) -> Scored:
    """A metric over the runs that ended, and the interval of its mean (NaN where there is no test part).

    Test examples that hang together (a paragraph's questions, a document's sentences) are drawn together.
    """
    rule, gold = metric(name, task.classes), task.gold(task.test)
    said = [result.test for result in ended if result.test is not None]
    values = np.array([float(rule.score(gold, one)) for one in said])  # type: ignore[arg-type]  # as the kind has it
    if not len(values):
        return Scored(name, rule.title, values, np.nan, np.nan)
    rng = seeds.child(seed, "scores", name)
    weights = item_weights(len(task.test), _DRAWS, rng, group_ids(task.kind, task.examples.take(task.test)))
    draws = np.array([rule.score(gold, one, weights) for one in said])  # type: ignore[arg-type]  # likewise
    span = crossed_interval(values, draws, run_picks(len(values), _DRAWS, rng))
    return Scored(name, rule.title, values, max(span.low, rule.least), min(span.high, 1.0))


def score_rows(found: Sequence[Scored], best: int | None) -> list[dict[str, Any]]:
    """A row a metric; `best` is the place of the kept run among those that ended."""
    return [
        {
            "metric": one.name,
            "title": one.title,
            "runs": len(one.values),
            "mean": _plain(one.values.mean()) if len(one.values) else None,
            "deviation": _plain(one.values.std(ddof=1)) if len(one.values) > 1 else None,
            "least": _plain(one.values.min()) if len(one.values) else None,
            "most": _plain(one.values.max()) if len(one.values) else None,
            "low": _plain(one.low),
            "high": _plain(one.high),
            "best": None if best is None else _plain(one.values[best]),
        }
        for one in found
    ]


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
