"""`Answers`: which test texts each system labels correctly, by the language that the system was trained on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.weighted_sums import Flags, Floats, Integers
from wordworth.studies.languages.language_texts import LanguageTexts
from wordworth.studies.languages.text_features import TextFeatures, right_answers
from wordworth.studies.study_result_cache import FinishedParts

MODEL, RANDOM, CHARACTERS, SHUFFLED = "model", "random weights", "character n-grams", "shuffled labels"


class TransferScores(Protocol):
    """The scores of systems, by the language that a system is trained on and the language that it is tested on."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The names of the languages, the source language first."""
        ...

    def size(self, language: int, *, test: bool) -> int:
        """Return the number of a language's test or training texts.

        Args:
            language: index of the language in `languages`.
            test: True for the test texts, False for the training texts.
        """
        ...

    def accuracy(self, system: str, train: int, test: int) -> tuple[float, Floats]:
        """Return a system's score on a language's test texts, at most 1, after training on a language.

        The result is a pair: the score, and the score in each bootstrap resample, float64 [draws].

        Args:
            system: name of the system.
            train: index of the training language in `languages`.
            test: index of the test language in `languages`.
        """
        ...

    def constant_score(self, test: int) -> tuple[float, Floats]:
        """Return the score that a constant answer, such as the most frequent label, has on a language's test texts.

        The result is a pair: the score, and the score in each bootstrap resample, float64 [draws].

        Args:
            test: index of the test language in `languages`.
        """
        ...


@dataclass(frozen=True)
class Answers:
    """For all systems and training languages, which test texts are labelled correctly.

    A system is a kind of features under a linear head: `MODEL`, `RANDOM`, `CHARACTERS`, or the control `SHUFFLED`.

    Attributes:
        data: the labelled texts of all languages.
        right: (system, index of the training language) -> bool [test texts], whether the predicted label is correct;
            False also for texts that this system did not label.
        tests: int64 [test texts], indices of the test texts in `data.texts`, language by language.
        weights: float64 [draws, items], how often each item (a text with its translations) is in each bootstrap
            resample. All systems and languages share the resamples, so that differences are paired.
    """

    data: LanguageTexts
    right: Mapping[tuple[str, int], Flags]
    tests: Integers
    weights: Floats

    @property
    def languages(self) -> tuple[str, ...]:
        """The names of the languages, the source language first."""
        return self.data.languages

    def size(self, language: int, *, test: bool) -> int:
        """Return the number of a language's test or training texts.

        Args:
            language: index of the language in `languages`.
            test: True for the test texts, False for the training texts.
        """
        return len(self.data.rows(language, test=test))

    def accuracy(self, system: str, train: int, test: int) -> tuple[float, Floats]:
        """Return a system's accuracy on a language's test texts, from 0 to 1, after training on a language.

        The result is a pair: the score, and the score in each bootstrap resample, float64 [draws].

        Args:
            system: name of the system.
            train: index of the training language in `languages`.
            test: index of the test language in `languages`.
        """
        own = self.data.language[self.tests] == test
        return self.share(self.right[system, train][own], self.data.item[self.tests[own]])

    def constant_score(self, test: int) -> tuple[float, Floats]:
        """Return the accuracy on a language's test texts if all of them get its most frequent training label.

        The result is a pair: the score, and the score in each bootstrap resample, float64 [draws].

        Args:
            test: index of the language in `languages`.
        """
        labels = self.data.labels[self.data.rows(test, test=False)]
        rows = self.data.rows(test, test=True)
        return self.share(self.data.labels[rows] == np.bincount(labels).argmax(), self.data.item[rows])

    def share(self, right: Flags | Floats, items: Integers) -> tuple[float, Floats]:
        """Return the mean of some values, and the mean in each bootstrap resample of items, float64 [draws].

        Args:
            right: [n], the values, such as whether an answer is correct.
            items: int64 [n], the index of each value's item, a column of `weights`.
        """
        return weighted_share(self.weights[:, items], right)


def weighted_share(weights: Floats, right: Flags | Floats) -> tuple[float, Floats]:
    """Return the mean of some values, and the weighted mean in each bootstrap resample, float64 [draws].

    Args:
        weights: float64 [draws, n], how often each value is in each resample.
        right: [n], the values, such as whether an answer is correct.
    """
    draws: Floats = (weights @ right) / np.maximum(weights.sum(1), 1.0)
    return float(right.mean()), draws


def answers_of(
    features: Mapping[str, TextFeatures], data: LanguageTexts, draws: int, seed: int, finished: FinishedParts
) -> Answers:
    """Train a linear head for every system and training language, and label the test texts with it.

    All heads label the test texts of all languages, except the heads of the control with shuffled labels: they label
    only the language that they learned from.

    Args:
        features: name of a system -> features of all texts.
        data: the labelled texts of all languages.
        draws: number of bootstrap resamples of items (texts with their translations).
        seed: seed of the study.
        finished: cache with the heads that an earlier call has finished.
    """
    tests = np.concatenate([data.rows(number, test=True) for number in range(len(data.languages))])
    right = dict[tuple[str, int], Flags]()
    pairs = [(system, train) for system in (*features, SHUFFLED) for train in range(len(data.languages))]
    with finished.progress.step("heads by language", len(pairs)) as step:
        for system, train in pairs:
            tested = [train] if system == SHUFFLED else range(len(data.languages))
            answered = np.flatnonzero(np.isin(data.language[tests], tested))
            right[system, train] = np.zeros(len(tests), dtype=bool)
            compute = partial(_right, features, data, (system, train), tests[answered], seed)
            right[system, train][answered] = finished.arrays_in_one_step(("head", system, train), compute, step)[
                "right"
            ]
    return Answers(data, right, tests, item_weights(data.num_items, draws, seeds.child(seed, "languages", "draws")))


def _right(
    features: Mapping[str, TextFeatures],
    data: LanguageTexts,
    of: tuple[str, int],
    tests: Integers,
    seed: int,
) -> dict[str, Flags]:
    """Train a head and return {"right": bool [test texts]}, whether the head labels each test text correctly.

    Args:
        features: name of a system -> features of all texts.
        data: the labelled texts of all languages.
        of: the name of the system, and the index of the training language.
        tests: int64 [test texts], indices of the test texts in `data.texts`.
        seed: seed of the study.
    """
    system, train = of
    own, rows = features.get(system, features[MODEL]), data.rows(train, test=False)
    return {"right": right_answers(own, data, rows, tests, seed, shuffled=system == SHUFFLED)}
