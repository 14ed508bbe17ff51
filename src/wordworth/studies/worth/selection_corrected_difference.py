"""The difference that a definite verdict prints, corrected for selection: small differences give no such verdict.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.
"""

from __future__ import annotations

from scipy.special import ndtri

from wordworth.measures.bootstrap import Interval
from wordworth.measures.selective_inference import CorrectedEstimate, corrected_estimate
from wordworth.studies.worth.decision_rule import Verdict
from wordworth.studies.worth.scores import Scores


def corrected_difference(verdict: Verdict, scores: Scores, labels: int) -> CorrectedEstimate:
    """Return the difference of the two rungs that a definite verdict compares, corrected for selection.

    The rule gives a definite answer if the measured difference exceeds a threshold. Differences measured in studies
    with such answers are therefore too large on average, which `corrected_estimate` corrects. The lower end is not
    below what the answer claims: 0 for *contextual is ahead*, `verdict.margin` for *contextual is worth it*, and
    `-verdict.margin` for *cheap suffices*. The upper end is the end of the usual interval, which selection makes too
    high rather than too low.

    Args:
        verdict: a definite verdict.
        scores: every rung's scores.
        labels: the number of labelled examples of the verdict.

    Returns:
        The estimate and its interval, on the metric's scale (0.01 is a point).
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
