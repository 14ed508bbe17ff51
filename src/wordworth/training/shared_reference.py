"""A reference that copies of a module share: not a weight of its own, held in memory once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class SharedReference(Generic[_Value]):
    """A tensor or module that nobody changes; torch does not look inside for weights."""

    value: _Value

    def __deepcopy__(self, memo: dict[int, Any]) -> SharedReference[_Value]:
        """Return itself: a second float32 word table for the bfloat16 copy would cost more than the encoder."""
        return self
