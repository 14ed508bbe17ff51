"""Name tables: map the tensors of a checkpoint to the tensors of this package's models and back, without loss.

In names and docstrings of this module, `theirs` are the tensors of a checkpoint and `ours` those of this package, which
stores queries, keys and values in one matrix, and every linear map as [out, in]. A row of a table names the tensors of
a checkpoint that make one tensor of this package. `from_checkpoint` and `to_checkpoint` are inverses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

import torch
from torch import Tensor

Tensors = dict[str, Tensor]
_OLD_ENDINGS = {".gamma": ".weight", ".beta": ".bias"}


@dataclass(frozen=True, slots=True)
class Row:
    """One tensor of this package, and the checkpoint's tensors that are stacked along their rows to make it.

    Attributes:
        ours: the name in this package; `{}` stands for a layer's number.
        theirs: the names in the checkpoint; `{}` stands for a layer's number.
        transposed: whether the checkpoint stores the matrix as [in, out].
    """

    ours: str
    theirs: tuple[str, ...]
    transposed: bool = False

    def numbered(self, number: int) -> Row:
        """Return a copy of this row in which the number of a layer replaces the `{}` in names."""
        return replace(self, ours=self.ours.format(number), theirs=tuple(name.format(number) for name in self.theirs))


def linear(ours: str, *theirs: str, transposed: bool = False) -> tuple[Row, Row]:
    """Return two rows of a `WeightMap`: one for the weight and one for the bias of a linear map.

    Args:
        ours: the map's name in this package.
        theirs: the map's name in the checkpoint; several names (queries, keys, values) become one map in this package.
        transposed: whether the checkpoint stores the matrix as [in, out].
    """
    weight = Row(f"{ours}.weight", tuple(f"{name}.weight" for name in theirs), transposed)
    return weight, Row(f"{ours}.bias", tuple(f"{name}.bias" for name in theirs))


def norm(ours: str, theirs: str) -> tuple[Row, Row]:
    """Return two rows of a `WeightMap`: one for the gain and one for the bias of a LayerNorm.

    Args:
        ours: the norm's name in this package.
        theirs: the norm's name in the checkpoint.
    """
    return linear(ours, theirs)


def table(ours: str, theirs: str) -> tuple[Row]:
    """Return the row of a `WeightMap` for an embedding matrix.

    Args:
        ours: the matrix's name in this package.
        theirs: the matrix's name in the checkpoint.
    """
    return (Row(f"{ours}.weight", (f"{theirs}.weight",)),)


@dataclass(frozen=True, slots=True)
class LoadReport:
    """Report on whether and under which name every tensor of a checkpoint was loaded.

    Attributes:
        loaded: name in the checkpoint -> name in this package, one entry per tensor used.
        missing: names that tensors of the model would have in the checkpoint, which lacks them.
        unexpected: names in the checkpoint that are not in the family's name table.
        ignored: names of buffers without weights, and of copies of tied weights.
        heads: names of the tensors of heads (language model, classifier), which are not part of the encoder.
        prefix: the prefix of every name (`bert.`), possibly empty.
    """

    loaded: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    prefix: str = ""

    def rows(self) -> list[tuple[str, str, str]]:
        """Return (state, name in the checkpoint, name in this package) for each tensor.

        The state is `loaded`, `missing`, `unexpected`, `ignored` or `head`. If it is not `loaded`, the name in this
        package is "".
        """
        used = [("loaded", theirs, ours) for theirs, ours in sorted(self.loaded.items())]
        rest = {"missing": self.missing, "unexpected": self.unexpected, "ignored": self.ignored, "head": self.heads}
        return used + [(state, name, "") for state, names in rest.items() for name in sorted(names)]


class Names(Protocol):
    """A map between the names of tensors in a family's checkpoints and in this package."""

    @property
    def prefix(self) -> str:
        """Prefix of the encoder's names in checkpoints that have a head."""

    @property
    def ignored(self) -> tuple[str, ...]:
        """Endings of the names of tensors to ignore: buffers without weights, and copies of tied weights."""

    def from_checkpoint(self, tensors: Mapping[str, Tensor], wanted: Iterable[str]) -> tuple[Tensors, LoadReport]:
        """Return a checkpoint's tensors under this package's names, heads included, and a report on each.

        Args:
            tensors: a checkpoint's tensors by name.
            wanted: names in this package of the tensors that the model needs.
        """

    def to_checkpoint(self, tensors: Mapping[str, Tensor], *, prefix: str = "") -> Tensors:
        """Return tensors under the names that they have in checkpoints: the inverse of `from_checkpoint`.

        Args:
            tensors: name in this package -> tensor.
            prefix: put before the checkpoint's names of the encoder's tensors, but not of its heads.
        """


