"""The CRF against its slow twin: the sum and the best over every path, written out."""

from itertools import pairwise, product

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.training.crf import Crf, iob2_forbidden
from wordworth.training.pack_words_by_time import PackedWords


def every_path(crf, emissions):
    """The score of each tag sequence of one sentence [words, tags], by enumeration."""
    scores = {}
    for path in product(range(emissions.shape[1]), repeat=len(emissions)):
        score = crf.first[path[0]] + crf.rules[-1, path[0]] + crf.last[path[-1]]
        score = score + sum(emissions[time, tag] for time, tag in enumerate(path))
        steps = list(pairwise(path))
        scores[path] = float((score + sum(crf.step[one, two] + crf.rules[one, two] for one, two in steps)).detach())
    return scores


def drawn(seed, lengths, tags, forbidden=None):
    generator = torch.Generator().manual_seed(seed)
    crf = Crf(tags, forbidden)
    for parameter in crf.parameters():
        torch.nn.init.normal_(parameter, generator=generator)
    emissions = 2 * torch.randn(sum(lengths), tags, generator=generator)
    by_time = PackedWords.of(np.array(lengths), np.arange(len(lengths)))
    return crf.double(), emissions.double(), by_time


def sentence_order(lengths):
    return np.argsort(-np.array(lengths), kind="stable")


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000), lengths=st.lists(st.integers(1, 4), min_size=1, max_size=4), tags=st.integers(1, 4))
def test_the_sum_over_paths_and_the_best_path_equal_enumeration(seed, lengths, tags):
    crf, emissions, by_time = drawn(seed, lengths, tags)
    packed = emissions[by_time.rows]
    totals = crf.log_partition(packed, by_time.batch_sizes)
    best = np.zeros(sum(lengths), np.int64)
    best[by_time.rows] = crf.decode(packed, by_time).numpy()
    starts = np.cumsum(lengths) - lengths
    for place, sentence in enumerate(sentence_order(lengths)):
        rows = slice(starts[sentence], starts[sentence] + lengths[sentence])
        scores = every_path(crf, emissions[rows])
        assert totals[place].item() == pytest.approx(np.logaddexp.reduce(list(scores.values())), abs=1e-9)
        assert tuple(best[rows].tolist()) == max(scores, key=scores.get)


def test_the_score_of_a_path_is_that_of_the_enumeration_and_probabilities_sum_to_one():
    crf, emissions, by_time = drawn(3, [3], 3)
    packed = emissions[by_time.rows]
    scores = every_path(crf, emissions)
    losses = [crf.losses(packed, torch.tensor(path), by_time.batch_sizes).item() for path in scores]
    assert np.exp(-np.array(losses)).sum() == pytest.approx(1, abs=1e-9)
    for path, score in scores.items():
        assert crf.path_score(packed, torch.tensor(path), by_time.batch_sizes).item() == pytest.approx(score, abs=1e-9)


def test_a_sentence_s_loss_and_tags_do_not_depend_on_its_company():
    crf, emissions, by_time = drawn(5, [2, 4, 3], 3)
    tags = torch.arange(9) % 3
    together = crf.losses(emissions[by_time.rows], tags[by_time.rows], by_time.batch_sizes)
    alone = [
        crf.losses(emissions[rows], tags[rows], (1,) * (rows.stop - rows.start)).item()
        for rows in (slice(2, 6), slice(6, 9), slice(0, 2))
    ]
    assert together.tolist() == pytest.approx(alone, abs=1e-9)


def test_iob2_rules_let_no_entity_begin_inside():
    classes = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")
    forbidden = iob2_forbidden(classes)
    named = {(before, now) for before, now in zip(*np.nonzero(forbidden), strict=True)}
    start = len(classes)
    assert named == {(0, 2), (0, 4), (1, 4), (2, 4), (3, 2), (4, 2), (start, 2), (start, 4)}
    crf, emissions, by_time = drawn(1, [6] * 20, 5, forbidden)
    emissions[:, [2, 4]] += 5
    said = crf.decode(emissions[by_time.rows], by_time).reshape(6, 20).T.tolist()
    for tags in said:
        assert not any(forbidden[before, now] for before, now in zip([start, *tags], tags, strict=False))


def test_training_raises_the_probability_of_the_given_tags():
    crf, emissions, by_time = drawn(2, [3, 2], 3)
    tags = torch.tensor([0, 1, 2, 0, 1])[by_time.rows]
    before = crf.losses(emissions[by_time.rows], tags, by_time.batch_sizes).sum()
    before.backward()
    with torch.no_grad():
        for parameter in crf.parameters():
            parameter.sub_(0.1 * parameter.grad)
    assert crf.losses(emissions[by_time.rows], tags, by_time.batch_sizes).sum() < before
