"""`Answers`: the scores that each method gives the options of each item, and whether the method's choice is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Floats, Integers
from wordworth.studies.commonsense.items import Choice, ChoiceSet

Scores = Sequence[Floats | None]
"""For each item the scores of its options, float64 [options]; None if the method cannot score the item."""
UNANSWERED = -1


@dataclass(frozen=True, slots=True)
class Answers:
    """The scores that each method gives the options of a data set's items.

    Attributes:
        items: the data set.
        own: name of a method -> its scores with the model that is tested; simple rules that need no model are methods
            too.
        random: name of a method -> its scores with a model of the same shape that has random weights; methods that are
            not run with random weights are left out.
        without_model: names of the methods in `own` that are a simple rule, or a control that ignores the context.
    """

    items: ChoiceSet
    own: Mapping[str, Scores]
    random: Mapping[str, Scores]
    without_model: frozenset[str]

    def right(self, method: str, *, random: bool = False) -> Integers:
        """Return for each item whether a method chooses the right option, int64 [items].

        The value is 1 if it does, 0 if it does not, and `UNANSWERED` if the method does not score the item.

        Args:
            method: name of the method.
            random: True to use the scores of the model with random weights.
        """
        scores = (self.random if random else self.own)[method]
        return np.array([_right(item, each) for item, each in zip(self.items.items, scores, strict=True)], np.int64)


def chosen(scores: Floats) -> int | None:
    """Return the index of the option with the highest score; None if several share this score, or a score is NaN.

    Args:
        scores: float64 [options].
    """
    if np.isnan(scores).any():
        return None
    best = np.flatnonzero(scores == scores.max())
    return int(best[0]) if len(best) == 1 else None


def _right(item: Choice, scores: Floats | None) -> int:
    return UNANSWERED if scores is None else int(chosen(scores) == item.answer)
