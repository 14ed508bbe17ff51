"""The one protocol of the ladder: what a study may ask of any way of turning text into predictions.

    Rung ── open(task, run_context) ──► Learner ── fit(rows, rng) ──► Predictor ── predict(rows), answer(examples)
            once-only work               one subset of labels             scores for rows, or for new texts

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
given where its score is above 0; regression: float64 [n]; tags: one int64 [words] array a sentence."""


@dataclass(frozen=True, slots=True)
class RunContext:
    """What a rung works with: where to keep arrays, whom to tell, how many threads, and the run's seed.

    `long_texts` is how an encoder reads a text longer than it reads at once: in windows, or its beginning alone.
    """

    cache: ArrayCache = field(default_factory=ArrayCache)
    progress: Progress = SILENT
    threads: int = 2
    seed: int = 0
    long_texts: LongTexts = "window"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a rung weighs, apart from the time that the study measures itself.

    Attributes:
        disk_bytes: what must be shipped for it to answer.
        parameters: learned or stored numbers (0 for a constant).
        num_features: features a text is turned into, the largest of its views.
        price_per_million: what a million texts cost to embed elsewhere (a paid API), in the user's currency; 0 at home.
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
        """Predictions for rows of the task, from features computed once."""
        ...

    def answer(self, examples: Examples) -> Predictions:
        """Predictions for new texts, the whole path from characters on: what latency is measured on."""
        ...


@runtime_checkable
class Learner(Protocol):
    """A rung whose once-only work on a task is done."""

    def fit(self, rows: Rows, rng: np.random.Generator) -> Predictor:
        """Learn from the labels of `rows` and nothing else; every choice is made inside them."""
        ...

    def cost(self) -> Cost:
        """What it weighs."""
        ...


@runtime_checkable
class Drawn(Protocol):
    """A learner that may read by chance (random vectors), to be drawn anew for every draw of the labels."""

    def drawn(self, seed: int) -> Learner:
        """The learner of the study's draw `seed`; of draw 0, or where nothing is left to chance, itself."""
        ...


@runtime_checkable
class Watched(Protocol):
    """A learner whose fits take minutes, and can say on the way how far they are."""

    def watched(self, told: Callable[[float], None]) -> Learner:
        """The same learner; its fits tell what share of one was done since they last told."""
        ...


@runtime_checkable
class Fingerprinted(Protocol):
    """A learner whose fits may be kept on disk, so that a study that was stopped goes on where it was."""

    def fingerprint(self) -> str | None:
        """A key of all that decides a fit besides task, rows and generator (weights, settings); None: do not keep."""
        ...


@runtime_checkable
class Windowed(Protocol):
    """A learner or representation that reads only so many tokens at once."""

    def beyond_window(self, examples: Examples) -> NDArray[np.bool_]:
        """Bool [n]: the examples with a text longer than its window."""
        ...


@runtime_checkable
class Cutting(Protocol):
    """A learner that reads of a long text only the beginning and the end."""

    @property
    def limit(self) -> int:
        """Tokens of a text (or pair) at most, special ones included."""
        ...

    def cut(self, rows: Rows) -> int:
        """How many of these rows of the task are longer."""
        ...


@dataclass(frozen=True, slots=True)
class VocabularyCoverage:
    """How much of some texts a vocabulary holds.

    Attributes:
        pieces: what the texts were split into: words, or pieces of words.
        unknown: how many of them the vocabulary lacks; nothing is known of these but that something stood there.
        blank: texts of which it holds nothing at all; they all look alike.
        unit: what `pieces` counts.
    """

    pieces: int
    unknown: int
    blank: int
    unit: Literal["words", "pieces"] = "words"

    @property
    def share(self) -> float:
        """Unknown pieces among all, 0 where there are none."""
        return self.unknown / self.pieces if self.pieces else 0.0


@runtime_checkable
class Literate(Protocol):
    """A learner or representation that reads by a vocabulary of its own, and may not know the texts' language."""

    def literacy(self, examples: Examples) -> VocabularyCoverage | None:
        """How much of the examples it can read; None where the question does not apply."""
        ...


@runtime_checkable
class Rung(Protocol):
    """One way of turning text into predictions."""

    @property
    def name(self) -> str:
        """Short and unique on a ladder: `tfidf`, `glove`, `minilm`, `minilm-finetuned`."""
        ...

    @property
    def title(self) -> str:
        """What a person calls it: `TF-IDF + linear`, `MiniLM, frozen`."""
        ...

    @property
    def family(self) -> Family:
        """What kind of rung it is."""
        ...

    def kinds(self) -> frozenset[Kind]:
        """The kinds of task it can do."""
        ...

    def open(self, task: Task, run_context: RunContext) -> Learner:
        """Do the work that needs no labels and is done once (embedding every text)."""
        ...
