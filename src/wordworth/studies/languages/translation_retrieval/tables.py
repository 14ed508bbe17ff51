"""The tables of the retrieval of translations: by language and system, and by layer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordworth.measures.weighted_sums import Flags, Floats, Integers
from wordworth.studies.languages.bootstrap_interval_columns import (
    NO,
    UNKNOWN,
    YES,
    Value,
    above_zero_verdict,
    described,
    difference,
    value_columns,
)
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, RANDOM, weighted_share
from wordworth.studies.languages.translation_retrieval.layers import LayerChoice
from wordworth.studies.languages.translation_retrieval.pairs import TranslationPairs

VECTORS, CHOSEN, INPUT = "sentence vectors", "chosen layer", "input layer"
LANGUAGES = {
    "language": "name of the language",
    "pairs": "number of test pairs",
    "candidates": "number of texts among which a translation is searched for: those of all pairs of the language",
    **described(
        "retrieved",
        "share of test texts whose nearest text is their translation, by the chosen layer, mean of both directions",
    ),
    **described("above_characters", "this less the share by n-grams of characters"),
    **described("above_random", "this less the share by random weights"),
    **described("above_input", "this less the share by the input layer"),
    "aligned": "whether it is above n-grams, random weights and the input layer beyond doubt, at a level corrected for "
    "the number of comparisons",
    "unknown": "share of the language's pieces that the vocabulary lacks",
}
RETRIEVAL = {
    "language": "name of the language",
    "system": "sentence vectors of the model; its chosen layer; its input layer (a static table of pieces and "
    "positions); the chosen layer of random weights; TF-IDF of n-grams of characters",
    **described("forward", "share of the source's test texts whose nearest text of the language is their translation"),
    **described("backward", "the same from the language to the source"),
    "chance": "share by luck",
}
LAYERS = {
    "layer": "number of the layer; 0 is the input layer",
    "centred": "whether the mean of each language's training texts is subtracted",
    "train": "share of training pairs that are retrieved, mean of languages and directions; it chooses the layer",
    **described("forward", "share of the source's test texts that are retrieved, mean of the languages"),
    **described("backward", "the same from the language to the source"),
    **described("random", "the same with random weights, mean of both directions"),
}


@dataclass(frozen=True)
class RetrievedPairs:
    """Which translations each system retrieves, with the bootstrap resamples of test pairs.

    Attributes:
        pairs: the pairs of all languages.
        by_layer: system (the model, or random weights) -> index of the language -> bool [2, layers, 2, n], whether each
            pair is retrieved. The axes are: plain and centred vectors, layers, from and to the source language, pairs.
        others: (system, index of the language) -> bool [2, n], the same for systems without layers: from and to the
            source language.
        choices: system -> the layer that was chosen on training pairs, and whether its vectors are centred.
        weights: float64 [draws, items], how often each item is in each resample; all systems and languages share them.
    """

    pairs: TranslationPairs
    by_layer: Mapping[str, Mapping[int, Flags]]
    others: Mapping[tuple[str, int], Flags]
    choices: Mapping[str, LayerChoice]
    weights: Floats

    def right(self, system: str, language: int) -> Flags:
        """Return which pairs of a language a system retrieves, bool [2, n]: from the source language, and to it.

        Args:
            system: name of the system.
            language: index of the language.
        """
        if (system, language) in self.others:
            return self.others[system, language]
        choice = self.choices[system]
        of = RANDOM if system == RANDOM else CHOSEN
        right: Flags = self.by_layer[of][language][int(choice.centred), choice.layer]
        return right

    def share(self, right: Flags, language: int, directions: tuple[int, ...] = (0, 1)) -> Value:
        """Return the share of a language's test pairs that is retrieved.

        The result is a pair: the share, and the share in each bootstrap resample, float64 [draws].

        Args:
            right: bool [2, n], whether each pair is retrieved from the source language, and to it.
            language: index of the language.
            directions: indices of the directions that are averaged: 0 from the source language, 1 to it.
        """
        test, items = self.test_pairs(language)
        return weighted_share(self.weights[:, items], right[list(directions)][:, test].mean(0))

    def test_pairs(self, language: int) -> tuple[Integers, Integers]:
        """Return the positions of a language's test pairs among its pairs, and the index of each pair's source text.

        Args:
            language: index of the language.

        Returns:
            Two arrays, int64 [test pairs].
        """
        rows = self.pairs.rows(language)
        test = np.flatnonzero(self.pairs.test[rows])
        return test, self.pairs.item[rows][test]


def language_rows(retrieved: RetrievedPairs) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of languages: the share of pairs that the chosen layer retrieves.

    Each row also has this share minus the share of each baseline.
    """
    names = retrieved.pairs.languages
    baselines = {"above_characters": CHARACTERS, "above_random": RANDOM, "above_input": INPUT}
    for number, name in enumerate(names):
        own = retrieved.share(retrieved.right(CHOSEN, number), number)
        above = {
            column: difference(own, retrieved.share(retrieved.right(system, number), number))
            for column, system in baselines.items()
        }
        verdicts = {above_zero_verdict(each, len(baselines) * len(names)) for each in above.values()}
        columns = {key: value for column, each in above.items() for key, value in value_columns(each, column).items()}
        yield {
            "language": name,
            "pairs": len(retrieved.test_pairs(number)[0]),
            "candidates": len(retrieved.pairs.rows(number)),
            **value_columns(own, "retrieved"),
            **columns,
            "aligned": YES if verdicts == {YES} else NO if NO in verdicts else UNKNOWN,
        }


