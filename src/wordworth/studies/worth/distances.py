"""How far two rungs stand from each other, in words."""

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

    >>> margin(0.012), margin(-0.01)
    ('1.2 points', '1.0 point')
    """
    said = points(value)
    return f"{said} point" if said == "1.0" else f"{said} points"


def ahead_or_behind(gap: float) -> str:
    """How far one stands from another, as it will be read.

    >>> apart(-0.012), apart(0.0004)
    ('1.2 points behind', 'level with')
    """
    said = points(gap)
    if float(said) == 0:
        return "level with"
    return f"{points_phrase(gap)} {'ahead of' if gap > 0 else 'behind'}"


def between(doubt: Interval) -> str:
    """The 95 % interval of a difference, as a reader expects it."""
    return f"95 %: {signed(doubt.low)} to {signed(doubt.high)}"


def paired(scores: Scores, one: str, other: str, labels: int) -> str:
    """The 95 % interval of a difference, and of which runs it is where one of the two had more than the other.

    Such a difference need not be that of the two mean scores.
    """
    runs = sorted(scores.seeds_of(name, labels) for name in (one, other))
    of = f", of the {count_of(runs[0], 'run')} that both had" if runs[0] < runs[1] else ""
    return f"{between(scores.gap_interval(one, other, labels))}{of}"
