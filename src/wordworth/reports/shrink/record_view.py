"""What the page of a `shrink` record and its captions both say: what is enough, and the level of intervals."""

from __future__ import annotations

from wordworth.reports.record_view import RecordView
from wordworth.sentence_formatting import corrected_level


def beats_constant(view: RecordView, what: str) -> bool:
    """Return whether the whole model, or the whole vectors, score significantly above the constant answer.

    The result is True for records of versions that did not store this. `what` is `model` or `vectors`.
    """
    return bool(view.verdict.get(f"{what}_beats_constant", True))


def enough(view: RecordView, what: str) -> str:
    """Return the words for a loss within the margin: `enough`, or `within the margin` if the constant is not beaten.

    `what` is `model` or `vectors`.
    """
    return "enough" if beats_constant(view, what) else "within the margin"


def level(comparisons: int) -> str:
    """Return in words the confidence level of intervals that are corrected for a number of comparisons."""
    corrected = f", corrected for {comparisons} comparisons" if comparisons > 1 else ""
    return f"{corrected_level(comparisons)}{corrected}"
