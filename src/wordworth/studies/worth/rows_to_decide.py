"""How likely more labelled rows are to settle whether context is worth it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.worth.decision_rule import Levels, Verdict
from wordworth.studies.worth.scores import Scores
from wordworth.tasks.task import Task

POWER = 0.8
"""Probability of a definite answer from which it counts as likely."""
TIMES = (2, 4, 10)
"""Multiples of the rows for which the probability of a definite answer is said."""
_TRIED = np.geomspace(1, 1e3, 301)
"""Multiples among which the first that is likely to decide is looked for."""


@dataclass(frozen=True, slots=True)
class RowsToDecide:
    """The probability of a definite answer with more labelled rows, those of the study among them.

    It is the predictive probability of the next verdict (Spiegelhalter, Abrams and Myles 2004, "Bayesian Approaches to
    Clinical Trials", section 6.5), with nothing known of the true lead but the labels so far.

    Attributes:
        rows: numbers of rows, `TIMES` those of the study.
        chances: the probability with each.
        likely: the rows with which it is `POWER` or more; infinite where no number has that.
        most: the highest probability that any number of rows has, up to a thousand times those of the study.
    """

    rows: tuple[float, ...]
    chances: tuple[float, ...]
    likely: float
    most: float


NO_ROWS = RowsToDecide((), (), math.inf, 0.0)
"""No number of rows decides."""


def rows_to_decide(verdict: Verdict, scores: Scores, labels: int, rows: int) -> RowsToDecide:
    """Estimate how likely more labelled rows turn *cannot tell yet* into a definite answer.

    The answer depends on the best cheap rung that is undecided and on its contextual rival. The next verdict is
    definite if the interval for *ahead* tells the lead of the rival from 0, or that for *suffices* tells it from the
    margin (`GapVariance.chance_to_tell`). Other rungs are taken not to stand in its way.

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
    variance, gap = scores.gap_variance(*pair, labels), -scores.gap(*pair, labels)
    levels = Levels.of(verdict.look + 1, len(verdict.cheap), len(verdict.contextual))

    def chances(times: Floats) -> Floats:
        suffices = variance.chance_to_tell(verdict.margin - gap, times, levels.suffices)
        return floats(np.minimum(1.0, suffices + variance.chance_to_tell(gap, times, levels.behind)))

    tried, more = chances(_TRIED), np.array(TIMES, dtype=np.float64)
    enough = tried >= POWER
    likely = rows * float(_TRIED[enough.argmax()]) if enough.any() else math.inf
    return RowsToDecide(tuple((rows * more).tolist()), tuple(chances(more).tolist()), likely, float(tried.max()))


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
