"""The encoder: what must not matter to its output, and what must."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.small_bert import CONFIG, VARIANTS, batch, made
from tests.models.tiny import loud_

from wordworth.models.batch import Batch
from wordworth.models.families.bert import bert
from wordworth.models.families.gpt2 import Gpt2Config, gpt2


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_company_of_a_sequence_does_not_matter(variant):
    model, together = made(VARIANTS[variant]), batch(7, 3, 7, 1, 12)
    with torch.no_grad():
        packed = model(together)
        for start, end in zip(together.starts, together.starts[1:], strict=False):
            alone = Batch(together.ids[start:end], together.segments[start:end], torch.tensor([0, end - start]).int())
            assert torch.allclose(model(alone), packed[start:end], atol=1e-5 * float(packed.abs().max()))


def test_without_positions_the_order_of_tokens_only_orders_the_output():
    model = made(CONFIG)
    model.embedding.position.weight.data.zero_()
    whole, order = batch(9), torch.randperm(9, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        mixed = model(Batch(whole.ids[order], whole.segments[order], whole.starts))
        assert torch.allclose(mixed, model(whole)[order], atol=1e-4)


def test_with_positions_the_order_of_tokens_matters():
    for variant in ("bert", "rotary"):
        model, whole = made(VARIANTS[variant]), batch(9)
        with torch.no_grad():
            mixed = model(Batch(whole.ids.flip(0), whole.segments.flip(0), whole.starts))
            assert (mixed - model(whole).flip(0)).abs().max() > 0.1


GPT2 = Gpt2Config(vocab_size=50, hidden_size=32, num_layers=2, num_heads=4, intermediate_size=48, max_positions=16)
LEFT_TO_RIGHT = {
    "gpt2": lambda: gpt2(GPT2),
    "causal bert": lambda: bert(replace(CONFIG, causal=True)),
    "causal bert, rotary": lambda: bert(replace(CONFIG, causal=True, positions="rotary")),
}


@pytest.mark.parametrize("kind", LEFT_TO_RIGHT)
@settings(max_examples=10, deadline=None)
@given(place=st.integers(0, 9), seed=st.integers(0, 99))
def test_a_left_to_right_models_token_never_sees_what_comes_after_it(kind, place, seed):
    model, one = LEFT_TO_RIGHT[kind]().eval(), batch(10, seed=seed)
    loud_(model, seed)
    ids = one.ids.clone()
    ids[place + 1 :] = (ids[place + 1 :] + 1) % 50
    with torch.no_grad():
        before, after = model(one), model(Batch(ids, one.segments, one.starts))
    assert torch.equal(before[: place + 1], after[: place + 1])
    assert place == 9 or not torch.equal(before[place + 1 :], after[place + 1 :])


def test_dropout_acts_in_training_only():
    model = made(CONFIG)
    with torch.no_grad():
        assert torch.equal(model(batch(8)), model(batch(8)))
        model.train()
        assert not torch.equal(model(batch(8)), model(batch(8)))


def test_every_parameter_learns_through_packed_attention():
    model = made(VARIANTS["pre-norm"]).train()
    one = batch(6, 4, 6)
    model.pool(model(one), one.starts).square().sum().backward()
    silent = [name for name, parameter in model.named_parameters() if parameter.grad is None]
    assert silent == []
