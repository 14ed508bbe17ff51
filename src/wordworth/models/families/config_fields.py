"""Read fields of a `config.json` of transformers: each of the expected type, or a clear error."""

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
"""Limit of every size, above that of any real model; torch can still count the bytes of such tensors."""
ACTIVATION_NAMES: dict[Activation, str] = {"gelu_erf": "gelu", "gelu_tanh": "gelu_new", "relu": "relu"}


@dataclass(frozen=True, slots=True)
class Fields:
    """A config's fields, and the file they were read from."""

    raw: Mapping[str, Any]
    where: str

    def integer(self, name: str, default: int, least: int = 0) -> int:
        """Read an integer of at least `least`, no larger than any real model needs.

        Raises:
            BadInput: the field is anything else.
        """
        value = self.raw.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST:
            what = f"{name!r} is {value!r:.40}, not a whole number up to {_MOST:,}"
            raise BadInput(what, where=self.where, mend="fetch the file again")
        if value < least:
            raise BadInput(f"{name!r} is {value}: no model is so small", where=self.where, mend="fetch the file again")
        return value

    def layers(self, name: str, default: int, least: int = 1) -> int:
        """Read a number of layers that a real model may have.

        With ten million layers, the model would be built for hours before its weights are checked.

        Raises:
            BadInput: the field is anything else.
        """
        value = self.integer(name, default, least)
        if value > MOST_LAYERS:
            what = f"{name!r} is {value}: no model has more than {MOST_LAYERS:,} layers"
            raise BadInput(what, where=self.where, mend="fetch the file again")
        return value

    def number(self, name: str, default: float) -> float:
        """Read a number.

        Raises:
            BadInput: the field is anything else.
        """
        value = self.raw.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _MOST:
            what = f"{name!r} is {value!r:.40}, not a number up to {_MOST:,}"
            raise BadInput(what, where=self.where, mend="fetch the file again")
        return float(value)

    def activation(self, name: str, default: str) -> Activation:
        """Read an activation, and return our name of it.

        Raises:
            BadInput: it is unknown.
        """
        hf_name = str(self.raw.get(name, default))
        if hf_name not in _ACTIVATIONS:
            raise BadInput(f"unknown activation {hf_name!r}", where=self.where, mend=nearest(hf_name, _ACTIVATIONS))
        return _ACTIVATIONS[hf_name]

    def insist(self, name: str, value: object, default: object = None) -> None:
        """Check that the config does not request a variant that is not implemented.

        Raises:
            BadInput: the field differs from `value`.
        """
        actual = self.raw.get(name, value if default is None else default)
        if actual != value:
            raise BadInput(
                f"{name} {actual!r} is not supported, only {value!r}",
                where=self.where,
                mend="choose another checkpoint",
            )
