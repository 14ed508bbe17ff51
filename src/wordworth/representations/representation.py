"""`Representation`: texts in, features out; under the shared head it becomes a rung."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, Self

from wordworth.representations.feature_blocks import Features
from wordworth.representations.rung import Cost, Family, RunContext
from wordworth.tasks.task import Examples, Kind

__all__ = ["Features", "Representation"]


class Representation(Protocol):
    """A way of turning text into features that never sees a label.

    It may offer several *views* of the same texts (word or character n-grams, one layer or another); the head's
    selection protocol chooses among them on the training labels, in the same way for every rung.
    """

    @property
    def name(self) -> str:
        """A short name, unique on a ladder; the rung has the same."""
        ...

    @property
    def title(self) -> str:
        """The name that users see."""
        ...

    @property
    def family(self) -> Family:
        """The family of the rung."""
        ...

    @property
    def frozen(self) -> bool:
        """True if `fit` learns nothing, so that views of all texts are computed once and shared by every subset."""
        ...

    def kinds(self) -> frozenset[Kind]:
        """Return the kinds of task that it supports."""
        ...

    def fit(self, examples: Examples) -> Self:
        """Learn from the training texts alone (a vocabulary, document frequencies)."""
        ...

    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:
        """Return the features of each example under each view; a pair is one row (both texts and how they differ)."""
        ...

    def cost(self) -> Cost:
        """Return its size on disk, parameters and number of features."""
        ...
