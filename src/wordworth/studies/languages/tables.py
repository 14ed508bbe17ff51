"""The tables of the study `languages`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from wordworth.measures.bootstrap import interval
from wordworth.measures.paired_changes import Change
from wordworth.measures.weighted_sums import Flags, Floats, Integers
from wordworth.studies.languages.answers import CHARACTERS, MODEL, RANDOM, SHUFFLED, Answers
from wordworth.studies.languages.retrieval import Retrieval

YES, NO, UNKNOWN = "yes", "no", "cannot tell"
Value = tuple[float, Floats]


def _described(name: str, what: str) -> dict[str, str]:
    return {name: what, f"{name}_low": "of its 95 % interval, over texts", f"{name}_high": "of its 95 % interval"}


LANGUAGES = {
    "language": "name of the language; the source first",
    "train": "number of texts that are learned from",
    "test": "number of texts that test",
    "majority": "accuracy of the most frequent label",
    **_described("own", "accuracy of a linear head on the frozen model, learned from the language's own labels"),
    **_described("characters", "the same on TF-IDF of n-grams of characters"),
    **_described("random", "the same on the model with random weights"),
    "shuffled": "the same on the model's vectors, learned from labels that were dealt out anew among the texts",
    **_described("ahead", "the model's accuracy less that of n-grams of characters, on the same texts"),
    "served": "whether it is ahead of them beyond doubt, at a level corrected for the number of languages",
    **_described("zero_shot", "accuracy of the head that learned from the source's labels; missing for the source"),
    **_described("gap", "this less the accuracy with the language's own labels"),
    **_described("above_random", "the zero-shot accuracy less that of the model with random weights"),
    **_described("above_characters", "the zero-shot accuracy less that of n-grams of characters"),
    "transfers": "whether the zero-shot accuracy is above the most frequent label, random weights and n-grams of "
    "characters beyond doubt, at a level corrected for the number of comparisons",
    **_described("back", "accuracy on the source of the head that learned from this language's labels"),
    **_described("back_gap", "this less the accuracy on the source with its own labels"),
}
TRANSFER = {
    "train": "language whose labels are learned",
    "test": "language that is tested on",
    **_described("accuracy", "share of the test texts that are labelled right"),
    **_described("gap", "this less the accuracy with the tested language's own labels"),
}
RETRIEVAL = {
    "language": "name of the language",
    "system": "the model, the same with random weights, or TF-IDF of n-grams of characters",
    "items": "number of items that are found among each other; by luck one in so many would be",
    **_described("forward", "share of the source's texts whose nearest text of the language is their translation"),
    **_described("backward", "the same from the language to the source"),
    **_described("margin", "mean cosine of translations less that of random pairs"),
}
LAYERS = {
    "layer": "number of the layer; 0 is the input layer",
    **_described("accuracy", "share of texts whose language a linear probe names, from the mean of the layer's states"),
    **_described("random", "the same with random weights"),
    "chance": "share by luck",
}


def _value(of: Value | None, name: str) -> dict[str, float | None]:
    if of is None:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"))
    return {name: of[0], **interval(of[1]).columns(f"{name}_")}


def difference(first: Value, second: Value) -> Value:
    """Return the first value minus the second, on the sample and in each resample; both must share the resamples."""
    return first[0] - second[0], first[1] - second[1]


def beyond_doubt(change: Value, comparisons: int) -> str:
    """Return `yes` where a difference is significantly above 0, `no` where significantly below, else `cannot tell`.

    Args:
        change: the difference, and that in each bootstrap resample.
        comparisons: number of comparisons by which the 5 % level is corrected (Bonferroni).
    """
    ends = Change(*change).corrected(comparisons)
    return YES if ends.low > 0 else NO if ends.high < 0 else UNKNOWN


def language_rows(answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of languages: accuracy of every system, and transfer from the source and back."""
    data, source = answers.data, 0
    languages = len(data.languages)
    for number, name in enumerate(data.languages):
        own = answers.accuracy(MODEL, number, number)
        characters = answers.accuracy(CHARACTERS, number, number)
        gain = difference(own, characters)
        yield {
            "language": name,
            "train": len(data.rows(number, test=False)),
            "test": len(data.rows(number, test=True)),
            "majority": answers.majority(number)[0],
            **_value(own, "own"),
            **_value(characters, "characters"),
            **_value(answers.accuracy(RANDOM, number, number), "random"),
            "shuffled": answers.accuracy(SHUFFLED, number, number)[0],
            **_value(gain, "ahead"),
            "served": beyond_doubt(gain, languages),
            **_zero_shot(answers, number, own if number != source else None),
        }


