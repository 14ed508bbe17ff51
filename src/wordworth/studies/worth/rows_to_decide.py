"""How many labelled rows would settle whether context is worth it, and how likely."""

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
"""Probability of a definite answer that the number of rows stands for."""
EVEN = 0.5
"""That of the smaller number beside it."""
_LEADS = 201
"""True leads over which the probability is averaged, quantiles of those that the labels leave plausible."""
_TIMES = np.geomspace(1, 1e3, 301)
"""Multiples of the rows that are tried."""


@dataclass(frozen=True, slots=True)
class RowsToDecide:
    """Labelled rows that a study needs for a definite answer.

    Their probability is the mean over the true leads that the labels so far leave plausible: the assurance of a sample
    size (O'Hagan, Stevens and Campbell 2005, "Assurance in clinical trial design").

    Attributes:
        likely: the rows with which an answer is definite with probability `POWER`; infinite where none are.
        even: the rows with which it is as likely as not; infinite where none are.
        most: the highest probability that any number of rows has, up to a thousand times those of the study.
        share: the share of the plausible leads of which `likely` rows give a definite answer with probability `POWER`;
            0 where there is no such number.
    """

    likely: float
    even: float
    most: float
    share: float


NO_ROWS = RowsToDecide(math.inf, math.inf, 0.0, 0.0)
"""No number of rows decides."""


def rows_to_decide(verdict: Verdict, scores: Scores, labels: int, rows: int) -> RowsToDecide:
    """Estimate how many labelled rows a study needs to turn *cannot tell yet* into a definite answer.

    The answer depends on the best cheap rung that is undecided and on its contextual rival, which truly leads by L.
    The next verdict is definite if the interval for *suffices* tells margin - L from 0, or that for *ahead* tells L
    from 0 (`GapVariance.power`). L is not known: with the labels so far alone, it is normal about the measured lead.
    Nor is it known how far runs differ, which a few runs show but roughly (`GapVariance.plausible`).

    Args:
        verdict: the verdict, at `labels` labels.
        scores: every rung's scores.
        labels: the number of labels of the verdict.
        rows: number of labelled rows of the study, whose test part grows with them, as `rows_of` counts them.
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
    """Return the probability of a definite answer, float64 [true_leads, times], were this the variance."""
    suffices = variance.power(margin - true_leads, _TIMES, levels.suffices)
    return np.minimum(1.0, suffices + variance.power(true_leads, _TIMES, levels.behind))


def _first(true: NDArray[np.bool_]) -> int | None:
    return int(true.argmax()) if true.any() else None


def _rows(rows: int, index: int | None) -> float:
    return math.inf if index is None else rows * float(_TIMES[index])


def has_test_file(task: Task) -> bool:
    """Return whether the test part is a file of its own, the second of the files that a study reads."""
    return len(task.origins) > 1 and not task.folds


def rows_of(task: Task) -> int:
    """Return the number of rows by which the test part grows: those of a test file, else all labelled rows."""
    return len(task.test) if has_test_file(task) else len(task.examples)


def rows_available(task: Task, needed: float, *, quick: bool) -> str:
    """Return in words how many rows the file holds; where fewer were used, also how many and how to use more.

    Where the test part is a file of its own, they are the rows of that file.

    Args:
        task: the rows used, and the warning that says how many the files hold.
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
    """Return the value rounded up to two significant digits: an estimate should not look like a count.

    >>> round_up(1_234), round_up(1_200.0)
    (1300, 1200)
    """
    digits: int = 10 ** max(0, int(math.log10(max(value, 1))) - 1)
    return math.ceil(value / digits) * digits
