"""Sentences about label multiples: how many times as many labels a cheap rung needs as a contextual one.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from wordworth.measures.label_multiples import FEW_MORE, is_unbounded


def multiple_text(row: Mapping[str, Any], cheap: str, contextual: str) -> str:
    """Return a sentence on how many times as many labels a cheap rung needs to score what a contextual rung scores.

    Args:
        row: a row of the table of label multiples; empty if no row compares the two rungs.
        cheap: the title of the cheap rung.
        contextual: the title of the contextual rung.
    """
    state = row.get("state")
    if state == "exact" and is_unbounded(row["low"], row["high"]):
        return (
            f"How many times the labels {cheap} needs to score what {contextual} scores with "
            f"{row['labels']:,} cannot be estimated: the curves bound it on neither side."
        )
    if state == "exact":
        return _known(row, cheap, contextual)
    if state == "more than" and row["multiple"] < FEW_MORE:
        return f"{cheap} does not reach the score of {contextual} with all the labels there are."
    if state == "more than":
        return (
            f"What {contextual} scores with {row['labels']:,} labels, {cheap} does not reach with "
            f"{row['multiple']:.1f} times as many."
        )
    if state == "never":
        return (
            f"By the curve fitted to its scores, {cheap} never reaches what {contextual} scores with "
            f"{row['labels']:,} labels."
        )
    return f"More labels did not let {cheap} reach the score of {contextual}."


def _known(row: Mapping[str, Any], cheap: str, contextual: str) -> str:
    """Return the sentence on a multiple with an interval.

    If the multiple is under 1, the sentence adds that the cheap rung is behind with all labelled examples: such a
    multiple compares the rungs at few labels.
    """
    interval = f"(95 %: {_range(row['low'], row['high'])})"
    if row["multiple"] < 1:
        return (
            f"What {contextual} scores with {row['labels']:,} labels, {cheap} scores with about {row['multiple']:.1f} "
            f"times as many {interval}; with all the labels there are, it is behind."
        )
    return (
        f"{cheap} needs about {row['multiple']:.1f} times the labels to score what {contextual} scores with "
        f"{row['labels']:,} {interval}."
    )


def _range(low: float, high: float) -> str:
    """Return the interval of a multiple as text; "or more" if `high` is infinite, "up to" if `low` is 0."""
    if not math.isfinite(high):
        return f"{low:.1f} or more"
    return f"{low:.1f} to {high:.1f}" if low > 0 else f"up to {high:.1f}"
