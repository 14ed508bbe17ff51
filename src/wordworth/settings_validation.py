"""Distribute keyword choices over settings classes, and check that their numbers are in range."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import chain
from typing import Any

from wordworth.errors import BadInput, nearest

Range = tuple[Sequence[str], Callable[[float], bool], str]
"""Names of fields, the test that a value must pass, and the values that pass, in words."""


def out_of_range(settings: object, ranges: Sequence[Range]) -> Iterator[tuple[str, float, str]]:
    """Yield (field name, value, how to mend the value) for each number out of its range; None passes every test."""
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
        choices: name of a field -> the chosen value.
        classes: the settings classes (dataclasses).
        others: further names that `choices` may contain.

    Returns:
        One dict of choices for each class in order, then the dict of the choices named in `others`.

    Raises:
        BadInput: a choice is neither a field of a class nor among `others`.
    """
    groups = [*([field.name for field in fields(each)] for each in classes), list(others)]
    known = list(chain(*groups))
    unknown = choices.keys() - set(known)
    if unknown:
        raise BadInput(f"no setting {min(unknown)!r}", mend=nearest(min(unknown), known))
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in choices.items()}
    return tuple({name: value for name, value in values.items() if name in group} for group in groups)
