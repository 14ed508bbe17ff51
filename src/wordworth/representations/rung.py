"""The protocol of the ladder: what a study needs of any way of turning text into predictions.

    Rung ── open(task, run_context) ──► Learner ── fit(rows, rng) ──► Predictor ── predict(rows), answer(examples)
            work done once               one subset of labels             scores for rows, or for new texts

Most rungs are a `Representation` (texts in, features out) under the shared head; see `representation.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from wordworth.array_cache import ArrayCache
from wordworth.progress import SILENT, Progress
from wordworth.tasks.task import Examples, Kind, Rows, Task
from wordworth.text.windows import LongTexts

Family = Literal["constant", "counts", "random", "static", "frozen", "hybrid", "finetuned"]
CONTEXTUAL: frozenset[Family] = frozenset({"frozen", "hybrid", "finetuned"})
"""The families that read a word in its context; the others are cheap."""
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


@runtime_checkable
class Learner(Protocol):
    """A rung opened on a task, its one-time work done."""

    def fit(self, rows: Rows, rng: np.random.Generator) -> Predictor:
        """Learn from the labels of `rows` and nothing else; every choice is made inside them."""
        ...

    def cost(self) -> Cost:
        """Return its size on disk, parameters and number of features."""
        ...


@runtime_checkable
class Drawn(Protocol):
    """A learner whose features may be random (random vectors), to be drawn anew for every draw of the labels."""

    def drawn(self, seed: int) -> Learner:
        """Return the learner of the study's draw `seed`; for draw 0, or if nothing is random, itself."""
        ...


@runtime_checkable
class Watched(Protocol):
    """A learner whose fits take minutes, and can report their progress."""

    def watched(self, told: Callable[[float], None]) -> Learner:
        """Return the same learner; its fits report to `told` the fraction of a fit done since the last report."""
        ...


@runtime_checkable
class Fingerprinted(Protocol):
    """A learner whose fits may be cached on disk, so that a study that was stopped can be resumed."""

    def fingerprint(self) -> str | None:
        """Return a key of what decides a fit besides task, rows and generator (weights, settings); None: not cached."""
        ...


@runtime_checkable
class Windowed(Protocol):
    """A learner or representation that reads a limited number of tokens at once."""

    def beyond_window(self, examples: Examples) -> NDArray[np.bool_]:
        """Return bool [n]: the examples with a text longer than its window."""
        ...


@runtime_checkable
class Cutting(Protocol):
    """A learner that reads only the beginning and the end of a long text."""

    @property
    def limit(self) -> int:
        """Most tokens of a text (or pair), special ones included."""
        ...

    def cut(self, rows: Rows) -> int:
        """Return how many of these rows of the task are longer."""
        ...


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
class Literate(Protocol):
    """A learner or representation with a vocabulary of its own, which may not cover the texts' language."""

    def literacy(self, examples: Examples) -> VocabularyCoverage | None:
        """Return how much of the examples it can read, or None if it has no vocabulary."""
        ...


@runtime_checkable
class Rung(Protocol):
    """One way of turning text into predictions."""

    @property
    def name(self) -> str:
        """A short name, unique on a ladder: `tfidf`, `glove`, `minilm`, `minilm-finetuned`."""
        ...

    @property
    def title(self) -> str:
        """The name that users see: `TF-IDF + linear`, `MiniLM, frozen`."""
        ...

    @property
    def family(self) -> Family:
        """The family of the rung."""
        ...

    def kinds(self) -> frozenset[Kind]:
        """Return the kinds of task that it can do."""
        ...

    def open(self, task: Task, run_context: RunContext) -> Learner:
        """Do the work that needs no labels and is done once (embedding every text)."""
        ...
