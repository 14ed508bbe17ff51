"""What a module reads and copies of it share: no weight of its own, and kept once however often it is copied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class SharedReference(Generic[_Value]):
    """A tensor or module that nobody changes; torch does not look inside for weights."""

    value: _Value

    def __deepcopy__(self, memo: dict[int, Any]) -> SharedReference[_Value]:
        """Itself: a word table in float32 beside each half would cost more than the encoder."""
        return self
