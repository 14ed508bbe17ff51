"""The kernels that this CPU and this torch have, detected once by running them."""

from __future__ import annotations

from functools import cache
from typing import Literal

import torch

from wordworth.models.devices import has_bfloat16

Dtype = Literal["float32", "bfloat16", "int8"]
Kernel = Literal["plain", "onednn-float32", "onednn-bfloat16", "onednn-int8", "onednn-int8-float32"]


def kernel_for(dtype: Dtype) -> Kernel:
    """Return the kernel that computes in `dtype` on this machine; `plain` if torch or the CPU lacks the operations.

    For int8 there are two kernels. Under `onednn-int8`, the operations that are not in int8 run in bfloat16. Under
    `onednn-int8-float32`, which is for CPUs without bfloat16, they run in float32.
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
    """Return whether torch has prepacked linear maps on this machine, with the same results as plain linear maps."""
    x, weight, bias = torch.linspace(-1, 1, 64).view(2, 32), torch.linspace(-1, 1, 512).view(16, 32), torch.ones(16)
    try:
        packed = torch.ops.mkldnn._reorder_linear_weight(weight, 2)  # noqa: SLF001 - torch's compiler uses it
        outputs = torch.ops.mkldnn._linear_pointwise.default(x, packed, bias, "gelu", [], "none")  # noqa: SLF001 - likewise
    except (AttributeError, RuntimeError, NotImplementedError):
        return False
    expected = torch.nn.functional.gelu(torch.nn.functional.linear(x, weight, bias))
    return bool(torch.allclose(outputs, expected, atol=1e-5))


@cache
def _int8_maps() -> bool:
    """Return whether torch has int8 linear maps on this machine, exact on numbers that int8 represents exactly."""
    x = (torch.arange(64) % 17 - 8).to(torch.int8).view(2, 32)
    weight = (torch.arange(512) % 13 - 6).to(torch.int8).view(16, 32)
    scales, zeros = torch.ones(16), torch.zeros(16, dtype=torch.int32)
    try:
        packed = torch.ops.onednn.qlinear_prepack(weight, [2, 32])
        outputs = torch.ops.onednn.qlinear_pointwise.default(
            x, 1.0, 0, packed, scales, zeros, scales, 1.0, 0, torch.float32, "none", [], ""
        )
    except (AttributeError, RuntimeError, NotImplementedError):
        return False
    return bool(torch.equal(outputs, x.float() @ weight.float().T + 1))


@cache
def largest_int8_weight() -> int:
    """Return the largest absolute value of an int8 weight whose products are summed correctly.

    The value is 127 if the CPU has VNNI, else 64.

    Without VNNI two products are added in 16 bits, where 2 x 255 x 127 overflows and saturates; 2 x 255 x 64 fits.
    """
    size, largest = 64, 127
    x = torch.full((size, size), 255, dtype=torch.uint8)
    packed = torch.ops.onednn.qlinear_prepack(torch.full((size, size), largest, dtype=torch.int8), [size, size])
    scales, zeros = torch.ones(size), torch.zeros(size, dtype=torch.int32)
    outputs = torch.ops.onednn.qlinear_pointwise.default(
        x, 1.0, 0, packed, scales, zeros, torch.zeros(size), 1.0, 0, torch.float32, "none", [], ""
    )
    return largest if bool((outputs == size * 255 * largest).all()) else 64
