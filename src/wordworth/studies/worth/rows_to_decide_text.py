"""Sentences on how many labelled rows may make the answer of a verdict definite, and with what probability.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A run is one rung fitted on one subset of the labelled examples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wordworth.reports.worth.record_view import OUTLOOK
from wordworth.sentence_formatting import join_words, percent
from wordworth.studies.worth.label_grid import DECISIVE_SEEDS
from wordworth.studies.worth.rows_to_decide import POWER, RowsToDecide, has_test_file, round_up, rows_available

if TYPE_CHECKING:
    from wordworth.studies.worth.study_result import StudyResult

_WITHOUT_QUICK = "leave out the option quick"


def rows_to_decide_text(study: StudyResult, needed: RowsToDecide) -> str:
    """Return the sentences on how likely more rows give a definite answer, and how many rows the file has.

    Args:
        study: the study, whose answer is open.
        needed: the numbers of rows, with the probability of a definite answer; "" is returned if it names no rows.
    """
    kind = "test rows" if has_test_file(study.task) else "labelled rows"
    if not needed.rows:
        return ""
    pairs = [
        f"{percent(chance)} with {round_up(rows):,}" for rows, chance in zip(needed.rows, needed.chances, strict=True)
    ]
    of_groups = "" if study.task.examples.groups is None else ", of proportionally more groups"
    by_rows = join_words([f"{pairs[0]} {kind} in all{of_groups}", *pairs[1:]])
    available = rows_available(study.task, needed.likely, quick=study.grid.quick)
    text = f"{OUTLOOK}{by_rows}; {available}."
    if needed.most < POWER:
        advice = "" if _WITHOUT_QUICK in available else f": {_WITHOUT_QUICK}"  # said once
        text += f" Runs of one rung differ too much for rows alone to make it likely{_more_runs(study, advice)}."
    return text


def _more_runs(study: StudyResult, quick_advice: str) -> str:
    """Return a clause on how to have more runs of the compared rungs, or on why they cannot have more.

    Args:
        study: the study.
        quick_advice: the end of the clause for a quick study.
    """
    grid, pair = study.grid, study.verdict.compared_pair
    fine_tuned = any(result.rung.slow for result in study.rung_results if result.rung.name in pair)
    if grid.quick and (fine_tuned or grid.tagging):
        return f", and a quick study makes few{quick_advice}"
    if grid.few_runs and fine_tuned:
        return ", and the budget of time leaves one of a fine-tuned rung: give more (the option budget)"
    if fine_tuned and len(grid.subsets) >= DECISIVE_SEEDS:
        return f", and a fine-tuned rung has {DECISIVE_SEEDS} at most"
    return ": make more (the option seeds)"
