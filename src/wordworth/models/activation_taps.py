"""`Taps`: read, scale or replace any inner value of a model by its name.

    embedding                       [tokens, hidden_size]
    layers.3.attention.query        [tokens, heads, head_size]; likewise .key and .value
    layers.3.attention.rotated_query  the query after rotary positions, if the model has them; likewise .rotated_key
    layers.3.attention.probabilities  [heads, length, length], once per sequence
    layers.3.attention.heads        [tokens, heads, head_size], each head's output before the output map mixes the heads
    layers.3.attention.output       [tokens, hidden_size]; likewise .mlp.hidden (intermediate_size wide), .mlp.output
    layers.3.output                 [tokens, hidden_size]
    final_norm, pooler              if the model has them

Without taps a model runs at full speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import count, takewhile
from typing import TypeVar

from torch import Tensor

from wordworth.errors import NotFound, nearest

T = TypeVar("T")
Change = Callable[[Tensor], Tensor]
ATTENTION = "layers.*.attention.probabilities"
"""The attention weights of every layer."""


@dataclass(frozen=True, slots=True)
class Taps:
    """The inner values of a model that are read or changed during a forward pass.

    Attributes:
        read: names or patterns (`layers.*.attention.probabilities`) whose values are stored in `seen`.
        change: name or pattern -> function from the value to its replacement; `seen` holds the replacement.
        seen: name -> values read, one tensor for each time that the value was computed.
        at: prefix of the names of values in the module that is running (`layers.3.`); set by the model.

    >>> taps = Taps(read=("layers.*.output",), change={"layers.0.attention.heads": lambda heads: heads * 0})
    """

    read: tuple[str, ...] = ()
    change: Mapping[str, Change] = field(default_factory=dict)
    seen: dict[str, list[Tensor]] = field(default_factory=dict)
    at: str = ""

    def under(self, part: str) -> Taps:
        """Return the taps for use inside the submodule `part`, where names of values lack the prefix `part.`."""
        return replace(self, at=f"{self.at}{part}.")

    def wants(self, name: str) -> bool:
        """Return whether the value called `name` is to be read or changed."""
        return any(fnmatchcase(self.at + name, pattern) for pattern in (*self.read, *self.change))

    def __call__(self, name: str, value: Tensor) -> Tensor:
        """Apply every matching change to `value`, store the result if `name` is to be read, and return the result."""
        full = self.at + name
        for pattern, change in self.change.items():
            if fnmatchcase(full, pattern):
                value = change(value)
        if any(fnmatchcase(full, pattern) for pattern in self.read):
            self.seen.setdefault(full, []).append(value)
        return value

    def check(self, names: Iterable[str]) -> None:
        """Check that every name or pattern matches a name of the model.

        Raises:
            NotFound: a name or pattern matches nothing; the message suggests the nearest name.
        """
        known = list(names)
        for pattern in (*self.read, *self.change):
            if not any(fnmatchcase(name, pattern) for name in known):
                raise NotFound(f"nothing in this model is called {pattern!r}", mend=nearest(pattern, known))


def by_layer(values: Mapping[str, T], pattern: str) -> list[T]:
    """Return the values whose names match a pattern, one of each layer, in the order of the layers.

    Args:
        values: name -> value; values whose names do not match are left out.
        pattern: the name, with `*` for the number of the layer.
    """
    names = (pattern.replace("*", str(layer)) for layer in count())
    return [values[name] for name in takewhile(values.__contains__, names)]


def passing(taps: Taps | None, name: str, value: Tensor) -> Tensor:
    """Store an inner value in the taps that read it, and return the value as the taps change it.

    Args:
        taps: the values to read or change; None returns `value` unchanged.
        name: name of the value in the running module.
        value: the value, a tensor of any shape.

    Returns:
        The value or its replacement.
    """
    return value if taps is None else taps(name, value)


def inside(taps: Taps | None, part: str) -> Taps | None:
    """Return the taps for use inside the submodule `part`, as `Taps.under` does; None if taps are None."""
    return None if taps is None else taps.under(part)
