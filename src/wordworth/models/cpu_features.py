"""Which instructions for small numbers this processor has, as torch knows it."""

from __future__ import annotations

from functools import cache

import torch


@cache
def has_bfloat16() -> bool:
    """Whether it multiplies bfloat16 by itself (AMX, AVX-512 BF16); without that they are slower than float32."""
    return _any("_is_avx512_bf16_supported", "_is_amx_tile_supported")


@cache
def multiplies_signed_bytes() -> bool:
    """Whether signed bytes by signed ones have instructions (AMX).

    VNNI takes unsigned by signed ones; for others oneDNN has a plain loop, a thousand times slower.
    """
    return _any("_is_amx_tile_supported")


def _any(*names: str) -> bool:
    """What a torch does not know of, it does not use."""
    return any(bool(getattr(torch.cpu, name, bool)()) for name in names)
