"""The baseline rung: predicts one constant for every text (a class, the mean), or each word's most frequent tag.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.metrics import metric
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.logit_adjustment import log_frequencies
from wordworth.representations.heads.temperature_scaling import NOT_CALIBRATED, Calibration
from wordworth.representations.rung import Cost, Learner, Predictions, RunContext, Rung
from wordworth.tasks import task_types
from wordworth.tasks.task import Examples, Kind, Rows, Task


@dataclass(frozen=True, slots=True)
class Majority(Rung):
    """A rung that predicts the same label for every text, or in tagging the most frequent tag of each word."""

    name: str = "majority"
    title: str = "majority class"
    family = "constant"
    is_baseline = True

    @classmethod
    def of(cls, kind: Kind) -> Majority:
        """Return the rung for tasks of this kind, with a title that says what it predicts."""
        return cls(title=task_types.get(kind).wording.constant)

    def named_for(self, task: Task) -> Majority:
        """Return the rung with a title that names the constant prediction that is best by the task's metric."""
        if task.type.labels_words:
            return self
        usual = task.type.constant_scores(np.asarray(task.gold(task.train)), task.classes)
        best = best_constant(task, task.train)
        return self if np.array_equal(best, usual) else replace(self, title=task.type.constant_text(best, task.classes))

    def kinds(self) -> frozenset[Kind]:
        """Return the names of all kinds of task."""
        return task_types.IN_LADDER

    def prepare(self, task: Task, run_context: RunContext) -> MajorityLearner:  # noqa: ARG002 - a Rung
        """Return the learner; nothing is computed in advance."""
        return MajorityLearner(task)


@dataclass(frozen=True, slots=True)
class MajorityLearner(Learner):
    """The baseline rung prepared on a task."""

    task: Task

    def fit(self, rows: Rows, rng: np.random.Generator) -> Constant | WordTags:  # noqa: ARG002 - a Learner
        """Return a predictor of the constant that scores best on `rows`; for tagging, of each word's most frequent tag.

        Args:
            rows: int64 [n], the indices of the training rows.
            rng: not used.
        """
        gold, words = self.task.gold(rows), self.task.examples.words
        if not isinstance(gold, tuple):
            scores = best_constant(self.task, rows)
            return Constant(scores, class_shares(Target.of(self.task, rows), scores))
        assert words is not None  # noqa: S101 - by the contract of Task
        return WordTags(self.task, UsualTags.of([words[row] for row in rows], gold))

    def cost(self) -> Cost:
        """Return the size of the rung: one number or, for tagging, a dictionary of the training words."""
        if not self.task.type.labels_words:
            return Cost(disk_bytes=8, parameters=0, num_features=0)
        words = {word for row in self.task.train for word in (self.task.examples.words or ())[row]}
        return Cost(disk_bytes=sum(len(word.encode()) + 2 for word in words), parameters=len(words), num_features=1)


def best_constant(task: Task, rows: Rows) -> NDArray[np.float64]:
    """Return the constant prediction, the same for every example, that is best on some rows by the task's metric.

    For accuracy, the best constant is the most frequent class. For the F1 of one class, the best constant is the
    measured class. Any other constant would score 0, and a rung that always predicts the measured class would then beat
    the baseline without having learned anything.

    Args:
        task: the task, not one of tagging.
        rows: int64 [rows], the indices of the rows that are learned from.

    Returns:
        Scores in the form of the prediction for one example: float64 [classes], or a single number for regression. Of
        several equally good constants, the usual one (the most frequent class, or the mean) is returned.
    """
    gold, by = np.asarray(task.gold(rows)), metric(task.metric, task.classes)
    candidates = list(task.type.constant_candidates(gold, task.classes))
    if len(candidates) == 1:
        return candidates[0]
    distinct, counts = np.unique(gold, axis=0, return_counts=True)  # equal labels are scored once, by their number
    weights = counts[None].astype(np.float64)

    def score(scores: NDArray[np.float64]) -> float:
        return float(by.score(distinct, np.repeat(scores[None], len(distinct), axis=0), weights)[0])

    return max(candidates, key=score)


def class_shares(target: Target, scores: NDArray[np.float64]) -> Calibration:
    """Return the calibration under which constant scores become the shares of the classes among the labels.

    Args:
        target: the labels; unless items have one class each, the result is `NOT_CALIBRATED`.
        scores: float64 [classes].
    """
    if not target.type.multiclass:
        return NOT_CALIBRATED
    return Calibration(shift=tuple((log_frequencies(target) - scores).tolist()))


@dataclass(frozen=True, slots=True)
class Constant:
    """A predictor that gives every text the same scores, [classes], or the same number."""

    scores: NDArray[np.float64]
    calibration: Calibration = NOT_CALIBRATED

    @property
    def chosen(self) -> Mapping[str, object]:
        """An empty mapping, as no settings are selected."""
        return {}

    def predict(self, rows: Rows) -> Predictions:
        """Return the constant prediction, repeated for each row: float64 [n, classes], or [n] in regression.

        Args:
            rows: int64 [n], indices of the task's rows; only their number matters.
        """
        return np.repeat(self.scores[None], len(rows), axis=0)

    def predict_texts(self, examples: Examples) -> Predictions:
        """Return the constant scores, repeated for each text."""
        return np.repeat(self.scores[None], len(examples), axis=0)


@dataclass(frozen=True, slots=True)
class UsualTags:
    """Each word's most frequent tag in training sentences.

    Attributes:
        tags: word -> its most frequent tag; of equally frequent ones, the tag with the lowest index.
        usual: the most frequent tag overall, for words that are not in `tags`.
    """

    tags: Mapping[str, int]
    usual: int

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]], gold: Sequence[NDArray[np.int64]]) -> UsualTags:
        """Return each word's most frequent tag, counted in training sentences.

        Args:
            sentences: the words of each sentence.
            gold: for each sentence, int64 [words], the index of each word's tag.
        """
        seen: dict[str, Counter[int]] = defaultdict(Counter)
        every: Counter[int] = Counter()
        for words, tags in zip(sentences, gold, strict=True):
            every.update(tags.tolist())
            for word, tag in zip(words, tags.tolist(), strict=True):
                seen[word][tag] += 1
        return cls({word: _top(counts) for word, counts in seen.items()}, _top(every))

    def tag(self, sentences: Sequence[Sequence[str]]) -> tuple[NDArray[np.int64], ...]:
        """Return the tags of the words of sentences: for each sentence int64 [words], the index of each word's tag."""
        return tuple(
            np.array([self.tags.get(word, self.usual) for word in words], dtype=np.int64) for words in sentences
        )


@dataclass(frozen=True, slots=True)
class WordTags:
    """A predictor that gives a word its most frequent tag in training, and new words the most frequent tag overall."""

    task: Task
    tags: UsualTags

    @property
    def chosen(self) -> Mapping[str, object]:
        """An empty mapping, as no settings are selected."""
        return {}

    def predict(self, rows: Rows) -> Predictions:
        """Return the predicted tags of the words of some sentences of the task.

        Args:
            rows: int64 [n], the indices of the sentences in the task.
        """
        return self.predict_texts(self.task.examples.take(rows))

    def predict_texts(self, examples: Examples) -> Predictions:
        """Return the predicted tags of the words of new sentences."""
        return self.tags.tag(examples.words or ())


def _top(counts: Counter[int]) -> int:
    return min(counts, key=lambda tag: (-counts[tag], tag), default=0)
