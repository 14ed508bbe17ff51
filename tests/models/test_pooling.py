"""Poolings do what their names say, whatever the lengths."""

from typing import get_args

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.models.pooling import Dense, Normalize, SentenceHead, SentencePooling, pool, pool_words, word_shares

BY_HAND = {
    "mean": lambda rows: rows.mean(0),
    "cls": lambda rows: rows[0],
    "max": lambda rows: rows.max(0).values,
    "mean_sqrt_len_tokens": lambda rows: rows.sum(0) / len(rows) ** 0.5,
    "weightedmean": lambda rows: sum((i + 1) * row for i, row in enumerate(rows)) / sum(range(1, len(rows) + 1)),
    "lasttoken": lambda rows: rows[-1],
}


@pytest.mark.parametrize("mode", BY_HAND)
@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 99))
def test_each_pooling_equals_itself_by_hand(mode, lengths, seed):
    states = torch.randn(sum(lengths), 3, 4, generator=torch.Generator().manual_seed(seed))
    expected = torch.stack([BY_HAND[mode](rows) for rows in torch.split(states, lengths)])
    found = pool(states, torch.tensor([0, *lengths]).cumsum(0).int(), mode)
    assert torch.allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize("mode", ["first", "mean", "last"])
def test_words_are_pooled_from_their_own_pieces(mode):
    states = torch.arange(12.0).view(6, 2)
    words = torch.tensor([-1, 0, 2, 2, 2, -1])
    found = pool_words(states, words, 4, mode)
    middle = {"first": states[2], "mean": states[2:5].mean(0), "last": states[4]}[mode]
    assert torch.equal(found, torch.stack([states[1], torch.zeros(2), middle, torch.zeros(2)]))


@pytest.mark.parametrize("mode", ["first", "mean", "last"])
def test_shares_give_the_words_when_their_pieces_come_in_any_parts(mode):
    states = torch.randn(9, 2, 3, generator=torch.Generator().manual_seed(0))
    words = torch.tensor([-1, 0, 0, 1, 3, 3, 3, -1, -1])
    shares = word_shares(words, 4, mode)
    sums = torch.zeros(4, 2, 3).index_add(0, words.clamp(min=0), states * shares[:, None, None])
    assert torch.allclose(sums, pool_words(states, words, 4, mode), atol=1e-6)
    assert word_shares(torch.tensor([-1, -1]), 0, mode).tolist() == [0, 0]


@pytest.mark.parametrize("mode", ["first", "mean", "last"])
def test_a_sentence_without_words_has_no_rows(mode):
    assert pool_words(torch.randn(2, 5), torch.tensor([-1, -1]), 0, mode).shape == (0, 5)


def test_a_head_pools_side_by_side_then_takes_its_steps():
    states, starts = torch.randn(5, 3, generator=torch.Generator().manual_seed(0)), torch.tensor([0, 2, 5])
    weight = torch.randn(4, 6, generator=torch.Generator().manual_seed(1))
    head = SentenceHead(("cls", "mean"), (Dense(weight, None, "torch.nn.modules.activation.Tanh"), Normalize()))
    pooled = torch.cat([pool(states, starts, "cls"), pool(states, starts, "mean")], dim=1)
    mapped = torch.tanh(pooled @ weight.T)
    assert torch.allclose(head(states, starts), mapped / mapped.norm(dim=1, keepdim=True), atol=1e-6)
    assert head.width(3) == 4
    assert SentenceHead(("cls", "mean")).width(3) == 6


def test_a_zero_vector_stays_zero_when_normalised():
    assert torch.equal(Normalize()(torch.zeros(1, 3)), torch.zeros(1, 3))


@pytest.mark.parametrize("mode", get_args(SentencePooling))
@pytest.mark.parametrize("shape", [(4,), (3, 4)])
def test_states_that_come_a_part_at_a_time_in_any_order_are_pooled_as_if_together(mode, shape):
    states = torch.randn(11, *shape, generator=torch.Generator().manual_seed(0))
    head = SentenceHead((mode, "mean"))
    order = torch.tensor([7, 8, 9, 10, 0, 1, 2, 5, 6, 3, 4])
    parts = [(states[places], places) for places in order.split([4, 3, 4])]
    assert torch.allclose(head.over(parts, 11), head(states, torch.tensor([0, 11])), atol=1e-6)


