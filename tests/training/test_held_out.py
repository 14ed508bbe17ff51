"""Held-out text: the loss, what order is worth, and what knowing only frequencies costs."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.training.objectives.instances import MARKS, PIECES, VOCABULARY, instances, many, texts
from tests.training.objectives.test_mlm import as_batch
from torch import nn

from wordworth.models.bert import BertConfig, bert
from wordworth.models.body import initialise
from wordworth.training.held_out import held_out, shuffled_context, unigram_loss
from wordworth.training.objectives.mlm import MaskedLanguageModel
from wordworth.training.objectives.objective import Targets

OBJECTIVE = MaskedLanguageModel(vocabulary=VOCABULARY)


def a_model(spread=0.3, **changes):
    model = bert(
        BertConfig(vocab_size=PIECES, hidden_size=32, num_layers=2, num_heads=2, intermediate_size=64, **changes)
    )
    head = OBJECTIVE.head(model)
    for part in (model, head):
        initialise(part, spread, torch.Generator().manual_seed(0))
    return model, head


@given(given=texts(), seed=st.integers(0, 99))
def test_a_permutation_moves_visible_tokens_within_their_text_and_nothing_else(given, seed):
    pairs = [(text, text[::-1]) if number % 2 else text for number, text in enumerate(given)]
    made = instances(pairs)
    read, targets = OBJECTIVE.prepare(made, np.random.default_rng(seed))
    mixed = shuffled_context(read, targets, OBJECTIVE, np.random.default_rng(seed))
    assert np.array_equal(mixed.ids[targets.places], read.ids[targets.places])
    marks = np.isin(made.ids, MARKS)
    assert np.array_equal(mixed.ids[marks], read.ids[marks])
    owner = 2 * np.repeat(np.arange(len(given)), made.lengths) + made.segments
    for text in np.unique(owner):
        assert sorted(mixed.ids[owner == text]) == sorted(read.ids[owner == text])


def test_long_texts_are_really_permuted():
    made = many(20, 100)
    read, targets = OBJECTIVE.prepare(made, np.random.default_rng(0))
    mixed = shuffled_context(read, targets, OBJECTIVE, np.random.default_rng(1))
    assert (mixed.ids != read.ids).mean() > 0.8


def test_a_model_that_knows_no_order_has_no_shuffle_gap():
    model, head = a_model(max_positions=128)
    nn.init.zeros_(model.embedding.position.weight)
    found = held_out(model, head, OBJECTIVE, many(30, 40))
    assert found.shuffle_gap == pytest.approx(0, abs=1e-3)
    assert found.targets == 30 * 6


def test_a_model_that_learned_order_has_a_gap():
    """Texts count round from 0 to 5: all are the same bag, and a gap follows from its neighbours' order alone."""
    rng = np.random.default_rng(0)
    model, head = a_model(0.1, dropout=0.0, attention_dropout=0.0)
    learned = [*model.parameters(), *head.parameters()]
    optimiser = torch.optim.AdamW(learned, lr=3e-3)

    def counting(texts):
        return instances([[10 + (first + place) % 6 for place in range(18)] for first in rng.integers(6, size=texts)])

    for step in range(150):
        read, targets = OBJECTIVE.prepare(counting(16), np.random.default_rng(step))
        batch = as_batch(read)
        found = OBJECTIVE.loss(head, model(batch), model, batch, targets)
        optimiser.zero_grad()
        (found.total / found.counted).backward()
        optimiser.step()
    scores = held_out(model, head, OBJECTIVE, counting(60))
    assert scores.loss < scores.unigram - 1
    assert scores.shuffle_gap > 0.5
    assert scores.accuracy > 0.8


def test_scores_do_not_depend_on_the_passes_and_the_model_stays_in_training():
    model, head = a_model(0.3)
    made = instances([list(range(5, 5 + length)) for length in (3, 40, 17, 90, 5)])
    model.train()
    whole, parts = (held_out(model, head, OBJECTIVE, made, at_once=size) for size in (10**6, 30))
    assert parts.loss == pytest.approx(whole.loss, rel=1e-5)
    assert parts.shuffled == pytest.approx(whole.shuffled, rel=1e-5)
    assert parts.accuracy == whole.accuracy
    assert model.training
    other = held_out(model, head, OBJECTIVE, made, seed=1)
    assert other.loss != whole.loss


def test_the_unigram_loss_is_the_targets_entropy_or_what_given_counts_say():
    targets = Targets(np.arange(4), np.array([7, 7, 8, 9]))
    assert unigram_loss(targets) == pytest.approx(1.5 * math.log(2))
    counts = np.zeros(10, dtype=np.int64)
    counts[7] = 6  # with one added to each of ten: 7/16, and 1/16 for the others
    assert unigram_loss(targets, counts) == pytest.approx(-(2 * math.log(7 / 16) + 2 * math.log(1 / 16)) / 4)
    assert unigram_loss(Targets(np.zeros(0, np.int64), np.zeros(0, np.int64))) == 0
