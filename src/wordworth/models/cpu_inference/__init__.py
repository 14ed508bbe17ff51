"""CPU inference in float32, bfloat16 and int8: faster than the exact modules, and tested against them."""

from __future__ import annotations

from typing import Literal, TypeAlias

DtypeOption: TypeAlias = Literal["float32", "bfloat16", "int8", "auto"]
"""The dtype of an encoder's computation; `auto` is bfloat16 if the CPU has instructions for it, else float32."""
