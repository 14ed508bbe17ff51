"""`Representation`: turns texts into features, from which a head (an estimator such as logistic regression) learns.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
The ladder is the list of rungs, cheapest first.
"""

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
    """A text representation: turns texts into features, without labels.

    A representation may offer several *views* (alternative feature sets) of the same texts, such as word or character
    n-grams, or different layers. The head selects among the views by cross-validation on the training labels, in the
    same way for every rung.

    Attributes:
        contextual: whether the features of a word depend on its context.
        frozen: True if `fit` learns nothing, so that the views of all texts are computed once for all subsets.
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
            """The name that users see: `TF-IDF + linear`, `MiniLM (frozen)`."""

        @property
        def family(self) -> str:
            """The kind of rung: constant, counts, random, static, frozen, hybrid, finetuned, or a new one."""

    @abstractmethod
    def kinds(self) -> frozenset[Kind]:
        """Return the names of the kinds of task that the representation supports, such as `classification`."""

    @abstractmethod
    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:
        """Return the examples' features: name of a view (feature set) -> matrix, a row per example (text or pair).

        The first view is the usual one: the head selects another only if that scores clearly higher.
        """

    @abstractmethod
    def cost(self) -> Cost:
        """Return the size on disk, the number of parameters and the number of features."""

    def fit(self, examples: Examples) -> Self:  # noqa: ARG002 - for those that learn
        """Return a copy with what it learned from training texts, such as document frequencies; by default `self`."""
        return self

    def prepare(self, examples: Examples) -> Self:  # noqa: ARG002 - for those that learn
        """Return a copy that stores what can be computed from the texts before `fit`; by default `self`."""
        return self

    def forget(self) -> Self:
        """Return a copy without the results of `prepare`, so that their computation can be timed; by default `self`."""
        return self

    def exceeds_window(self, examples: Examples) -> NDArray[np.bool_]:
        """Return whether each example has a text longer than the encoder's window, bool [n]."""
        return np.zeros(len(examples), dtype=np.bool_)

    def vocabulary_coverage(self, examples: Examples) -> VocabularyCoverage | None:  # noqa: ARG002 - for vocabularies
        """Return how many words or subwords of the examples the vocabulary lacks; None without a fixed vocabulary."""
        return None
