"""The selection of the explorer's words and of the candidate neighbours, from the text alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from wordworth import seeds
from wordworth.measures.weighted_sums import Integers
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.senses.settings import SensesSettings

_SENSES, _LEAST_OF_A_SENSE, _LEAST_OF_A_WORD = 5, 3, 8
_OF_A_FORM = 2
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class ExplorerPlan:
    """The occurrences of one set whose vectors are stored for the explorer.

    Attributes:
        shown: word of the explorer, the most frequent first -> its occurrences to plot, int64.
        pool: int64 [pool, 2], the candidate neighbours: a sentence and the index of a word in it.
    """

    shown: Mapping[int, Integers]
    pool: Integers

    @property
    def occurrences(self) -> Integers:
        """The occurrences to plot of all words, end to end."""
        return np.concatenate([np.zeros(0, np.int64), *self.shown.values()])


EMPTY = ExplorerPlan({}, np.zeros((0, 2), np.int64))


def plan_explorer(sets: Sequence[SenseDataset], settings: SensesSettings) -> dict[str, ExplorerPlan]:
    """Return the plan for each set by name; sets have equally many words in the explorer, if they have enough."""
    eligible = {dataset.name: _eligible(dataset) for dataset in sets}
    left, by_set = settings.words, dict[str, ExplorerPlan]()
    waiting = sorted(sets, key=lambda dataset: len(eligible[dataset.name]))
    for index, dataset in enumerate(waiting):
        share = -(-left // (len(waiting) - index))
        words = eligible[dataset.name][:share]
        left -= len(words)
        plotted = {word: _draw_occurrences(dataset, word, settings) for word in words}
        pool = _pool(dataset, settings.pool // len(sets), settings.seed) if words else EMPTY.pool
        by_set[dataset.name] = ExplorerPlan(plotted, pool)
    return by_set


def _eligible(dataset: SenseDataset) -> list[int]:
    """Return the words that have two senses with enough training occurrences, most frequent first."""
    often = np.bincount(dataset.word_of[dataset.counts >= _LEAST_OF_A_SENSE], minlength=len(dataset.words))
    whole = np.bincount(dataset.word[dataset.train_mask], minlength=len(dataset.words))
    fit = np.flatnonzero((often > 1) & (whole >= _LEAST_OF_A_WORD))
    return [int(word) for word in fit[np.lexsort((fit, -whole[fit]))]]


def _draw_occurrences(dataset: SenseDataset, word: int, settings: SensesSettings) -> Integers:
    """Draw occurrences of a word's most frequent senses, in proportion, at least three of each sense if it has them."""
    rng = seeds.child(settings.seed, "senses", "picture", dataset.name, dataset.words[word])
    own = np.flatnonzero((dataset.word == word) & dataset.train_mask)
    senses, counts = np.unique(dataset.sense[own], return_counts=True)
    common = np.lexsort((senses, -counts))[:_SENSES]
    common = common[(counts[common] >= _LEAST_OF_A_SENSE) | (np.arange(len(common)) < 2)]  # noqa: PLR2004 - the two most frequent
    room = settings.shown * counts[common] / counts[common].sum()
    sizes = np.minimum(counts[common], np.maximum(_LEAST_OF_A_SENSE, room.astype(np.int64)))
    chosen = [
        rng.choice(own[dataset.sense[own] == sense], size, replace=False)
        for sense, size in zip(senses[common], sizes, strict=True)
    ]
    return np.concatenate(chosen)


def _pool(dataset: SenseDataset, number: int, seed: int) -> Integers:
    """Draw candidate neighbours uniformly, without stop words, at most two of a form: int64 [pool, 2]."""
    read = np.unique(dataset.sentence[dataset.train_mask])
    lengths = np.array([len(dataset.sentences[sentence]) for sentence in read])
    ends = np.cumsum(lengths)
    drawn, forms = list[tuple[int, int]](), Counter[str]()
    for at in seeds.child(seed, "senses", "pool", dataset.name).permutation(int(ends[-1])):
        row = int(np.searchsorted(ends, at, side="right"))
        sentence, index = int(read[row]), int(at - ends[row] + lengths[row])
        form = dataset.sentences[sentence][index].lower()
        if len(form) < _SHORTEST or not form.isalpha() or form in ENGLISH_STOP_WORDS or forms[form] == _OF_A_FORM:
            continue
        forms[form] += 1
        drawn.append((sentence, index))
        if len(drawn) == number:
            break
    return np.array(sorted(drawn), np.int64).reshape(-1, 2)
