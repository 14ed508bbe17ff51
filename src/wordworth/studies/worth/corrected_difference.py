"""The difference that a definite verdict prints, corrected for the verdict having been given because of it."""

from __future__ import annotations

from scipy.special import ndtri

from wordworth.measures.bootstrap import Interval
from wordworth.measures.selective_inference import CorrectedEstimate, corrected_estimate
from wordworth.studies.worth.decision_rule import Verdict
from wordworth.studies.worth.scores import Scores


def corrected_difference(verdict: Verdict, scores: Scores, labels: int) -> CorrectedEstimate:
    """Return the difference of the two rungs that a definite verdict compares, and its 95 % interval.

    The rule gives its answer where the difference exceeds a threshold. Where the answer is right, the lower end that it
    stands for is right too: a lead is not below 0, or not below the margin, and a rung that suffices is not more than
    the margin behind. The upper end is that of the usual interval, which selection for being large makes too high, if
    anything.

    Args:
        verdict: a definite verdict.
        scores: every rung's scores.
        labels: the number of labels of the verdict.
    """
    suffices = verdict.answer == "cheap suffices"
    level = verdict.levels.suffices if suffices else verdict.levels.behind
    pair = verdict.compared_pair
    measured = scores.gap(*pair, labels)
    reach = measured - scores.gap_interval(*pair, labels, level).low
    least = -verdict.margin if suffices else verdict.margin if verdict.answer == "contextual is worth it" else 0.0
    corrected = corrected_estimate(measured, reach / float(ndtri((1 + level) / 2)), least + reach)
    low, high = max(corrected.interval.low, least), scores.gap_interval(*pair, labels).high
    return CorrectedEstimate(max(corrected.value, least), Interval(low, max(high, low)))
