import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wordworth.models.cpu_inference import detect_kernels
from wordworth.models.cpu_inference.detect_kernels import kernel_for, largest_int8_weight

KERNELS = {
    "float32": {"plain", "onednn-float32"},
    "bfloat16": {"plain", "onednn-bfloat16"},
    "int8": {"plain", "onednn-int8", "onednn-int8-float32"},
}


@pytest.mark.parametrize("dtype", KERNELS)
def test_a_dtype_has_a_kernel_of_its_own_or_the_plain_one(dtype):
    assert kernel_for(dtype) in KERNELS[dtype]


@pytest.mark.skipif(kernel_for("int8") == "plain", reason="this machine has no int8 maps")
@pytest.mark.parametrize(("bfloat16", "kernel"), [(True, "onednn-int8"), (False, "onednn-int8-float32")])
def test_beside_int8_maps_a_cpu_without_bfloat16_computes_in_float32(bfloat16, kernel, monkeypatch):
    monkeypatch.setattr(detect_kernels, "has_bfloat16", lambda: bfloat16)
    assert kernel_for("int8") == kernel


@pytest.mark.skipif(kernel_for("int8") == "plain", reason="this machine has no int8 maps")
@given(seed=st.integers(0, 2**31), size=st.sampled_from([16, 64, 128]))
def test_products_of_bytes_and_weights_up_to_the_largest_are_summed_to_the_last_unit(seed, size):
    """Against a sum in whole numbers."""
    drawn, largest = torch.Generator().manual_seed(seed), largest_int8_weight()
    x = torch.randint(0, 256, (8, size), generator=drawn, dtype=torch.uint8)
    weight = torch.randint(-largest, largest + 1, (16, size), generator=drawn, dtype=torch.int8)
    scales, zeros = torch.ones(16), torch.zeros(16, dtype=torch.int32)
    packed = torch.ops.onednn.qlinear_prepack(weight, [8, size])
    summed = torch.ops.onednn.qlinear_pointwise.default(
        x, 1.0, 0, packed, scales, zeros, torch.zeros(16), 1.0, 0, torch.float32, "none", [], ""
    )
    assert torch.equal(summed, (x.long() @ weight.long().T).float())
