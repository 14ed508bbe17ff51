"""Sentences that come again: a panel where they matter, a sentence where they do not."""

from __future__ import annotations

from collections.abc import Iterator

from wordworth.reports.context.view import View
from wordworth.reports.number_format import finite

NAME = "self_similarity_repeated"
_SEEN = 0.005
"""Two curves that lie nearer than this everywhere are one to the eye."""


def of_no_matter(view: View) -> set[str]:
    """The measure with repetitions left in, where it says what the one without them says."""
    rows = [row for row in view.layers if row["measure"] == NAME]
    pairs = [(finite(row["value"]), finite(row["null"])) for row in rows]
    apart = (abs(value - null) > _SEEN for value, null in pairs if value is not None and null is not None)
    return set() if any(apart) else {NAME}


def told(view: View) -> Iterator[str]:
    """That nothing repeats, or that it does not matter; nothing where it has its panel."""
    given, read = finite(view.data.get("given")), finite(view.data["sentences"])
    if given is None or read is None or not of_no_matter(view):
        return
    if given == read:
        yield "No sentence comes twice."
    else:
        yield f"{given - read:,.0f} of {given:,.0f} sentences repeat another; with them the curves are the same."
