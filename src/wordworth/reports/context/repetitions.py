"""Repeated sentences: a panel where they matter, a sentence where they do not."""

from __future__ import annotations

from collections.abc import Iterator

from wordworth.reports.context.view import View
from wordworth.reports.number_format import finite

NAME = "self_similarity_repeated"
_SEEN = 0.005
"""Two curves that are closer than this everywhere look like one."""


def of_no_matter(view: View) -> set[str]:
    """The measure with repetitions left in, if its curves equal those without."""
    rows = [row for row in view.layers if row["measure"] == NAME]
    pairs = [(finite(row["value"]), finite(row["null"])) for row in rows]
    apart = (abs(value - null) > _SEEN for value, null in pairs if value is not None and null is not None)
    return set() if any(apart) else {NAME}


def told(view: View) -> Iterator[str]:
    """A sentence if nothing repeats or repetitions do not matter; nothing if they have their own panel."""
    total, read = finite(view.data.get("given")), finite(view.data["sentences"])
    if total is None or read is None or not of_no_matter(view):
        return
    if total == read:
        yield "No sentence is repeated."
    else:
        yield f"{total - read:,.0f} of {total:,.0f} sentences repeat another; with them the curves are the same."
