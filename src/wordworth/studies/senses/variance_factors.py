"""What makes a word's occurrences differ: its senses, its contexts, or its forms?

Ethayarajh 2019 (section 4.1) held that variety of contexts and not polysemy drives it; Garí Soler and Apidianaki 2021
found polysemy once frequency and part of speech are held fixed. Both questions are asked here of the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from wordworth import seeds
from wordworth.measures.bootstrap import interval, item_weights
from wordworth.measures.geometry.bootstrap_means import mean_draws
from wordworth.measures.geometry.cosine import from_sums
from wordworth.measures.geometry.nearest_centroid import alike
from wordworth.measures.partial_correlation import partial_rank
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.studies.senses.nearest_centroid import Centroids
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.senses.settings import SensesSettings

EXPLANATIONS = {
    "senses": "senses the word is tagged with",
    "contexts": "sentences it stands in",
    "variety": "how little the words around it repeat: 1 less the mean tf-idf cosine of its sentences without it",
    "forms": "how often two of its occurrences are written differently",
}
DESCRIBE = {
    "model": "as it was given",
    "data": "set",
    "layer": "0 is the input layer",
    "explanation": "; ".join(f"{name}: {meaning}" for name, meaning in EXPLANATIONS.items()),
    "held": "whether the other explanations and the part of speech are held fixed (partial rank correlation)",
    "value": "rank correlation of the explanation with self-similarity over words; below 0: more of it, less alike",
    "low": "lower end of the 95 % interval, over resampled words",
    "high": "upper end of the 95 % interval",
    "words": "how many",
}
APART = {
    "model": "as it was given",
    "data": "set",
    "layer": "0 is the input layer",
    "same": "mean cosine of two occurrences of a word in one sense, mean over words of two senses and more",
    "different": "the same of two senses",
    "difference": "one sense less two senses; 0 where sense labels are permuted",
    "low": "lower end of the difference's 95 % interval, over resampled words",
    "high": "upper end of the difference's 95 % interval",
    "words": "how many",
}
_LEAST_WORDS = 20


@dataclass(frozen=True, slots=True)
class Words:
    """Words that occur often enough.

    Attributes:
        word: int64 [words], into the set's.
        contexts, senses: int64 [words].
        variety, forms: float64 [words].
        kind: of each, its part of speech where its name ends in one.
        whole, same, different: float64 [words, layers], mean cosines of all its pairs, of one sense, of two.
    """

    word: Integers
    contexts: Integers
    senses: Integers
    variety: Floats
    forms: Floats
    kind: tuple[str, ...]
    whole: Floats
    same: Floats
    different: Floats

    def explanation(self, name: str) -> Floats:
        """float64 [words]."""
        return floats(getattr(self, name))


def words(of: SenseDataset, learnt: Centroids, settings: SensesSettings) -> Words:
    """What is known of each word that is taught in enough sentences."""
    occurrences = _by_word(of)
    often = [word for word, places in occurrences.items() if len(places) >= settings.occurrences]
    senses = {word: np.arange(*np.searchsorted(of.word_of, (word, word + 1))) for word in often}
    cosines = [_cosines(learnt, senses[word]) for word in often]
    layers = learnt.sums.shape[1]
    parts = [floats([one[part] for one in cosines]).reshape(-1, layers) for part in range(3)]
    return Words(
        word=np.array(often, np.int64),
        contexts=np.array([len(np.unique(of.sentence[occurrences[word]])) for word in often], np.int64),
        senses=np.array([int((of.counts[senses[word]] > 0).sum()) for word in often], np.int64),
        variety=_variety(of, [occurrences[word] for word in often]),
        forms=floats([_forms(of, occurrences[word]) for word in often]),
        kind=tuple(_kind(of.words[word]) for word in often),
        whole=parts[0],
        same=parts[1],
        different=parts[2],
    )


def _by_word(of: SenseDataset) -> dict[int, Integers]:
    """The taught occurrences of each word."""
    taught = np.flatnonzero(of.train_mask)
    order = taught[np.argsort(of.word[taught], kind="stable")]
    parts = np.split(order, np.flatnonzero(np.diff(of.word[order])) + 1)
    return {int(of.word[places[0]]): places for places in parts}


def _kind(name: str) -> str:
    """`noun)` of `bank (noun)`; nothing where the set does not tell parts of speech."""
    return name.rpartition(" (")[2] if name.endswith(")") else ""


def _cosines(learnt: Centroids, senses: Integers) -> tuple[Floats, Floats, Floats]:
    rows = learnt.row[senses]
    return alike(learnt.sums[rows], learnt.counts[rows])


def _variety(of: SenseDataset, occurrences: list[Integers]) -> Floats:
    """One less the mean cosine over pairs of a word's sentences, the tagged word itself left out, from one sum."""
    rows = np.unique(of.sentence[of.train_mask])
    texts = [of.sentences[sentence] for sentence in rows]
    matrix = TfidfVectorizer(analyzer=_lowered, norm=None).fit(texts)
    found = []
    for places in occurrences:
        around = [
            (*of.sentences[sentence][:start], *of.sentences[sentence][stop:])
            for sentence, (start, stop) in zip(of.sentence[places], of.span[places], strict=True)
        ]
        vectors = matrix.transform(around)
        lengths = np.sqrt(vectors.multiply(vectors).sum(axis=1)).A1
        known = lengths > 0
        units = vectors[known].multiply(1 / lengths[known][:, None]).tocsr()
        total = floats(np.asarray(units.sum(axis=0))).ravel()
        found.append(1 - float(from_sums(total, np.array(int(known.sum())))))
    return floats(found)


