"""Inner values of texts: of the exact model, the same in any batch, with gradients; heads can be removed."""

import numpy as np
import pytest
import torch
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput, NotFound
from wordworth.models.activation_taps import Taps
from wordworth.models.batch import pack
from wordworth.models.read_encoder import read_encoder

TYPES = ["bert", "distilbert", "roberta", "xlm-roberta", "gpt2"]
TEXTS = ["the cab", "a", "is it a bad idea?", "we met at the bar, then."]
ATTENTION = "layers.{}.attention.{}"
NAMES = ("embedding", "layers.*.output", *(f"layers.*.attention.{part}" for part in ("query", "key", "value", "heads")))


@pytest.fixture(scope="module")
def encoders(tmp_path_factory):
    folder = tmp_path_factory.mktemp("families")
    return {name: read_encoder(write_tiny(folder / name, name), name=name) for name in TYPES}


@pytest.mark.parametrize("model_type", TYPES)
def test_every_family_shows_its_attention_and_its_blocks_in_any_batch(encoders, model_type):
    encoder, taps = encoders[model_type], Taps(read=(*NAMES, "layers.*.attention.probabilities"))
    together = list(encoder.activations(TEXTS, taps))
    alone = list(encoder.activations(TEXTS, taps, batch_tokens=1))
    assert [each.text for each in together] == [0, 1, 2, 3]
    for one, other in zip(together, alone, strict=True):
        assert set(one.values) == set(other.values)
        assert all(np.allclose(value, other.values[name], atol=1e-5) for name, value in one.values.items())
        weights = one.values[ATTENTION.format(1, "probabilities")]
        assert weights.shape == (4, len(one.tokens), len(one.tokens))
        assert np.abs(weights.sum(-1) - 1).max() <= 1e-5
        assert one.values[ATTENTION.format(0, "query")].shape == (len(one.tokens), 4, 8)


def test_a_blocks_output_is_the_state_that_the_encoder_gives(encoders):
    encoder = encoders["bert"]
    blocks = [each.values["layers.0.output"] for each in encoder.activations(TEXTS, Taps(read=("layers.0.output",)))]
    states = encoder.piece_states(TEXTS, layers=1).values[0]
    assert np.allclose(np.concatenate([block[1:-1] for block in blocks]), states, atol=1e-5)


@pytest.mark.parametrize("dtype", ["bfloat16", "int8"])
def test_a_fast_encoder_shows_the_values_of_the_exact_model(encoders, tmp_path, dtype):
    fast = read_encoder(write_tiny(tmp_path / "bert"), dtype=dtype)
    if fast.kernel == "plain":
        pytest.skip("this processor has no kernel for it")
    taps = Taps(read=("layers.1.output",))
    for exact, other in zip(encoders["bert"].activations(TEXTS, taps), fast.activations(TEXTS, taps), strict=True):
        assert np.array_equal(exact.values["layers.1.output"], other.values["layers.1.output"])


@pytest.mark.parametrize("frozen", [False, True])
def test_gradients_are_those_of_the_score_of_each_text(encoders, frozen):
    encoder, taps = encoders["bert"], Taps(read=("embedding", ATTENTION.format(1, "probabilities")))
    encoder.model.requires_grad_(not frozen)

    def score(text, states):
        return states[0, 0] * (text + 1)

    read = [list(encoder.activations(TEXTS, taps, gradient_of=score, batch_tokens=size)) for size in (1, 2048)]
    encoder.model.requires_grad_(True)
    for alone, together in zip(*read, strict=True):
        for name, gradient in alone.gradients.items():
            assert gradient.shape == alone.values[name].shape
            assert np.allclose(gradient, together.gradients[name], atol=1e-4)
    step, first = 1e-2, read[0][0]
    direction = torch.from_numpy(first.gradients["embedding"])
    moved = encoder.activations(
        TEXTS[:1], Taps(read=("layers.1.output",), change={"embedding": lambda x: x + step * direction})
    )
    (plain,) = encoder.activations(TEXTS[:1], Taps(read=("layers.1.output",)))
    change = next(moved).values["layers.1.output"][0, 0] - plain.values["layers.1.output"][0, 0]
    assert change == pytest.approx(step * float(direction.square().sum()), rel=0.1)


