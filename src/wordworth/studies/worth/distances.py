"""The difference between two rungs, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wordworth.text_format import count_of, signed

if TYPE_CHECKING:
    from wordworth.measures.bootstrap import Interval
    from wordworth.studies.worth.scores import Scores


def points(value: float) -> str:
    """A difference in points: one decimal, no sign."""
    return f"{abs(100 * value):.1f}"


def points_phrase(value: float) -> str:
    """A difference with its unit.

    >>> points_phrase(0.012), points_phrase(-0.01)
    ('1.2 points', '1.0 point')
    """
    number = points(value)
    return f"{number} point" if number == "1.0" else f"{number} points"


def ahead_or_behind(gap: float) -> str:
    """How far one rung is ahead of or behind another, in words.

    >>> ahead_or_behind(-0.012), ahead_or_behind(0.0004)
    ('1.2 points behind', 'level with')
    """
    number = points(gap)
    if float(number) == 0:
        return "level with"
    return f"{points_phrase(gap)} {'ahead of' if gap > 0 else 'behind'}"


def between(doubt: Interval) -> str:
    """The 95 % interval of a difference, in words."""
    return f"95 %: {signed(doubt.low)} to {signed(doubt.high)}"


def paired(scores: Scores, one: str, other: str, labels: int) -> str:
    """The 95 % interval of a paired difference, in words, with the number of runs where one rung had more.

    Such a difference need not be that of the two mean scores.

    Args:
        scores: every rung's scores.
        one: the rung whose score is the minuend.
        other: the rung it is compared with.
        labels: the number of labels.
    """
    runs = sorted(scores.seeds_of(name, labels) for name in (one, other))
    of = f", of the {count_of(runs[0], 'run')} that both had" if runs[0] < runs[1] else ""
    return f"{between(scores.gap_interval(one, other, labels))}{of}"
