"""Compare training on a language of the same genus with training on a language of another family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import interval, item_weights
from wordworth.measures.weighted_sums import Flags, Floats, floats, ratio
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, join_words, signed_with_range
from wordworth.studies.languages.bootstrap_interval_columns import Value, described, value_columns
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, MODEL, RANDOM, Answers
from wordworth.studies.languages.language_families import Relations

LEAST = 8
"""Fewest languages with related and distant ones of which a mean is stated."""
_CHANGE = "accuracy with labels of related languages less that with labels of distant ones"
RELATED = {
    "language": "name of the language that is tested on",
    "family": "its family",
    "genus": "its genus",
    "num_related": "number of other languages of the genus; labels of each are learned",
    "num_distant": "number of languages of other families; labels of each are learned",
    **described("related", "the model's mean accuracy with labels of a related language"),
    **described("distant", "the model's mean accuracy with labels of a distant language"),
    **described("change", f"the model's {_CHANGE}"),
    **described("characters", f"n-grams of characters: {_CHANGE}"),
    **described("random", f"random weights: {_CHANGE}"),
}


def related_languages(answers: Answers, seed: int) -> tuple[list[dict[str, Any]], tuple[Finding, ...]]:
    """Compare accuracy after training on languages of the same genus and of other families, on the same test texts.

    Args:
        answers: which test texts each system labels correctly.
        seed: seed of the study.

    Returns:
        Rows of the table `RELATED`, one for each test language to which at least one language is related and one is
        distant; and a tuple with the finding on the mean of the rows, empty for fewer than `LEAST` rows. Intervals of
        the rows resample texts. Intervals of the finding resample texts and languages: each training language and each
        test language is weighted by how often the resample has it.
    """
    relations = Relations.of(answers.languages)
    if not relations.compared:
        return [], ()
    accuracy = {system: _accuracy(answers, system) for system in (MODEL, CHARACTERS, RANDOM)}
    rows = list(_rows(answers.languages, relations, accuracy))
    return rows, (_finding(answers.languages, relations, accuracy, seed),) if len(rows) >= LEAST else ()


def _rows(languages: Sequence[str], relations: Relations, accuracy: Mapping[str, Floats]) -> Iterator[dict[str, Any]]:
    alike = np.ones((1, len(languages)))
    columns = {
        "related": _mean_over(relations.related, accuracy[MODEL], alike),
        "distant": _mean_over(relations.distant, accuracy[MODEL], alike),
        "change": _changes(relations, accuracy[MODEL], alike),
        "characters": _changes(relations, accuracy[CHARACTERS], alike),
        "random": _changes(relations, accuracy[RANDOM], alike),
    }
    for test in relations.compared:
        descent = relations.descents[test]
        values = [value_columns(_value(of[:, test]), name) for name, of in columns.items()]
        yield {
            "language": languages[test],
            "family": descent.family if descent else None,
            "genus": descent.genus if descent else None,
            "num_related": int(relations.related[:, test].sum()),
            "num_distant": int(relations.distant[:, test].sum()),
            **{key: cell for each in values for key, cell in each.items()},
        }


def _finding(languages: Sequence[str], relations: Relations, accuracy: Mapping[str, Floats], seed: int) -> Finding:
    """Return the finding on the mean over the languages that are tested on."""
    draws = len(accuracy[MODEL]) - 1
    drawn = item_weights(len(languages), draws, seeds.child(seed, "languages", "related"))
    weights = np.concatenate([np.ones((1, len(languages))), drawn])
    means = {system: _mean_change(relations, of, weights) for system, of in accuracy.items()}
    named = {
        "change": means[MODEL],
        "characters": means[CHARACTERS],
        "random": means[RANDOM],
        "above_characters": means[MODEL] - means[CHARACTERS],
        "fitted": _fitted(relations, accuracy[MODEL], weights),
        "fitted_characters": _fitted(relations, accuracy[CHARACTERS], weights),
    }
    values = {name: _value(of) for name, of in named.items()}
    unknown = [name for name, of in zip(languages, relations.descents, strict=True) if of is None]
    numbers: dict[str, Any] = {"languages": [languages[test] for test in relations.compared], "unknown": unknown}
    numbers |= {key: cell for name, of in values.items() for key, cell in value_columns(of, name).items()}
    return Finding("related", _sentences(values, len(relations.compared), unknown), numbers)


def _sentences(values: Mapping[str, Value], number: int, unknown: Sequence[str]) -> str:
    phrases = {}
    for name, (value, draws) in values.items():
        ends = interval(draws)
        phrases[name] = signed_with_range(value, ends.low, ends.high)
    left_out = f" The families of {join_words(unknown)} are not known." if unknown else ""
    return (
        f"Labels of a language of the same genus change accuracy by {phrases['change']} beside labels of a language of "
        f"another family, on average over {count_of(number, 'language')}; with random weights by {phrases['random']}, "
        f"by n-grams of characters by {phrases['characters']}, so that the model adds "
        f"{phrases['above_characters']} to what is spelt alike. In a fit with a level for each training and each test "
        f"language, relatives add {phrases['fitted']}, of n-grams {phrases['fitted_characters']}. Intervals are over "
        f"texts and languages.{left_out}"
    )


def _accuracy(answers: Answers, system: str) -> Floats:
    """Return the accuracy by training and test language, float64 [1 + draws, languages, languages].

    The first entry of the first axis is of the sample, the others are of its resamples of texts.
    """
    numbers = range(len(answers.languages))
    pairs = [[answers.accuracy(system, train, test) for test in numbers] for train in numbers]
    points = floats([[value for value, _ in row] for row in pairs])
    draws = floats([[of_draws for _, of_draws in row] for row in pairs])
    return np.concatenate([points[None], np.moveaxis(draws, -1, 0)])


def _mean_over(pairs: Flags, accuracy: Floats, weights: Floats) -> Floats:
    """Return the weighted mean over some training languages, for each test language, float64 [1 + draws, languages].

    The mean is NaN where the weights of all training languages that are averaged are 0.

    Args:
        pairs: bool [training languages, test languages], whether the mean for a test language is over a training
            language.
        accuracy: float64 [1 + draws, training languages, test languages].
        weights: float64 [1 + draws, languages], or [1, languages] for the same weights in all resamples.
    """
    weights = np.broadcast_to(weights, accuracy.shape[:2])
    return ratio(np.einsum("dr,rs,drs->ds", weights, pairs, accuracy), weights @ pairs, otherwise=np.nan)


def _changes(relations: Relations, accuracy: Floats, weights: Floats) -> Floats:
    """Return the mean accuracy after training on related languages minus the mean after training on distant ones.

    The result is float64 [1 + draws, test languages]; `accuracy` and `weights` are as for `_mean_over`.
    """
    return _mean_over(relations.related, accuracy, weights) - _mean_over(relations.distant, accuracy, weights)


def _mean_change(relations: Relations, accuracy: Floats, weights: Floats) -> Floats:
    """Return the weighted mean of `_changes` over the test languages where it is not NaN, float64 [1 + draws]."""
    changes = _changes(relations, accuracy, weights)
    known = np.isfinite(changes)
    return ratio(np.where(known, changes * weights, 0.0).sum(1), (weights * known).sum(1), otherwise=np.nan)


def _fitted(relations: Relations, accuracy: Floats, weights: Floats) -> Floats:
    """Return what a related training language adds in an additive model of accuracy, float64 [1 + draws].

    By weighted least squares, the accuracy of a related or distant pair is the sum of a level of its training language,
    a level of its test language, and, for related pairs, a constant, which is returned. The levels account for training
    languages that help more on every test language, related or not. The result is NaN for a resample that has no
    related pair.
    """
    train, test = np.nonzero(relations.related | relations.distant)
    levels = np.eye(accuracy.shape[1])
    related = relations.related[train, test].astype(np.float64)
    design = np.column_stack([related, levels[train], levels[test]])
    of_pairs = weights[:, train] * weights[:, test]
    fitted = np.full(len(accuracy), np.nan)
    for draw in np.flatnonzero(of_pairs @ related):
        weighted = design.T * of_pairs[draw]
        fitted[draw] = np.linalg.lstsq(weighted @ design, weighted @ accuracy[draw, train, test])[0][0]
    return fitted


def _value(values: Floats) -> Value:
    """Return the value of the sample, and the values of the resamples that are not NaN, from values [1 + draws]."""
    return float(values[0]), values[1:][np.isfinite(values[1:])]