def test_only_one_batch_is_read_at_a_time(encoders):
    encoder, seen = encoders["bert"], []
    handle = encoder.model.embedding.register_forward_hook(lambda _module, inputs, _: seen.append(len(inputs[0].ids)))
    reading = encoder.activations(["the cab"] * 100, Taps(read=("embedding",)), batch_tokens=20)
    next(reading)
    handle.remove()
    assert len(seen) == 1
    assert seen[0] <= 20


def test_bad_requests_are_refused_before_anything_is_read(encoders, tmp_path):
    encoder = encoders["bert"]
    with pytest.raises(NotFound, match="did you mean"):
        encoder.activations(TEXTS, Taps(read=("layers.0.attention.querry",)))
    with pytest.raises(BadInput, match="the encoder reads 24"):
        encoder.activations(["a " * 100], Taps(read=("embedding",)))
    (cut,) = encoder.activations(["a " * 100], Taps(read=("embedding",)), long_texts="cut")
    assert len(cut.values["embedding"]) == 24
    freed = read_encoder(write_tiny(tmp_path / "freed")).for_inference()
    if freed.kernel != "plain":
        with pytest.raises(BadInput, match="only what inference needs"):
            freed.activations(TEXTS, Taps(read=("embedding",)))


@pytest.mark.parametrize("model_type", TYPES)
def test_a_head_scaled_to_zero_is_a_head_removed(encoders, model_type):
    encoder, scale = encoders[model_type], torch.ones(2, 4)
    scale[1, 2] = 0

    def remove(heads):
        return heads * torch.tensor([1.0, 1.0, 0.0, 1.0])[:, None]

    changed = Taps(read=("layers.1.output",), change={ATTENTION.format(1, "heads"): remove})
    scaled = encoder.activations(TEXTS, Taps(read=("layers.1.output",)), head_scale=scale)
    whole = encoder.activations(TEXTS, Taps(read=("layers.1.output",)))
    for removed, zeroed, untouched in zip(encoder.activations(TEXTS, changed), scaled, whole, strict=True):
        last, by_scale, before = (each.values["layers.1.output"] for each in (removed, zeroed, untouched))
        assert np.abs(last - by_scale).max() <= 1e-5
        assert not np.allclose(last, before, atol=1e-3)
    with pytest.raises(BadInput, match=r"head_scale is \(4,\)"):
        list(encoder.activations(TEXTS, Taps(read=("embedding",)), head_scale=torch.ones(4)))


@pytest.mark.parametrize("model_type", TYPES)
def test_the_heads_through_the_output_map_and_its_bias_add_up_to_the_modules_output(encoders, model_type):
    encoder = encoders[model_type]
    names = [ATTENTION.format(1, part) for part in ("probabilities", "value", "output")]
    linear = encoder.model.body.layers[1].attention.output
    of_heads = linear.weight.detach().unflatten(1, (4, 8)).numpy()
    for read in encoder.activations(TEXTS, Taps(read=tuple(names))):
        attention, values, output = (read.values[name] for name in names)
        by_head = np.einsum("hst,thd,ohd->hso", attention, values, of_heads)
        assert np.abs(by_head.sum(0) + linear.bias.detach().numpy() - output).max() <= 1e-5
        assert np.abs(by_head).max() > 1e-2


@pytest.mark.parametrize("model_type", TYPES)
def test_every_head_scaled_by_one_is_the_model(encoders, model_type):
    model, batch = encoders[model_type].model, pack(encoders[model_type].tokenizer.encode(TEXTS))
    with torch.no_grad():
        assert torch.equal(model(batch, head_scale=torch.ones(2, 4)), model(batch))


def test_the_gradient_by_a_heads_factor_is_what_the_head_is_worth(encoders):
    """Michel et al. 2019 (arXiv 1905.10650), section 4.1: importance is the loss's gradient by the factor."""
    encoder, scale = encoders["bert"], torch.ones(2, 4, requires_grad=True)
    batch = pack(encoder.tokenizer.encode(TEXTS))
    encoder.model(batch, head_scale=scale).square().mean().backward()
    importance, step = scale.grad, 1e-3
    for layer, head in [(0, 1), (1, 3)]:
        moved = torch.ones(2, 4)
        moved[layer, head] += step
        with torch.no_grad():
            values = [encoder.model(batch, head_scale=each).double().square().mean() for each in (moved, None)]
        change = (values[0] - values[1]) / step
        assert float(change) == pytest.approx(float(importance[layer, head]), rel=0.05, abs=1e-3)
    encoder.model.zero_grad()
