"""Reading a `config.json` of transformers: each field of the kind it should be, or a clear error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wordworth.errors import BadInput, nearest
from wordworth.models.model_sizes import MOST_LAYERS
from wordworth.models.transformer_layers import Activation

_ACTIVATIONS: dict[str, Activation] = {
    "gelu": "gelu_erf",
    "gelu_python": "gelu_erf",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "relu": "relu",
}
_MOST = 2**24
"""No width, depth or vocabulary is larger; of such sizes torch can still count the bytes."""
ACTIVATION_NAMES: dict[Activation, str] = {"gelu_erf": "gelu", "gelu_tanh": "gelu_new", "relu": "relu"}


@dataclass(frozen=True, slots=True)
class Fields:
    """A config's fields and where they were read."""

    raw: Mapping[str, Any]
    where: str

    def integer(self, name: str, default: int, least: int = 0) -> int:
        """A whole number of at least `least`, and no larger than any part of a model.

        Raises:
            BadInput: it is something else.
        """
        value = self.raw.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST:
            what = f"{name!r} is {value!r:.40}, not a whole number up to {_MOST:,}"
            raise BadInput(what, where=self.where, mend="fetch the file again")
        if value < least:
            raise BadInput(f"{name!r} is {value}: no model is so small", where=self.where, mend="fetch the file again")
        return value

    def layers(self, name: str, default: int, least: int = 1) -> int:
        """How many layers lie on each other: a whole number that some model may have.

        A file that says ten million would be built for hours before its weights are looked at.

        Raises:
            BadInput: it is something else.
        """
        value = self.integer(name, default, least)
        if value > MOST_LAYERS:
            what = f"{name!r} is {value}: no model has more than {MOST_LAYERS:,} layers"
            raise BadInput(what, where=self.where, mend="fetch the file again")
        return value

    def number(self, name: str, default: float) -> float:
        """A number.

        Raises:
            BadInput: it is something else.
        """
        value = self.raw.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _MOST:
            what = f"{name!r} is {value!r:.40}, not a number up to {_MOST:,}"
            raise BadInput(what, where=self.where, mend="fetch the file again")
        return float(value)

    def activation(self, name: str, default: str) -> Activation:
        """Our name of an activation.

        Raises:
            BadInput: there is none of that name.
        """
        given = str(self.raw.get(name, default))
        if given not in _ACTIVATIONS:
            raise BadInput(f"unknown activation {given!r}", where=self.where, mend=nearest(given, _ACTIVATIONS))
        return _ACTIVATIONS[given]

    def insist(self, name: str, value: object, default: object = None) -> None:
        """Make sure that a variant nobody here computes is not asked for.

        Raises:
            BadInput: the field is there and differs from `value`.
        """
        given = self.raw.get(name, value if default is None else default)
        if given != value:
            raise BadInput(
                f"{name} {given!r} is not supported, only {value!r}", where=self.where, mend="choose another checkpoint"
            )
