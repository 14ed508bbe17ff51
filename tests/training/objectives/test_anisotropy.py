"""The anisotropy penalty is the mean cosine of unrelated tokens' states, and lowers it where it is trained."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.training.objectives.instances import PIECES, VOCABULARY, instances, many, texts
from tests.training.objectives.test_mlm import as_batch
from torch.nn import functional

from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.transformer import init_weights
from wordworth.training.objectives.anisotropy import AnisotropyPenalty, mean_cosine_apart
from wordworth.training.objectives.mlm import MaskedLanguageModel
from wordworth.training.objectives.objective import ModelOutput, Targets

PENALTY = AnisotropyPenalty(vocabulary=VOCABULARY)


def pair_by_pair(states, owners):
    """The mean cosine over pairs of different owners, one pair after another: the specification."""
    found = [
        functional.cosine_similarity(states[i], states[j], dim=0).item()
        for i in range(len(states))
        for j in range(len(states))
        if owners[i] != owners[j]
    ]
    return np.mean(found) if found else 0.0


@given(sizes=st.lists(st.integers(1, 4), min_size=1, max_size=4), seed=st.integers(0, 99))
def test_the_sum_of_units_is_the_mean_over_pairs_of_different_sequences(sizes, seed):
    generator = torch.Generator().manual_seed(seed)
    states = torch.randn(sum(sizes), 5, generator=generator) + 0.5
    owners = torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))
    found = mean_cosine_apart(states, owners, np.array(sizes))
    assert found.item() == pytest.approx(pair_by_pair(states, owners), abs=1e-5)


def test_states_of_one_direction_cost_the_weight_and_opposed_sequences_their_cosine():
    ones, model = torch.ones(6, 4), bert(BertConfig(vocab_size=PIECES, hidden_size=32, num_layers=1, num_heads=2))
    made = instances([[5], [6]])
    targets = Targets(np.array([1, 4]), np.array([0, 1]), level="states")
    heavy = AnisotropyPenalty(vocabulary=VOCABULARY, weight=3.0)
    loss = heavy.loss(heavy.head(model), ModelOutput(model, as_batch(made), ones), targets)
    assert loss.sum.item() / loss.count == pytest.approx(3.0)
    opposed = torch.cat([ones[:3], -ones[3:]])
    assert heavy.loss(
        heavy.head(model), ModelOutput(model, as_batch(made), opposed), targets
    ).sum.item() == pytest.approx(-6.0)


def test_one_sequence_alone_costs_nothing():
    made = many(1, 12)
    _, targets = PENALTY.prepare(made, np.random.default_rng(0))
    model = bert(BertConfig(vocab_size=PIECES, hidden_size=32, num_layers=1, num_heads=2))
    loss = PENALTY.loss(
        PENALTY.head(model), ModelOutput(model, as_batch(made), torch.ones(12, 4, requires_grad=True)), targets
    )
    assert loss.sum.item() == 0
    loss.sum.backward()


@given(given=texts(), seed=st.integers(0, 99))
def test_only_words_are_drawn_each_once_and_a_part_keeps_its_own(given, seed):
    made = instances(given)
    rng = np.random.default_rng(seed)
    read_, _ = MaskedLanguageModel(vocabulary=VOCABULARY).prepare(made, rng)
    same, targets = PENALTY.prepare(read_, rng)
    assert same is read_
    assert not VOCABULARY.special[read_.ids[targets.positions]].any()
    assert (np.diff(targets.positions) > 0).all()
    rows = np.arange(0, len(given), 2)
    part = targets.take(rows, made.starts)
    owners = np.searchsorted(made.take(rows).starts, part.positions, side="right") - 1
    assert np.array_equal(rows[owners], part.labels)


def test_every_word_is_drawn_as_often():
    made = many(20, 32)
    drawn = np.zeros(len(made.ids))
    for seed in range(400):
        drawn[PENALTY.prepare(made, np.random.default_rng(seed))[1].positions] += 1
    words = drawn[~VOCABULARY.special[made.ids]]
    assert words.mean() == pytest.approx(400 * 75 / 600)
    assert words.std() == pytest.approx(np.sqrt(400 * 0.125 * 0.875), rel=0.1)


def test_its_gradient_turns_states_apart():
    model = bert(BertConfig(vocab_size=PIECES, hidden_size=32, num_layers=1, num_heads=2))
    init_weights(model, 0.1, torch.Generator().manual_seed(0))
    made = many(6, 20)
    _, targets = PENALTY.prepare(made, np.random.default_rng(0))
    optimiser = torch.optim.Adam(model.parameters(), 0.01)
    costs = []
    for _ in range(10):
        optimiser.zero_grad()
        loss = PENALTY.loss(PENALTY.head(model), ModelOutput(model, as_batch(made), model(as_batch(made))), targets)
        loss.sum.backward()
        optimiser.step()
        costs.append(loss.sum.item() / loss.count)
    assert costs[-1] < costs[0] - 0.05
