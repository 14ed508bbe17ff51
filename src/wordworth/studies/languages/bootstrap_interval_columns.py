"""Values with their bootstrap intervals as columns of a table, and whether a difference is significant."""

from __future__ import annotations

from wordworth.measures.bootstrap import interval
from wordworth.measures.paired_changes import Change
from wordworth.measures.weighted_sums import Floats

YES, NO, UNKNOWN = "yes", "no", "cannot tell"
Value = tuple[float, Floats]
"""A value on the sample, and that in each bootstrap resample, float64 [draws]."""


def described(name: str, what: str) -> dict[str, str]:
    """Return descriptions of three columns of a table: a value, and the low and high end of its interval.

    Args:
        name: name of the value's column; the others are `{name}_low` and `{name}_high`.
        what: description of the value.
    """
    return {name: what, f"{name}_low": "of its 95 % interval, over texts", f"{name}_high": "of its 95 % interval"}


def value_columns(of: Value | None, name: str) -> dict[str, float | None]:
    """Return three columns of a table by name: a value, and the two ends of its 95 % interval.

    Args:
        of: the value, and its values in bootstrap resamples; with None all cells are None.
        name: name of the value's column; the others are `{name}_low` and `{name}_high`.
    """
    if of is None:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"))
    return {name: of[0], **interval(of[1]).columns(f"{name}_")}


def difference(first: Value, second: Value) -> Value:
    """Return the first value minus the second, in the sample and in each bootstrap resample.

    Both values must come from the same resamples.
    """
    return first[0] - second[0], first[1] - second[1]


def above_zero_verdict(change: Value, comparisons: int) -> str:
    """Return `yes` if a difference is significantly above 0, `no` if significantly below, else `cannot tell`.

    Args:
        change: the difference, and its value in each bootstrap resample.
        comparisons: number of comparisons by which the 5 % level is corrected (Bonferroni).
    """
    ends = Change(*change).corrected(comparisons)
    return YES if ends.low > 0 else NO if ends.high < 0 else UNKNOWN
