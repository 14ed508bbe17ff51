"""`FittedRepresentation`: a fitted text representation that pickles only what it learned from texts.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput
from wordworth.representations.distilled_vectors import DistilledRung
from wordworth.representations.feature_blocks import Features, Scaling
from wordworth.representations.feature_rung import NoCache, RepresentationLearner, RepresentationRung
from wordworth.representations.frozen_encoder import Contextual, Frozen
from wordworth.representations.pretrained_rung import KIND, features_learner, learns, pretrained, unlabelled
from wordworth.representations.random_vectors import RandomRung
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Learner, RunContext, Rung
from wordworth.representations.rung_by_name import rung_of
from wordworth.representations.static_vectors import Static, StaticRung
from wordworth.representations.tfidf import Tfidf
from wordworth.representations.tfidf_with_encoder import ConcatenatedFeatures
from wordworth.sklearn.vector_cache import MEMORY
from wordworth.tasks.task import Examples, Task
from wordworth.text.windows import LongTexts


@dataclass(frozen=True, slots=True)
class LearnedHybrid:
    """The learned part of a hybrid of TF-IDF and an encoder, such as `tfidf+minilm`, without the encoder.

    Attributes:
        sparse: the fitted TF-IDF.
        scalings: view (a set of features) of the encoder -> the scaling of its features.
    """

    sparse: Tfidf
    scalings: Mapping[str, Scaling]

    @classmethod
    def of(cls, fitted: ConcatenatedFeatures) -> LearnedHybrid:
        """Return what a fitted hybrid of TF-IDF and an encoder has learned from texts."""
        return cls(fitted.sparse.forget(), {view: fitted.scalings[view] for view in fitted.dense_names()})

    def with_encoder_of(self, unfitted: ConcatenatedFeatures) -> ConcatenatedFeatures:
        """Return a fitted hybrid, with this learned part and the encoder of an unfitted hybrid."""
        return replace(unfitted, sparse=self.sparse, scalings=self.scalings)


class FittedRepresentation:
    """A fitted text representation. A pickle holds what it learned; a pretrained model is loaded again by its name.

    Attributes:
        rung: the name of the rung whose representation it is, with an absolute path if the model is a folder.
        seed: seed of everything that is random.
        dtype: dtype of an encoder's computation.
        key: hash of the files of a pretrained model; empty if the representation needs none after the fit.
        learned: the part that was learned from texts, such as a vocabulary; None if nothing was learned.
    """

    def __init__(
        self,
        rung: str,
        run_context: RunContext,
        learned: Representation | LearnedHybrid | None,
        *,
        opened: Representation,
    ) -> None:
        """Make a fitted representation from its learned part.

        Args:
            rung: name of the rung.
            run_context: seed and dtype of the fit.
            learned: the part that was learned from texts, without a pretrained model; None if nothing was learned.
            opened: the whole representation, which is not pickled.
        """
        self.rung, self.learned = rung, learned
        self.seed, self.dtype = run_context.seed, run_context.dtype
        self.key = "" if isinstance(learned, Representation) else pretrained(rung, self.seed, self.dtype).key
        self._opened: Representation | None = opened

    @classmethod
    def of(cls, name: str, run_context: RunContext, fitted: RepresentationLearner) -> FittedRepresentation:
        """Return the fitted representation of a learner that was fitted on the training texts.

        Args:
            name: name of the rung.
            run_context: cache, seed, threads and progress.
            fitted: the learner.
        """
        representation = fitted.representation.forget()
        if isinstance(representation, ConcatenatedFeatures):
            return cls(name, run_context, LearnedHybrid.of(representation), opened=representation)
        return cls(name, run_context, representation if learns(fitted) else None, opened=representation)

    def open(self) -> Representation:
        """Return the fitted representation with its pretrained model, which is loaded if it is not in memory.

        Raises:
            BadInput: the model is not on this machine any more, or its files have changed since the fit.
        """
        if self._opened is None:
            self._opened = self._whole()
        return self._opened

    def views(self, texts: tuple[str, ...], long_texts: LongTexts) -> Mapping[str, Features]:
        """Return name of a view (a set of features) -> the features of texts, computed on access and not cached."""
        return self.open().views(Examples(texts), RunContext(cache=NoCache(), seed=self.seed, long_texts=long_texts))

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle, without the representation that `open` loads again.

        Raises:
            BadInput: the learned part is a table of vectors, which is as large as a model's weights.
        """
        if isinstance(self.learned, Static):
            what = f"{self.rung!r} is a table of vectors, and weights are not pickled"
            raise BadInput(what, mend="write the table with `wordworth to-static`, and name its folder as the rung")
        return self.__dict__ | {"_opened": None}

    def _whole(self) -> Representation:
        if isinstance(self.learned, Representation):
            return self.learned
        loaded = pretrained(self.rung, self.seed, self.dtype)
        if loaded.key != self.key:
            what = f"the files of {self.rung!r} are not those that this was fitted with"
            raise BadInput(what, mend="fit it again, or restore the files")
        representation = loaded.learner.representation
        if isinstance(self.learned, LearnedHybrid) and isinstance(representation, ConcatenatedFeatures):
            return self.learned.with_encoder_of(representation)
        return representation


def prepare(name: str, rung: Rung, task: Task, run_context: RunContext) -> Learner:
    """Do the part of a rung's work that needs no labels, such as embedding a task's texts; return the rung's learner.

    The function does what `Rung.prepare` does, but loads a pretrained model once for all tasks.

    Args:
        name: name of the rung.
        rung: the rung of that name.
        task: the task to learn.
        run_context: seed, dtype and cache of the fit.

    Raises:
        BadInput: the rung does not support this kind of task.
    """
    if isinstance(rung, Frozen | StaticRung | RandomRung):
        loaded = pretrained(name, run_context.seed, run_context.dtype).learner
        return RepresentationRung(loaded.representation, loaded.head).prepare(task, run_context)
    return rung.prepare(task, run_context)


def fit_representation(name: str, texts: tuple[str, ...], run_context: RunContext) -> FittedRepresentation:
    """Fit the representation of a rung on texts, without labels.

    Args:
        name: name of the rung.
        texts: the texts from which the representation learns, for example, its vocabulary; a pretrained representation
            does not read them.
        run_context: the seed of the fit, and how an encoder reads long texts.

    Raises:
        BadInput: there is no such rung, it has no features of texts, or it cannot learn from these texts.
    """
    rung = rung_of(name, KIND)
    seed, dtype = run_context.seed, run_context.dtype
    if not isinstance(rung, DistilledRung) and not learns(loaded := pretrained(name, seed, dtype).learner):
        return FittedRepresentation.of(name, run_context, loaded)
    learner = features_learner(rung, unlabelled(texts), run_context)
    return FittedRepresentation.of(name, run_context, learner.fit_representation(np.arange(len(texts))))


def text_vectors(fitted: FittedRepresentation, view: str, texts: tuple[str, ...], long_texts: LongTexts) -> Features:
    """Return one view (set of features) of texts, [texts, features].

    An encoder computes only the texts that are neither in memory nor in the disk cache.

    Args:
        fitted: the representation.
        view: name of the view.
        texts: the texts.
        long_texts: how an encoder reads a text longer than its window.
    """
    representation = fitted.open()
    if not isinstance(representation, Contextual):
        return fitted.views(texts, long_texts)[view]
    return MEMORY.vectors(
        (representation.key, view, long_texts),
        texts,
        lambda new: np.asarray(fitted.views(new, long_texts)[view]),
        ArrayCache(),
    )
