"""Linear maps prepared once for many products: packed for oneDNN, in floating point or int8."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn

from wordworth.models.cpu_features import multiplies_signed_bytes
from wordworth.models.cpu_inference.kernels import weight_steps
from wordworth.models.transformer_layers import Activation

# Operators are called by the name of their overload: torch finds an unnamed one by trying each, and composes for every
# one that does not fit a message that shows the whole tensor, which takes longer than a small product.
_ROWS = 2048
"""The number of rows that weights are packed for; any other works too."""
_FUSED: dict[Activation, tuple[str, str]] = {
    "gelu_erf": ("gelu", "none"),
    "gelu_tanh": ("gelu", "tanh"),
    "relu": ("relu", ""),
}
_STEPS = 127
_BLOCK = 64
"""Bytes that int8 kernels read of a row at once; units are padded to a multiple, which is the room for split ones."""
_NOTHING = 1e-5


class Map(Protocol):
    """A linear map."""

    def __call__(self, x: Tensor) -> Tensor:
        """[rows, in] to [rows, out]."""


class Branch(Protocol):
    """The mlp of a layer."""

    def __call__(self, x: Tensor, beside: Tensor) -> Tensor:
        """`beside` + mlp(x), each [rows, hidden_size]; `beside` may be overwritten."""


class PackedLinear:
    """A linear map in one floating type, with what follows it fused in."""

    def __init__(self, linear: nn.Linear, dtype: torch.dtype, factors: Tensor | None = None) -> None:
        """`factors` [out] scale what comes out: weights and bias are multiplied before they are rounded."""
        weight, bias = parts(linear)
        if factors is not None:
            weight, bias = weight * factors[:, None], bias * factors
        self._weight = torch.ops.mkldnn._reorder_linear_weight(weight.to(dtype).contiguous(), _ROWS)  # noqa: SLF001 - the compiler's own door
        self._bias = bias.to(dtype, copy=True)

    def __call__(self, x: Tensor) -> Tensor:
        """[rows, in] to [rows, out]."""
        return self._fused(x, "none", "")

    def then(self, x: Tensor, activation: Activation) -> Tensor:
        """The activation of the map of `x`."""
        return self._fused(x, *_FUSED[activation])

    def plus(self, x: Tensor, beside: Tensor) -> Tensor:
        """`beside` + the map of `x`."""
        total: Tensor = torch.ops.mkldnn._linear_pointwise.binary(x, beside, self._weight, self._bias, "add")  # noqa: SLF001 - as above
        return total

    def _fused(self, x: Tensor, step: str, form: str) -> Tensor:
        out: Tensor = torch.ops.mkldnn._linear_pointwise.default(x, self._weight, self._bias, step, [], form)  # noqa: SLF001 - as above
        return out


@dataclass(frozen=True, slots=True)
class FloatMlp:
    """Two maps around the activation, in one floating type."""

    up: PackedLinear
    down: PackedLinear
    activation: Activation

    def __call__(self, x: Tensor, beside: Tensor) -> Tensor:
        """`beside` + mlp(x)."""
        return self.down.plus(self.up.then(x, self.activation), beside)


@dataclass(frozen=True, slots=True)
class Scales:
    """How numbers become bytes: value = (byte - zero) * size."""

    size: float
    zero: int = 0


class Int8Linear:
    """A linear map of int8 weights, a scale a row, on bytes whose steps are fixed before."""

    def __init__(self, weight: Tensor, bias: Tensor, steps: Scales) -> None:
        most = weight_steps()
        scales = weight.abs().amax(1).clamp(min=torch.finfo(torch.float32).tiny) / most
        whole = (weight / scales[:, None]).round().clamp(-most, most).to(torch.int8)
        self._weight = torch.ops.onednn.qlinear_prepack(whole, [_ROWS, weight.shape[1]])
        self._scales, self._zeros = scales, torch.zeros(len(weight), dtype=torch.int32)
        self._bias, self.steps = bias, steps

    def into(
        self, x: Tensor, dtype: torch.dtype, out: Scales = Scales(1.0), activation: Activation | None = None
    ) -> Tensor:
        """Bytes [rows, in] to [rows, out] in `dtype`; where that is uint8, in the steps of `out`."""
        step, form = _FUSED[activation] if activation else ("none", "")
        fixed = (x, self.steps.size, self.steps.zero, self._weight, self._scales, self._zeros, self._bias)
        found: Tensor = torch.ops.onednn.qlinear_pointwise.default(*fixed, out.size, out.zero, dtype, step, [], form)
        return found

    def plus(self, x: Tensor, beside: Tensor) -> Tensor:
        """`beside` + the map of bytes `x`, in `beside`'s type and place."""
        fixed = (x, self.steps.size, self.steps.zero, self._weight, self._scales, self._zeros, beside, self._bias)
        found: Tensor = torch.ops.onednn.qlinear_pointwise.binary(
            *fixed, 1.0, 0, beside.dtype, 1.0, 0, "sum", 1.0, "none", [], ""
        )
        return found


