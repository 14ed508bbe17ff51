"""Range checks for the numbers of a settings object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

Range = tuple[Sequence[str], Callable[[float], bool], str]
"""Names of fields, the test that a value must pass, and the values that pass, in words."""


def out_of_range(settings: object, ranges: Sequence[Range]) -> Iterator[tuple[str, float, str]]:
    """Yield (name, value, how to mend it) for each number that is out of its range; None passes every test."""
    for names, holds, mend in ranges:
        for name in names:
            value = getattr(settings, name)
            if value is not None and not holds(value):
                yield name, value, f"give {mend}"
