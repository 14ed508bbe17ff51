"""Which words the explorer shows, and which other words neighbours are looked for among: decided from text alone."""

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
class Plan:
    """What is kept of one set.

    Attributes:
        shown: the words of the explorer, the most frequent first, each with the occurrences of its picture.
        pool: int64 [pool, 2], sentences and places of words that may be neighbours.
    """

    shown: Mapping[int, Integers]
    pool: Integers

    @property
    def occurrences(self) -> Integers:
        """All that are shown, end to end."""
        return np.concatenate([np.zeros(0, np.int64), *self.shown.values()])


EMPTY = Plan({}, np.zeros((0, 2), np.int64))


def plans(sets: Sequence[SenseDataset], settings: SensesSettings) -> dict[str, Plan]:
    """A plan for each set: sets share the explorer's words evenly, as far as they have them."""
    eligible = {one.name: _eligible(one) for one in sets}
    left, found = settings.words, dict[str, Plan]()
    waiting = sorted(sets, key=lambda one: len(eligible[one.name]))
    for place, one in enumerate(waiting):
        share = -(-left // (len(waiting) - place))
        mine = eligible[one.name][:share]
        left -= len(mine)
        shown = {word: _picture(one, word, settings) for word in mine}
        found[one.name] = Plan(shown, _pool(one, settings.pool // len(sets), settings.seed) if mine else EMPTY.pool)
    return found


def _eligible(of: SenseDataset) -> list[int]:
    """Words with two senses that are taught often enough to be seen, the most frequent first."""
    often = np.bincount(of.word_of[of.counts >= _LEAST_OF_A_SENSE], minlength=len(of.words))
    whole = np.bincount(of.word[of.train_mask], minlength=len(of.words))
    fit = np.flatnonzero((often > 1) & (whole >= _LEAST_OF_A_WORD))
    return [int(word) for word in fit[np.lexsort((fit, -whole[fit]))]]


def _picture(of: SenseDataset, word: int, settings: SensesSettings) -> Integers:
    """Occurrences of a word's commonest senses, in proportion, of each at least three where it has them."""
    rng = seeds.child(settings.seed, "senses", "picture", of.name, of.words[word])
    mine = np.flatnonzero((of.word == word) & of.train_mask)
    senses, counts = np.unique(of.sense[mine], return_counts=True)
    common = np.lexsort((senses, -counts))[:_SENSES]
    common = common[(counts[common] >= _LEAST_OF_A_SENSE) | (np.arange(len(common)) < 2)]  # noqa: PLR2004 - the two commonest
    room = settings.shown * counts[common] / counts[common].sum()
    sizes = np.minimum(counts[common], np.maximum(_LEAST_OF_A_SENSE, room.astype(np.int64)))
    chosen = [
        rng.choice(mine[of.sense[mine] == sense], size, replace=False)
        for sense, size in zip(senses[common], sizes, strict=True)
    ]
    return np.concatenate(chosen)


def _pool(of: SenseDataset, number: int, seed: int) -> Integers:
    """Places of words drawn alike, no stop words, at most two of a form."""
    read = np.unique(of.sentence[of.train_mask])
    lengths = np.array([len(of.sentences[sentence]) for sentence in read])
    ends = np.cumsum(lengths)
    found, forms = list[tuple[int, int]](), Counter[str]()
    for at in seeds.child(seed, "senses", "pool", of.name).permutation(int(ends[-1])):
        row = int(np.searchsorted(ends, at, side="right"))
        sentence, place = int(read[row]), int(at - ends[row] + lengths[row])
        form = of.sentences[sentence][place].lower()
        if len(form) < _SHORTEST or not form.isalpha() or form in ENGLISH_STOP_WORDS or forms[form] == _OF_A_FORM:
            continue
        forms[form] += 1
        found.append((sentence, place))
        if len(found) == number:
            break
    return np.array(sorted(found), np.int64).reshape(-1, 2)
