"""Which kernels this CPU and this torch have, found out once by trying them."""

from __future__ import annotations

from functools import cache
from typing import Literal

import torch

from wordworth.models.cpu_features import has_bfloat16

Dtype = Literal["float32", "bfloat16", "int8"]
Kernel = Literal["plain", "onednn-float32", "onednn-bfloat16", "onednn-int8", "onednn-int8-float32"]


def kernel_for(dtype: Dtype) -> Kernel:
    """The kernel that computes in `dtype` here; `plain` where torch or the CPU lacks what it needs.

    `onednn-int8` does what is not int8 in bfloat16; `onednn-int8-float32`, for CPUs without bfloat16, in float32.
    """
    if not _float_maps() or (dtype == "bfloat16" and not torch.ops.mkldnn._is_mkldnn_bf16_supported()):  # noqa: SLF001 - torch has no public name for it
        return "plain"
    if dtype == "int8":
        if not _int8_maps():
            return "plain"
        return "onednn-int8" if has_bfloat16() else "onednn-int8-float32"
    return "onednn-float32" if dtype == "float32" else "onednn-bfloat16"


@cache
def _float_maps() -> bool:
    """Whether prepacked linear maps exist here and say what the plain ones say."""
    x, weight, bias = torch.linspace(-1, 1, 64).view(2, 32), torch.linspace(-1, 1, 512).view(16, 32), torch.ones(16)
    try:
        packed = torch.ops.mkldnn._reorder_linear_weight(weight, 2)  # noqa: SLF001 - the compiler's own door
        found = torch.ops.mkldnn._linear_pointwise.default(x, packed, bias, "gelu", [], "none")  # noqa: SLF001 - likewise
    except (AttributeError, RuntimeError, NotImplementedError):
        return False
    wanted = torch.nn.functional.gelu(torch.nn.functional.linear(x, weight, bias))
    return bool(torch.allclose(found, wanted, atol=1e-5))


@cache
def _int8_maps() -> bool:
    """Whether int8 maps exist here and are exact on numbers that int8 holds exactly."""
    x = (torch.arange(64) % 17 - 8).to(torch.int8).view(2, 32)
    weight = (torch.arange(512) % 13 - 6).to(torch.int8).view(16, 32)
    ones, zeros = torch.ones(16), torch.zeros(16, dtype=torch.int32)
    try:
        packed = torch.ops.onednn.qlinear_prepack(weight, [2, 32])
        found = torch.ops.onednn.qlinear_pointwise.default(
            x, 1.0, 0, packed, ones, zeros, ones, 1.0, 0, torch.float32, "none", [], ""
        )
    except (AttributeError, RuntimeError, NotImplementedError):
        return False
    return bool(torch.equal(found, x.float() @ weight.float().T + 1))


@cache
def weight_steps() -> int:
    """The largest weight that int8 maps add up right: 127, or 64 where the processor has no VNNI.

    Those add two products in 16 bits, where 2 x 255 x 127 does not fit and is cut; 2 x 255 x 64 does.
    """
    size, most = 64, 127
    x = torch.full((size, size), 255, dtype=torch.uint8)
    packed = torch.ops.onednn.qlinear_prepack(torch.full((size, size), most, dtype=torch.int8), [size, size])
    ones, zeros = torch.ones(size), torch.zeros(size, dtype=torch.int32)
    found = torch.ops.onednn.qlinear_pointwise.default(
        x, 1.0, 0, packed, ones, zeros, torch.zeros(size), 1.0, 0, torch.float32, "none", [], ""
    )
    return most if bool((found == size * 255 * most).all()) else 64
