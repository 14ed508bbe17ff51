"""`Pairs`: pairs of words of a treebank with a relation, and without one (Coenen et al. 2019, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Integers
from wordworth.studies.treebank_sample import is_counted
from wordworth.text.treebank import ROOT, DependencySentence

NONE = -1
"""Number that stands for no relation between two words."""
FEWEST = 50
"""Least number of words with a relation in the training sentences, for the relation to be a class."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Ordered pairs of words of the same sentence.

    Attributes:
        sentences: int64 [pairs], index of the sentence of each pair.
        first, second: int64 [pairs], indices of the two words in the sentence. Of a pair that a dependency links,
            `first` is the dependent and `second` its head.
        relations: int64 [pairs], index of the dependency relation of the two words in the list of relation names that
            the pairs were made with, or `NONE` if no dependency links them.
    """

    sentences: Integers
    first: Integers
    second: Integers
    relations: Integers

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, chosen: Integers) -> Pairs:
        """Return the pairs at these indices."""
        parts = (self.sentences, self.first, self.second, self.relations)
        return Pairs(*(part[chosen] for part in parts))

    def within(self, sentences: Integers) -> Pairs:
        """Return the pairs of words in the sentences with the given indices.

        Args:
            sentences: int64 [n], indices of sentences.
        """
        return self[np.flatnonzero(np.isin(self.sentences, sentences))]

    @property
    def offsets(self) -> Integers:
        """For each pair of words the position of the second word minus the position of the first, int64 [pairs]."""
        return self.second - self.first


def joined(parts: Sequence[Pairs]) -> Pairs:
    """Join several sets of word pairs end to end, in their order."""
    names = ("sentences", "first", "second", "relations")
    return Pairs(*(np.concatenate([getattr(pairs, name) for pairs in parts]) for name in names))


def related_pairs(sentences: Sequence[DependencySentence], names: Sequence[str]) -> Pairs:
    """Return the pair of each word and its syntactic head; pairs with punctuation are left out.

    Args:
        sentences: the sentences with their trees.
        names: names of all relations, without subtypes; `Pairs.relations` has indices into them.
    """
    numbers = {name: number for number, name in enumerate(names)}
    rows = [
        (row, word, head, numbers[relations[word]])
        for row, sentence in enumerate(sentences)
        for counted, relations in [(is_counted(sentence), sentence.universal_relations)]
        for word, head in enumerate(sentence.heads.tolist())
        if head != ROOT and counted[word] and counted[head]
    ]
    return Pairs(*np.array(rows, dtype=np.int64).reshape(-1, 4).T)


def unrelated_pairs(sentences: Sequence[DependencySentence]) -> Pairs:
    """Return all pairs of words, in both orders, of which neither is the other's head; punctuation is left out."""
    parts = []
    for row, sentence in enumerate(sentences):
        words, heads = np.flatnonzero(is_counted(sentence)), sentence.heads
        first, second = (side.ravel() for side in np.meshgrid(words, words, indexing="ij"))
        free = (first != second) & (heads[first] != second) & (heads[second] != first)
        parts.append(np.array([np.full(free.sum(), row), first[free], second[free], np.full(free.sum(), NONE)]))
    return Pairs(*np.concatenate([np.zeros((4, 0), np.int64), *parts], axis=1).astype(np.int64))


def any_distance(related: Pairs, unrelated: Pairs, rng: np.random.Generator) -> Pairs:
    """Return as many unrelated as related pairs of words, drawn at random whatever the words' distance.

    Related words are linked by a dependency.

    Args:
        related: the pairs that a dependency links.
        unrelated: the pairs that no dependency links.
        rng: source of randomness.
    """
    number = min(len(related), len(unrelated))
    draws = [rng.permutation(len(pairs))[:number] for pairs in (related, unrelated)]
    return joined([related[draws[0]], unrelated[draws[1]]])


def same_distance(related: Pairs, unrelated: Pairs, rng: np.random.Generator) -> Pairs:
    """Return as many unrelated as related pairs of words, matched by sentence and by distance.

    Two pairs match if they are in the same sentence with the same distance and direction, so that neither sentence
    length nor distance separates related from unrelated pairs. Pairs without a match are left out.

    Args:
        related: the pairs that a dependency links.
        unrelated: the pairs that no dependency links.
        rng: source of randomness.
    """
    drawn = [pairs[rng.permutation(len(pairs))] for pairs in (related, unrelated)]
    width = 1 + 2 * max((int(np.abs(pairs.offsets).max(initial=0)) for pairs in drawn), default=0)
    keys = [pairs.sentences * width + pairs.offsets + width // 2 for pairs in drawn]
    numbers = [_numbers(key) for key in keys]
    counts = [np.bincount(key, minlength=max(int(each.max(initial=0)) for each in keys) + 1) for key in keys]
    room = np.minimum(*counts)
    matched = [
        pairs[np.flatnonzero(number < room[key])] for pairs, number, key in zip(drawn, numbers, keys, strict=True)
    ]
    return joined(matched)


def _numbers(keys: Integers) -> Integers:
    """Return for each item the number of earlier items with the same key, int64 [n]."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    numbers = np.empty(len(keys), np.int64)
    numbers[order] = np.arange(len(keys)) - np.repeat(starts, np.diff([*starts, len(keys)]))
    return numbers
