"""What the architectures are by the papers: sizes, initialisation, and what must not matter to their output."""

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.tiny import loud_

from wordworth.models.batch import Batch
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.families.gpt2 import Gpt2Config, gpt2
from wordworth.models.lm_heads import MaskedLanguageModelHead, NextSentenceHead
from wordworth.models.transformer import ACTIVATIONS, init_weights

CONFIG = BertConfig(
    vocab_size=50, hidden_size=32, num_layers=2, num_heads=4, intermediate_size=48, max_positions=32, norm_eps=1e-5
)
VARIANTS = {
    "bert": CONFIG,
    "pre-norm": replace(CONFIG, norm="pre"),
    "rotary": replace(CONFIG, positions="rotary"),
    "no-biases": replace(CONFIG, biases=False),
    "gated": replace(CONFIG, gated=True),
    "narrow-tables": replace(CONFIG, embedding_size=16),
    "no-segments": replace(CONFIG, segments=0, pooler=False),
    "offset": replace(CONFIG, first_position=2, activation="relu"),
}


def made(config: BertConfig, seed: int = 0) -> torch.nn.Module:
    model = bert(config).eval()
    loud_(model, seed)
    return model


def batch(*lengths: int, seed: int = 0) -> Batch:
    ids = torch.randint(0, 50, (sum(lengths),), generator=torch.Generator().manual_seed(seed))
    return Batch(ids, ids % 2, torch.tensor([0, *lengths]).cumsum(0).int())


def parameters(*modules: torch.nn.Module) -> int:
    return sum(parameter.numel() for module in modules for parameter in module.parameters())


SIZES = [  # layers, width, vocabulary: embeddings, a layer, body, with pooler, with heads
    (2, 128, 30_522, 3_972_864, 198_272, 4_369_408, 4_385_920, 4_433_468),
    (4, 256, 30_522, 7_945_728, 789_760, 11_104_768, 11_170_560, 11_267_900),
    (4, 512, 30_522, 15_891_456, 3_152_384, 28_500_992, 28_763_648, 29_058_876),
    (8, 512, 30_522, 15_891_456, 3_152_384, 41_110_528, 41_373_184, 41_668_412),
    (12, 768, 30_522, 23_837_184, 7_087_872, 108_891_648, 109_482_240, 110_106_428),
    (12, 768, 28_996, 22_665_216, 7_087_872, 107_719_680, 108_310_272, 108_932_934),
    (24, 1024, 30_522, 31_782_912, 12_596_224, 334_092_288, 335_141_888, 336_226_108),
    (24, 1024, 28_996, 30_220_288, 12_596_224, 332_529_664, 333_579_264, 334_661_958),
]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}-{size[2]}")
def test_every_published_size_has_its_number_of_parameters(size):
    layers, width, vocabulary, *expected = size
    config = BertConfig(
        vocab_size=vocabulary,
        hidden_size=width,
        num_layers=layers,
        num_heads=width // 64,
        intermediate_size=4 * width,
    )
    with torch.device("meta"):
        model, mlm, nsp = bert(config), MaskedLanguageModelHead(config), NextSentenceHead(config)
    table, layer, both = parameters(model.embedding), parameters(model.body.layers[0]), parameters(model)
    pooler = parameters(model.pooler)
    assert [table, layer, both - pooler, both, both + parameters(mlm, nsp)] == expected


@pytest.mark.parametrize(
    ("layers", "width", "heads", "expected"),
    [
        (12, 768, 12, 124_439_808),
        (24, 1024, 16, 354_823_168),
        (36, 1280, 20, 774_030_080),
        (48, 1600, 25, 1_557_611_200),
    ],
)
def test_every_gpt2_has_its_number_of_parameters(layers, width, heads, expected):
    config = Gpt2Config(hidden_size=width, num_layers=layers, num_heads=heads, intermediate_size=4 * width)
    with torch.device("meta"):
        assert parameters(gpt2(config)) == expected


def test_gelu_has_its_two_published_forms():
    x = torch.tensor([-1.0, 0.5, 1.0, 3.0], dtype=torch.float64)
    tanh = torch.tensor([-0.15880801, 0.34571401, 0.84119199, 2.99636261], dtype=torch.float64)
    erf = torch.tensor([-0.15865525, 0.34573123, 0.84134475, 2.99595031], dtype=torch.float64)
    assert torch.allclose(ACTIVATIONS["gelu_tanh"](x), tanh, atol=5e-9, rtol=0)
    assert torch.allclose(ACTIVATIONS["gelu_erf"](x), erf, atol=5e-9, rtol=0)


