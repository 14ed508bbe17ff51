"""CPU inference in float32, bfloat16 and int8: faster than the exact modules, and tested against them."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from wordworth.errors import BadInput, nearest

DtypeOption: TypeAlias = Literal["float32", "bfloat16", "int8", "auto"]
"""The dtype of an encoder's computation; `auto` is bfloat16 if the CPU has instructions for it, else float32."""


def require_dtype(dtype: object) -> None:
    """Check the name of a dtype.

    Raises:
        BadInput: there is none of that name, or it is no text (torch's own, say).
    """
    if dtype not in get_args(DtypeOption):
        raise BadInput(f"no dtype {dtype!r}", mend=nearest(str(dtype), get_args(DtypeOption)))
