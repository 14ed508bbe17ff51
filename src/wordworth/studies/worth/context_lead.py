"""How far context leads, where the verdict says that it does."""

from __future__ import annotations

from wordworth.measures.selected_lead import SelectedLead, selected_lead
from wordworth.studies.worth.decision_rule import Verdict
from wordworth.studies.worth.scores import Scores


def context_lead(verdict: Verdict, scores: Scores, labels: int) -> SelectedLead:
    """Return the lead of the contextual rung that a verdict names over the best cheap rung, and its 95 % interval.

    The verdict speaks of a lead only where it surely exists. The lead is corrected for that: measured leads that stand
    out are too large on average.

    Args:
        verdict: a verdict whose answer is that context leads.
        scores: every rung's scores.
        labels: the number of labels of the verdict.
    """
    pair = verdict.rung, verdict.cheap[0].name
    measured, error = scores.gap(*pair, labels), scores.gap_error(*pair, labels)
    return selected_lead(measured, error, min(measured, verdict.levels.quantiles[1] * error))