@dataclass(frozen=True, slots=True)
class Range:
    """What a map's input was on calibration texts: each column's largest magnitude [in], and the ends overall."""

    columns: Tensor
    low: float
    high: float

    def joined(self, other: Range) -> Range:
        """The range of both."""
        return Range(torch.maximum(self.columns, other.columns), min(self.low, other.low), max(self.high, other.high))


class SmoothQuantLinear:
    """An int8 map of floats. Half of each input column's size, in logarithms, is moved into the weights.

    Xiao et al. 2023, SmoothQuant (arXiv 2211.10438), equation 4 with alpha = 1/2.
    """

    def __init__(self, weight: Tensor, bias: Tensor, seen: Range, dtype: torch.dtype) -> None:
        columns = seen.columns.clamp(min=_NOTHING)
        smooth = (columns / weight.abs().amax(0).clamp(min=_NOTHING)).sqrt()
        size = float((columns / smooth).max()) / _STEPS
        zero = 0 if multiplies_signed_bytes() else _STEPS + 1  # the same whole numbers either way
        self._map = Int8Linear(weight * smooth, bias, Scales(size, zero))
        self._columns, self._dtype = (1 / (smooth * size)).to(dtype), dtype

    def __call__(self, x: Tensor) -> Tensor:
        """[rows, in] to [rows, out]."""
        return self._map.into(self._bytes(x), self._dtype)

    def then(self, x: Tensor, activation: Activation, out: Scales) -> Tensor:
        """The activation of the map of `x`, as bytes in the steps of `out`."""
        return self._map.into(self._bytes(x), torch.uint8, out, activation)

    def _bytes(self, x: Tensor) -> Tensor:
        whole = (x * self._columns).round_().clamp_(-_STEPS, _STEPS)
        zero = self._map.steps.zero
        return whole.add_(zero).to(torch.uint8) if zero else whole.to(torch.int8)


@dataclass(frozen=True, slots=True)
class Units:
    """The hidden units of an mlp.

    Attributes:
        up: [units, in], a row a unit.
        bias: [units].
        down: [out, units], a column a unit.
        largest: [units], the most each was seen to say.
    """

    up: Tensor
    bias: Tensor
    down: Tensor
    largest: Tensor

    def split(self, limit: float) -> Units:
        """The same mlp of units that say at most `limit` each.

        A few units of a trained model say four times what the others do, and would make everyone's steps coarse. Such a
        unit becomes several: each takes over, by its bias, where the one before ends at the largest byte. (Far from
        zero the activation is the identity; near the seams the sum is off by less than 0.2.)
        """
        copies = (self.largest / limit).ceil().clamp(min=1).long()
        which = torch.arange(len(copies)).repeat_interleave(copies)
        place = torch.arange(len(which)) - (copies.cumsum(0) - copies)[which]
        largest = (self.largest[which] - place * limit).clamp(max=limit)
        return Units(self.up[which], self.bias[which] - place * limit, self.down[:, which], largest)

    def padded(self, number: int) -> Units:
        """With silent units added, `number` in all."""
        more = number - len(self.bias)
        pad = nn.functional.pad
        return Units(pad(self.up, (0, 0, 0, more)), pad(self.bias, (0, more)), pad(self.down, (0, more)), self.largest)

    def within(self, number: int) -> float:
        """The least limit under which splitting gives at most `number` units (to a hundredth of the largest)."""
        most = float(self.largest.max())
        limits = [most * part / 100 for part in range(100, 0, -1)]
        fits = [limit for limit in limits if int((self.largest / limit).ceil().clamp(min=1).sum()) <= number]
        return min(fits, default=most)


class Int8Mlp:
    """Two int8 maps; between them the activations never leave their bytes."""

    def __init__(
        self, maps: tuple[nn.Linear, nn.Linear], seen: tuple[Range, Range], how: tuple[Activation, torch.dtype]
    ) -> None:
        self._activation, dtype = how
        down, down_bias = parts(maps[1])
        units = Units(*parts(maps[0]), down, seen[1].columns.clamp(min=_NOTHING))
        number = (len(units.bias) // _BLOCK + 1) * _BLOCK
        limit = units.within(number)
        units = units.split(limit).padded(number)
        low = min(seen[1].low, 0.0)
        size = (limit - low) / 255
        self._steps = Scales(size, round(-low / size))
        self._up = SmoothQuantLinear(units.up, units.bias, seen[0], dtype)
        self._down = Int8Linear(units.down, down_bias, self._steps)

    def __call__(self, x: Tensor, beside: Tensor) -> Tensor:
        """`beside` + mlp(x)."""
        return self._down.plus(self._up.then(x, self._activation, self._steps), beside)


def parts(linear: nn.Linear) -> tuple[Tensor, Tensor]:
    """float32 weight [out, in] and bias [out]."""
    weight = linear.weight.detach().float()
    return weight, weight.new_zeros(len(weight)) if linear.bias is None else linear.bias.detach().float()
