"""Mixed precision where the processor multiplies bfloat16 faster than float32."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


def halves_pay() -> bool:
    """Whether this processor has matrix instructions for bfloat16 (AMX or AVX-512 BF16)."""
    read = getattr(torch.cpu, "get_capabilities", None)  # since torch 2.10; before, float32 is the safe answer
    found = read() if read else {}
    return bool(found.get("amx_bf16") or found.get("avx512_bf16"))


@contextmanager
def mixed(*, wanted: bool) -> Iterator[None]:
    """Matrix products in bfloat16, everything else and all weights in float32; nothing changes if not `wanted`."""
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=wanted):
        yield
