"""Pairs without a relation are matched to those with one: same sentence, same distance, same side."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.training.probes.test_structural_probe import random_heads

from wordworth.studies.syntax.word_pairs import NONE, any_distance, related_pairs, same_distance, unrelated_pairs
from wordworth.text.treebank import ROOT, DependencySentence

NAMES = ("det", "nsubj", "punct", "root")


def sentences(seed, number=8):
    rng, made = np.random.default_rng(seed), []
    for row in range(number):
        heads = random_heads(rng, int(rng.integers(1, 12)))
        relations = tuple("root" if head < 0 else str(rng.choice(["det", "nsubj:pass", "punct"])) for head in heads)
        made.append(DependencySentence(("w",) * len(heads), heads, relations, row, 1))
    return made


def test_pairs_are_counted_by_hand():
    sentence = DependencySentence(
        ("The", "cat", "sat", "."), np.array([1, 2, ROOT, 2]), ("det", "nsubj:x", "root", "punct"), 0, 1
    )
    related = related_pairs([sentence], NAMES)
    assert list(zip(related.first, related.second, related.relations, strict=True)) == [(0, 1, 0), (1, 2, 1)]
    unrelated = unrelated_pairs([sentence])
    assert sorted(zip(unrelated.first.tolist(), unrelated.second.tolist(), strict=True)) == [(0, 2), (2, 0)]
    assert (unrelated.relations == NONE).all()


@given(st.integers(0, 2**32 - 1))
def test_neither_distance_nor_sentence_tells_matched_pairs_apart(seed):
    made = sentences(seed)
    related, unrelated = related_pairs(made, NAMES), unrelated_pairs(made)
    pairs = same_distance(related, unrelated, np.random.default_rng(seed))
    kinds = [Counter(), Counter()]
    for sentence, offset, relation in zip(pairs.sentences, pairs.offsets, pairs.relations, strict=True):
        kinds[int(relation == NONE)][int(sentence), int(offset)] += 1
    assert kinds[0] == kinds[1]
    for sentence, first, second, relation in zip(
        pairs.sentences, pairs.first, pairs.second, pairs.relations, strict=True
    ):
        heads = made[sentence].heads
        assert (heads[first] == second) == (relation != NONE)
        assert relation != NONE or heads[second] != first
    room = Counter(zip(unrelated.sentences.tolist(), unrelated.offsets.tolist(), strict=True))
    wanted = Counter(zip(related.sentences.tolist(), related.offsets.tolist(), strict=True))
    assert kinds[0].total() == sum(
        min(count, room[key]) for key, count in wanted.items()
    )  # none is left out needlessly


def test_pairs_at_any_distance_are_as_many_of_each():
    made = sentences(3, 40)
    related = related_pairs(made, NAMES)
    pairs = any_distance(related, unrelated_pairs(made), np.random.default_rng(0))
    assert (pairs.relations == NONE).sum() == (pairs.relations != NONE).sum() == len(related)
