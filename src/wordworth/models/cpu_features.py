"""The CPU's instructions for low-precision numbers, as torch reports them."""

from __future__ import annotations

from functools import cache

import torch


@cache
def has_bfloat16() -> bool:
    """Return whether the CPU multiplies bfloat16 natively (AMX, AVX-512 BF16); if not, it is slower than float32."""
    return _any("_is_avx512_bf16_supported", "_is_amx_tile_supported")


@cache
def multiplies_signed_bytes() -> bool:
    """Return whether the CPU multiplies signed by signed bytes (AMX).

    VNNI multiplies unsigned by signed ones; for anything else oneDNN has a plain loop, a thousand times slower.
    """
    return _any("_is_amx_tile_supported")


def _any(*names: str) -> bool:
    """Whether any of these queries of torch is true; one that this torch lacks counts as false."""
    return any(bool(getattr(torch.cpu, name, bool)()) for name in names)
