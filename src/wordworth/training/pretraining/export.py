"""Write a pretrained model's folder, which transformers loads with its heads, and its model card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from torch import Tensor

from wordworth.errors import BadInput
from wordworth.files import filling_folder, write_text
from wordworth.models.checkpoint import Checkpoint, opened
from wordworth.models.encoder_base import Encoder
from wordworth.models.families import Family, family_of
from wordworth.models.save_encoder import OF_HEADS, keep_sentence_files, write_checkpoint
from wordworth.models.weight_files import read_safetensors, write_safetensors
from wordworth.models.weight_mapping import LoadReport
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import save_tokenizer
from wordworth.training.pretraining.model import PretrainingModel

OBJECTIVE_HEADS = "objective_heads/weights.safetensors"
_OUR_HEADS = ("mlm", "nsp", "bilm")
"""Heads that the families' checkpoints have names for."""


def write_model(
    network: PretrainingModel, tokenizer: Tokenizer, card: str, folder: Path, *, initial_model: Path | None = None
) -> None:
    """Write the folder of a pretrained model: config, weights with heads, tokenizer and model card.

    Each file is written atomically. Heads of objectives from other packages, which no library can load, are written to
    a separate file.

    Args:
        network: the encoder and its heads.
        tokenizer: the tokenizer of the training text.
        card: text of the README.md.
        folder: the folder to write into.
        initial_model: folder of the model that the run continued; its family, its config, and its layers that pool
            states into sentence vectors are kept. None if the run began with a new model.

    Raises:
        BadInput: the disk is full or the folder cannot be written; the weights are replaced last.
    """
    checkpoint = _checkpoint(network, tokenizer, initial_model)
    with filling_folder(folder) as part:
        write_checkpoint(checkpoint, part, architecture=_architecture(network, checkpoint))
        config = network.encoder.config
        read_by = tokenizer.without_suffix() if config.causal else tokenizer  # a prompt is continued where it ends
        save_tokenizer(read_by, part, segments=config.has_segments)
        write_text(part / "README.md", card)
        own_heads = _heads(network, ours=False)
        if own_heads:
            (part / OBJECTIVE_HEADS).parent.mkdir()
            write_safetensors({name: each.detach().cpu() for name, each in own_heads.items()}, part / OBJECTIVE_HEADS)
        if initial_model is not None:
            keep_sentence_files(initial_model, network.encoder.width, part)


def _checkpoint(network: PretrainingModel, tokenizer: Tokenizer, initial_model: Path | None) -> Checkpoint:
    encoder = network.encoder
    assert isinstance(encoder, Encoder)  # noqa: S101 - every encoder that is built here is one
    family, raw = _fresh_config(encoder, tokenizer) if initial_model is None else _kept_config(initial_model)
    return Checkpoint(encoder, family, LoadReport(), _heads(network, ours=True), raw)


def _heads(network: PretrainingModel, *, ours: bool) -> dict[str, Tensor]:
    """Return name -> weight of heads: of Wordworth's objectives if `ours`, else of those of other packages."""
    return {name: each for name, each in network.head_weights().items() if (name.split(".")[1] in _OUR_HEADS) == ours}


def _fresh_config(encoder: Encoder, tokenizer: Tokenizer) -> tuple[Family, Mapping[str, Any]]:
    family = family_of(encoder.config.model_type)
    return family, {key: tokenizer.special_ids[role] for key, role in family.config_ids.items()}


def _kept_config(initial_model: Path) -> tuple[Family, Mapping[str, Any]]:
    """Return family and config of the model that the run continued, without the fields of its heads."""
    family, raw, _ = opened(initial_model)
    return family, {name: value for name, value in raw.items() if name not in (*OF_HEADS, "tie_word_embeddings")}


def library(network: PretrainingModel) -> str:
    """Return the library that loads the model's folder: `transformers` if it has a fitting class, else `wordworth`."""
    return "transformers" if family_of(network.encoder.config.model_type).class_prefixes else "wordworth"


def _architecture(network: PretrainingModel, checkpoint: Checkpoint) -> str:
    """Return the name of the transformers class that has these heads; Wordworth's own if there is no such class."""
    family = checkpoint.family
    prefix = family.class_prefixes.get(str(checkpoint.raw.get("model_type", family.model_types[0])))
    if prefix is None:
        return family.encoder_class
    if "mlm" not in network.heads:
        return f"{prefix}Model"
    return family.pretrained_class(network.encoder.config, list(network.heads), prefix)


def take_weights(network: PretrainingModel, checkpoint: Checkpoint, folder: Path) -> Sequence[str]:
    """Load a checkpoint's weights into an encoder and its heads; return the names of weights that the checkpoint lacks.

    Args:
        network: the encoder with its heads.
        checkpoint: the checkpoint.
        folder: the folder of the checkpoint.

    Raises:
        BadInput: the checkpoint's config and its weights have different shapes.
    """
    available = {f"encoder.{name}": tensor for name, tensor in checkpoint.model.state_dict().items()} | dict(
        checkpoint.heads
    )
    if (folder / OBJECTIVE_HEADS).is_file():
        available |= read_safetensors(folder / OBJECTIVE_HEADS)
    wanted = dict(network.state_dict())
    for name, tensor in available.items():
        if name in wanted and wanted[name].shape != tensor.shape:
            message = f"{name} is {tuple(tensor.shape)} in the weights, {tuple(wanted[name].shape)} by the config"
            raise BadInput(message, where=str(folder), mend="does config.json belong to these weights?")
    network.load_state_dict({name: available.get(name, tensor) for name, tensor in wanted.items()})
    return [name for name in wanted if name not in available]
