"""A checkpoint folder as transformers lays it out: `config.json` and weights become a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from wordworth.errors import FETCH_AGAIN, BadInput
from wordworth.json_file import read_object
from wordworth.models.bert import BertConfig
from wordworth.models.encoder_module import EncoderConfig
from wordworth.models.families import ELMO, Family, family_of
from wordworth.models.families.config_fields import Fields
from wordworth.models.transformer import Encoder
from wordworth.models.transformer_layers import BodyConfig, LastLayer
from wordworth.models.weight_files import PUBLISHED_OPTIONS, config_file, read_weights
from wordworth.models.weight_mapping import LoadReport

_UNFINISHED = "training"
"""The folder that pretraining keeps beside the model: alone, it is of a run on its way."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model and where it came from.

    Attributes:
        model: in evaluation mode, float32.
        heads: tensors of heads that stood beside the encoder, under our names.
        raw: the `config.json` as it was.
    """

    model: Encoder
    family: Family
    names: LoadReport
    heads: Mapping[str, Tensor]
    raw: Mapping[str, Any]


def read_checkpoint(folder: Path, *, last_layer: LastLayer = "after_final_norm") -> Checkpoint:
    """Model and name report of a folder with `config.json` and weights, or with an ELMo's options and weights.

    `last_layer` says whether the last states of a model with a final norm are taken after it or before.

    Raises:
        BadInput: a file is missing or damaged, the model type is unknown, tensors are missing, or config and weights
            disagree about a shape.
    """
    family, raw, config = opened(folder)
    if isinstance(config, BodyConfig) and config.norm == "pre":
        config = replace(config, last_layer=last_layer)
    tensors = read_weights(folder)
    model, heads, names = _assemble(family, _fitted(config, tensors), tensors, folder)
    return Checkpoint(model, family, names, heads, raw)


def opened(folder: Path) -> tuple[Family, Mapping[str, Any], EncoderConfig]:
    """The family of the model in a folder, the config as it is written, and ours.

    Raises:
        BadInput: as `read_checkpoint`, of the config alone.
    """
    path = config_file(folder)
    if not path.exists():
        _refuse_near_miss(folder)
    raw, where = read_object(path), str(path)
    if path.name.endswith(PUBLISHED_OPTIONS):
        raw = {**raw, "model_type": ELMO.model_types[0]}
    if "model_type" not in raw:
        raise BadInput("no 'model_type' in this config", where=where, mend="is this a model of transformers?")
    family = family_of(f"{raw['model_type']!s:.60}", where)
    try:
        return family, raw, family.read(Fields(raw, where))
    except (ValueError, ZeroDivisionError) as error:
        raise BadInput(f"this config makes no model: {error}", where=where, mend=FETCH_AGAIN) from error


def _refuse_near_miss(folder: Path) -> None:
    """Tell of a folder without a model what it is, where that is known."""
    if (folder / _UNFINISHED).is_dir():
        mend = "the command that began it goes on where it stopped"
        raise BadInput("this pretraining has not ended, so there is no model yet", where=str(folder), mend=mend)
    for inside in sorted(folder.glob("*/model.safetensors")):
        raise BadInput("the model is not here, but inside", where=str(folder), mend=f"give {inside.parent}")


def _fitted(config: EncoderConfig, tensors: Mapping[str, Tensor]) -> EncoderConfig:
    """The config without the pooler that some checkpoints are saved without."""
    if isinstance(config, BertConfig) and not any("pooler." in name for name in tensors):
        return replace(config, pooler=False)
    return config


def _assemble(
    family: Family, config: EncoderConfig, tensors: Mapping[str, Tensor], folder: Path
) -> tuple[Encoder, dict[str, Tensor], LoadReport]:
    with torch.device("meta"):
        model = family.build(config)
    wanted = {name: tensor.shape for name, tensor in model.state_dict().items()}
    ours, names = family.table.from_checkpoint(tensors, wanted)
    if names.missing:
        listed = ", ".join(names.missing[:3]) + (" …" if len(names.missing) > 3 else "")  # noqa: PLR2004 - a line's worth
        raise BadInput(
            f"{len(names.missing)} tensors are missing: {listed}",
            where=str(folder),
            mend="does config.json belong to these weights?",
        )
    for name, shape in wanted.items():
        if ours[name].shape != shape:
            said = f"{name} is {tuple(ours[name].shape)} in the weights, {tuple(shape)} by the config"
            raise BadInput(said, where=str(folder), mend="does config.json belong to these weights?")
    model.load_state_dict({name: ours[name].float() for name in wanted}, assign=True)
    return model.eval(), {name: value for name, value in ours.items() if name not in wanted}, names
