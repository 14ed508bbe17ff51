"""The protocol of the ladder: what a study needs of any way of turning text into predictions.

    Rung ── open(task, run_context) ──► Learner ── fit(rows, rng) ──► Predictor ── predict(rows), answer(examples)
            work done once               one subset of labels             scores for rows, or for new texts

`Rung` and `Learner` are base classes: what most rungs do is their default. Most rungs are a `Representation` (texts in,
features out) under the shared head; see `representation.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from wordworth.array_cache import ArrayCache
from wordworth.progress import SILENT, Progress
from wordworth.tasks import task_types
from wordworth.tasks.task import Examples, Kind, Rows, Task
from wordworth.text.windows import LongTexts

Predictions = NDArray[np.float64] | tuple[NDArray[np.int64], ...]
"""single, pair: float64 [n, classes], the class is the largest score; multilabel: float64 [n, classes], a label is
predicted where its score is above 0; regression: float64 [n]; tags: one int64 [words] array per sentence."""


@dataclass(frozen=True, slots=True)
class RunContext:
    """The environment of a rung: array cache, progress, number of threads, and the run's seed.

    `long_texts` is how an encoder reads a text longer than its window: in several windows, or its beginning alone.
    """

    cache: ArrayCache = field(default_factory=ArrayCache)
    progress: Progress = SILENT
    threads: int = 2
    seed: int = 0
    long_texts: LongTexts = "window"


@dataclass(frozen=True, slots=True)
class Cost:
    """The size of a rung; the study measures time itself.

    Attributes:
        disk_bytes: what must be shipped for it to predict.
        parameters: learned or stored numbers (0 for a constant).
        num_features: features of a text, in the largest of its views.
        price_per_million: price of embedding a million texts elsewhere (a paid API), in the user's currency; 0 if done
            here.
    """

    disk_bytes: int
    parameters: int
    num_features: int
    price_per_million: float = 0.0


@dataclass(frozen=True, slots=True)
class VocabularyCoverage:
    """How much of some texts a vocabulary covers.

    Attributes:
        pieces: number of words or subwords that the texts were split into.
        unknown: how many of them the vocabulary lacks; only their presence is known.
        blank: number of texts of which it covers nothing at all; they all look alike.
        unit: what `pieces` counts.
    """

    pieces: int
    unknown: int
    blank: int
    unit: Literal["words", "pieces"] = "words"

    @property
    def share(self) -> float:
        """Fraction of pieces that are unknown, 0 if there are none."""
        return self.unknown / self.pieces if self.pieces else 0.0


@runtime_checkable
class Predictor(Protocol):
    """A rung fitted on some rows."""

    @property
    def chosen(self) -> Mapping[str, object]:
        """What was selected on the training rows (regularisation, layer, epochs), for the record."""
        ...

    def predict(self, rows: Rows) -> Predictions:
        """Return predictions for rows of the task, from features computed once."""
        ...

    def answer(self, examples: Examples) -> Predictions:
        """Return predictions for new texts, the whole path from characters on; latency is measured with it."""
        ...


class Learner(ABC):
    """A rung opened on a task, its one-time work done.

    `fit` and `cost` must be defined; the other methods say what is true of most learners.
    """

    __slots__ = ()

    @abstractmethod
    def fit(self, rows: Rows, rng: np.random.Generator) -> Predictor:
        """Learn from the labels of `rows` and nothing else; every choice is made inside them."""

    @abstractmethod
    def cost(self) -> Cost:
        """Return its size on disk, parameters and number of features."""

    def redraw(self, seed: int) -> Self:  # noqa: ARG002 - for learners with random features
        """Return the learner of the study's draw `seed`; itself, unless its features are random and `seed` is not 0."""
        return self

    def with_progress(self, report: Callable[[float], None]) -> Self:  # noqa: ARG002 - for slow learners
        """Return the same learner; its fits report to `report` the fraction of a fit done since the last report."""
        return self

    def fingerprint(self) -> str | None:
        """Return a key of what decides a fit besides task, rows and generator (weights, settings).

        Fits of an expensive rung are cached on disk under it, so that a study that was stopped can be resumed. They are
        not cached if it is None.
        """
        return None

    def exceeds_window(self, examples: Examples) -> NDArray[np.bool_]:
        """Return bool [n]: the examples with a text longer than its encoder reads at once; none without an encoder."""
        return np.zeros(len(examples), dtype=np.bool_)

    @property
    def max_tokens(self) -> int | None:
        """Most tokens of a text (or pair) that are read, special ones included; None if texts are read to their end."""
        return None

    def num_truncated(self, rows: Rows) -> int:  # noqa: ARG002 - for learners with `max_tokens`
        """Return how many of these rows of the task are longer than `max_tokens`."""
        return 0

    def vocabulary_coverage(self, examples: Examples) -> VocabularyCoverage | None:  # noqa: ARG002 - for vocabularies
        """Return how much of the examples its vocabulary covers; None if it has none, or one that covers any text."""
        return None


class Rung(ABC):
    """One way of turning text into predictions.

    Attributes:
        is_baseline: whether it predicts without reading the text.
        slow: whether a fit takes minutes: then it learns at fewer sizes, from fewer draws of the labels.
        assumed_run_sd: standard deviation between runs, on the metric's scale, that is assumed where only one was made.
    """

    __slots__ = ()
    is_baseline: bool = False
    slow: bool = False
    assumed_run_sd: float = 0.0

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

    @property
    def contextual(self) -> bool:
        """True if it reads a word in its context; other rungs are cheap."""
        return False

    @abstractmethod
    def kinds(self) -> frozenset[Kind]:
        """Return the kinds of task that it can do."""

    @abstractmethod
    def open(self, task: Task, run_context: RunContext) -> Learner:
        """Do the work that needs no labels and is done once (embedding every text)."""

    def is_expensive(self, kind: Kind) -> bool:
        """Whether a fit takes seconds or minutes on tasks of this kind, as that of every tagger that learns does."""
        return self.slow or (task_types.get(kind).labels_words and not self.is_baseline)
