"""The number of labelled rows that would turn *cannot tell yet* into a definite answer, with its probability."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.worth.decision_rule import Levels, Verdict
from wordworth.studies.worth.gap_variance import GapVariance
from wordworth.studies.worth.scores import Scores
from wordworth.tasks.task import Task

POWER = 0.8
"""Probability of a definite answer with `RowsToDecide.likely` rows."""
EVEN = 0.5
"""Probability of a definite answer with `RowsToDecide.even` rows."""
_LEADS = 201
"""Number of true leads over which the probability is averaged: quantiles of their distribution given the labels."""
_TIMES = np.geomspace(1, 1e3, 301)
"""Multiples of the rows that are tried."""


@dataclass(frozen=True, slots=True)
class RowsToDecide:
    """Numbers of labelled rows that a study needs for a definite answer.

    The probability of a definite answer is averaged over the true leads that are plausible given the labels so far: the
    assurance of a sample size (O'Hagan, Stevens and Campbell 2005, "Assurance in clinical trial design").

    Attributes:
        likely: number of rows with which the answer is definite with probability `POWER`; infinite if no number does.
        even: number of rows with which it is definite with probability `EVEN`; infinite if no number does.
        most: the highest probability of any number of rows, up to a thousand times the rows of the study.
        share: share of the plausible true leads for which `likely` rows give a definite answer with probability
            `POWER`; 0 if `likely` is infinite.
    """

    likely: float
    even: float
    most: float
    share: float


NO_ROWS = RowsToDecide(math.inf, math.inf, 0.0, 0.0)
"""No number of rows decides."""


def rows_to_decide(verdict: Verdict, scores: Scores, labels: int, rows: int) -> RowsToDecide:
    """Estimate how many labelled rows a study needs to turn *cannot tell yet* into a definite answer.

    The answer depends on the best cheap rung that is not surely behind and on its contextual rival. Let L be the true
    lead of the rival. The next verdict is definite if the interval for *suffices* shows that margin - L exceeds 0, or
    that for *ahead* shows that L does (`GapVariance.power`). Two quantities are uncertain and averaged over: L is
    normal about the measured lead, and a few runs estimate the variance between runs only roughly
    (`GapVariance.plausible`).

    Args:
        verdict: the verdict, at `labels` labels.
        scores: every rung's scores.
        labels: the number of labels of the verdict.
        rows: number of labelled rows, as `rows_of` counts them; the test part grows in proportion.

    Returns:
        The numbers of rows; `NO_ROWS` where every cheap rung is surely behind a contextual one, or there is none.
    """
    contender = verdict.cheap_contender
    if contender is None or contender.contextual_rival == contender.name:
        return NO_ROWS
    pair = contender.name, contender.contextual_rival
    variance = scores.gap_variance(*pair, labels)
    levels = Levels.of(verdict.look + 1, len(verdict.cheap), len(verdict.contextual))
    plausible = ndtri((np.arange(_LEADS) + 0.5) / _LEADS)
    true_leads = -scores.gap(*pair, labels) + float(variance.error(np.ones(1))[0]) * plausible
    definite = floats(
        np.mean([_definite(each, true_leads, verdict.margin, levels) for each in variance.plausible()], axis=0)
    )
    assurance = definite.mean(axis=0)
    likely, even = (_first(assurance >= probability) for probability in (POWER, EVEN))
    share = 0.0 if likely is None else float((definite[:, likely] >= POWER).mean())
    return RowsToDecide(_rows(rows, likely), _rows(rows, even), float(assurance.max()), share)


def _definite(variance: GapVariance, true_leads: Floats, margin: float, levels: Levels) -> Floats:
    """Return the probability of a definite answer given the variance, float64 [true_leads, times]."""
    suffices = variance.power(margin - true_leads, _TIMES, levels.suffices)
    return np.minimum(1.0, suffices + variance.power(true_leads, _TIMES, levels.behind))


def _first(true: NDArray[np.bool_]) -> int | None:
    return int(true.argmax()) if true.any() else None


def _rows(rows: int, index: int | None) -> float:
    return math.inf if index is None else rows * float(_TIMES[index])


def has_test_file(task: Task) -> bool:
    """Return whether the test part is a file of its own: the task has two files and no folds."""
    return len(task.origins) > 1 and not task.folds


def rows_of(task: Task) -> int:
    """Return the number of rows by which the test part grows: those of a test file, else all labelled rows."""
    return len(task.test) if has_test_file(task) else len(task.examples)


def rows_available(task: Task, needed: float, *, quick: bool) -> str:
    """Return in words how many rows the user's file holds; where fewer were used, also how many and how to use more.

    Where the test part is a file of its own, that file is meant.

    Args:
        task: the task; where rows were left out, one of its warnings holds the number of rows in the file.
        needed: the number of rows that would settle the question.
        quick: whether the study is a quick one.
    """
    tested, used = has_test_file(task), rows_of(task)
    name = "warning.test_rows" if tested else "warning.limit"
    limits = (finding.numbers for finding in task.warnings if finding.name == name)
    held = int(next(limits, {"file_rows": used})["file_rows"])
    if used >= held:
        return f"your {'test ' if tested else ''}file holds {held:,}"
    if tested:
        return f"{used:,} were used, the most there can be, of the {held:,} of your test file"
    more = "leave out the option quick, or raise the option limit" if quick else "raise the option limit"
    short = ", though even all of them may not be enough" if needed > held else ""
    return f"{used:,} were used, and your file holds {held:,}: {more}{short}"


def round_up(value: float) -> int:
    """Return the value rounded up to two significant digits, so that an estimate does not look like a count.

    >>> round_up(1_234), round_up(1_200.0)
    (1300, 1200)
    """
    digits: int = 10 ** max(0, int(math.log10(max(value, 1))) - 1)
    return math.ceil(value / digits) * digits
