"""CPU inference in float32, bfloat16 and int8: faster than the torch modules of a model, and tested against them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from wordworth.errors import BadInput, nearest_of_few

if TYPE_CHECKING:
    from wordworth.models.encoder_base import Encoder

DtypeOption: TypeAlias = Literal["float32", "bfloat16", "int8", "auto"]
"""The dtype of an encoder's computation; `auto` is bfloat16 if the CPU has instructions for it, else float32."""


def require_dtype(dtype: object) -> None:
    """Check that a dtype is one of the names in `DtypeOption`.

    Raises:
        BadInput: the name is unknown, or the value is not a string (a `torch.dtype`, for example).
    """
    if dtype not in get_args(DtypeOption):
        raise BadInput(f"no dtype {dtype!r}", mend=nearest_of_few(str(dtype), get_args(DtypeOption)))


def int8_unsupported(model: Encoder, where: str, mend: str) -> BadInput:
    """Return the error for a request of int8 that this processor or this kind of model does not support.

    Args:
        model: the model.
        where: the option that requested int8.
        mend: what to do instead.
    """
    what = f"int8 is not supported for a {model.config.model_type} model on this processor"
    return BadInput(what, where=where, mend=mend)