def test_maps_above_the_pooling_are_told_apart_by_their_weights():
    maps = [Dense(torch.full((2, 3), float(value)), None, "torch.nn.modules.linear.Identity") for value in (1, 1, 2)]
    one, same, other = (SentenceHead(steps=(step,)).fingerprint for step in maps)
    assert one == same != other


def test_a_map_above_the_pooling_follows_the_device_of_the_vectors():
    dense = Dense(torch.ones(2, 3), torch.ones(2), "torch.nn.modules.activation.Tanh")
    assert dense(torch.ones(5, 3, device="meta")).device.type == "meta"
    assert dense(torch.ones(5, 3)).shape == (5, 2)


@pytest.mark.parametrize("modes", [("mean",), ("cls", "weightedmean"), ("lasttoken", "mean_sqrt_len_tokens"), ("max",)])
@pytest.mark.parametrize("dense", [True, False])
def test_the_parts_of_tokens_add_up_to_the_vector_of_an_additive_head(modes, dense):
    states = torch.randn(7, 3, generator=torch.Generator().manual_seed(0))
    weight = torch.randn(5, 3 * len(modes), generator=torch.Generator().manual_seed(1))
    head = SentenceHead(modes, (Dense(weight, None, "torch.nn.modules.linear.Identity"),) if dense else ())
    assert head.is_additive
    expected = head(states, torch.tensor([0, 7]))[0]
    assert torch.allclose(head.token_parts(states).sum(0).float(), expected, atol=1e-5)


@pytest.mark.parametrize(
    "head",
    [
        SentenceHead(("mean",), (Dense(torch.eye(3), torch.ones(3), "torch.nn.modules.linear.Identity"),)),
        SentenceHead(("mean",), (Dense(torch.eye(3), None, "torch.nn.modules.activation.Tanh"),)),
    ],
)
def test_a_head_with_a_bias_or_an_activation_has_no_parts(head):
    assert not head.is_additive
    with pytest.raises(ValueError, match="no sum over tokens"):
        head.token_parts(torch.ones(2, 3))


def test_of_a_maximum_a_token_has_the_components_in_which_it_is_the_largest():
    parts = SentenceHead(("max",)).token_parts(torch.tensor([[1.0, -3.0, 2.0], [0.0, -1.0, 2.0]]))
    assert parts.tolist() == [[1.0, 0.0, 2.0], [0.0, -1.0, 0.0]]


GROUPS = torch.tensor([0, 1, 1, 2, 3, 3, 3])
MODES = ["mean", "cls", "max", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]
TANH = Dense(torch.eye(3), torch.ones(3), "torch.nn.modules.activation.Tanh")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("steps", [(), (TANH, Normalize())])
def test_leaving_tokens_out_pools_a_sequence_that_never_had_them(mode, steps):
    states, head = torch.randn(7, 3, generator=torch.Generator().manual_seed(2)).double(), SentenceHead((mode,), steps)
    found = head.without(states.float().double(), GROUPS, 4)
    for group in range(4):
        rest = [
            row for row, each in zip(states.float().double().tolist(), GROUPS.tolist(), strict=True) if each != group
        ]
        if mode == "max":
            pooled = torch.tensor([[max(column) for column in zip(*rest, strict=True)]], dtype=torch.float64)
            for step in steps:
                pooled = step(pooled)
        else:
            pooled = head(torch.tensor(rest, dtype=torch.float64), torch.tensor([0, len(rest)]))
        assert (found[group] - pooled[0]).abs().max() < 1e-12


@pytest.mark.parametrize("modes", [("mean",), ("mean", "mean")])
def test_leaving_tokens_out_of_a_mean_by_sums_is_pooling_the_rest(modes):
    states, head = torch.randn(7, 3, generator=torch.Generator().manual_seed(3)).double(), SentenceHead(modes)
    by_sums = head.without(states, GROUPS, 4)
    for group in range(4):
        rest = states[group != GROUPS]
        assert (by_sums[group] - head(rest, torch.tensor([0, len(rest)]))[0]).abs().max() < 1e-12


@pytest.mark.parametrize("mode", MODES)
def test_without_its_only_group_a_sequence_has_no_vector(mode):
    assert SentenceHead((mode,)).without(torch.ones(2, 3), torch.zeros(2, dtype=torch.long), 1).isnan().all()


def test_float64_states_are_pooled_in_float64():
    states = torch.tensor([[1.0], [1e-12]], dtype=torch.float64)
    assert SentenceHead()(states, torch.tensor([0, 2]))[0, 0].item() == (1 + 1e-12) / 2
