"""The probability that more labelled rows turn the verdict *cannot tell yet* into a definite answer.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.worth.decision_rule import Levels, Verdict
from wordworth.studies.worth.scores import Scores
from wordworth.tasks.task import Task

POWER = 0.8
"""Least probability of a definite answer that counts as likely."""
TIMES = (2, 4, 10)
"""Multiples of the rows for which the probability of a definite answer is reported."""
_TRIED = np.geomspace(1, 1e3, 301)
"""Multiples of the rows among which the smallest that likely gives a definite answer is searched."""


@dataclass(frozen=True, slots=True)
class RowsToDecide:
    """The probability of a definite answer after more rows are labelled and added to the study's rows.

    Each probability is the predictive probability of the next verdict (Spiegelhalter, Abrams and Myles 2004, "Bayesian
    Approaches to Clinical Trials", section 6.5), with a flat prior on the true lead of one rung over another.

    Attributes:
        rows: total numbers of rows: the study's number multiplied by each of `TIMES`.
        chances: the probability of a definite answer with each of these numbers of rows, 0 to 1.
        likely: the smallest number of rows whose probability is `POWER` or more; infinite if no number of rows
            suffices.
        most: the highest probability with any number of rows, up to a thousand times the study's number.
    """

    rows: tuple[float, ...]
    chances: tuple[float, ...]
    likely: float
    most: float


NO_ROWS = RowsToDecide((), (), math.inf, 0.0)
"""No number of rows decides."""


def rows_to_decide(verdict: Verdict, scores: Scores, labels: int, rows: int) -> RowsToDecide:
    """Estimate how probably a study with more labelled rows has a definite answer where this one cannot tell yet.

    The estimate is about two rungs: the best cheap one that is not significantly behind, and the contextual one that it
    may be furthest behind (its rival). The next verdict is taken as definite if the rival's lead is significantly above
    0, or significantly below the verdict's margin. `GapVariance.chance_to_tell` has the probability of either.

    Args:
        verdict: the verdict, at `labels` labelled examples.
        scores: every rung's scores.
        labels: the number of labelled examples of the verdict.
        rows: number of labelled rows, as `rows_of` counts them; the test part grows in proportion.

    Returns:
        The numbers of rows and their probabilities; `NO_ROWS` if every cheap rung is significantly behind a contextual
        rung, or there is no contextual rung.
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
    """Return True if the test part is a separate file: the task was read from two files and has no folds."""
    return len(task.origins) > 1 and not task.folds


def rows_of(task: Task) -> int:
    """Return the number of rows of the test file or, without a test file, of all rows.

    A user who wants a larger test part has to increase this number.
    """
    return len(task.test) if has_test_file(task) else len(task.examples)


def rows_available(task: Task, needed: float, *, quick: bool) -> str:
    """Return a sentence on how many rows the user's file has, and, if the study used fewer, on how to use more.

    The file is the test file if there is one, else the file of labelled rows.

    Args:
        task: the task; if rows were left out, the numbers of one of its warnings have the number of rows in the file.
        needed: the number of rows that would make the verdict definite.
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
