"""Match predictions with examples, by id or by order, so that each example has exactly one prediction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from wordworth.errors import BadInput
from wordworth.sentence_formatting import count_of

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class ExpectedIds:
    """The examples of a data set's part for which a file must hold predictions.

    Attributes:
        title: the name of the part, as users read it.
        ids: the examples' ids, in order.
    """

    title: str
    ids: tuple[str, ...]


def by_id(expected: ExpectedIds, predictions: Mapping[str, Value], where: str) -> list[Value]:
    """Return the predictions of a file with ids, in the order of the part's examples.

    Args:
        expected: the ids of the part's examples.
        predictions: id -> prediction.
        where: the file, for errors.

    Raises:
        BadInput: an example has no prediction, or an id does not belong to the part.
    """
    known = set(expected.ids)
    strange = [name for name in predictions if name not in known]
    if strange:
        what = f"{_count_and_list(strange)} that {expected.title} does not have"
        raise BadInput(what, where=where, mend="give predictions for this very part, with its own ids")
    missing = [name for name in expected.ids if name not in predictions]
    if missing:
        what = f"{_count_and_list(missing)} of {expected.title} without a prediction"
        raise BadInput(what, where=where, mend=f"give one for each of its {len(expected.ids):,} examples")
    return [predictions[name] for name in expected.ids]


def in_order(expected: ExpectedIds, predictions: Sequence[Value], where: str) -> list[Value]:
    """Return the predictions of a file without ids, after checking that their number is the number of examples.

    The predictions must be in the order of the part's examples, which cannot be checked.

    Args:
        expected: the ids of the part's examples.
        predictions: the predictions of the file, in order.
        where: the file, for errors.

    Raises:
        BadInput: there are more or fewer predictions than examples.
    """
    if len(predictions) != len(expected.ids):
        what = f"{len(predictions):,} predictions where {expected.title} has {len(expected.ids):,} examples"
        raise BadInput(what, where=where, mend="give one for each, in the order of the part")
    return list(predictions)


def unique(names: Sequence[str], where: str) -> None:
    """Check that no two predictions of a file have the same id.

    Args:
        names: the ids in the file.
        where: the file, for errors.

    Raises:
        BadInput: an id occurs twice; the error names the id.
    """
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise BadInput(f"{_count_and_list(twice)} twice", where=where, mend="give one prediction for each id")


def _count_and_list(names: Sequence[str]) -> str:
    examples = ", ".join(map(repr, names[:3])) + (", ..." if len(names) > 3 else "")  # noqa: PLR2004 - a line's worth
    return f"{count_of(len(names), 'id')} ({examples})"
