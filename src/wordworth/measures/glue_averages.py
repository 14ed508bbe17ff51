"""GLUE's two averages over its tasks (Wang et al. 2019; Devlin et al. 2019, table 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wordworth.measures.weighted_sums import Floats

PAPER = {
    "mnli": "accuracy",
    "mnli_mm": "accuracy",
    "qqp": "f1:1",
    "qnli": "accuracy",
    "sst2": "accuracy",
    "cola": "matthews",
    "stsb": "spearman",
    "mrpc": "f1:1",
    "rte": "accuracy",
}
"""The nine columns of Devlin et al., in their order, each by one metric; WNLI is left out."""
BOARD = (("cola",), ("sst2",), ("mrpc",), ("stsb",), ("qqp",), ("mnli", "mnli_mm"), ("qnli",), ("rte",), ("wnli",))
"""The nine tasks of the leaderboard; MNLI's two parts count as one."""

Scores = Mapping[str, Mapping[str, Floats]]
"""Task name -> metric name -> score, or score in each draw."""


def paper_average(scores: Scores) -> Floats | None:
    """Return the mean score over the nine columns of Devlin et al. 2019, table 1, in which MNLI has two columns.

    The result has the shape of a single score (a number, or one for each draw). It is None if the score of a column is
    missing.

    Args:
        scores: task name -> metric name -> score, a number or float64 [draws]; the names are in `PAPER`.
    """
    if not all(metric in scores.get(name, {}) for name, metric in PAPER.items()):
        return None
    return mean([scores[name][metric] for name, metric in PAPER.items()])


def board_average(scores: Scores) -> Floats | None:
    """Return the average of the GLUE leaderboard: the mean over tasks of the mean of each task's metrics.

    The result has the shape of a single score (a number, or one for each draw). It is None if the score of a task is
    missing.

    Args:
        scores: task name -> metric name -> score, a number or float64 [draws]; the tasks are in `BOARD`.
    """
    if not all(scores.get(name) for names in BOARD for name in names):
        return None
    return mean([mean([value for name in names for value in scores[name].values()]) for names in BOARD])


def mean(values: Sequence[Floats]) -> Floats:
    """Return the unweighted mean of several numbers, or of several arrays of the same shape.

    Args:
        values: numbers, or float64 arrays of the same shape.

    Returns:
        A number, or an array of that shape.
    """
    total = values[0] * 1.0
    for value in values[1:]:
        total = total + value
    return total / len(values)
