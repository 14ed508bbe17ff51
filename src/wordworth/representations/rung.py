"""The protocol of rungs: prepare a model on a task, fit it on a subset of the labels, predict.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not. The ladder is
the list of rungs, cheapest first.

    Rung ── prepare(task, run_context) ──► Learner ── fit(rows, rng) ──► Predictor ──► predict(rows)
            work done once                            one subset of labels             predict_texts(examples)

`Rung` and `Learner` are base classes with a default for most methods. Most rungs are a `Representation` (texts in,
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
from wordworth.models.cpu_inference import DtypeOption
from wordworth.progress import SILENT, Progress
from wordworth.tasks import task_types
from wordworth.tasks.task import Examples, Kind, Rows, Task
from wordworth.text.windows import LongTexts

if TYPE_CHECKING:
    from wordworth.worker_process import WorkerPool

Predictions = NDArray[np.float64] | tuple[NDArray[np.int64], ...]
"""single, pair: float64 [n, classes], the class is the largest score; multilabel: float64 [n, classes], a label is
predicted where its score is above 0; regression: float64 [n]; tags: one int64 [words] array per sentence."""


@dataclass(frozen=True, slots=True)
class RunContext:
    """The settings and services with which a rung is prepared on a task.

    Attributes:
        cache: stores arrays that take long to compute, such as encoder states.
        progress: receives progress and messages.
        threads: number of threads.
        seed: the seed of the study; every random generator is derived from it.
        long_texts: how an encoder reads a text longer than its window.
        dtype: dtype of an encoder's computation.
        device: where encoders compute and are trained: `cpu`, `cuda` or `auto`.
        workers: processes for long fits; None runs every fit in a thread of this process.
    """

    cache: ArrayCache = field(default_factory=ArrayCache)
    progress: Progress = SILENT
    threads: int = 2
    seed: int = 0
    long_texts: LongTexts = "window"
    dtype: DtypeOption = "auto"
    device: str = "cpu"
    workers: WorkerPool | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """The size and price of a rung, without its speed, which the study measures.

    Attributes:
        disk_bytes: size on disk, in bytes, of all that is needed to predict.
        parameters: number of learned or stored parameters (0 for a constant).
        num_features: number of features of a text in the widest view (feature set).
        price_per_million: price of embedding a million texts with a paid API, in the user's currency; 0 without one.
    """

    disk_bytes: int
    parameters: int
    num_features: int
    price_per_million: float = 0.0

    @classmethod
    def of_float32(cls, parameters: int, num_features: int) -> Cost:
        """Return the cost of a model that is stored in float32.

        Args:
            parameters: number of parameters.
            num_features: number of features of a text in the widest view (feature set).
        """
        return cls(4 * parameters, parameters, num_features)


@dataclass(frozen=True, slots=True)
class VocabularyCoverage:
    """How much of a set of texts a vocabulary covers.

    Attributes:
        num_units: number of words or subwords in the texts.
        unknown: number of words or subwords among these that the vocabulary lacks.
        blank: number of non-empty texts without a single known word or subword; they all get the same features.
        unit: what `num_units` counts: `words`, or `pieces` for subwords.
        words: number of words and punctuation marks in the texts; 0 where `num_units` counts words.
        characters: number of characters without white space; 0 where `num_units` counts words.
    """

    num_units: int
    unknown: int
    blank: int
    unit: Literal["words", "pieces"] = "words"
    words: int = 0
    characters: int = 0

    @property
    def share(self) -> float:
        """The share of the words or subwords that the vocabulary lacks; 0 if the texts are empty."""
        return self.unknown / self.num_units if self.num_units else 0.0

    @property
    def per_word(self) -> float:
        """The mean number of subwords per word; 0 where words are counted."""
        return self.num_units / self.words if self.words else 0.0

    @property
    def per_character(self) -> float:
        """The mean number of subwords per character; 0 where words are counted."""
        return self.num_units / self.characters if self.characters else 0.0


@runtime_checkable
class Predictor(Protocol):
    """A rung that was fitted on a subset of the labelled examples, and predicts."""

    @property
    def chosen(self) -> Mapping[str, object]:
        """The settings selected on the training rows (regularisation, layer, epochs), which a study's record lists."""
        ...

    def predict(self, rows: Rows) -> Predictions:
        """Return predictions for some rows of the task; features that `Rung.prepare` computed may be reused.

        Args:
            rows: int64 [n], indices of the task's rows.
        """
        ...

    def predict_texts(self, examples: Examples) -> Predictions:
        """Return predictions for new texts, with all features computed anew, so that latency can be measured."""
        ...


