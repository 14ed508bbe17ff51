"""Read a checkpoint folder in the layout of transformers: `config.json` and weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from wordworth.errors import FETCH_AGAIN, BadInput
from wordworth.json_file import read_object
from wordworth.models.encoder_base import Encoder, EncoderConfig, LastLayer
from wordworth.models.families import Family, family_of
from wordworth.models.families.base import Fields
from wordworth.models.pruned_heads_field import with_pruned_heads
from wordworth.models.weight_files import PUBLISHED_OPTIONS, config_file, read_weights
from wordworth.models.weight_mapping import LoadReport

_UNFINISHED = "training"
"""Name of the folder that pretraining writes beside the model; if there is no model yet, the run has not ended."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """An encoder, its family and the other contents of its checkpoint folder.

    Attributes:
        model: the encoder, in evaluation mode, float32.
        family: how checkpoints of this kind are read and written.
        names: for each tensor of the weight files, whether and under which name it was loaded.
        heads: name in this package -> tensor, for the heads that the checkpoint has beside the encoder.
        raw: the content of `config.json` by field.
    """

    model: Encoder
    family: Family
    names: LoadReport
    heads: Mapping[str, Tensor]
    raw: Mapping[str, Any]


def read_checkpoint(folder: Path, *, last_layer: LastLayer = "after_final_norm") -> Checkpoint:
    """Read the encoder in a folder with `config.json` and weights, or with an ELMo's options and weights.

    Args:
        folder: the folder.
        last_layer: `after_final_norm` or `before_final_norm`: whether the last layer's states are taken after or before
            the final norm of a model that has one (GPT-2); no effect on other models.

    Raises:
        BadInput: a file is missing or damaged, the model type is unknown, tensors are missing, or config and weights
            disagree about a shape.
    """
    family, raw, config = opened(folder)
    tensors = read_weights(folder)
    config = config.with_last_layer(last_layer)
    if not any("pooler." in name for name in tensors):
        config = config.with_pooler(has_pooler=False)
    model, heads, names = _assemble(family, config, tensors, folder)
    return Checkpoint(model, family, names, heads, raw)


def opened(folder: Path) -> tuple[Family, Mapping[str, Any], EncoderConfig]:
    """Read a checkpoint's config file; return (the model's family, the fields of the file, this package's config).

    Raises:
        BadInput: the config file is missing or damaged, or the model type is unknown.
    """
    path = config_file(folder)
    if not path.exists():
        _refuse_folder(folder)
    raw, config_path = read_object(path), str(path)
    if path.name.endswith(PUBLISHED_OPTIONS):
        raw = {**raw, "model_type": "elmo"}
    if "model_type" not in raw:
        raise BadInput("no 'model_type' in this config", where=config_path, mend="is this a model of transformers?")
    family = family_of(f"{raw['model_type']!s:.60}", config_path)
    try:
        return family, raw, with_pruned_heads(family.read(Fields(raw, config_path)), raw, config_path)
    except BadInput:
        raise
    except (ValueError, ZeroDivisionError) as error:
        raise BadInput(f"invalid config: {error}", where=config_path, mend=FETCH_AGAIN) from error


def _refuse_folder(folder: Path) -> None:
    """Raise the error for a folder without a config; the error names what the folder is instead, if known."""
    if (folder / _UNFINISHED).is_dir():
        mend = "the command that began it goes on where it stopped"
        raise BadInput("this pretraining has not ended, so there is no model yet", where=str(folder), mend=mend)
    for inside in sorted(folder.glob("*/model.safetensors")):
        raise BadInput("the model is not here, but in a folder inside", where=str(folder), mend=f"give {inside.parent}")
    what = f"this folder holds no encoder: no {config_file(folder).name} is in it"
    raise BadInput(what, where=str(folder), mend="give the whole folder of an encoder, or a name such as minilm")


def _assemble(
    family: Family, config: EncoderConfig, tensors: Mapping[str, Tensor], folder: Path
) -> tuple[Encoder, dict[str, Tensor], LoadReport]:
    with torch.device("meta"):
        model = family.build(config)
    shapes = {name: tensor.shape for name, tensor in model.state_dict().items()}
    ours, names = family.table.from_checkpoint(tensors, shapes)
    if names.missing:
        listed = ", ".join(names.missing[:3]) + (" …" if len(names.missing) > 3 else "")  # noqa: PLR2004 - a line's worth
        raise BadInput(
            f"{len(names.missing)} tensors are missing: {listed}",
            where=str(folder),
            mend="does config.json belong to these weights?",
        )
    for name, shape in shapes.items():
        if ours[name].shape != shape:
            message = f"{name} is {tuple(ours[name].shape)} in the weights, {tuple(shape)} by the config"
            raise BadInput(message, where=str(folder), mend="does config.json belong to these weights?")
    model.load_state_dict({name: ours[name].float() for name in shapes}, assign=True)
    return model.eval(), {name: value for name, value in ours.items() if name not in shapes}, names
