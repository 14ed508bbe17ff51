"""Settings objects from keyword choices, and the ranges of their numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import chain
from typing import Any

from wordworth.errors import BadInput, nearest

Range = tuple[Sequence[str], Callable[[float], bool], str]
"""Names of fields, the test that a value must pass, and the values that pass, in words."""


def out_of_range(settings: object, ranges: Sequence[Range]) -> Iterator[tuple[str, float, str]]:
    """Yield (name, value, how to mend it) for each number that is out of its range; None passes every test."""
    for names, holds, mend in ranges:
        for name in names:
            value = getattr(settings, name)
            if value is not None and not holds(value):
                yield name, value, f"give {mend}"


def split_settings(
    choices: Mapping[str, Any],
    *classes: Any,  # noqa: ANN401 - dataclass types
    others: Collection[str] = (),
) -> tuple[dict[str, Any], ...]:
    """Distribute keyword choices over the settings classes that have a field of their name; lists become tuples.

    Args:
        choices: by name.
        classes: dataclasses.
        others: further names that may be chosen.

    Returns:
        The choices of each class, then those of `others`.

    Raises:
        BadInput: no class has a field of that name.
    """
    groups = [*([field.name for field in fields(each)] for each in classes), list(others)]
    known = list(chain(*groups))
    unknown = choices.keys() - set(known)
    if unknown:
        raise BadInput(f"no setting {min(unknown)!r}", mend=nearest(min(unknown), known))
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in choices.items()}
    return tuple({name: value for name, value in values.items() if name in group} for group in groups)
