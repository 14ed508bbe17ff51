"""What each method chooses for the items of a set, and whether that is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Floats, Integers
from wordworth.studies.commonsense.items import Choice, ChoiceSet

Scores = Sequence[Floats | None]
"""For each item the score of each option, float64 [options]; None where the method has none."""
UNANSWERED = -1


@dataclass(frozen=True, slots=True)
class Answers:
    """The scores of a set's items by each method.

    Attributes:
        items: the items.
        own: by method, of the model, or of a rule that needs no model.
        random: by method, of a model of its shape with random weights; methods without such a twin are not in it.
        without_model: the methods that are a rule or a control.
    """

    items: ChoiceSet
    own: Mapping[str, Scores]
    random: Mapping[str, Scores]
    without_model: frozenset[str]

    def right(self, method: str, *, random: bool = False) -> Integers:
        """Return for each item whether a method is right, int64 [items]: 1, 0, or `UNANSWERED`."""
        scores = (self.random if random else self.own)[method]
        return np.array([_right(item, each) for item, each in zip(self.items.items, scores, strict=True)], np.int64)


def chosen(scores: Floats) -> int | None:
    """Return the number of the option with the highest score; None where several have it or a score is no number."""
    if np.isnan(scores).any():
        return None
    best = np.flatnonzero(scores == scores.max())
    return int(best[0]) if len(best) == 1 else None


def _right(item: Choice, scores: Floats | None) -> int:
    return UNANSWERED if scores is None else int(chosen(scores) == item.answer)
