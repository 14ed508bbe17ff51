"""Rank correlations of a word's self-similarity with its number of senses, its contexts and its written forms.

A word's self-similarity is the mean cosine of two of its occurrences. Ethayarajh 2019 (section 4.1) explains low
self-similarity by the variety of contexts, not by polysemy. Garí Soler and Apidianaki 2021 find an effect of polysemy
when frequency and part of speech are controlled for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from wordworth import seeds
from wordworth.measures.bootstrap import interval, item_weights, mean_draws
from wordworth.measures.correlation import partial_rank
from wordworth.measures.geometry.mean_cosine import from_sums
from wordworth.measures.geometry.nearest_centroid import mean_cosines
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.studies.senses.nearest_centroid import Centroids
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.senses.settings import SensesSettings

EXPLANATIONS = {
    "senses": "senses the word is tagged with",
    "contexts": "sentences it occurs in",
    "variety": "how little the words around it repeat: 1 minus the mean tf-idf cosine of its sentences without it",
    "forms": "how often two of its occurrences are written differently",
}
DESCRIBE = {
    "model": "name as given",
    "data": "set",
    "layer": "0 is the input layer",
    "explanation": "; ".join(f"{name}: {meaning}" for name, meaning in EXPLANATIONS.items()),
    "held": "whether the other explanations and the part of speech are held fixed (partial rank correlation)",
    "value": "rank correlation of the explanation with self-similarity over words; below 0: the more, the less alike",
    "low": "lower end of the 95 % interval, over resampled words",
    "high": "upper end of the 95 % interval",
    "words": "number of words",
}
APART = {
    "model": "name as given",
    "data": "set",
    "layer": "0 is the input layer",
    "same": "mean cosine of two occurrences of a word in one sense, averaged over words of two or more senses",
    "different": "mean cosine of two occurrences in different senses",
    "difference": "`same` minus `different`; 0 where sense labels are permuted",
    "low": "lower end of the difference's 95 % interval, over resampled words",
    "high": "upper end of the difference's 95 % interval",
    "words": "number of words",
}
_LEAST_WORDS = 20


@dataclass(frozen=True, slots=True)
class Words:
    """The words with enough occurrences, with their self-similarity and the factors that may explain it.

    Attributes:
        word: int64 [words], indices into the words of the data set.
        contexts, senses: int64 [words], number of sentences and number of senses of each word.
        variety, forms: float64 [words], variety of contexts and of written forms, as `EXPLANATIONS` defines them.
        part_of_speech: the part of speech of each word; empty for a word whose name does not end in one.
        whole, same, different: float64 [words, layers], mean cosines of a word's occurrences: of all pairs, of pairs in
            the same sense, and of pairs in different senses.
    """

    word: Integers
    contexts: Integers
    senses: Integers
    variety: Floats
    forms: Floats
    part_of_speech: tuple[str, ...]
    whole: Floats
    same: Floats
    different: Floats

    def explanation(self, name: str) -> Floats:
        """Return for each word the value of one of the `EXPLANATIONS` of self-similarity, float64 [words]."""
        return floats(getattr(self, name))


def words(dataset: SenseDataset, centroids: Centroids, settings: SensesSettings) -> Words:
    """Compute the self-similarity and its possible explanations for each word with enough training occurrences.

    Args:
        dataset: the tagged sentences.
        centroids: the sums of vectors by sense.
        settings: the settings, of which `occurrences` is the least number of occurrences of a word.
    """
    occurrences = _by_word(dataset)
    often = [word for word, own in occurrences.items() if len(own) >= settings.occurrences]
    senses = {word: np.arange(*np.searchsorted(dataset.word_of, (word, word + 1))) for word in often}
    cosines = [_cosines(centroids, senses[word]) for word in often]
    layers = centroids.sums.shape[1]
    parts = [floats([means[part] for means in cosines]).reshape(-1, layers) for part in range(3)]
    return Words(
        word=np.array(often, np.int64),
        contexts=np.array([len(np.unique(dataset.sentence[occurrences[word]])) for word in often], np.int64),
        senses=np.array([int((dataset.counts[senses[word]] > 0).sum()) for word in often], np.int64),
        variety=_variety(dataset, [occurrences[word] for word in often]),
        forms=floats([_forms(dataset, occurrences[word]) for word in often]),
        part_of_speech=tuple(_part_of_speech(dataset.words[word]) for word in often),
        whole=parts[0],
        same=parts[1],
        different=parts[2],
    )


def _by_word(dataset: SenseDataset) -> dict[int, Integers]:
    """Return index of a word -> the indices of its training occurrences."""
    training = np.flatnonzero(dataset.train_mask)
    order = training[np.argsort(dataset.word[training], kind="stable")]
    parts = np.split(order, np.flatnonzero(np.diff(dataset.word[order])) + 1)
    return {int(dataset.word[own[0]]): own for own in parts}


def _part_of_speech(name: str) -> str:
    """Return the part of speech in a word's name, `noun)` for `bank (noun)`; empty if there is none."""
    return name.rpartition(" (")[2] if name.endswith(")") else ""