def test_layer_norm_is_of_the_biased_variance():
    norm = bert(replace(CONFIG, hidden_size=4, num_heads=1, norm_eps=1e-12)).embedding.norm
    expected = torch.tensor([-1.34164079, -0.44721360, 0.44721360, 1.34164079])
    assert torch.allclose(norm(torch.tensor([1.0, 2.0, 3.0, 4.0])), expected, atol=1e-7)


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


def test_rotary_positions_tell_distances_not_places():
    """A score depends on how far apart query and key are: shifting both changes nothing (arXiv 2104.09864, eq. 11)."""
    from wordworth.models.transformer import turn, turns

    config = replace(CONFIG, positions="rotary")
    q, k = torch.randn(2, 1, 4, 8, generator=torch.Generator().manual_seed(0)).expand(2, 12, 4, 8)
    angles = turns(torch.tensor([0, 12]), config)
    scores = torch.einsum("qhd,khd->hqk", turn(q, angles), turn(k, angles))
    assert torch.allclose(scores[:, 1:, 1:], scores[:, :-1, :-1], atol=1e-5)
    assert not torch.allclose(scores[:, 0, 0], scores[:, 0, 5], atol=1e-2)


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


def test_the_last_layer_before_the_final_norm_can_be_asked_for():
    config = Gpt2Config(vocab_size=50, hidden_size=32, num_layers=2, num_heads=4, intermediate_size=48)
    after, before = gpt2(config).eval(), gpt2(replace(config, last_layer="before_final_norm")).eval()
    loud_(after)
    before.load_state_dict(after.state_dict())
    with torch.no_grad():
        assert torch.allclose(after.body.final_norm(before(batch(6))), after(batch(6)), atol=1e-6)
        assert not torch.allclose(before(batch(6)), after(batch(6)), atol=1e-2)


def test_fresh_weights_are_a_normal_cut_at_two_deviations():
    model = bert(replace(CONFIG, vocab_size=5000, hidden_size=64))
    init_weights(model, 0.02, torch.Generator().manual_seed(0))
    words = model.embedding.word.weight
    assert words.abs().max() <= 0.04
    assert float(words.detach().std()) == pytest.approx(0.01759, rel=0.01)
    assert model.body.layers[0].mlp.up.bias.abs().max() == 0
    assert torch.equal(model.body.layers[1].mlp_norm.weight, torch.ones(64))


def test_the_same_generator_draws_the_same_fresh_weights():
    models = [bert(CONFIG), bert(CONFIG)]
    for model in models:
        init_weights(model, 0.02, torch.Generator().manual_seed(5))
    assert all(torch.equal(one, other) for one, other in zip(*(m.parameters() for m in models), strict=True))


def test_a_fresh_bert_guesses_as_badly_as_it_should():
    config = BertConfig(hidden_size=128, num_layers=2, num_heads=2, intermediate_size=512)
    model, mlm, nsp = bert(config).eval(), MaskedLanguageModelHead(config), NextSentenceHead(config)
    for number, part in enumerate((model, mlm, nsp)):
        init_weights(part, 0.02, torch.Generator().manual_seed(number))
    ids = torch.randint(0, 30_522, (640,), generator=torch.Generator().manual_seed(9))
    starts = torch.arange(0, 641, 32, dtype=torch.int32)
    with torch.no_grad():
        states = model(Batch(ids, torch.zeros_like(ids), starts))
        guesses = mlm(states, model.embedding.word.weight)
        loss = torch.nn.functional.cross_entropy(guesses, ids.flip(0))
        follows = nsp(model.pool(states, starts))
        doubt = torch.nn.functional.cross_entropy(follows, torch.arange(20) % 2)
    assert float(loss) == pytest.approx(math.log(30_522) + 128 * 0.01759**2 / 2, abs=0.03)
    assert float(doubt) == pytest.approx(0.69, abs=0.05)


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


def test_a_width_that_heads_cannot_share_is_refused():
    with pytest.raises(ValueError, match="not a multiple"):
        BertConfig(hidden_size=30, num_heads=4)


def test_a_model_without_pooler_says_so():
    model = made(VARIANTS["no-segments"])
    with pytest.raises(LookupError, match="no pooler"):
        model.pool(torch.zeros(3, 32), torch.tensor([0, 3]))
