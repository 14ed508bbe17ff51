"""What the numbers of a settings object can be, each kind of range with its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

Range = tuple[Sequence[str], Callable[[float], bool], str]
"""Names of fields, whether a value is one of theirs, and what to give."""


def out_of_range(settings: object, ranges: Sequence[Range]) -> Iterator[tuple[str, float, str]]:
    """Name, value and what to give in its place of each number that is out of its range; None is in every one."""
    for names, holds, mend in ranges:
        for name in names:
            value = getattr(settings, name)
            if value is not None and not holds(value):
                yield name, value, f"give {mend}"