@dataclass(frozen=True, slots=True)
class WeightMap:
    """A map between the names of tensors in this package and in the checkpoints of one family.

    Attributes:
        rows: the tensors of the encoder outside its layers.
        layer_rows: the tensors of a layer; `{}` in a name stands for the number of the layer.
        head_rows: the tensors of heads; their names in this package begin with `heads.`.
        prefix: prefix of the encoder's names in checkpoints that have a head.
        ignored: endings of the names of tensors to ignore: buffers without weights, and copies of tied weights.
    """

    rows: tuple[Row, ...]
    layer_rows: tuple[Row, ...]
    head_rows: tuple[Row, ...] = ()
    prefix: str = ""
    ignored: tuple[str, ...] = ()

    def all_rows(self, num_layers: int) -> Iterator[Row]:
        """Yield the rows for the tensors outside the layers, then the rows of each layer, with its number in the names.

        Args:
            num_layers: number of layers of the model.
        """
        yield from self.rows
        for number in range(num_layers):
            yield from (row.numbered(number) for row in self.layer_rows)

    def from_checkpoint(self, tensors: Mapping[str, Tensor], wanted: Iterable[str]) -> tuple[Tensors, LoadReport]:
        """Return a checkpoint's tensors under this package's names, heads included, and a report on each.

        Args:
            tensors: a checkpoint's tensors by name.
            wanted: names in this package of the tensors that the model needs, from which the number of layers is known.
        """
        plain, report = self._plain(tensors)
        needed = set(wanted)
        rows = [row for row in self.all_rows(_layers(needed)) if row.ours in needed]
        missing = tuple(name for row in rows for name in row.theirs if name not in plain)
        complete = [row for row in rows if all(name in plain for name in row.theirs)]
        heads = [row for row in self.head_rows if all(name in plain for name in row.theirs)]
        loaded = {plain[name][0]: row.ours for row in complete for name in row.theirs}
        head_names = {plain[name][0] for row in heads for name in row.theirs}
        unexpected = [
            name for name in tensors if name not in loaded and name not in head_names and name not in report.ignored
        ]
        ours = {row.ours: _join(row, [plain[name][1] for name in row.theirs]) for row in (*complete, *heads)}
        return ours, replace(
            report, loaded=loaded, missing=missing, unexpected=tuple(unexpected), heads=tuple(head_names)
        )

    def to_checkpoint(self, tensors: Mapping[str, Tensor], *, prefix: str = "") -> Tensors:
        """Return tensors under the names that they have in checkpoints: the inverse of `from_checkpoint`.

        Copies of tied weights and buffers, which `from_checkpoint` ignores, are not restored.

        Args:
            tensors: name in this package -> tensor.
            prefix: put before the checkpoint's names of the encoder's tensors, but not of its heads.

        Raises:
            KeyError: the map has no entry for a tensor.
        """
        rows = {row.ours: (row, prefix) for row in self.all_rows(_layers(tensors))}
        rows |= {row.ours: (row, "") for row in self.head_rows}
        theirs: Tensors = {}
        for ours, value in tensors.items():
            row, row_prefix = rows[ours]
            parts = _split(row, value)
            theirs |= {row_prefix + name: part for name, part in zip(row.theirs, parts, strict=True)}
        return theirs

    def _plain(self, tensors: Mapping[str, Tensor]) -> tuple[dict[str, tuple[str, Tensor]], LoadReport]:
        """Return modern name without prefix -> (original name, tensor), and a report of prefix and ignored tensors."""
        prefix = self.prefix if self.prefix and any(name.startswith(self.prefix) for name in tensors) else ""
        ignored = tuple(name for name in tensors if name.endswith(self.ignored))
        plain = {
            _modern_name(name.removeprefix(prefix)): (name, value)
            for name, value in tensors.items()
            if name not in ignored
        }
        return plain, LoadReport(ignored=ignored, prefix=prefix)


def _layers(names: Iterable[str]) -> int:
    """Return the number of layers of a model, from this package's names of its tensors."""
    numbers = [int(name.split(".")[2]) for name in names if name.startswith("body.layers.")]
    return max(numbers, default=-1) + 1


def _join(row: Row, parts: list[Tensor]) -> Tensor:
    oriented = [part.T for part in parts] if row.transposed else parts
    return (oriented[0] if len(parts) == 1 else torch.cat(oriented)).contiguous()


def _split(row: Row, whole: Tensor) -> list[Tensor]:
    return [(part.T if row.transposed else part).contiguous() for part in whole.chunk(len(row.theirs))]


def _modern_name(name: str) -> str:
    for old, new in _OLD_ENDINGS.items():
        if name.endswith("LayerNorm" + old):
            return name.removesuffix(old) + new
    return name