def _cosines(centroids: Centroids, senses: Integers) -> tuple[Floats, Floats, Floats]:
    rows = centroids.row[senses]
    return mean_cosines(centroids.sums[rows], centroids.counts[rows])


def _variety(dataset: SenseDataset, occurrences: list[Integers]) -> Floats:
    """Return the variety of each word's contexts, float64 [words]: 1 minus the mean tf-idf cosine of its sentences.

    The tagged word itself is removed from the sentences.

    Args:
        dataset: the tagged sentences.
        occurrences: for each word the indices of its training occurrences.
    """
    rows = np.unique(dataset.sentence[dataset.train_mask])
    texts = [dataset.sentences[sentence] for sentence in rows]
    matrix = TfidfVectorizer(analyzer=_lowered, norm=None).fit(texts)
    varieties = []
    for own in occurrences:
        around = [
            (*dataset.sentences[sentence][:start], *dataset.sentences[sentence][stop:])
            for sentence, (start, stop) in zip(dataset.sentence[own], dataset.span[own], strict=True)
        ]
        vectors = matrix.transform(around)
        lengths = np.sqrt(vectors.multiply(vectors).sum(axis=1)).A1
        known = lengths > 0
        units = vectors[known].multiply(1 / lengths[known][:, None]).tocsr()
        total = floats(np.asarray(units.sum(axis=0))).ravel()
        varieties.append(1 - float(from_sums(total, np.array(int(known.sum())))))
    return floats(varieties)


def _lowered(words: tuple[str, ...]) -> list[str]:
    return [word.lower() for word in words if any(map(str.isalnum, word))]


def _forms(dataset: SenseDataset, occurrences: Integers) -> float:
    """Return the probability that two different occurrences of a word are written differently."""
    _, counts = np.unique([dataset.form(int(occurrence)).lower() for occurrence in occurrences], return_counts=True)
    n = counts.sum()
    return float(1 - (counts * (counts - 1)).sum() / (n * (n - 1)))


def rows(model: str, dataset: SenseDataset, explained: Words, settings: SensesSettings) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table `explanations`: correlations of self-similarity with each of `EXPLANATIONS`.

    The rows are of one model on one data set. Nothing is yielded if fewer than twenty words have enough occurrences.

    Args:
        model: name of the model.
        dataset: the data set.
        explained: the words with their self-similarity and its explanations.
        settings: settings of the study.
    """
    number = len(explained.word)
    if number < _LEAST_WORDS:
        return
    weights = item_weights(number, settings.draws, seeds.child(settings.seed, "senses", "words", dataset.seed_name))
    weights = np.concatenate([np.ones((1, number)), weights])
    tags = explained.part_of_speech
    kinds = [floats([tag == name for tag in tags]) for name in sorted(set(tags))[1:]]
    for name in EXPLANATIONS:
        others = [explained.explanation(other) for other in EXPLANATIONS if other != name]
        for held, columns in ((False, []), (True, [*others, *kinds])):
            fixed = np.column_stack(columns) if columns else np.zeros((number, 0))
            for layer, values in enumerate(explained.whole.T):
                drawn = partial_rank(values.round(6), explained.explanation(name), fixed, weights)
                known = drawn[np.isfinite(drawn)]
                span = interval(known) if known.size > settings.draws // 2 else None
                yield {
                    "model": model, "data": dataset.name, "layer": layer, "explanation": name, "held": held,
                    "value": drawn[0], "low": span.low if span else None, "high": span.high if span else None,
                    "words": number,
                }  # fmt: skip


def separation(
    model: str, dataset: SenseDataset, explained: Words, settings: SensesSettings
) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table `apart` for one model on one data set: mean cosines within and between senses.

    Args:
        model: name of the model.
        dataset: the data set.
        explained: the words and their cosines.
        settings: settings of the study.
    """
    both = np.isfinite(explained.same).all(axis=1) & np.isfinite(explained.different).all(axis=1)
    if not both.any():
        return
    values = np.stack([explained.same[both], explained.different[both]])
    difference = floats(values[0] - values[1])
    drawn = mean_draws(difference, settings.draws, seeds.child(settings.seed, "senses", "apart", dataset.seed_name))
    for layer in range(difference.shape[1]):
        span = interval(drawn[:, layer])
        same, different = values[:, :, layer].mean(axis=1)
        yield {
            "model": model, "data": dataset.name, "layer": layer, "same": same, "different": different,
            "difference": same - different, "low": span.low, "high": span.high, "words": int(both.sum()),
        }  # fmt: skip
