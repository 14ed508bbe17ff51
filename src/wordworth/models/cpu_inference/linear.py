"""Linear maps packed once for oneDNN, in floating point or int8."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn

from wordworth.models.cpu_inference.detect_kernels import largest_int8_weight
from wordworth.models.devices import multiplies_signed_bytes
from wordworth.models.transformer_config import Activation

# Operators are called by the name of their overload: torch resolves an unnamed one by trying each, and formats an error
# message with the whole tensor for every one that does not fit, which takes longer than a small product.
_ROWS = 2048
"""The number of input rows for which weights are packed; any other number works too."""
_FUSED: dict[Activation, tuple[str, str]] = {
    "gelu_erf": ("gelu", "none"),
    "gelu_tanh": ("gelu", "tanh"),
    "relu": ("relu", ""),
}
_STEPS = 127
_BLOCK = 64
"""Number of bytes that int8 kernels read at once; hidden units are padded to a multiple, with room for split units."""
_NOTHING = 1e-5


class Map(Protocol):
    """A linear map packed for a CPU kernel."""

    def __call__(self, x: Tensor) -> Tensor:
        """Map [rows, in] to [rows, out]."""


class Branch(Protocol):
    """The mlp of a layer: two linear maps around an activation, added to a residual."""

    def __call__(self, x: Tensor, residual: Tensor) -> Tensor:
        """Return `residual` + mlp(x), each [rows, hidden_size]; `residual` may be overwritten."""


class PackedLinear:
    """A linear map in one floating-point dtype, fused with the activation or the addition that follows."""

    def __init__(self, linear: nn.Linear, dtype: torch.dtype, factors: Tensor | None = None) -> None:
        """Pack a map; `factors` [out] scale its outputs: weights and bias are multiplied before they are rounded."""
        weight, bias = parts(linear)
        if factors is not None:
            weight, bias = weight * factors[:, None], bias * factors
        self._weight = torch.ops.mkldnn._reorder_linear_weight(weight.to(dtype).contiguous(), _ROWS)  # noqa: SLF001 - the compiler's own door
        self._bias = bias.to(dtype, copy=True)

    def __call__(self, x: Tensor) -> Tensor:
        """Map [rows, in] to [rows, out]."""
        return self._fused(x, "none", "")

    def then(self, x: Tensor, activation: Activation) -> Tensor:
        """Apply the linear map, then the activation.

        Args:
            x: [rows, width of the input].
            activation: the activation function.

        Returns:
            [rows, width of the output].
        """
        return self._fused(x, *_FUSED[activation])

    def plus(self, x: Tensor, residual: Tensor) -> Tensor:
        """Apply the linear map, and add a residual.

        Args:
            x: [rows, width of the input].
            residual: [rows, width of the output].

        Returns:
            [rows, width of the output].
        """
        total: Tensor = torch.ops.mkldnn._linear_pointwise.binary(x, residual, self._weight, self._bias, "add")  # noqa: SLF001 - as above
        return total

    def _fused(self, x: Tensor, step: str, form: str) -> Tensor:
        out: Tensor = torch.ops.mkldnn._linear_pointwise.default(x, self._weight, self._bias, step, [], form)  # noqa: SLF001 - as above
        return out


@dataclass(frozen=True, slots=True)
class FloatMlp:
    """The mlp of a layer in one floating-point dtype."""

    up: PackedLinear
    down: PackedLinear
    activation: Activation

    def __call__(self, x: Tensor, residual: Tensor) -> Tensor:
        """Return `residual` + mlp(x)."""
        return self.down.plus(self.up.then(x, self.activation), residual)


@dataclass(frozen=True, slots=True)
class Scales:
    """The affine quantisation of an activation to bytes: value = (byte - zero) * size.

    Attributes:
        size: the difference of two values whose bytes differ by 1.
        zero: the byte that stands for the value 0.
    """

    size: float
    zero: int = 0


class Int8Linear:
    """A linear map of quantised inputs (bytes), with int8 weights and one scale for each output row.

    Args:
        weight: [out, in].
        bias: [out].
        steps: scale and zero point of the bytes, the same for all inputs.
    """

    def __init__(self, weight: Tensor, bias: Tensor, steps: Scales) -> None:
        largest = largest_int8_weight()
        scales = weight.abs().amax(1).clamp(min=torch.finfo(torch.float32).tiny) / largest
        quantised = (weight / scales[:, None]).round().clamp(-largest, largest).to(torch.int8)
        self._weight = torch.ops.onednn.qlinear_prepack(quantised, [_ROWS, weight.shape[1]])
        self._scales, self._zeros = scales, torch.zeros(len(weight), dtype=torch.int32)
        self._bias, self.steps = bias, steps

    def apply(
        self, x: Tensor, dtype: torch.dtype, out: Scales = Scales(1.0), activation: Activation | None = None
    ) -> Tensor:
        """Apply the linear map to bytes; return [rows, out] in `dtype`.

        Args:
            x: uint8 [rows, in], with the scale and zero point of this map's inputs (`steps`).
            dtype: dtype of the output.
            out: scale and zero point of the output, if `dtype` is uint8.
            activation: applied to the output, or None.
        """
        step, form = _FUSED[activation] if activation else ("none", "")
        inputs = (x, self.steps.size, self.steps.zero, self._weight, self._scales, self._zeros, self._bias)
        outputs: Tensor = torch.ops.onednn.qlinear_pointwise.default(*inputs, out.size, out.zero, dtype, step, [], form)
        return outputs

    def plus(self, x: Tensor, residual: Tensor) -> Tensor:
        """Apply the linear map to bytes, and add the result to `residual` in place, in the dtype of `residual`.

        Args:
            x: uint8 [rows, width of the input].
            residual: [rows, width of the output], which is changed.

        Returns:
            `residual`.
        """
        inputs = (x, self.steps.size, self.steps.zero, self._weight, self._scales, self._zeros, residual, self._bias)
        total: Tensor = torch.ops.onednn.qlinear_pointwise.binary(
            *inputs, 1.0, 0, residual.dtype, 1.0, 0, "sum", 1.0, "none", [], ""
        )
        return total


@dataclass(frozen=True, slots=True)
class Range:
    """The range of the inputs of a linear map on calibration texts.

    Attributes:
        columns: [in], the largest magnitude of each input column.
        low: the least value of all columns.
        high: the largest value of all columns.
    """

    columns: Tensor
    low: float
    high: float

    def joined(self, other: Range) -> Range:
        """Return the smallest range that covers this one and `other`."""
        return Range(torch.maximum(self.columns, other.columns), min(self.low, other.low), max(self.high, other.high))


class SmoothQuantLinear:
    """A linear map with int8 weights and float inputs, which are quantised by SmoothQuant.

    Each input column is divided by a factor, and the column's weights are multiplied by the same factor. So a column of
    large values does not make the quantisation of all columns coarse. The factor is defined by Xiao et al. 2023,
    SmoothQuant (arXiv 2211.10438), equation 4 with alpha = 1/2.
    """

    def __init__(self, weight: Tensor, bias: Tensor, input_range: Range, dtype: torch.dtype) -> None:
        columns = input_range.columns.clamp(min=_NOTHING)
        smooth = (columns / weight.abs().amax(0).clamp(min=_NOTHING)).sqrt()
        size = float((columns / smooth).max()) / _STEPS
        zero = 0 if multiplies_signed_bytes() else _STEPS + 1  # the same integers either way
        self._map = Int8Linear(weight * smooth, bias, Scales(size, zero))
        self._columns, self._dtype = (1 / (smooth * size)).to(dtype), dtype

    def __call__(self, x: Tensor) -> Tensor:
        """Map [rows, in] to [rows, out]."""
        return self._map.apply(self._bytes(x), self._dtype)

    def then(self, x: Tensor, activation: Activation, out: Scales) -> Tensor:
        """Apply the linear map, then the activation; return the result as bytes with the scale and zero point `out`.

        Args:
            x: [rows, width of the input].
            activation: the activation function.
            out: the scale and the zero point of the resulting bytes.

        Returns:
            uint8 [rows, width of the output].
        """
        return self._map.apply(self._bytes(x), torch.uint8, out, activation)

    def _bytes(self, x: Tensor) -> Tensor:
        quantised = (x * self._columns).round_().clamp_(-_STEPS, _STEPS)
        zero = self._map.steps.zero
        return quantised.add_(zero).to(torch.uint8) if zero else quantised.to(torch.int8)


@dataclass(frozen=True, slots=True)
class Units:
    """The hidden units of an mlp.

    Attributes:
        up: [units, in], one row per unit.
        bias: [units], the bias of the first map.
        down: [out, units], one column per unit.
        largest: [units], the largest activation of each unit on calibration texts.
    """

    up: Tensor
    bias: Tensor
    down: Tensor
    largest: Tensor

    def split(self, limit: float) -> Units:
        """Return each unit as copies with activations of at most `limit`; the mlp computes nearly the same.

        A few units of a trained model have activations four times as large as the others, and would make the
        quantisation coarse for all. Copy k of a unit has a bias lower by k · `limit`, so that it takes over where the
        copy before reaches `limit`, the largest value that a byte stands for. The sum of the copies is off by less than
        0.2, and only near a multiple of `limit`: elsewhere the activation is 0 or the identity.
        """
        copies = (self.largest / limit).ceil().clamp(min=1).long()
        source = torch.arange(len(copies)).repeat_interleave(copies)
        copy_index = torch.arange(len(source)) - (copies.cumsum(0) - copies)[source]
        largest = (self.largest[source] - copy_index * limit).clamp(max=limit)
        return Units(self.up[source], self.bias[source] - copy_index * limit, self.down[:, source], largest)

    def padded(self, number: int) -> Units:
        """Return these units and further units with weights of zeros, `number` units in all."""
        more = number - len(self.bias)
        pad = nn.functional.pad
        return Units(pad(self.up, (0, 0, 0, more)), pad(self.bias, (0, more)), pad(self.down, (0, more)), self.largest)

    def within(self, number: int) -> float:
        """Return the smallest limit for which `split` returns at most `number` units.

        Limits are tried in steps of a hundredth of the largest activation. If none gives few enough units, the largest
        activation is returned.
        """
        largest = float(self.largest.max())
        limits = [largest * part / 100 for part in range(100, 0, -1)]
        fits = [limit for limit in limits if int((self.largest / limit).ceil().clamp(min=1).sum()) <= number]
        return min(fits, default=largest)


class Int8Mlp:
    """The mlp of a layer as two int8 maps; the activations between them are quantised to bytes."""

    def __init__(
        self, maps: tuple[nn.Linear, nn.Linear], input_ranges: tuple[Range, Range], how: tuple[Activation, torch.dtype]
    ) -> None:
        self._activation, dtype = how
        down, down_bias = parts(maps[1])
        units = Units(*parts(maps[0]), down, input_ranges[1].columns.clamp(min=_NOTHING))
        number = (len(units.bias) // _BLOCK + 1) * _BLOCK
        limit = units.within(number)
        units = units.split(limit).padded(number)
        low = min(input_ranges[1].low, 0.0)
        size = (limit - low) / 255
        self._steps = Scales(size, round(-low / size))
        self._up = SmoothQuantLinear(units.up, units.bias, input_ranges[0], dtype)
        self._down = Int8Linear(units.down, down_bias, self._steps)

    def __call__(self, x: Tensor, residual: Tensor) -> Tensor:
        """Return `residual` + mlp(x)."""
        return self._down.plus(self._up.then(x, self._activation, self._steps), residual)


def parts(linear: nn.Linear) -> tuple[Tensor, Tensor]:
    """Return a linear map's weight [out, in] and bias [out] in float32; the bias is zeros for a map without one."""
    weight = linear.weight.detach().float()
    return weight, weight.new_zeros(len(weight)) if linear.bias is None else linear.bias.detach().float()
