"""How often a verdict could be definite at best: with the two decisive rungs known beforehand.

A study has to find out which cheap and which contextual rung are best, and how far their difference varies. Somebody
who knew both could compare the two with a single test. The probability that this test is definite bounds what any
decision rule can reach with as many labelled rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from wordworth.studies.worth.decision_rule import Verdict
from wordworth.studies.worth.scores import Scores

LEVEL = 0.95


def known_pair(
    verdict: Verdict, truth: Scores, fresh: Scores | None, labels: int, items: tuple[int, int]
) -> dict[str, float | None]:
    """Return the score of the best contextual rung minus that of the best cheap one, and its errors, all in points.

    Args:
        verdict: the verdict of the study, which lists its rungs.
        truth: the scores of the study's rungs on the remaining rows.
        fresh: the scores of rungs that learned from fresh draws of labels; None if there are no draws.
        labels: the number of labels that the rungs learned from.
        items: the numbers of test items of the study and of the truth.

    Returns:
        `gap`; `item_error`, the standard error of the gap due to the study's test items; and `label_error`, the
        standard deviation of the gap between draws of labels, None without fresh draws.
    """
    best = [
        max((rung.name for rung in rungs), key=lambda name: truth.mean(name, labels))
        for rungs in (verdict.contextual, verdict.cheap)
    ]
    point, by_draw = truth.differences(best[0], best[1], labels)
    of_study, of_truth = items
    drawn = fresh.differences(best[0], best[1], labels)[0] if fresh else None
    return {
        "gap": 100 * float(point.mean()),
        "item_error": 100 * float(by_draw.mean(axis=0).std()) * float(np.sqrt(of_truth / of_study)),
        "label_error": None if drawn is None else 100 * float(drawn.std(ddof=1)),
    }


def cannot_tell_at_best(pairs: Iterable[Mapping[str, float | None]], margin: float) -> dict[str, float | None]:
    """Return the expected number of studies in which the test of the two known rungs is not definite.

    Args:
        pairs: the result of `known_pair` for each study.
        margin: the margin of the verdict in points.

    Returns:
        `rungs_as_fitted`: the number if the gap of the fitted rungs is asked for, so that it varies by test items
        alone. `fresh_labels`: the number if the gap must hold for other draws of as many labels too; the median error
        over studies stands in for that of a study without fresh draws. None if no study has any.
    """
    rows = list(pairs)
    gap, items = (np.array([row[name] for row in rows], dtype=np.float64) for name in ("gap", "item_error"))
    fitted = float((1 - definite(gap, items, margin)).sum())
    known = [row["label_error"] for row in rows if row["label_error"] is not None]
    if not known:
        return {"rungs_as_fitted": fitted, "fresh_labels": None}
    labels = np.array([np.median(known) if row["label_error"] is None else row["label_error"] for row in rows])
    fresh = float((1 - definite(gap, np.hypot(items, labels), margin)).sum())
    return {"rungs_as_fitted": fitted, "fresh_labels": fresh}


def definite(gap: Any, error: Any, margin: float) -> Any:
    """Return the probability that a 95 % interval around a normal estimate lies above 0 or below the margin.

    Args:
        gap: the true difference, a number or an array.
        error: the standard error of the estimate, above 0, in the same unit.
        margin: the margin, in the same unit.
    """
    reach = ndtri((1 + LEVEL) / 2)
    return np.minimum(1.0, ndtr(gap / error - reach) + ndtr((margin - gap) / error - reach))
