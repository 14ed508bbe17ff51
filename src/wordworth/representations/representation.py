"""`Representation`: texts in, features out; under the shared head it becomes a rung."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Features
from wordworth.representations.rung import Cost, RunContext, VocabularyCoverage
from wordworth.tasks.task import Examples, Kind

__all__ = ["Features", "Representation"]


class Representation(ABC):
    """A way of turning text into features that never sees a label.

    It may offer several *views* of the same texts (word or character n-grams, one layer or another); the head's
    selection protocol chooses among them on the training labels, in the same way for every rung.

    Attributes:
        contextual: whether it reads a word in its context.
        frozen: True if `fit` learns nothing, so that views of all texts are computed once and shared by every subset.
    """

    __slots__ = ()
    contextual: bool = False
    frozen: bool = True

    if TYPE_CHECKING:  # a dataclass would take inherited properties for the defaults of its fields

        @property
        def name(self) -> str:
            """A short name, unique on a ladder: `tfidf`, `glove`, `minilm`, `minilm-finetuned`."""

        @property
        def title(self) -> str:
            """The name that users see: `TF-IDF + linear`, `MiniLM, frozen`."""

        @property
        def family(self) -> str:
            """The kind of rung: constant, counts, random, static, frozen, hybrid, finetuned, or a new one."""

    @abstractmethod
    def kinds(self) -> frozenset[Kind]:
        """Return the kinds of task that it supports."""

    @abstractmethod
    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:
        """Return the features of each example under each view; a pair is one row (both texts and how they differ)."""

    @abstractmethod
    def cost(self) -> Cost:
        """Return its size on disk, parameters and number of features."""

    def fit(self, examples: Examples) -> Self:  # noqa: ARG002 - for those that learn
        """Learn from the training texts alone (a vocabulary, document frequencies)."""
        return self

    def prepare(self, examples: Examples) -> Self:  # noqa: ARG002 - for those that learn
        """Return the same representation with all work on these texts done that `fit` does not change."""
        return self

    def forget(self) -> Self:
        """Return the same representation without the prepared texts, so that their whole path can be timed."""
        return self

    def exceeds_window(self, examples: Examples) -> NDArray[np.bool_]:
        """Return bool [n]: the examples with a text longer than its encoder reads at once; none without an encoder."""
        return np.zeros(len(examples), dtype=np.bool_)

    def vocabulary_coverage(self, examples: Examples) -> VocabularyCoverage | None:  # noqa: ARG002 - for vocabularies
        """Return how much of the examples its vocabulary covers; None if it has none, or one that covers any text."""
        return None
