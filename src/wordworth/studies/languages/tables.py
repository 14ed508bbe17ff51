"""The tables of the study `languages`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from wordworth.measures.weighted_sums import Flags, Integers
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
from wordworth.studies.languages.correct_by_training_language import (
    CHARACTERS,
    MODEL,
    RANDOM,
    SHUFFLED,
    Answers,
    TransferScores,
)
from wordworth.studies.languages.nearest_translations import Retrieval

LANGUAGES = {
    "language": "name of the language; the source first",
    "train": "number of texts that are learned from",
    "test": "number of texts that test",
    "majority": "accuracy of the most frequent label",
    **described("own", "accuracy of a linear head on the frozen model, learned from the language's own labels"),
    **described("characters", "the same on TF-IDF of n-grams of characters"),
    **described("random", "the same on the model with random weights"),
    "shuffled": "the same on the model's vectors, learned from labels that were dealt out anew among the texts",
    **described("ahead", "the model's accuracy less that of n-grams of characters, on the same texts"),
    "served": "whether it is ahead of them beyond doubt, at a level corrected for the number of languages",
    **described("zero_shot", "accuracy of the head that learned from the source's labels; missing for the source"),
    **described("gap", "this less the accuracy with the language's own labels"),
    **described("above_random", "the zero-shot accuracy less that of the model with random weights"),
    **described("above_characters", "the zero-shot accuracy less that of n-grams of characters"),
    "transfers": "whether the zero-shot accuracy is above the most frequent label, random weights and n-grams of "
    "characters beyond doubt, at a level corrected for the number of comparisons",
    **described("back", "accuracy on the source of the head that learned from this language's labels"),
    **described("back_gap", "this less the accuracy on the source with its own labels"),
}
TRANSFER = {
    "train": "language whose labels are learned",
    "test": "language that is tested on",
    **described("accuracy", "share of the test texts that are labelled right"),
    **described("gap", "this less the accuracy with the tested language's own labels"),
}
RETRIEVAL = {
    "language": "name of the language",
    "system": "the model, the same with random weights, or TF-IDF of n-grams of characters",
    "items": "number of items that are found among each other; by luck one in so many would be",
    **described("forward", "share of the source's texts whose nearest text of the language is their translation"),
    **described("backward", "the same from the language to the source"),
    **described("margin", "mean cosine of translations less that of random pairs"),
}
LAYERS = {
    "layer": "number of the layer; 0 is the input layer",
    **described("accuracy", "share of texts whose language a linear probe names, from the mean of the layer's states"),
    **described("random", "the same with random weights"),
    "chance": "share by luck",
}


def language_rows(scores: TransferScores) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of languages: accuracy by system, and transfer from and to the source language."""
    source, languages = 0, len(scores.languages)
    for number, name in enumerate(scores.languages):
        own = scores.accuracy(MODEL, number, number)
        characters = scores.accuracy(CHARACTERS, number, number)
        gain = difference(own, characters)
        yield {
            "language": name,
            "train": scores.size(number, test=False),
            "test": scores.size(number, test=True),
            "majority": scores.constant_score(number)[0],
            **value_columns(own, "own"),
            **value_columns(characters, "characters"),
            **value_columns(scores.accuracy(RANDOM, number, number), "random"),
            "shuffled": scores.accuracy(SHUFFLED, number, number)[0],
            **value_columns(gain, "ahead"),
            "served": above_zero_verdict(gain, languages),
            **_zero_shot(scores, number, own if number != source else None),
        }


