"""Filtered ranks: by hand, beside a slow twin that sorts candidates, and among equal scores."""

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.training.knowledge_graph.filtered_ranks import KnownAnswers, filtered_ranks


def scorer_of(tails, heads):
    """A scorer that reads scores [known, relation, candidate] of either side."""
    return lambda known, relations, tail: torch.tensor((tails if tail else heads)[known, relations])


def slow_ranks(scores, triples, all_triples):
    """The rank of the tail: the other candidates that are not true as well, one by one; ties count half."""
    ranks = []
    for head, relation, tail in triples:
        true = {t for h, r, t in all_triples if (h, r) == (head, relation)} - {tail}
        own = scores[head, relation, tail]
        others = [scores[head, relation, each] for each in range(scores.shape[2]) if each != tail and each not in true]
        ranks.append(1 + sum(other > own for other in others) + sum(other == own for other in others) / 2)
    return ranks


def test_other_true_answers_are_left_out_by_hand():
    scores = np.array([[[0.9, 0.8, 0.7, 0.6]]])  # one known entity, one relation, four candidates
    triples, known = np.array([[0, 0, 2]]), np.array([[0, 0, 2], [0, 0, 0]])
    ranks = filtered_ranks(scorer_of(scores, np.zeros((4, 1, 4))), triples, KnownAnswers(known, 4))
    assert ranks[0, 0] == 2  # candidate 0 is true too, candidate 1 is above


def test_equal_scores_gain_nothing():
    """Of n candidates that all score alike the rank is the middle one, on both sides."""
    triples = np.array([[0, 0, 1], [3, 0, 4]])
    same = np.zeros((5, 1, 5))
    ranks = filtered_ranks(scorer_of(same, same), triples, KnownAnswers(triples, 5))
    assert (ranks == 3).all()


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 60))
def test_ranks_are_those_of_sorting_one_by_one(seed, count):
    rng = np.random.default_rng(seed)
    every = rng.integers((6, 3, 6), size=(count, 3))
    tails, heads = (rng.integers(0, 4, size=(6, 3, 6)).astype(np.float32) for _ in range(2))
    asked = every[: max(1, count // 2)]
    ranks = filtered_ranks(scorer_of(tails, heads), asked, KnownAnswers(every, 6))
    assert ranks[:, 0].tolist() == slow_ranks(tails, asked, every)
    assert ranks[:, 1].tolist() == slow_ranks(heads, asked[:, ::-1], every[:, ::-1])
