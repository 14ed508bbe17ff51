"""Names and layouts of ELMo's tensors in its published HDF5 files.

allenai/bilm-tf (`bilm/model.py`, `dump_weights`): matrices are [in, out]; a convolution is [1, width, in, out]; an
LSTM's kernel is [input + state, 4 * cell] with TensorFlow's gates (input, candidate, forget, output), and 1 is added to
the forget gate's pre-activation. In this package matrices are [out, in], an LSTM has a matrix for the input and a
matrix for the state, the gates are in the order input, forget, candidate, output, and the same 1 is added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from wordworth.errors import BadInput
from wordworth.models.weight_mapping import LoadReport, Tensors

_Conversions: TypeAlias = tuple[Callable[[Tensor], Sequence[Tensor]], Callable[[Sequence[Tensor]], Tensor]]


@dataclass(frozen=True, slots=True)
class _Part:
    """One tensor of a published file, and the tensors of this package that it becomes.

    Attributes:
        theirs: its path in the file.
        ours: the names in this package.
        dimensions: number of dimensions of the published tensor.
        read: converts the published tensor to the tensors of this package.
        write: converts the tensors of this package to the published tensor.
    """

    theirs: str
    ours: tuple[str, ...]
    dimensions: int
    read: Callable[[Tensor], Sequence[Tensor]]
    write: Callable[[Sequence[Tensor]], Tensor]


@dataclass(frozen=True, slots=True)
class ElmoNames:
    """A map between the names of tensors in published ELMo files and in this package, used like a `WeightMap`."""

    prefix: str = ""
    ignored: tuple[str, ...] = ()

    def from_checkpoint(self, tensors: Mapping[str, Tensor], wanted: Iterable[str]) -> tuple[Tensors, LoadReport]:
        """Return the tensors of a published ELMo under this package's names, and a report on each.

        Args:
            tensors: path in the file -> tensor.
            wanted: names in this package of the tensors that the model needs, from which the number of convolutions,
                highway layers and LSTM layers is known.

        Raises:
            BadInput: a tensor has the wrong number of dimensions.
        """
        parts = list(_parts(wanted))
        present = [part for part in parts if part.theirs in tensors]
        for part in present:
            if tensors[part.theirs].dim() != part.dimensions:
                shape = tuple(tensors[part.theirs].shape)
                raise BadInput(f"{part.theirs} is {shape}, not of {part.dimensions} dimensions", mend="fetch it again")
        ours = {
            name: tensor.contiguous()
            for part in present
            for name, tensor in zip(part.ours, part.read(tensors[part.theirs]), strict=True)
        }
        loaded = {part.theirs: " and ".join(part.ours) for part in present}
        missing = tuple(part.theirs for part in parts if part.theirs not in tensors)
        return ours, LoadReport(loaded, missing, tuple(name for name in tensors if name not in loaded))

    def to_checkpoint(self, tensors: Mapping[str, Tensor], *, prefix: str = "") -> Tensors:
        """Return tensors under the names of the published files: the inverse of `from_checkpoint`.

        Args:
            tensors: name in this package -> tensor.
            prefix: a prefix for every name in the result.

        Raises:
            KeyError: a tensor has no name in the published files.
        """
        parts = list(_parts(tensors, tensors["embedding.characters.weight"].shape[1]))
        unknown = tensors.keys() - {name for part in parts for name in part.ours}
        if unknown:
            raise KeyError(min(unknown))
        return {prefix + part.theirs: part.write([tensors[name] for name in part.ours]).contiguous() for part in parts}


def _parts(wanted: Iterable[str], character_size: int = 1) -> Iterator[_Part]:
    """Yield every part of the model that has the tensors `wanted`; `character_size` is needed for writing only."""
    names = set(wanted)
    yield _Part("char_embed", ("embedding.characters.weight",), 2, *_UNCHANGED)
    for number in range(_count(names, "embedding.filters.")):
        ours = f"embedding.filters.{number}"
        windows = (_from_windows, lambda ours: _to_windows(ours[0], character_size))
        yield _Part(f"CNN/W_cnn_{number}", (f"{ours}.weight",), 4, *windows)
        yield _Part(f"CNN/b_cnn_{number}", (f"{ours}.bias",), 1, *_UNCHANGED)
    for number in range(_count(names, "embedding.highways.")):
        yield from _linear(f"CNN_high_{number}", "carry", f"embedding.highways.{number}.carry")
        yield from _linear(f"CNN_high_{number}", "transform", f"embedding.highways.{number}.transform")
    yield from _linear("CNN_proj", "proj", "embedding.projection")
    for number in range(_count(names, "body.layers.")):
        for side, name in enumerate(("left_to_right", "right_to_left")):
            cell = f"RNN_{side}/RNN/MultiRNNCell/Cell{number}/LSTMCell"
            yield from _direction(cell, f"body.layers.{number}.{name}")


def _linear(group: str, theirs: str, ours: str) -> Iterator[_Part]:
    yield _Part(f"{group}/W_{theirs}", (f"{ours}.weight",), 2, *_TRANSPOSED)
    yield _Part(f"{group}/b_{theirs}", (f"{ours}.bias",), 1, *_UNCHANGED)


def _direction(cell: str, ours: str) -> Iterator[_Part]:
    yield _Part(f"{cell}/W_0", (f"{ours}.input.weight", f"{ours}.recurrent.weight"), 2, _from_kernel, _to_kernel)
    yield _Part(f"{cell}/B", (f"{ours}.input.bias",), 1, _gates, lambda ours: _gates(ours[0])[0])
    yield _Part(f"{cell}/W_P_0", (f"{ours}.projection.weight",), 2, *_TRANSPOSED)


def _count(names: Iterable[str], before: str) -> int:
    numbers = [int(name.removeprefix(before).split(".")[0]) for name in names if name.startswith(before)]
    return max(numbers, default=-1) + 1


_UNCHANGED: _Conversions = (lambda theirs: (theirs,), lambda ours: ours[0])
_TRANSPOSED: _Conversions = (lambda theirs: (theirs.T,), lambda ours: ours[0].T)


def _from_windows(theirs: Tensor) -> Sequence[Tensor]:
    """Convert a convolution [1, width, in, out] to [out, width * in]: the characters of a window are concatenated."""
    return (theirs.flatten(0, 2).T,)


def _to_windows(ours: Tensor, character_size: int) -> Tensor:
    return ours.T.reshape(1, -1, character_size, len(ours))


def _gates(gates: Tensor) -> Sequence[Tensor]:
    """Swap the second and third of four gates along the rows, which is its own inverse.

    If the rows are not four gates, the result has a shape that does not fit the model.
    """
    parts = gates.tensor_split(4)
    return (torch.cat([parts[0], parts[2], parts[1], parts[3]]),)


def _from_kernel(theirs: Tensor) -> Sequence[Tensor]:
    """Split a kernel into the matrices of input and state, which are equally wide in every layer."""
    return _gates(theirs.T)[0].tensor_split(2, dim=1)


def _to_kernel(ours: Sequence[Tensor]) -> Tensor:
    return _gates(torch.cat(list(ours), dim=1))[0].T
