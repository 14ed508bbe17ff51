"""Predictions found by id, or by their order: none missing, none too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from wordworth.errors import BadInput

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class ExpectedIds:
    """What predictions are asked for: the part's name as a reader reads it, and its examples' ids in order."""

    title: str
    ids: tuple[str, ...]


def by_id(asked: ExpectedIds, given: Mapping[str, Value], where: str) -> list[Value]:
    """The predictions in the order of the part.

    Raises:
        BadInput: an id is missing, or is none of the part's.
    """
    known = set(asked.ids)
    strange = [name for name in given if name not in known]
    if strange:
        what = f"{_some(strange, 'id', 'ids')} that {asked.title} does not have"
        raise BadInput(what, where=where, mend="give predictions for this very part, with its own ids")
    missing = [name for name in asked.ids if name not in given]
    if missing:
        what = f"{_some(missing, 'id', 'ids')} of {asked.title} without a prediction"
        raise BadInput(what, where=where, mend=f"give one for each of its {len(asked.ids):,} examples")
    return [given[name] for name in asked.ids]


def in_order(asked: ExpectedIds, given: Sequence[Value], where: str) -> list[Value]:
    """The predictions as they stand.

    Raises:
        BadInput: there are more or fewer than examples.
    """
    if len(given) != len(asked.ids):
        what = f"{len(given):,} predictions where {asked.title} has {len(asked.ids):,} examples"
        raise BadInput(what, where=where, mend="give one for each, in the order of the part")
    return list(given)


def unique(names: Sequence[str], where: str) -> None:
    """Refuse ids that stand twice.

    Raises:
        BadInput: one does; names it.
    """
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise BadInput(f"{_some(twice, 'id', 'ids')} twice", where=where, mend="give one prediction an id")


def _some(names: Sequence[str], one: str, many: str) -> str:
    shown = ", ".join(map(repr, names[:3])) + (", ..." if len(names) > 3 else "")  # noqa: PLR2004 - a line's worth
    return f"{len(names):,} {one if len(names) == 1 else many} ({shown})"
