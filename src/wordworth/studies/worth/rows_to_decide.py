"""How many labelled rows would settle whether context is worth it, and how likely."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from wordworth.studies.worth.decision_rule import Levels, Verdict
from wordworth.studies.worth.gap_variance import first_that_shows
from wordworth.studies.worth.scores import Scores
from wordworth.tasks.task import Task

POWER = 0.8
"""Probability of a definite answer that the number of rows stands for."""
_LEADS = 101
"""Leads that are tried between the ends of an interval; the middle one is the measured lead."""
_TIMES = np.geomspace(1, 1e6, 601)
"""Multiples of the rows that are tried."""


@dataclass(frozen=True, slots=True)
class RowsToDecide:
    """Labelled rows that a new study needs for a definite answer with probability `POWER`; infinite if none suffice.

    Attributes:
        as_measured: the number if the true lead of the contextual rung is the measured one.
        at_worst: the number if the true lead is the one in its 50 % interval that is hardest to decide.
    """

    as_measured: float
    at_worst: float


def rows_to_decide(verdict: Verdict, scores: Scores, labels: int, rows: int) -> RowsToDecide:
    """Estimate how many labelled rows a study needs to turn *cannot tell yet* into a definite answer.

    The answer depends on the best cheap rung that is undecided and on its contextual rival, which truly leads by L.
    With enough rows the next verdict is definite with probability `POWER`: either margin - L is as large as the
    smallest difference that the interval for *suffices* detects, or L is as large as the smallest one that the interval
    for *ahead* detects (`GapVariance.detectable`).

    Args:
        verdict: the verdict, at `labels` labels.
        scores: every rung's scores.
        labels: the number of labels of the verdict.
        rows: number of labelled rows of the study, whose test part grows with them, as `rows_of` counts them.
    """
    contender = verdict.cheap_contender
    if contender is None or contender.contextual_rival == contender.name:
        return RowsToDecide(math.inf, math.inf)
    pair = contender.name, contender.contextual_rival
    measured, variance = -scores.gap(*pair, labels), scores.gap_variance(*pair, labels)
    levels = Levels.of(verdict.look + 1, len(verdict.cheap), len(verdict.contextual))
    to_suffice, to_lead = (variance.detectable(_TIMES, level, POWER) for level in (levels.suffices, levels.behind))
    half_width = float(ndtri(0.75) * variance.error(np.ones(1))[0])
    true_leads = np.linspace(measured - half_width, measured + half_width, _LEADS)
    sufficing = first_that_shows(verdict.margin - true_leads, _TIMES, to_suffice)
    times = np.minimum(sufficing, first_that_shows(true_leads, _TIMES, to_lead))
    return RowsToDecide(rows * float(times[_LEADS // 2]), rows * float(times.max()))


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
