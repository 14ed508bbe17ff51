"""A rung made of a representation, which turns texts into features, and a head, the estimator that learns from them.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.array_cache import ArrayCache
from wordworth.files import content_key
from wordworth.progress import UNREPORTED, ignore
from wordworth.representations.feature_blocks import Blocks, Features
from wordworth.representations.heads.base import Choice, FittedHead, Head, Target, Views, sentence_lengths
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.heads.temperature_scaling import Calibration, calibration_of
from wordworth.representations.lazy_feature_sets import SingleFlight, take_rows
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, Learner, Predictions, RunContext, Rung, VocabularyCoverage
from wordworth.tasks.task import Examples, Kind, Rows, Task
from wordworth.tasks.task_types import todays_names
from wordworth.text.corpus.index_ranges import ranges


class NoCache(ArrayCache):
    """A cache that stores nothing, to measure the cost of predictions for new texts."""

    def array(self, key: str, compute: Callable[[], np.ndarray]) -> np.ndarray:  # noqa: ARG002 - an ArrayCache
        """Call `compute` and return its result, without storing anything.

        Args:
            key: the key of the result, which is not used.
            compute: computes an array of any shape.

        Returns:
            The array, in the shape that `compute` gave it.
        """
        return compute()


@dataclass(frozen=True, slots=True)
class RepresentationRung(Rung):
    """A rung made of a text representation and a head on its features, by default a linear head."""

    representation: Representation
    head: Head = field(default_factory=LinearHead)

    @property
    def name(self) -> str:
        """The name of the rung, taken from its text representation (`minilm`)."""
        return self.representation.name

    @property
    def title(self) -> str:
        """The title of the rung for readers, taken from its text representation."""
        return self.representation.title

    @property
    def family(self) -> str:
        """The family of the rung, such as `static` or `frozen`, taken from its text representation."""
        return self.representation.family

    @property
    def contextual(self) -> bool:
        """Whether the representation reads words in their context."""
        return self.representation.contextual

    def kinds(self) -> frozenset[Kind]:
        """Return the names of the kinds of task that both the representation and the head support."""
        return todays_names(self.representation.kinds()) & todays_names(self.head.kinds)

    def prepare(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Compute the features of all texts of the task, and return the learner.

        If the representation is fitted on each subset of the labelled texts, only what all subsets share is computed.
        """
        representation = self.representation
        if representation.frozen:
            return RepresentationLearner(
                task, run_context, representation, self.head, representation.views(task.examples, run_context)
            )
        with run_context.progress.step(f"counting for {representation.title}"):
            representation = representation.prepare(task.examples)
        return RepresentationLearner(task, run_context, representation, self.head)


@dataclass(frozen=True, slots=True)
class _FitCache:
    """A cache of a learner's fits, since a study may fit the same rows several times.

    Attributes:
        choices: bytes of the row indices on which a head selected its settings -> the selected settings.
        predictors: (row indices, choice) -> the predictor, for the two used last.
    """

    choices: SingleFlight[Choice] = field(default_factory=SingleFlight)
    predictors: SingleFlight[RepresentationPredictor] = field(default_factory=lambda: SingleFlight(2))