def _lowered(words: tuple[str, ...]) -> list[str]:
    return [word.lower() for word in words if any(map(str.isalnum, word))]


def _forms(of: SenseDataset, places: Integers) -> float:
    """The probability that two occurrences are written differently."""
    _, counts = np.unique([of.form(int(place)).lower() for place in places], return_counts=True)
    n = counts.sum()
    return float(1 - (counts * (counts - 1)).sum() / (n * (n - 1)))


def rows(model: str, of: SenseDataset, found: Words, settings: SensesSettings) -> Iterator[dict[str, Any]]:
    """The table `explanations` of one model on one set; empty where fewer than twenty words occur often enough."""
    number = len(found.word)
    if number < _LEAST_WORDS:
        return
    weights = item_weights(number, settings.draws, seeds.child(settings.seed, "senses", "words", of.name))
    weights = np.concatenate([np.ones((1, number)), weights])
    kinds = [floats([kind == one for kind in found.kind]) for one in sorted(set(found.kind))[1:]]
    for name in EXPLANATIONS:
        others = [found.explanation(other) for other in EXPLANATIONS if other != name]
        for held, columns in ((False, []), (True, [*others, *kinds])):
            fixed = np.column_stack(columns) if columns else np.zeros((number, 0))
            for layer, values in enumerate(found.whole.T):
                drawn = partial_rank(values.round(6), found.explanation(name), fixed, weights)
                known = drawn[np.isfinite(drawn)]
                span = interval(known) if known.size > settings.draws // 2 else None
                yield {
                    "model": model, "data": of.name, "layer": layer, "explanation": name, "held": held,
                    "value": drawn[0], "low": span.low if span else None, "high": span.high if span else None,
                    "words": number,
                }  # fmt: skip


def separation(model: str, of: SenseDataset, found: Words, settings: SensesSettings) -> Iterator[dict[str, Any]]:
    """The table `separation` of one model on one set."""
    both = np.isfinite(found.same).all(axis=1) & np.isfinite(found.different).all(axis=1)
    if not both.any():
        return
    values = np.stack([found.same[both], found.different[both]])
    difference = floats(values[0] - values[1])
    drawn = mean_draws(difference, settings.draws, seeds.child(settings.seed, "senses", "apart", of.name))
    for layer in range(difference.shape[1]):
        span = interval(drawn[:, layer])
        same, different = values[:, :, layer].mean(axis=1)
        yield {
            "model": model, "data": of.name, "layer": layer, "same": same, "different": different,
            "difference": same - different, "low": span.low, "high": span.high, "words": int(both.sum()),
        }  # fmt: skip
