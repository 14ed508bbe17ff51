"""The warning, shared by several studies, that intervals over one or two runs say little about other runs."""

from __future__ import annotations

from wordworth.records import Finding

_ENOUGH = 3


def few_runs_warning(runs: int) -> Finding | None:
    """Return a warning if a system has one run or two; else None.

    Args:
        runs: number of runs of each system.
    """
    if runs >= _ENOUGH:
        return None
    text = "Two runs say little about how much runs differ, so the intervals are wide: a third run narrows them."
    if runs == 1:
        text = "One run shows nothing of the spread over seeds: intervals are over test examples alone."
    return Finding("warning.few-runs", text)  # the name that records of all versions have