@dataclass(frozen=True, slots=True)
class RepresentationLearner(Learner):
    """A representation applied to the texts of a task, and the head that learns from its features.

    Attributes:
        views: name -> features of all texts of the task (views are alternative feature sets, among which the head
            chooses); None if the representation is fitted on each subset.
        redrawn: seed -> the learner with random features drawn by that seed; None if features are not random.
        leave_out: row indices -> the representation without what it learned from the texts of these rows; None unless a
            frozen representation was made from training texts.
        fit_cache: the head's choices and the predictors of earlier fits.
        reduced: the cached results of `without_texts`.
        report: called with each fraction of a fit that is done.
    """

    task: Task
    run_context: RunContext
    representation: Representation
    head: Head
    views: Mapping[str, Features] | None = None
    redrawn: Callable[[int], RepresentationLearner] | None = None
    leave_out: Callable[[Rows], Representation] | None = None
    fit_cache: _FitCache = field(default_factory=_FitCache, compare=False, repr=False)
    reduced: SingleFlight[RepresentationLearner] = field(default_factory=SingleFlight, compare=False, repr=False)
    report: Callable[[float], None] = field(default=ignore, compare=False, repr=False)

    def with_progress(self, report: Callable[[float], None]) -> RepresentationLearner:
        """Return the same learner whose fits call `report` with each fraction of a fit that the head reports."""
        return replace(self, report=report)

    def redraw(self, seed: int) -> RepresentationLearner:
        """Return the learner with its random features drawn anew.

        A learner without random features is returned unchanged.

        Args:
            seed: seed of the draw; 0 keeps the present features.
        """
        return self if self.redrawn is None or seed == 0 else self.redrawn(seed)

    def without_texts(self, rows: Rows) -> RepresentationLearner:
        """Return a learner whose representation has not learned from the texts of some rows.

        If the representation learned from no texts, the learner itself is returned. In the cross-validation of the new
        learner, each fold leaves out both these texts and the held-out texts.

        Args:
            rows: int64 [n], indices of the task's rows.
        """
        leave_out = self.leave_out
        if leave_out is None:
            return self

        def make() -> RepresentationLearner:
            representation = leave_out(rows)
            views = representation.views(self.task.examples, self.run_context)
            fewer = replace(
                self, representation=representation, views=views, fit_cache=_FitCache(), reduced=SingleFlight()
            )
            return replace(fewer, leave_out=lambda held_out: leave_out(np.union1d(rows, held_out)))

        return self.reduced.get(rows.tobytes(), make)

    def fit(self, rows: Rows, rng: np.random.Generator) -> RepresentationPredictor:
        """Select settings by cross-validation inside `rows`, then fit the head on all of them.

        If the head limits the number of rows for the cross-validation (`max_selection_items`), the first of `rows` are
        used. The selected settings depend only on the set of rows used and on the run context's seed, not on the order
        of rows or calls. The same holds for the fitted head, unless it draws random numbers from `rng`.

        Args:
            rows: int64 [n], the indices of the training rows, in random order.
            rng: source of randomness.
        """
        choice = self._select(np.sort(rows[: self.head.max_selection_items]))
        if self.head.is_stochastic:
            return self._fit_head(rows, choice, rng)
        rows = np.sort(rows)
        return self.fit_cache.predictors.get((rows.tobytes(), choice), lambda: self._fit_head(rows, choice, rng))

    def fold(self, training: Rows, held_out: Rows) -> tuple[Views, Views]:
        """Return the views (name -> features) of training rows and of held-out rows.

        The representation is fitted without the held-out rows.

        Args:
            training: int64 [n], the indices of the training rows.
            held_out: int64 [m], the indices of the held-out rows.
        """
        if self.leave_out is None:
            fitted = self.fit_representation(training)
        else:
            fitted = replace(self, representation=self.leave_out(held_out), views=None)
        return fitted.features(training), fitted.features(held_out)

    def _select(self, rows: Rows) -> Choice:
        def choose() -> Choice:
            # no name: every rung chooses on the same inner folds, so that rungs are compared on the same draws
            rng = seeds.child(self.run_context.seed, "choice", content_key(rows.tobytes()))
            return self.head.with_progress(self.report).choose(features, Target.of(self.task, rows), rng)

        def features(training: Rows, held_out: Rows) -> tuple[Views, Views]:
            return self.fold(rows[training], rows[held_out])

        return self.fit_cache.choices.get(rows.tobytes(), choose)

    def _fit_head(self, rows: Rows, choice: Choice, rng: np.random.Generator) -> RepresentationPredictor:
        """Fit the representation on the texts of `rows`, if it learns, and then the head on their labels."""
        fitted = self.fit_representation(rows)
        reporting = self.head.with_progress(self.report)
        head = reporting.learn(fitted.features(rows), Target.of(self.task, rows), choice, rng)
        # With the learner's own cache, predictor and cache would keep each other alive.
        return RepresentationPredictor(
            replace(fitted, fit_cache=_FitCache(), reduced=SingleFlight(), report=ignore), head
        )

    def features(self, rows: Rows) -> Mapping[str, Features]:
        """Return the features of the task's `rows`: name of a view (feature set) -> features.

        Args:
            rows: int64 [n], indices of the task's rows.
        """
        if self.views is None:
            return self.representation.views(self.task.examples.take(rows), self.run_context)
        return take_rows(self.views, feature_rows(self.task, rows))

    def fingerprint(self) -> str | None:
        """Return a hash of the head and the features; None if features are fitted anew on every subset."""
        if self.views is None:
            return None
        return content_key(self.head, *(part for view in self.views for part in (view, *_bytes(self.views[view]))))

    def exceeds_window(self, examples: Examples) -> NDArray[np.bool_]:
        """Return whether each example has a text longer than the representation's window, bool [n]."""
        return self.representation.exceeds_window(examples)

    def vocabulary_coverage(self, examples: Examples) -> VocabularyCoverage | None:
        """Return how many words or subwords of the examples the vocabulary lacks; None without a fixed vocabulary."""
        return self.representation.vocabulary_coverage(examples)

    def cost(self) -> Cost:
        """Return the size of the representation and the head, both fitted on all training rows."""
        fitted = self.fit_representation(self.task.train)
        cost = fitted.representation.cost()
        target = Target.of(self.task, self.task.train)
        weights = self.head.num_learned(cost.num_features, target, lambda: fitted.features(self.task.train))
        head = Cost.of_float32(weights, 0)
        return replace(cost, parameters=cost.parameters + head.parameters, disk_bytes=cost.disk_bytes + head.disk_bytes)

    def fit_representation(self, rows: Rows) -> RepresentationLearner:
        """Return the learner with its representation fitted on the texts of some rows.

        A learner with a frozen representation is returned unchanged.

        Args:
            rows: int64 [n], indices of the task's rows.
        """
        if self.views is not None:
            return self
        return replace(self, representation=self.representation.fit(self.task.examples.take(rows)))


