"""`Taps`: read, scale or replace any inner value of a model by its name.

    embedding                       [tokens, hidden_size]
    layers.3.attention.query        [tokens, heads, head_size], so .key and .value
    layers.3.attention.probabilities  [heads, length, length], once per sequence
    layers.3.attention.heads        [tokens, heads, head_size], each head's output before they are mixed
    layers.3.attention.output       [tokens, hidden_size], so .mlp.hidden (intermediate_size wide) and .mlp.output
    layers.3.output                 [tokens, hidden_size]
    final_norm, pooler              if the model has them

Without taps a model runs at full speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from torch import Tensor

from wordworth.errors import NotFound, nearest

Change = Callable[[Tensor], Tensor]


@dataclass(frozen=True, slots=True)
class Taps:
    """What to read and what to change in one forward pass.

    Attributes:
        read: names or patterns (`layers.*.attention.probabilities`) whose values are stored in `seen`.
        change: name or pattern to a function applied to the value; `seen` holds its result.
        seen: the values read, by name, one entry each time the value was computed.
        at: path of this view in the model, as a prefix of names; models set it.

    >>> taps = Taps(read=("layers.*.output",), change={"layers.0.attention.heads": lambda heads: heads * 0})
    """

    read: tuple[str, ...] = ()
    change: Mapping[str, Change] = field(default_factory=dict)
    seen: dict[str, list[Tensor]] = field(default_factory=dict)
    at: str = ""

    def under(self, part: str) -> Taps:
        """View the taps from inside `part`."""
        return replace(self, at=f"{self.at}{part}.")

    def wants(self, name: str) -> bool:
        """Whether the value `name` is read or changed."""
        return any(fnmatchcase(self.at + name, pattern) for pattern in (*self.read, *self.change))

    def __call__(self, name: str, value: Tensor) -> Tensor:
        """Apply every matching change to `value`, then store it if it is read."""
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
            NotFound: one matches nothing; the message suggests the nearest.
        """
        known = list(names)
        for pattern in (*self.read, *self.change):
            if not any(fnmatchcase(name, pattern) for name in known):
                raise NotFound(f"nothing in this model is called {pattern!r}", mend=nearest(pattern, known))


def passing(taps: Taps | None, name: str, value: Tensor) -> Tensor:
    """Pass `value` through the taps, if there are any."""
    return value if taps is None else taps(name, value)


def inside(taps: Taps | None, part: str) -> Taps | None:
    """View the taps from inside `part`, if there are any."""
    return None if taps is None else taps.under(part)