def _zero_shot(scores: TransferScores, number: int, own: Value | None) -> dict[str, Any]:
    """Return the columns of transfer from the source language to another language, and back.

    Args:
        scores: the scores of all systems.
        number: index of the other language.
        own: the model's score on the other language after training on that language. None stands for the source
            language itself, for which all cells are None.
    """
    names = ("zero_shot", "gap", "above_random", "above_characters")
    if own is None:
        empty = {
            key: value for name in (*names, "back", "back_gap") for key, value in value_columns(None, name).items()
        }
        return {**empty, "transfers": None}
    zero_shot = scores.accuracy(MODEL, 0, number)
    above = [difference(zero_shot, scores.accuracy(of, 0, number)) for of in (RANDOM, CHARACTERS)]
    compared = [difference(zero_shot, scores.constant_score(number)), *above]
    verdicts = {above_zero_verdict(each, 3 * (len(scores.languages) - 1)) for each in compared}
    values = (zero_shot, difference(zero_shot, own), *above)
    columns = {
        key: value for name, of in zip(names, values, strict=True) for key, value in value_columns(of, name).items()
    }
    back, home = scores.accuracy(MODEL, number, 0), scores.accuracy(MODEL, 0, 0)
    return {
        **columns,
        "transfers": YES if verdicts == {YES} else NO if NO in verdicts else UNKNOWN,
        **value_columns(back, "back"),
        **value_columns(difference(back, home), "back_gap"),
    }


def transfer_rows(scores: TransferScores) -> Iterator[dict[str, Any]]:
    """Yield a row for each pair of a training language and a test language, with the model's accuracy."""
    names = scores.languages
    for test, tested in enumerate(names):
        own = scores.accuracy(MODEL, test, test)
        for train, learned in enumerate(names):
            accuracy = scores.accuracy(MODEL, train, test)
            gap = None if train == test else difference(accuracy, own)
            yield {"train": learned, "test": tested, **value_columns(accuracy, "accuracy"), **value_columns(gap, "gap")}


def mean_gap(scores: TransferScores, *, back: bool) -> Value:
    """Return the zero-shot gap, averaged over all languages but the source language.

    The gap of a pair of languages is the accuracy on the test language after training on the other one, minus the
    accuracy after training on the test language itself. A negative gap means that the transfer loses accuracy.

    Args:
        scores: the scores of all systems.
        back: False to train on the source language and test on each other one, True to train on each other language and
            test on the source.

    Returns:
        The mean gap as a share of 1, and float64 [resamples], the mean gap in each bootstrap resample.
    """
    others = range(1, len(scores.languages))
    pairs = [(other, 0) if back else (0, other) for other in others]
    gaps = [
        difference(scores.accuracy(MODEL, train, test), scores.accuracy(MODEL, test, test)) for train, test in pairs
    ]
    return float(np.mean([gap[0] for gap in gaps])), np.mean([gap[1] for gap in gaps], axis=0)


def retrieval_rows(retrieved: Mapping[tuple[str, int], Retrieval], answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of retrieval: how often the nearest text of another language is the translation.

    Args:
        retrieved: (system, index of the language) -> retrieval of its translations.
        answers: the answers of all systems, of which the bootstrap resamples are used.
    """
    for (system, number), each in retrieved.items():
        yield {
            "language": answers.data.languages[number],
            "system": system,
            "items": len(each.items),
            **value_columns(answers.share(each.forward, each.items), "forward"),
            **value_columns(answers.share(each.backward, each.items), "backward"),
            **value_columns(answers.share(each.cosine_gap, each.items), "margin"),
        }


def layer_rows(own: Flags, random: Flags, tests: Integers, answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of layers: how well a probe of each layer predicts the language of a text.

    Args:
        own: bool [layers, test texts], whether the probe of each layer of the model predicts the language correctly.
        random: bool [layers, test texts], the same for the encoder with random weights.
        tests: int64 [test texts], indices of the test texts in `LanguageTexts.texts`.
        answers: the answers of all systems, of which the bootstrap resamples are used.
    """
    items = answers.data.item[tests]
    for layer, (first, second) in enumerate(zip(own, random, strict=True)):
        yield {
            "layer": layer,
            **value_columns(answers.share(first, items), "accuracy"),
            **value_columns(answers.share(second, items), "random"),
            "chance": 1 / len(answers.data.languages),
        }