class Learner(ABC):
    """A rung prepared on a task, ready to be fitted on subsets of the task's labels.

    Subclasses define `fit` and `cost`; the other methods have defaults that suit most learners.
    """

    __slots__ = ()

    @abstractmethod
    def fit(self, rows: Rows, rng: np.random.Generator) -> Predictor:
        """Select settings and learn from the labels of some rows alone; return the predictor.

        Args:
            rows: int64 [n], the indices of the training rows.
            rng: source of randomness.
        """

    @abstractmethod
    def cost(self) -> Cost:
        """Return the size on disk, the number of parameters and the number of features."""

    def redraw(self, seed: int) -> Self:  # noqa: ARG002 - for learners with random features
        """Return the learner with its random features drawn anew.

        A learner without random features is returned unchanged.

        Args:
            seed: seed of the draw.
        """
        return self

    def without_texts(self, rows: Rows) -> Self:  # noqa: ARG002 - for learners that read texts when they are prepared
        """Return the learner as if it had been prepared without the texts of some rows.

        A learner that has learned from no texts is returned unchanged.

        Args:
            rows: int64 [n], indices of the task's rows.
        """
        return self

    def with_progress(self, report: Callable[[float], None]) -> Self:  # noqa: ARG002 - for slow learners
        """Return the same learner whose fits call `report` with the fraction of the fit done since the last call."""
        return self

    def fingerprint(self) -> str | None:
        """Return a hash of what decides a fit, such as weights and settings, apart from task, rows and randomness.

        Fits of an expensive rung are cached on disk under this hash, so that a stopped study can be resumed; if the
        hash is None, fits are not cached.
        """
        return None

    def exceeds_window(self, examples: Examples) -> NDArray[np.bool_]:
        """Return whether each example has a text longer than the encoder's window, bool [n]."""
        return np.zeros(len(examples), dtype=np.bool_)

    @property
    def max_tokens(self) -> int | None:
        """The number of tokens, special ones included, to which examples are truncated; None without truncation."""
        return None

    @property
    def truncation(self) -> str:
        """The beginning of the warning about truncated texts, up to the number of truncated texts."""
        return f"reads at most {self.max_tokens:,} tokens of a text: it saw only the beginning and the end of"

    def num_truncated(self, rows: Rows) -> int:  # noqa: ARG002 - for learners with `max_tokens`
        """Return how many of the task's `rows` are longer than `max_tokens`, the number of tokens that is read."""
        return 0

    def vocabulary_coverage(self, examples: Examples) -> VocabularyCoverage | None:  # noqa: ARG002 - for vocabularies
        """Return how many words or subwords of the examples the vocabulary lacks; None without a fixed vocabulary."""
        return None


class Rung(ABC):
    """A model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

    Attributes:
        is_baseline: whether the rung predicts without reading the text.
        slow: whether a fit takes minutes; studies then fit the rung on fewer sizes of training subsets, and on fewer
            random subsets of each size.
        by_name: whether a study includes the rung only where the user names it.
        assumed_run_sd: standard deviation of the score between training runs, as measured on other data sets, on the
            metric's scale of 0 to 1. This deviation is pooled with the deviation between the study's own runs; 0 uses
            the study's runs alone.
    """

    __slots__ = ()
    is_baseline: bool = False
    slow: bool = False
    by_name: bool = False
    assumed_run_sd: float = 0.0

    if TYPE_CHECKING:  # a dataclass would take inherited properties for the defaults of its fields

        @property
        def name(self) -> str:
            """A short name, unique on a ladder: `tfidf`, `glove`, `minilm`, `minilm-finetuned`."""

        @property
        def title(self) -> str:
            """The name that users see: `TF-IDF`, `MiniLM (frozen)`."""

        @property
        def family(self) -> str:
            """The kind of rung: constant, counts, random, static, frozen, hybrid, finetuned, or a new one."""

    @property
    def contextual(self) -> bool:
        """True if the features of a word depend on its context; rungs where it is False count as cheap."""
        return False

    @abstractmethod
    def kinds(self) -> frozenset[Kind]:
        """Return the names of the kinds of task that the rung supports, such as `classification`."""

    @abstractmethod
    def prepare(self, task: Task, run_context: RunContext) -> Learner:
        """Do the work that is done once and needs no labels, such as embedding every text, and return the learner."""

    def is_expensive(self, kind: Kind) -> bool:
        """Return True if a fit on tasks of this kind takes seconds or minutes: for slow rungs, and for taggers.

        The baseline is never expensive.
        """
        return self.slow or (task_types.get(kind).labels_words and not self.is_baseline)
