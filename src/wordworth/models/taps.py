"""`Taps`: any inner value of a model has a name and can be read, scaled or replaced.

    embedding                       [tokens, hidden_size]
    layers.3.attention.query        [tokens, heads, head_size], so .key and .value
    layers.3.attention.probabilities  [heads, length, length], once a sequence
    layers.3.attention.heads        [tokens, heads, head_size], what each head says before they are mixed
    layers.3.attention.output       [tokens, hidden_size], so .mlp.hidden (intermediate_size wide) and .mlp.output
    layers.3.output                 [tokens, hidden_size]
    final_norm, pooler              where the model has them

A model that is given no taps pays nothing for having them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from torch import Tensor

from wordworth.errors import nearest

Change = Callable[[Tensor], Tensor]


@dataclass(frozen=True, slots=True)
class Taps:
    """What to read and what to change in one forward pass.

    Attributes:
        read: names or patterns (`layers.*.attention.probabilities`) whose values are kept in `seen`.
        change: name or pattern to the function that its value passes through; readers see what comes out.
        seen: the values read, by name, one entry each time the value was made.
        at: where in the model this view stands; models set it.

    >>> taps = Taps(read=("layers.*.output",), change={"layers.0.attention.heads": lambda heads: heads * 0})
    """

    read: tuple[str, ...] = ()
    change: Mapping[str, Change] = field(default_factory=dict)
    seen: dict[str, list[Tensor]] = field(default_factory=dict)
    at: str = ""

    def under(self, part: str) -> Taps:
        """The same taps as seen from inside `part`."""
        return replace(self, at=f"{self.at}{part}.")

    def wants(self, name: str) -> bool:
        """Whether the value `name` is read or changed here."""
        return any(fnmatchcase(self.at + name, pattern) for pattern in (*self.read, *self.change))

    def __call__(self, name: str, value: Tensor) -> Tensor:
        """Let `value` pass under its name: changed by every function that matches, then kept if it is read."""
        full = self.at + name
        for pattern, change in self.change.items():
            if fnmatchcase(full, pattern):
                value = change(value)
        if any(fnmatchcase(full, pattern) for pattern in self.read):
            self.seen.setdefault(full, []).append(value)
        return value

    def check(self, names: Iterable[str]) -> None:
        """Make sure that every name or pattern matches something.

        Raises:
            LookupError: one matches nothing; the message names the nearest.
        """
        known = list(names)
        for pattern in (*self.read, *self.change):
            if not any(fnmatchcase(name, pattern) for name in known):
                raise LookupError(f"nothing in this model is called {pattern!r}; {nearest(pattern, known)}")


def passing(taps: Taps | None, name: str, value: Tensor) -> Tensor:
    """`value`, through the taps where there are any."""
    return value if taps is None else taps(name, value)


def inside(taps: Taps | None, part: str) -> Taps | None:
    """The taps as seen from inside `part`, where there are any."""
    return None if taps is None else taps.under(part)