def _zero_shot(answers: Answers, number: int, own: Value | None) -> dict[str, Any]:
    """Return the columns of transfer from the source and back; all None for the source itself, where `own` is None."""
    names = ("zero_shot", "gap", "above_random", "above_characters")
    if own is None:
        empty = {key: value for name in (*names, "back", "back_gap") for key, value in _value(None, name).items()}
        return {**empty, "transfers": None}
    zero_shot = answers.accuracy(MODEL, 0, number)
    above = [difference(zero_shot, answers.accuracy(of, 0, number)) for of in (RANDOM, CHARACTERS)]
    compared = [difference(zero_shot, answers.majority(number)), *above]
    verdicts = {beyond_doubt(each, 3 * (len(answers.data.languages) - 1)) for each in compared}
    values = (zero_shot, difference(zero_shot, own), *above)
    columns = {key: value for name, of in zip(names, values, strict=True) for key, value in _value(of, name).items()}
    back, home = answers.accuracy(MODEL, number, 0), answers.accuracy(MODEL, 0, 0)
    return {
        **columns,
        "transfers": YES if verdicts == {YES} else NO if NO in verdicts else UNKNOWN,
        **_value(back, "back"),
        **_value(difference(back, home), "back_gap"),
    }


def transfer_rows(answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield a row for each pair of a training language and a test language, with the model's accuracy."""
    names = answers.data.languages
    for test, tested in enumerate(names):
        own = answers.accuracy(MODEL, test, test)
        for train, learned in enumerate(names):
            accuracy = answers.accuracy(MODEL, train, test)
            gap = None if train == test else difference(accuracy, own)
            yield {"train": learned, "test": tested, **_value(accuracy, "accuracy"), **_value(gap, "gap")}


def mean_gap(answers: Answers, *, back: bool) -> Value:
    """Return the zero-shot gap, averaged over all languages but the source language.

    The gap of two languages is the accuracy on the one after training on the other, minus the accuracy after training
    on the test language itself. It is negative where transfer loses.

    Args:
        answers: answers of all systems.
        back: False to train on the source language and test on each other one, True to train on each other language
            and test on the source.

    Returns:
        The mean gap as a share of 1, and float64 [resamples], the mean gap in each bootstrap resample.
    """
    others = range(1, len(answers.data.languages))
    pairs = [(other, 0) if back else (0, other) for other in others]
    gaps = [
        difference(answers.accuracy(MODEL, train, test), answers.accuracy(MODEL, test, test)) for train, test in pairs
    ]
    return float(np.mean([gap[0] for gap in gaps])), np.mean([gap[1] for gap in gaps], axis=0)


def retrieval_rows(retrieved: Mapping[tuple[str, int], Retrieval], answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of retrieval.

    Args:
        retrieved: (system, number of the language) -> retrieval of its translations.
        answers: the answers, for their resamples of items.
    """
    for (system, number), each in retrieved.items():
        yield {
            "language": answers.data.languages[number],
            "system": system,
            "items": len(each.items),
            **_value(answers.share(each.forward, each.items), "forward"),
            **_value(answers.share(each.backward, each.items), "backward"),
            **_value(answers.share(each.margin, each.items), "margin"),
        }


def layer_rows(own: Flags, random: Flags, tests: Integers, answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of layers.

    Args:
        own: bool [layers, test texts], whether the probe of each layer of the model names the language.
        random: bool [layers, test texts], whether the probe names it from the twin with random weights.
        tests: int64 [test texts], rows of the texts.
        answers: the answers, for their resamples of items.
    """
    items = answers.data.item[tests]
    for layer, (first, second) in enumerate(zip(own, random, strict=True)):
        yield {
            "layer": layer,
            **_value(answers.share(first, items), "accuracy"),
            **_value(answers.share(second, items), "random"),
            "chance": 1 / len(answers.data.languages),
        }
