"""Save and read a trained linear probe: a folder of a few kilobytes, with the identity of the encoder that it reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from wordworth.errors import BadInput
from wordworth.files import replacing_folder
from wordworth.models.weight_files import read_safetensors, write_safetensors
from wordworth.training.finetuning.checkpoint import HEAD
from wordworth.training.finetuning.checkpoint_metadata import write_metadata
from wordworth.training.probes.scalar_mix import mixed
from wordworth.training.probes.span_probes import LinearProbe

PROBE = "probe"
"""The field of a folder's metadata that tells what a probe reads: model, fingerprint and layers."""
AGAIN = "run wordworth probe again, or copy the folder again"


@dataclass(frozen=True, slots=True)
class SavedProbe:
    """A trained linear probe in the form that is saved: a linear map over a weighted sum of an encoder's layers.

    Attributes:
        layers: the numbers of the layers that the probe reads.
        shares: float32 [layers], the weight of each layer.
        weight: float32 [classes, width], the matrix of the linear map.
        bias: float32 [classes], added to the scores.
    """

    layers: tuple[int, ...]
    shares: Tensor
    weight: Tensor
    bias: Tensor

    @classmethod
    def of(cls, probe: LinearProbe, layers: range) -> SavedProbe:
        """Return a trained probe of single spans in the form that is saved, with a fixed weight for each layer.

        Args:
            probe: the trained probe.
            layers: the numbers of the layers that the probe reads.
        """
        mix = probe.mix
        shares = (mix.gamma * mix.shares * mix.scale).detach().clone()
        return cls(tuple(layers), shares, probe.output.weight.detach().clone(), probe.output.bias.detach().clone())

    def scores(self, states: Tensor) -> Tensor:
        """Return the scores of the classes for n texts or words, [n, classes].

        Args:
            states: [n, layers, width], the states of the layers that the probe reads.
        """
        return torch.addmm(self.bias, mixed(states, self.shares), self.weight.T)

    def write(self, folder: Path, metadata: Mapping[str, Any]) -> None:
        """Write the probe into a folder, which is replaced if it exists.

        Args:
            folder: the folder to write.
            metadata: what prediction needs: the fields of a fine-tuned model, and `probe` with the encoder's name and
                fingerprint.

        Raises:
            BadInput: the disk is full or the folder cannot be written.
        """
        facts = {**metadata, PROBE: {**metadata[PROBE], "layers": list(self.layers)}}
        with replacing_folder(folder) as neighbour:
            write_safetensors({"shares": self.shares, "weight": self.weight, "bias": self.bias}, neighbour / HEAD)
            write_metadata(neighbour, facts)

    @classmethod
    def read(cls, folder: Path, metadata: Mapping[str, Any]) -> SavedProbe:
        """Read a probe from its folder.

        Args:
            folder: the folder.
            metadata: the metadata in the folder.

        Raises:
            BadInput: a file is missing or damaged.
        """
        weights, layers = read_safetensors(folder / HEAD), metadata[PROBE].get("layers")
        where, classes = str(folder / HEAD), len(metadata["classes"])
        if not (isinstance(layers, list) and layers and all(type(layer) is int and layer >= 0 for layer in layers)):
            raise BadInput("this probe does not say which layers it reads", where=where, mend=AGAIN)
        try:
            probe = cls(tuple(layers), *(weights[name] for name in ("shares", "weight", "bias")))
        except KeyError as error:
            raise BadInput(f"this file lacks {error}", where=where, mend=AGAIN) from error
        if (probe.shares.shape, probe.weight.shape[:1], probe.bias.shape) != ((len(layers),), (classes,), (classes,)):
            raise BadInput("the weights do not fit the classes or layers of this probe", where=where, mend=AGAIN)
        return probe
