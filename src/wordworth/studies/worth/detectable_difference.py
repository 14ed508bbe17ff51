"""The smallest difference between a cheap and a contextual rung that a test part of each size would detect (power).

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.

The study has measured the variance of the difference, which gives its standard error with any number of test texts.
`rows_to_decide` answers the reverse question: how many rows the measured difference needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wordworth.records import Table
from wordworth.studies.worth.decision_rule import Levels
from wordworth.studies.worth.rows_to_decide import POWER

if TYPE_CHECKING:
    from wordworth.studies.worth.study_result import StudyResult

SIZES = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
POWER_TABLE = {
    "items": "number of test items",
    "rows": "labelled rows of a file whose test part has that many items, split as here",
    "cheap": "the cheap rung",
    "contextual": "the contextual rung",
    "lead": f"smallest true lead of the contextual rung that is found ahead with probability {POWER:g}, on the "
    "metric's scale",
    "margin": f"smallest margin within which a cheap rung that is level is found to suffice with probability {POWER:g}",
}


def power_table(study: StudyResult) -> Table:
    """Return the table of the smallest difference of two rungs that a test part of each size would detect.

    The function `compared_rungs` chooses the two rungs. The table is empty if there is no contextual rung.
    """
    verdict = study.verdict
    if not verdict.contextual:
        return Table.of([], POWER_TABLE)
    cheap, contextual = compared_rungs(study)
    variance = study.scores.gap_variance(contextual, cheap, study.labels)
    levels = Levels.of(1, len(verdict.cheap), len(verdict.contextual))
    times = np.array(SIZES) / len(study.task.test)
    columns = {
        "items": list(SIZES),
        "rows": [round(len(study.task.examples) * share) for share in times.tolist()],
        "cheap": [cheap] * len(SIZES),
        "contextual": [contextual] * len(SIZES),
        "lead": variance.detectable(times, levels.behind, POWER).tolist(),
        "margin": variance.detectable(times, levels.suffices, POWER).tolist(),
    }
    return Table(columns, POWER_TABLE)


def compared_rungs(study: StudyResult) -> tuple[str, str]:
    """Return the names of the cheap and the contextual rung that the verdict compares.

    If the verdict compares two cheap or two contextual rungs, the best rung of each kind is named.
    """
    pair, cheap = study.verdict.compared_pair, {comparison.name for comparison in study.verdict.cheap}
    if len(cheap & set(pair)) == 1:
        return (pair[0], pair[1]) if pair[0] in cheap else (pair[1], pair[0])
    best = max(study.verdict.contextual, key=lambda comparison: comparison.mean)
    return study.verdict.cheap[0].name, best.name
