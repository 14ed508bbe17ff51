"""A representation under a head is a rung: features are computed once (or once per subset), heads on every subset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.array_cache import ArrayCache
from wordworth.files import content_key
from wordworth.progress import SILENT
from wordworth.representations.feature_blocks import Blocks, Features
from wordworth.representations.heads.base import Chosen, FittedHead, Head, Target, Views, word_rows
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.lazy_views import SingleFlight, take_rows
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, Learner, Predictions, RunContext, Rung, VocabularyCoverage
from wordworth.tasks import task_types
from wordworth.tasks.task import Examples, Kind, Rows, Task
from wordworth.tasks.task_types import todays_names
from wordworth.text_format import inline_title

_BYTES_A_WEIGHT = 4


class NoCache(ArrayCache):
    """Computes every array: the cost of new texts is measured with it."""

    def array(self, key: str, compute: Callable[[], np.ndarray]) -> np.ndarray:  # noqa: ARG002 - an ArrayCache
        """Return what `compute` returns."""
        return compute()


@dataclass(frozen=True, slots=True)
class RepresentationRung(Rung):
    """A rung from a representation and a head (the linear one unless another is given)."""

    representation: Representation
    head: Head = field(default_factory=LinearHead)

    @property
    def name(self) -> str:
        """The representation's name."""
        return self.representation.name

    @property
    def title(self) -> str:
        """The representation's title."""
        return self.representation.title

    @property
    def family(self) -> str:
        """The representation's family."""
        return self.representation.family

    @property
    def contextual(self) -> bool:
        """Whether the representation reads words in their context."""
        return self.representation.contextual

    def kinds(self) -> frozenset[Kind]:
        """Return the kinds of task that both the representation and the head can do."""
        return todays_names(self.representation.kinds()) & todays_names(self.head.kinds)

    def open(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Compute the views of every text of the task, or as much as can be before a subset is known."""
        representation = self.representation
        if representation.frozen:
            return RepresentationLearner(
                task, run_context, representation, self.head, representation.views(task.examples, run_context)
            )
        with run_context.progress.step(f"counting for {inline_title(representation.title)}"):
            representation = representation.prepare(task.examples)
        return RepresentationLearner(task, run_context, representation, self.head)


@dataclass(frozen=True, slots=True)
class _FitCache:
    """A learner's choices and predictors: the subsets of a study are nested, so the same fits recur.

    Attributes:
        choices: by the rows that the choice is made on; with all labels, the draws share one.
        predictors: by rows and choice, the last few.
    """

    choices: SingleFlight[Chosen] = field(default_factory=SingleFlight)
    predictors: SingleFlight[RepresentationPredictor] = field(default_factory=lambda: SingleFlight(2))


@dataclass(frozen=True, slots=True)
class RepresentationLearner(Learner):
    """A representation opened on a task.

    Attributes:
        views: of all its texts, if the representation is frozen.
        draw: returns the learner of another draw, if the features are random.
        without: returns the representation as if it had not read the texts of some rows, if it is frozen but was made
            from training texts.
    """

    task: Task
    run_context: RunContext
    representation: Representation
    head: Head
    views: Mapping[str, Features] | None = None
    draw: Callable[[int], RepresentationLearner] | None = None
    without: Callable[[Rows], Representation] | None = None
    memory: _FitCache = field(default_factory=_FitCache, compare=False, repr=False)

    def redraw(self, seed: int) -> RepresentationLearner:
        """Return the learner of the study's draw `seed`: this one, unless its features are random."""
        return self if self.draw is None or seed == 0 else self.draw(seed)

    def fit(self, rows: Rows, rng: np.random.Generator) -> RepresentationPredictor:
        """Choose by cross-validation inside the rows (the first ones, if the head has a limit), then learn from all.

        The choice depends only on the set of those rows and the run context's seed, as does the fitted head if it draws
        no random numbers: neither the order of rows nor that of calls matters.
        """
        choice = self._choice(np.sort(rows[: self.head.max_selection_items]))
        if self.head.is_stochastic:
            return self._learned(rows, choice, rng)
        rows = np.sort(rows)
        return self.memory.predictors.get((rows.tobytes(), choice), lambda: self._learned(rows, choice, rng))

    def fold(self, training: Rows, held_out: Rows) -> tuple[Views, Views]:
        """Return the views of rows `training` and `held_out`, by a representation that has not read the latter."""
        if self.without is None:
            fitted = self._fitted(training)
        else:
            fitted = replace(self, representation=self.without(held_out), views=None)
        return fitted.features(training), fitted.features(held_out)

    def _choice(self, rows: Rows) -> Chosen:
        def choose() -> Chosen:
            rng = seeds.child(self.run_context.seed, "choice", self.representation.name, content_key(rows.tobytes()))
            return self.head.choose(features, Target.of(self.task, rows), rng)

        def features(training: Rows, held_out: Rows) -> tuple[Views, Views]:
            return self.fold(rows[training], rows[held_out])

        return self.memory.choices.get(rows.tobytes(), choose)

    def _learned(self, rows: Rows, choice: Chosen, rng: np.random.Generator) -> RepresentationPredictor:
        """Fit the representation on the texts of `rows` if it learns, then the head on their labels."""
        fitted = self._fitted(rows)
        head = self.head.learn(fitted.features(rows), Target.of(self.task, rows), choice, rng)
        return RepresentationPredictor(
            replace(fitted, memory=_FitCache()), head
        )  # an empty cache: else predictor and cache would keep each other alive

    def features(self, rows: Rows) -> Mapping[str, Features]:
        """Return the views of the task's `rows`."""
        if self.views is None:
            return self.representation.views(self.task.examples.take(rows), self.run_context)
        return take_rows(self.views, feature_rows(self.task, rows))

    def fingerprint(self) -> str | None:
        """Return a key of the head and its features; None if features are learned anew from every subset."""
        if self.views is None:
            return None
        return content_key(self.head, *(part for view in self.views for part in (view, *_bytes(self.views[view]))))

    def exceeds_window(self, examples: Examples) -> NDArray[np.bool_]:
        """Return which examples have a text longer than the representation's window; none if it has no window."""
        return self.representation.exceeds_window(examples)

    def vocabulary_coverage(self, examples: Examples) -> VocabularyCoverage | None:
        """Return how much of the examples the representation can read, or None if it has no vocabulary."""
        return self.representation.vocabulary_coverage(examples)

    def cost(self) -> Cost:
        """Return the size of the representation and the head, learned from all training items."""
        fitted = self._fitted(self.task.train)
        cost = fitted.representation.cost()
        target = Target.of(self.task, self.task.train)
        weights = self.head.num_learned(cost.num_features, target, lambda: fitted.features(self.task.train))
        return replace(
            cost, parameters=cost.parameters + weights, disk_bytes=cost.disk_bytes + _BYTES_A_WEIGHT * weights
        )

    def _fitted(self, rows: Rows) -> RepresentationLearner:
        """Return the learner with its representation fitted on the texts of `rows`, if it learns from texts."""
        if self.views is not None:
            return self
        return replace(self, representation=self.representation.fit(self.task.examples.take(rows)))


@dataclass(frozen=True, slots=True)
class RepresentationPredictor:
    """A fitted representation and head."""

    learner: RepresentationLearner
    head: FittedHead

    @property
    def chosen(self) -> Mapping[str, object]:
        """The head's choices."""
        return self.head.chosen

    def predict(self, rows: Rows) -> Predictions:
        """Return predictions for the task's `rows`."""
        task = self.learner.task
        return self.head.predict(self.learner.features(rows)[self.head.view], lengths(task.examples, task.kind, rows))

    def answer(self, examples: Examples) -> Predictions:
        """Return predictions for new texts, without cache and progress, as it is called many times to be timed."""
        learner = self.learner
        views = learner.representation.forget().views(
            examples, replace(learner.run_context, cache=NoCache(), progress=SILENT)
        )
        rows = np.arange(len(examples))
        return self.head.predict(views[self.head.view], lengths(examples, learner.task.kind, rows))


def lengths(examples: Examples, kind: Kind, rows: Rows) -> NDArray[np.int64] | None:
    """Return the number of words of each sentence at `rows`, int64, for tagging; None otherwise."""
    if examples.words is None or not task_types.get(kind).labels_words:
        return None
    return np.array([len(examples.words[row]) for row in rows], dtype=np.int64)


def _bytes(features: Features) -> tuple[bytes, ...]:
    if isinstance(features, np.ndarray):
        return str(features.shape).encode(), np.ascontiguousarray(features).tobytes()
    if isinstance(features, Blocks):
        parts = (_bytes(part) for part in features.parts)
        return str(features.shares).encode(), *(piece for part in parts for piece in part)
    return str(features.shape).encode(), features.data.tobytes(), features.indices.tobytes(), features.indptr.tobytes()


def feature_rows(task: Task, rows: Rows) -> Rows:
    """Return the rows of all examples' features that belong to `rows` of the task."""
    every = lengths(task.examples, task.kind, np.arange(len(task.examples)))
    return rows if every is None else word_rows(every, rows)
