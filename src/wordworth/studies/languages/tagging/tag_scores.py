"""Tags that linear heads on frozen features give to the test sentences, by the language that they learned from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from wordworth import seeds
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.metrics import metric
from wordworth.measures.weighted_sums import Floats, Integers
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Step
from wordworth.representations.constant_baseline import UsualTags
from wordworth.representations.heads.base import FoldFeatures, Target, Views
from wordworth.representations.heads.cross_validation import FoldPlan
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.studies.languages.bootstrap_interval_columns import Value
from wordworth.studies.languages.scores_by_language import ScoresByLanguage, scores_by_language
from wordworth.studies.languages.tagging.tagged_sentences_by_language import Sentences, TaggedLanguages
from wordworth.studies.languages.tagging.word_features import VIEW, WordFeatures, layer_states, rows_of_words
from wordworth.studies.study_result_cache import Arrays, FinishedParts
from wordworth.tasks.task_types.tagging import TAGGING

HEAD = LinearHead(strengths=(1.0, 10.0, 100.0), plan=FoldPlan(enough=1))
"""The head of every system; a fifth of the training sentences chooses its regularisation."""
Tags = tuple[Integers, ...]


@dataclass(frozen=True)
class TagLearner:
    """Trains linear heads that tag words, and scores their tags.

    Attributes:
        data: the sentences of all languages.
        draws: number of bootstrap resamples; documents are resampled if the data mark them, else sentences.
        seed: seed of the study.
    """

    data: TaggedLanguages
    draws: int
    seed: int
    name, title = "tagger", "heads by language"

    def amount(self, train: int) -> int:  # noqa: ARG002 - a Learner
        """Return 1: the progress step counts the heads that are trained.

        Args:
            train: index of the training language.
        """
        return 1

    def predictions(
        self, inputs: WordFeatures, train: int, tested: Sequence[int], step: Step, *, shuffled: bool
    ) -> dict[str, ArrayLike]:
        """Train a head on a language, and tag the test sentences of other languages with it.

        Args:
            inputs: features of the words.
            train: index of the training language.
            tested: indices of the languages whose test sentences are tagged.
            step: progress step, advanced by 1.
            shuffled: whether the training tags are permuted over all words, as a control.

        Returns:
            Index of each tested language, as text -> integers [words], the tags of all words of its test sentences.
        """
        sentences, rng = self.data.train[train], _rng(self.seed, train)
        if shuffled:
            sentences = replace(sentences, tags=_split(rng.permutation(np.concatenate(sentences.tags)), sentences))
        views, target = {VIEW: inputs.of(train, test=False)}, _target(sentences, self.data)
        choice = HEAD.choose(_folds(views, sentences), target, rng)
        fitted = HEAD.learn(views, target, choice, rng)
        step.advance()
        return {
            str(test): np.concatenate(fitted.predict(inputs.of(test, test=True), self.data.test[test].lengths))
            for test in tested
        }

    def measures(self, predictions: Arrays, test: int) -> dict[str, Value]:
        """Return entity F1 or token accuracy on a language's test sentences.

        Args:
            predictions: the tags that `predictions` returned.
            test: index of the language.
        """
        return self._measured(_split(predictions[str(test)], self.data.test[test]), test)

    def constant(self, test: int) -> dict[str, Value]:
        """Return the score on a language if each word gets its most frequent tag in the source language.

        Args:
            test: index of the language.
        """
        usual = UsualTags.of(self.data.train[0].words, self.data.train[0].tags)
        return self._measured(usual.tag(self.data.test[test].words), test)

    def _measured(self, tags: Tags, test: int) -> dict[str, Value]:
        gold, by = self.data.test[test].tags, metric(self.data.metric, self.data.classes)
        return {self.data.metric: (by.score(gold, tags), by.score(gold, tags, self._weights[test]))}

    @cached_property
    def _weights(self) -> list[Floats]:
        """How often each test sentence is in each resample, float64 [draws, sentences], for each language."""
        return [
            item_weights(len(test), self.draws, seeds.child(self.seed, "languages", "draws"), test.documents)
            for test in self.data.test
        ]


def tag_scores(
    systems: Mapping[str, WordFeatures], data: TaggedLanguages, draws: int, seed: int, finished: FinishedParts
) -> ScoresByLanguage:
    """Train a linear head for every system and training language, tag the test sentences and score the tags.

    Args:
        systems: name of a system -> features of the words.
        data: the sentences of all languages.
        draws: number of bootstrap resamples; documents are resampled if the data mark them, else sentences.
        seed: seed of the study.
        finished: cache with the heads that an earlier call has finished.
    """
    return scores_by_language(systems, TagLearner(data, draws, seed), data, data.metric, finished)


def best_layer(encoder: TextEncoder, data: TaggedLanguages, seed: int) -> int:
    """Choose the layer on whose states a linear head tags a held-out fifth of the training sentences best.

    The training sentences are in the source language.

    Args:
        encoder: the frozen encoder.
        data: the sentences; sentences in other languages are not read.
        seed: seed of the study.
    """
    sentences = data.train[0]
    states = layer_states(encoder, sentences, list(range(encoder.depth + 1)))
    views = {str(layer): of_layer for layer, of_layer in enumerate(states)}
    return int(HEAD.choose(_folds(views, sentences), _target(sentences, data), _rng(seed, 0)).view)


def _split(tags: Integers, sentences: Sentences) -> Tags:
    return tuple(np.split(tags, np.cumsum(sentences.lengths)[:-1]))


def _rng(seed: int, language: int) -> np.random.Generator:
    return seeds.child(seed, "languages", "tagger", str(language))


def _target(sentences: Sentences, data: TaggedLanguages) -> Target:
    return Target(
        kind=TAGGING.name, labels=sentences.tags, classes=data.classes, metric=data.metric, lengths=sentences.lengths
    )


def _folds(views: Views, sentences: Sentences) -> FoldFeatures:
    """Return the function from training and held-out sentences to the features of their words."""

    def fold(training: Integers, held_out: Integers) -> tuple[Views, Views]:
        first, second = (rows_of_words(sentences, items) for items in (training, held_out))
        return {name: of[first] for name, of in views.items()}, {name: of[second] for name, of in views.items()}

    return fold