def retrieval_rows(retrieved: RetrievedPairs) -> Iterator[dict[str, Any]]:
    """Yield a row for each language and system: the share of test pairs retrieved in each direction, and by chance."""
    for number, name in enumerate(retrieved.pairs.languages):
        for system in (VECTORS, CHOSEN, INPUT, RANDOM, CHARACTERS):
            right = retrieved.right(system, number)
            yield {
                "language": name,
                "system": system,
                **value_columns(retrieved.share(right, number, (0,)), "forward"),
                **value_columns(retrieved.share(right, number, (1,)), "backward"),
                "chance": 1 / len(retrieved.pairs.rows(number)),
            }


def layer_rows(retrieved: RetrievedPairs) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of layers: the share of translation pairs that the states of each layer retrieve.

    Each layer has a row for its plain vectors and one for centred vectors.
    """
    own, random = retrieved.by_layer[CHOSEN], retrieved.by_layer[RANDOM]
    depth = next(iter(own.values())).shape[1]
    for centred in (False, True):
        for layer in range(depth):
            of = int(centred), layer
            yield {
                "layer": layer,
                "centred": centred,
                "train": train_share(retrieved, own, *of),
                **value_columns(_mean(retrieved, own, of, (0,)), "forward"),
                **value_columns(_mean(retrieved, own, of, (1,)), "backward"),
                **value_columns(_mean(retrieved, random, of, (0, 1)), "random"),
            }


def train_share(retrieved: RetrievedPairs, by_layer: Mapping[int, Flags], centred: int, layer: int) -> float:
    """Return the share of training pairs that a layer retrieves, averaged over languages and directions.

    Args:
        retrieved: the translations that each system retrieves.
        by_layer: index of each language -> bool [2, layers, 2, n], whether one system retrieves each pair. The axes
            are: plain and centred vectors, layers, from and to the source language, pairs.
        centred: 1 for centred vectors, 0 for plain ones.
        layer: number of the layer; 0 is the input layer.
    """
    pairs = retrieved.pairs
    each = [right[centred, layer][:, ~pairs.test[pairs.rows(number)]].mean() for number, right in by_layer.items()]
    return float(np.mean(each))


def mean_retrieved(retrieved: RetrievedPairs, system: str, directions: tuple[int, ...] = (0, 1)) -> Value:
    """Return the share of test pairs that a system retrieves, as a mean over languages.

    The result is a pair: the mean share, and the mean share in each bootstrap resample, float64 [draws].

    Args:
        retrieved: the translations that each system retrieves.
        system: name of the system.
        directions: indices of the directions that are averaged: 0 from the source language, 1 to it.
    """
    numbers = range(len(retrieved.pairs.languages))
    return _average([retrieved.share(retrieved.right(system, number), number, directions) for number in numbers])


def _mean(
    retrieved: RetrievedPairs, by_layer: Mapping[int, Flags], of: tuple[int, int], directions: tuple[int, ...]
) -> Value:
    return _average([retrieved.share(right[of], number, directions) for number, right in by_layer.items()])


def _average(values: list[Value]) -> Value:
    return float(np.mean([value for value, _ in values])), np.mean([draws for _, draws in values], axis=0)
