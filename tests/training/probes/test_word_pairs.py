"""The pairs of several sentences, end to end, give what a loop over sentences, words and candidates gives."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wordworth.training.probes.word_pairs import ProbedSentence, WordPairs, pairs_of


def sentence(rng, words, maps=3, width=2):
    heads = np.array([rng.choice([other for other in range(words + 1) if other != word]) for word in range(words)])
    return ProbedSentence(
        rng.random((words * words, maps)).astype(np.float16),
        rng.normal(size=(words, width)).astype(np.float32),
        heads,
        rng.random(words) < 0.7,
    )


@given(st.integers(1, 9))
def test_each_word_is_paired_with_the_other_words_and_the_root(words):
    expected = [(word, other) for word in range(words) for other in range(words + 1) if other != word]
    assert list(zip(*map(np.ndarray.tolist, pairs_of(words)), strict=True)) == expected


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.integers(0, 2**32 - 1))
def test_loss_and_right_words_are_those_of_a_loop(lengths, seed):
    rng = np.random.default_rng(seed)
    sentences = [sentence(rng, words) for words in lengths]
    pairs = WordPairs.of(sentences)
    scores = torch.from_numpy(rng.normal(size=len(pairs.maps)).astype(np.float32))
    at, total, right = 0, 0.0, []
    for each in sentences:
        for word in range(len(each)):
            others = [other for other in range(len(each) + 1) if other != word]
            own = scores[at : at + len(others)].double()
            at += len(others)
            gold = others.index(each.heads[word])
            right.append(bool(each.is_counted[word] and own.argmax() == gold))
            if each.is_counted[word]:
                total -= float(own[gold] - own.logsumexp(0))
    loss = pairs.loss(scores)
    assert float(loss.sum) == pytest.approx(total, abs=1e-4)
    assert loss.count == sum(each.is_counted.sum() for each in sentences)
    assert int(loss.correct) == sum(right)
    assert pairs.right(scores).tolist() == right


def test_what_is_known_of_a_pair():
    rng = np.random.default_rng(0)
    sentences = [sentence(rng, 2), sentence(rng, 3)]
    pairs = WordPairs.of(sentences, np.array([1, 2, 0], np.float32))
    # 0: word 1; 0: root; 1: word 0; 1: root; then the second sentence, whose words are nodes 3 to 5 and root 6
    assert pairs.dependents[:5].tolist() == [0, 0, 1, 1, 3]
    assert pairs.candidates[:7].tolist() == [1, 2, 0, 2, 4, 5, 6]
    assert pairs.offsets[:7].tolist() == [1, 0, -1, 0, 1, 2, 0]
    assert pairs.is_root[:7].tolist() == [0, 1, 0, 1, 0, 0, 1]
    assert pairs.lengths[[0, -1]].tolist() == [2, 3]
    assert pairs.vectors[2].tolist() == pairs.vectors[6].tolist() == [0, 0]
    assert pairs.maps[0].tolist() == pytest.approx((sentences[0].maps[0] * [1, 2, 0]).tolist(), rel=1e-3)


def test_words_that_do_not_count_leave_a_loss_of_zero_with_a_gradient():
    of_none = ProbedSentence(np.ones((1, 1), np.float16), np.ones((1, 1), np.float32), np.array([1]), np.array([False]))
    scores = torch.ones(1, requires_grad=True)
    loss = WordPairs.of([of_none]).loss(scores)
    loss.sum.backward()
    assert (float(loss.sum.detach()), loss.count) == (0, 0)
    assert scores.grad.tolist() == [0]
