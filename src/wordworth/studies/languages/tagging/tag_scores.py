"""Tags that linear heads on frozen features give to the test sentences, by the language that they learned from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from wordworth import seeds
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.metrics import metric
from wordworth.measures.weighted_sums import Integers
from wordworth.models.text_encoder import TextEncoder
from wordworth.representations.heads.base import FoldFeatures, Target, Views
from wordworth.representations.heads.cross_validation import FoldPlan
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.majority import UsualTags
from wordworth.studies.finished_parts import FinishedParts
from wordworth.studies.languages.interval_columns import Value
from wordworth.studies.languages.tagging.tagged_languages import Sentences, TaggedLanguages
from wordworth.studies.languages.tagging.word_features import VIEW, WordFeatures, layer_states, rows_of_words
from wordworth.studies.languages.transfer_scores import MODEL, SHUFFLED, tested_languages
from wordworth.tasks.task_types.tagging import TAGGING

HEAD = LinearHead(strengths=(1.0, 10.0, 100.0), plan=FoldPlan(enough=1))
"""The head of every system; a fifth of the training sentences chooses its regularisation."""
Tags = tuple[Integers, ...]


@dataclass(frozen=True)
class TagScores:
    """The scores of all systems that tag words, by training language and test language.

    Attributes:
        data: the sentences of all languages.
        values: (system, index of the training language, index of the test language) -> the score, and its value in each
            bootstrap resample.
        constants: for each test language the same values, if each word gets its most frequent tag in the source
            language.
    """

    data: TaggedLanguages
    values: Mapping[tuple[str, int, int], Value]
    constants: Sequence[Value]

    @property
    def languages(self) -> tuple[str, ...]:
        """The names of the languages, the source language first."""
        return self.data.languages

    def size(self, language: int, *, test: bool) -> int:
        """Return the number of a language's test or training sentences.

        Args:
            language: index of the language.
            test: True for the test sentences, False for the training sentences.
        """
        return len(self.data.sentences(language, test=test))

    def accuracy(self, system: str, train: int, test: int) -> Value:
        """Return entity F1 or token accuracy on a language's test sentences, and its value in each bootstrap resample.

        Args:
            system: name of the system.
            train: index of the training language.
            test: index of the test language.
        """
        return self.values[system, train, test]

    def majority(self, test: int) -> Value:
        """Return the score on a language if each word gets its most frequent tag in the source language.

        The score comes with its value in each bootstrap resample.

        Args:
            test: index of the language whose test sentences are tagged.
        """
        return self.constants[test]


def tag_scores(
    systems: Mapping[str, WordFeatures], data: TaggedLanguages, draws: int, seed: int, finished: FinishedParts
) -> TagScores:
    """Train a linear head for every system and training language, tag the test sentences and score the tags.

    Heads on the model's features tag the test sentences of all languages, and so do heads that learned from the source
    language. Other heads, and the control with shuffled tags, tag only the language that they learned from.

    Args:
        systems: name of a system -> features of the words.
        data: the sentences of all languages.
        draws: number of bootstrap resamples; documents are resampled if the data mark them, else sentences.
        seed: seed of the study.
        finished: cache with the heads that an earlier call has finished.
    """
    languages = range(len(data.languages))
    by = metric(data.metric, data.classes)
    weights = [
        item_weights(len(test), draws, seeds.child(seed, "languages", "draws"), test.documents) for test in data.test
    ]

    def value(tags: Tags, test: int) -> Value:
        gold = data.test[test].tags
        return by.score(gold, tags), by.score(gold, tags, weights[test])

    values: dict[tuple[str, int, int], Value] = {}
    pairs = [(system, train) for system in (*systems, SHUFFLED) for train in languages]
    with finished.progress.step("heads by language", len(pairs)) as step:
        for system, train in pairs:
            tested = tested_languages(system, train, len(languages))
            features = systems.get(system, systems[MODEL])
            compute = partial(_tags, features, data, train, tested, seed, shuffled=system == SHUFFLED)
            part = finished.arrays(("tagger", system, train), compute, step, 1)
            values |= {(system, train, test): value(_split(part[str(test)], data.test[test]), test) for test in tested}
            step.advance()
    usual = UsualTags.of(data.train[0].words, data.train[0].tags)
    return TagScores(data, values, [value(usual.tag(data.test[test].words), test) for test in languages])


def best_layer(encoder: TextEncoder, data: TaggedLanguages, seed: int) -> int:
    """Choose the layer on whose states a linear head tags best, by a held-out fifth of the training sentences.

    These are sentences in the source language.

    Args:
        encoder: the frozen encoder.
        data: the sentences; sentences in other languages are not read.
        seed: seed of the study.
    """
    sentences = data.train[0]
    states = layer_states(encoder, sentences, list(range(encoder.depth + 1)))
    views = {str(layer): of_layer for layer, of_layer in enumerate(states)}
    return int(HEAD.choose(_folds(views, sentences), _target(sentences, data), _rng(seed, 0)).view)


def _tags(
    features: WordFeatures, data: TaggedLanguages, train: int, tested: Sequence[int], seed: int, *, shuffled: bool
) -> dict[str, ArrayLike]:
    """Train a head on a language; return number of each tested language -> the tags of its words, all in a row."""
    sentences, rng = data.train[train], _rng(seed, train)
    if shuffled:
        sentences = replace(sentences, tags=_split(rng.permutation(np.concatenate(sentences.tags)), sentences))
    views, target = {VIEW: features.of(train, test=False)}, _target(sentences, data)
    choice = HEAD.choose(_folds(views, sentences), target, rng)
    fitted = HEAD.learn(views, target, choice, rng)
    return {
        str(test): np.concatenate(fitted.predict(features.of(test, test=True), data.test[test].lengths))
        for test in tested
    }


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
