"""The record's tables of words: self-similarity of every word, and of stop words compared with other words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.stats import spearmanr
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from wordworth.measures.bootstrap import interval, mean_draws
from wordworth.measures.weighted_sums import Flags, Floats, floats
from wordworth.studies.contextuality.layer_measures import LayerData

WORDS = {
    "model": "name as given",
    "word": "as the model sees it",
    "contexts": "number of different sentences it occurs in",
    "occurrences": "number of occurrences in them",
    "stop_word": "whether it is an English stop word (scikit-learn's list)",
    "self_similarity": "by layer from the input layer on, not adjusted",
}
STOP_WORDS = {
    "model": "name as given",
    "layer": "0 is the input layer",
    "stop": "mean self-similarity of stop words, not adjusted",
    "stop_low": "lower end of the 95 % interval",
    "stop_high": "upper end of the 95 % interval",
    "rest": "mean self-similarity of the other words",
    "rest_low": "lower end of the 95 % interval",
    "rest_high": "upper end of the 95 % interval",
    "difference": "stop words minus the rest",
    "low": "lower end of the difference's 95 % interval",
    "high": "upper end of the difference's 95 % interval",
    "stop_words": "number of stop words",
    "other_words": "number of other words",
    "variety": "rank correlation over all words of self-similarity with the number of contexts",
}
_LEAST = 5
_ENGLISH = 0.2
"""Least share of the words of an English text that are stop words: they are 25 to 58 % of it. Other languages share
some of their spellings, at most 14 % of the words of 18 Bibles."""


def words(data: LayerData) -> list[dict[str, Any]]:
    """Return the rows of the table `words`: the self-similarity of each word studied, at each layer.

    The words that occur in the most sentences come first.
    """
    counts, stop = data.plan.members.counts, stop_word_mask(data)
    order = np.lexsort((data.plan.words, -data.plan.contexts))
    return [
        {
            "model": data.name,
            "word": data.stream.forms[data.plan.words[index]],
            "contexts": int(data.plan.contexts[index]),
            "occurrences": int(counts[index]),
            "stop_word": bool(stop[index]),
            "self_similarity": [round(float(value), 4) for value in data.collected.words[index]],
        }
        for index in order
    ]


def stop_words(data: LayerData) -> list[dict[str, Any]]:
    """Return the rows of the table `stop_words`: the self-similarity of stop words and of other words at each layer.

    There are no rows if the text has fewer than five English stop words or fewer than five other words. Nor are there
    rows if less than a fifth of the text's words are English stop words, since the text is then in another language.
    """
    stop, values = stop_word_mask(data), data.collected.words
    if not enough_of_both(stop) or not _is_english(data):
        return []
    means, parts = group_means(data, stop)
    rows = []
    for layer in range(values.shape[1]):
        ends = [interval(draws[:, layer]) for draws in (*parts, parts[0] - parts[1])]
        row: list[Any] = [data.name, layer]
        for mean, end in zip((*means, means[0] - means[1]), ends, strict=True):
            row += [float(mean[layer]), end.low, end.high]
        rows.append(
            dict(zip(STOP_WORDS, [*row, int(stop.sum()), int((~stop).sum()), _variety(data, layer)], strict=True))
        )
    return rows


def group_means(data: LayerData, stop: Flags) -> tuple[list[Floats], list[Floats]]:
    """Return the mean self-similarity of stop words and of other words.

    Args:
        data: one model's data.
        stop: bool [words], whether each word is a stop word.

    Returns:
        Two lists, each with an array for stop words and one for other words: the means, float64 [layers], and the means
        over resampled words, float64 [draws, layers].
    """
    values, named = data.collected.words, (("stop", stop), ("rest", ~stop))
    means = [floats(values[in_group].mean(axis=0)) for _, in_group in named]
    return means, [
        mean_draws(values[in_group], data.settings.draws, data.rng("draws", name)) for name, in_group in named
    ]


def enough_of_both(stop: Flags) -> bool:
    """Return True if there are at least five stop words and at least five other words.

    Args:
        stop: bool [words], whether each word is a stop word.
    """
    return min(int(stop.sum()), int((~stop).sum())) >= _LEAST


def stop_word_mask(data: LayerData) -> Flags:
    """Return whether each word studied is an English stop word, bool [words], ignoring case and word markers."""
    return _are_stop_words([data.stream.forms[form] for form in data.plan.words])


def _is_english(data: LayerData) -> bool:
    """Return whether at least a fifth of all word occurrences are English stop words; rare words count too."""
    of_form = np.bincount(data.stream.form, minlength=len(data.stream.forms))
    return bool(of_form[_are_stop_words(data.stream.forms)].sum() >= _ENGLISH * of_form.sum())


def _are_stop_words(forms: Sequence[str]) -> Flags:
    plain = (form.lstrip("Ġ▁").lower() for form in forms)
    return np.fromiter((form in ENGLISH_STOP_WORDS for form in plain), bool, count=len(forms))


def _variety(data: LayerData, layer: int) -> float:
    """Return the rank correlation of words' self-similarity with their number of contexts; NaN if either is constant.

    Self-similarity is constant for a static table, the number of contexts if all words occur in equally many sentences.
    """
    values, contexts = data.collected.words[:, layer].round(6), data.plan.contexts
    return float(spearmanr(values, contexts).statistic) if np.ptp(values) and np.ptp(contexts) else float("nan")
