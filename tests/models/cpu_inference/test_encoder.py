from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.cpu_inference.twins import SHAPES, batch, loud
from torch.multiprocessing.reductions import StorageWeakRef
from torch.nn.functional import cosine_similarity

from wordworth.models.batch import Batch
from wordworth.models.cpu_inference.detect_kernels import Kernel, kernel_for
from wordworth.models.cpu_inference.encoder import TOLERANCE, CpuEncoder, can_compile
from wordworth.models.cpu_inference.select_dtype_and_kernel import ranges
from wordworth.models.transformer import Transformer

LENGTHS = [1, 7, 8, 9, 9, 30, 8, 64]


def twin(model: Transformer, kernel: Kernel) -> CpuEncoder:
    return CpuEncoder(model, kernel, lambda: ranges(model, [batch([20, 30, 40, 64], seed) for seed in range(4)]))


def needs(kernel: Kernel) -> None:
    dtype = next(name for name in ("bfloat16", "int8", "float32") if name in kernel)
    beside = "bfloat16" if kernel == "onednn-int8" else "float32"  # what it computes in where it is not int8
    if "plain" in {kernel_for(dtype), kernel_for(beside)}:
        pytest.skip(f"this CPU or torch cannot run {kernel}")


@torch.inference_mode()
def turned(model: Transformer, kernel: Kernel, texts: Batch) -> torch.Tensor:
    """1 - cosine of every token's last state to the exact one."""
    return 1 - cosine_similarity(twin(model, kernel)(texts).float(), model(texts), dim=-1)


@pytest.mark.parametrize("fields", SHAPES.values(), ids=SHAPES)
@torch.inference_mode()
def test_every_layer_in_float32_equals_the_exact_model(fields):
    needs("onednn-float32")
    model, texts = loud(**fields), batch(LENGTHS)
    found, wanted = list(twin(model, "onednn-float32").states(texts)), list(model.states(texts))
    assert len(found) == len(wanted) == 3
    for fast, exact in zip(found, wanted, strict=True):
        assert (fast - exact).abs().max() <= TOLERANCE["float32"] * max(1.0, float(exact.abs().max()))


@pytest.mark.parametrize("fields", SHAPES.values(), ids=SHAPES)
def test_bfloat16_stays_near_the_exact_model(fields):
    needs("onednn-bfloat16")
    assert turned(loud(**fields), "onednn-bfloat16", batch(LENGTHS)).mean() <= TOLERANCE["bfloat16"]


@pytest.mark.parametrize("kernel", ["onednn-int8", "onednn-int8-float32"])
@pytest.mark.parametrize("fields", SHAPES.values(), ids=SHAPES)
def test_int8_stays_near_the_exact_model(fields, kernel):
    needs(kernel)
    assert turned(loud(**fields), kernel, batch(LENGTHS)).mean() <= TOLERANCE["int8"]


@pytest.fixture(scope="module")
def reader() -> CpuEncoder:
    needs("onednn-float32")
    return twin(loud(), "onednn-float32")


@given(lengths=st.lists(st.integers(1, 64), min_size=1, max_size=5))
@settings(max_examples=8, deadline=None)
def test_a_text_has_the_same_vector_alone_and_in_any_company(reader, lengths):
    texts = batch(lengths)
    with torch.inference_mode():
        together = reader(texts)
        for start, end in zip(texts.starts[:-1].tolist(), texts.starts[1:].tolist(), strict=True):
            ids, bounds = texts.ids[start:end], torch.tensor([0, end - start], dtype=torch.int32)
            alone = reader(Batch(ids, torch.zeros_like(ids), bounds))
            assert (alone - together[start:end]).abs().max() <= TOLERANCE["float32"]


@torch.inference_mode()
def test_attention_scores_too_large_for_an_exponential_are_still_exact():
    needs("onednn-float32")
    model = loud()
    with torch.no_grad():
        model.body.layers[0].attention.qkv.weight[:128] *= 60
    texts = batch([9, 16])
    exact = model(texts)
    assert torch.isfinite(exact).all()
    assert (twin(model, "onednn-float32")(texts) - exact).abs().max() < 1e-3  # such scores amplify rounding itself


@torch.inference_mode()
def test_a_hidden_unit_ten_times_louder_than_the_others_does_not_spoil_int8():
    needs("onednn-int8")
    model = loud()
    with torch.no_grad():
        for layer in model.body.layers:
            layer.mlp.up.weight[3] *= 10
    assert turned(model, "onednn-int8", batch(LENGTHS)).mean() <= TOLERANCE["int8"]


@torch.no_grad()
def test_the_twin_follows_when_the_model_is_trained_on():
    needs("onednn-float32")
    model, texts = loud(), batch([5, 6])
    reader = twin(model, "onednn-float32")
    before = reader(texts)
    model.body.layers[0].mlp.down.bias.add_(1.0)
    after = reader(texts)
    assert not torch.allclose(before, after)
    assert (after - model(texts)).abs().max() <= TOLERANCE["float32"]


def test_a_batch_without_texts_gives_no_states():
    needs("onednn-float32")
    with torch.inference_mode():
        assert twin(loud(), "onednn-float32")(batch([])).shape == (0, 64)


def test_only_bodies_that_look_to_all_sides_are_compiled():
    assert can_compile(loud().config)
    assert not can_compile(loud(causal=True).config)
    assert not can_compile(loud(positions="rotary").config)
    assert not can_compile(loud(gated=True).config)


@torch.inference_mode()
def test_a_twin_that_is_left_alone_says_the_same_and_holds_nothing_of_the_models_layers():
    needs("onednn-float32")
    model, texts = loud(), batch(LENGTHS)
    fast = twin(model, "onednn-float32")
    wanted = [state.clone() for state in fast.states(texts)]
    weights = [StorageWeakRef(parameter.untyped_storage()) for parameter in model.parameters()]
    fast.release_source_weights()
    assert all(weight.expired() for weight in weights)  # what they were read from can go
    for found, before in zip(fast.states(texts), wanted, strict=True):
        assert torch.equal(found, before)
    assert all(parameter.is_meta for parameter in model.body.parameters())