@dataclass(frozen=True, slots=True)
class RepresentationPredictor:
    """A predictor made of a fitted text representation and a head that was fitted on its features."""

    learner: RepresentationLearner
    head: FittedHead

    @property
    def chosen(self) -> Mapping[str, object]:
        """The settings that the head selected, as a study writes them into its record."""
        return self.head.chosen

    @property
    def calibration(self) -> Calibration:
        """The temperature and shift by which the head's scores become probabilities."""
        return calibration_of(self.head)

    def predict(self, rows: Rows) -> Predictions:
        """Return predictions for some rows of the task.

        Args:
            rows: int64 [n], indices of the task's rows.
        """
        task = self.learner.task
        return self.head.predict(
            self.learner.features(rows)[self.head.view], sentence_lengths(task.examples, task.kind, rows)
        )

    def predict_texts(self, examples: Examples) -> Predictions:
        """Return predictions for new texts, without cache and progress, so that costs can be measured on this call."""
        learner = self.learner
        views = learner.representation.forget().views(
            examples, replace(learner.run_context, cache=NoCache(), progress=UNREPORTED)
        )
        rows = np.arange(len(examples))
        return self.head.predict(views[self.head.view], sentence_lengths(examples, learner.task.kind, rows))


def _bytes(features: Features) -> tuple[bytes, ...]:
    if isinstance(features, np.ndarray):
        return str(features.shape).encode(), np.ascontiguousarray(features).tobytes()
    if isinstance(features, Blocks):
        parts = (_bytes(part) for part in features.parts)
        return str(features.factors).encode(), *(piece for part in parts for piece in part)
    return str(features.shape).encode(), features.data.tobytes(), features.indices.tobytes(), features.indptr.tobytes()


def feature_rows(task: Task, rows: Rows) -> Rows:
    """Return the indices of the feature rows of some rows of a task; in tagging, each word has a feature row.

    Args:
        task: the task.
        rows: int64 [n], indices of the task's rows.

    Returns:
        int64 [feature rows]; for other tasks than tagging, `rows`.
    """
    every = sentence_lengths(task.examples, task.kind, np.arange(len(task.examples)))
    return rows if every is None else ranges((np.cumsum(every) - every)[rows], every[rows])
