"""Pairs are drawn as SetFit has them: half of one label, half of two, never a text with itself unless it is alone."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from wordworth.text.tokens import ids_only
from wordworth.training.sentences.label_pairs import LabelPairs, PairSampler

LABELS = st.lists(st.integers(0, 3), min_size=2, max_size=30).filter(lambda labels: len(set(labels)) > 1)


@given(LABELS, st.integers(1, 20), st.integers(0, 5))
def test_half_of_a_batch_is_alike(labels, size, seed):
    labels = np.array(labels)
    first, second = np.divmod(next(PairSampler(labels, size, seed).after(0)), len(labels))
    alike = labels[first] == labels[second]
    assert alike[: (size + 1) // 2].all()
    assert not alike[(size + 1) // 2 :].any()
    itself = first == second
    assert all((labels == labels[text]).sum() == 1 for text in first[itself])


def test_a_batch_depends_on_seed_and_step_alone_and_every_pair_comes():
    labels = np.array([0, 0, 0, 1, 1])
    batches = PairSampler(labels, 8, 3).after(0)
    some = [next(batches) for _ in range(60)]
    assert np.array_equal(next(PairSampler(labels, 8, 3).after(7)), some[7])
    assert set(np.concatenate(some).tolist()) == {5 * i + j for i in range(5) for j in range(5) if i != j}


def test_a_pair_of_one_label_is_to_have_cosine_one():
    pairs = LabelPairs([ids_only(np.array([1, 2])) for _ in range(3)], np.array([0, 0, 1]))
    texts, compared = pairs.compared(np.array([0 * 3 + 1, 2 * 3 + 0]), torch.device("cpu"))
    assert texts.tolist() == [0, 1, 2]
    assert compared.columns.tolist() == [[0, 1, -1], [2, 0, -1]]
    assert compared.targets.tolist() == [1.0, 0.0]
