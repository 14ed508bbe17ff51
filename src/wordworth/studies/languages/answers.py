"""Which test texts each system labels right, by the language whose labels it learned from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.weighted_sums import Flags, Floats, Integers
from wordworth.studies.finished_parts import FinishedParts
from wordworth.studies.languages.features import TextFeatures, right_answers
from wordworth.studies.languages.language_texts import LanguageTexts

MODEL, RANDOM, CHARACTERS, SHUFFLED = "model", "random weights", "character n-grams", "shuffled labels"


@dataclass(frozen=True)
class Answers:
    """The right and wrong answers of all systems.

    Attributes:
        data: the texts.
        right: (system, number of the language learned from) -> bool [test texts], False where it was not answered.
        tests: rows of the test texts, language by language.
        weights: float64 [draws, items], how often each resample has an item, for every system and language alike.
    """

    data: LanguageTexts
    right: Mapping[tuple[str, int], Flags]
    tests: Integers
    weights: Floats

    def accuracy(self, system: str, train: int, test: int) -> tuple[float, Floats]:
        """Return the accuracy on a language's test texts, and its draws, float64 [draws].

        Args:
            system: its name.
            train: number of the language learned from.
            test: number of the language tested on.
        """
        own = self.data.language[self.tests] == test
        return self.share(self.right[system, train][own], self.data.item[self.tests[own]])

    def majority(self, test: int) -> tuple[float, Floats]:
        """Return the accuracy of a language's most frequent label, and its draws."""
        labels = self.data.labels[self.data.rows(test, test=False)]
        rows = self.data.rows(test, test=True)
        return self.share(self.data.labels[rows] == np.bincount(labels).argmax(), self.data.item[rows])

    def share(self, right: Flags | Floats, items: Integers) -> tuple[float, Floats]:
        """Return the mean of a value of items, and its draws, float64 [draws]."""
        weights = self.weights[:, items]
        draws: Floats = (weights @ right) / np.maximum(weights.sum(1), 1.0)
        return float(right.mean()), draws


def answers_of(
    features: Mapping[str, TextFeatures], data: LanguageTexts, draws: int, seed: int, finished: FinishedParts
) -> Answers:
    """Train a head for every system and language; those of the model, and those of the source, label all languages.

    Args:
        features: of all texts, by system.
        data: the texts.
        draws: number of resamples.
        seed: of the study.
        finished: what an earlier call has finished.
    """
    tests = np.concatenate([data.rows(number, test=True) for number in range(len(data.languages))])
    right = dict[tuple[str, int], Flags]()
    pairs = [(system, train) for system in (*features, SHUFFLED) for train in range(len(data.languages))]
    with finished.progress.step("heads by language", len(pairs)) as step:
        for system, train in pairs:
            everywhere = system == MODEL or (train == 0 and system != SHUFFLED)
            answered = np.flatnonzero((data.language[tests] == train) | everywhere)
            right[system, train] = np.zeros(len(tests), dtype=bool)
            right[system, train][answered] = _right(features, data, (system, train), tests[answered], seed, finished)
            step.advance()
    return Answers(data, right, tests, item_weights(data.num_items, draws, seeds.child(seed, "languages", "draws")))


def _right(
    features: Mapping[str, TextFeatures],
    data: LanguageTexts,
    of: tuple[str, int],
    tests: Integers,
    seed: int,
    finished: FinishedParts,
) -> Flags:
    """Return the answers of a system that learned from a language, as an earlier call left them or made now."""
    system, train = of
    own, rows = features.get(system, features[MODEL]), data.rows(train, test=False)
    part = finished.arrays(
        ("head", system, train),
        lambda: {"right": right_answers(own, data, rows, tests, seed, shuffled=system == SHUFFLED)},
    )
    right: Flags = part["right"]
    return right
