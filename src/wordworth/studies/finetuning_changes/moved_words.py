"""The words whose states fine-tuning moved most: chosen on half of the texts, measured on the other half.

The distance that a word's state moved is 1 minus the cosine of the state before and the state after. The mean state of
each model is subtracted first, so that a shift that all words share does not count.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from wordworth.measures.bootstrap import Interval, interval, share_draws
from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats
from wordworth.studies.finetuning_changes.compare_representations import (
    RUN,
    SECOND,
    START,
    Compared,
    Vectors,
    row_cosines,
)

SHOWN = 20
_LEAST = 3
"""Least number of occurrences that a word needs in each half of the texts."""


@dataclass(frozen=True, slots=True)
class MovedWord:
    """A word, and how far fine-tuning moved its states in the last layer.

    The distance between two states is 1 minus their cosine, after each model's mean state is subtracted. Words are
    chosen on one half of the texts and measured on the other half.

    Attributes:
        word: the word as the tokenizer writes it.
        occurrences: number of the word's occurrences in the half for measuring.
        moved: mean distance between the word's states before and after fine-tuning, in the half for measuring.
        interval: 95 % interval of `moved`, by a bootstrap over texts.
        chosen: the same mean distance in the half for choosing.
        by_seed: mean distance between the word's states in two runs that differ in their seed, in the half for
            measuring; NaN without a second run.
    """

    word: str
    occurrences: int
    moved: float
    interval: Interval
    chosen: float
    by_seed: float


@dataclass(frozen=True, slots=True)
class MovedWords:
    """The words whose last-layer states fine-tuning moved most, and the mean distance that all words moved.

    The distance between two states is 1 minus their cosine, after each model's mean state is subtracted.

    Attributes:
        words: the words that moved most, sorted by falling distance in the half of the texts on which they were chosen.
        mean: mean distance between the states of all words before and after fine-tuning.
        mean_by_seed: mean distance between the states of all words in two runs that differ in their seed; NaN without a
            second run.
    """

    words: list[MovedWord]
    mean: float
    mean_by_seed: float


def moved_words(compared: Compared, draws: int, rng: np.random.Generator) -> MovedWords:
    """Find the words whose last-layer states moved most between the model before fine-tuning and after.

    Args:
        compared: the states of the models on the same texts.
        draws: number of bootstrap resamples of texts.
        rng: random generator; it divides the texts into halves and draws the resamples.
    """
    moved = distances(compared.last[START], compared.last[RUN])
    by_seed = distances(compared.last[RUN], compared.last[SECOND]) if SECOND in compared.last else None
    choosing = rng.permutation(int(compared.text.max(initial=0)) + 1) % 2 == 0
    first = choosing[compared.text]
    forms = np.array(compared.words, dtype=object)
    chosen = _means(forms[first], moved[first])
    known = Counter(forms[~first].tolist())
    ranked = sorted((word for word in chosen if known[word] >= _LEAST), key=lambda word: (-chosen[word], word))
    words = []
    for word in ranked[:SHOWN]:
        of_word = ~first & (forms == word)
        ends = _interval(moved, compared.text, of_word, draws, rng)
        seed = float(by_seed[of_word].mean()) if by_seed is not None else float("nan")
        words.append(MovedWord(word, int(of_word.sum()), float(moved[of_word].mean()), ends, chosen[word], seed))
    return MovedWords(words, float(moved.mean()), float(by_seed.mean()) if by_seed is not None else float("nan"))


def distances(first: Vectors, second: Vectors) -> Floats:
    """Return 1 minus the cosine of each pair of vectors, float64 [n], after each set is centred on its own mean.

    Args:
        first: float32 [n, width].
        second: float32 [n, width].
    """
    x, y = (floats(each) - floats(each).mean(0) for each in (first, second))
    return floats(1 - row_cosines(x, y))


def _means(forms: np.ndarray, values: Floats) -> dict[str, float]:
    """Return word -> mean of its values, for the words with at least `_LEAST` occurrences.

    Args:
        forms: [n], the word of each occurrence.
        values: float64 [n], the value of each occurrence.
    """
    names, member = np.unique(forms.astype(str), return_inverse=True)
    counts = np.bincount(member)
    sums = np.bincount(member, values)
    return {str(name): float(total / n) for name, n, total in zip(names, counts, sums, strict=True) if n >= _LEAST}


def _interval(values: Floats, text: Integers, chosen: Flags, draws: int, rng: np.random.Generator) -> Interval:
    inside = np.flatnonzero(chosen)
    return interval(share_draws(values[inside, None], np.ones(len(inside)), text[inside], draws, rng)[:, 0])
