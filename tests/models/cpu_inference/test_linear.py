"""Bytes with and without a sign hold the same whole numbers, so that an int8 map says the same with either."""

import pytest
import torch

from wordworth.models.cpu_inference import linear
from wordworth.models.cpu_inference.detect_kernels import kernel_for
from wordworth.models.cpu_inference.linear import Int8Linear, Range, Scales, SmoothQuantLinear

pytestmark = pytest.mark.skipif(kernel_for("int8") == "plain", reason="this machine has no int8 maps")


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_map_says_the_same_of_signed_and_of_unsigned_bytes(monkeypatch, dtype):
    drawn = torch.Generator().manual_seed(0)
    weight, bias = torch.randn(24, 32, generator=drawn), torch.randn(24, generator=drawn)
    x = torch.randn(16, 32, generator=drawn).to(dtype)
    seen = Range(x.float().abs().amax(0), float(x.min()), float(x.max()))

    def said(signed):
        monkeypatch.setattr(linear, "multiplies_signed_bytes", lambda: signed)
        return SmoothQuantLinear(weight, bias, seen, dtype)(x)

    signed, unsigned = said(signed=True), said(signed=False)
    assert torch.equal(signed, unsigned)
    assert torch.allclose(signed.float(), x.float() @ weight.T + bias, atol=0.3)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_bytes_times_the_largest_weights_add_up(sign):
    weight, x = torch.full((16, 64), 0.5 * sign), torch.full((8, 64), 255, dtype=torch.uint8)
    said = Int8Linear(weight, torch.zeros(16), Scales(1.0)).apply(x, torch.float32)
    assert torch.allclose(said, torch.full((8, 16), 64 * 255 * 0.5 * sign), rtol=1e-5)
