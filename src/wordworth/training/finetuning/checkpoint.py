"""Save and load the folder of a fine-tuned model, in a layout of transformers or sentence-transformers.

config.json, model.safetensors, tokenizer.json   for transformers, such as BertForSequenceClassification, in float32
modules.json, 2_Dense/                           for sentence-transformers, if no class of transformers has the pooling
head.safetensors, wordworth.json                 for Wordworth: the layers above the encoder, and what the scores mean
README.md                                        a model card, which names what other libraries ignore

If transformers has a class for the model, this class computes the same logits as Wordworth. It has no class with mean
pooling.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from wordworth.errors import BadInput
from wordworth.files import replacing_folder
from wordworth.models.encoder_base import Encoder
from wordworth.models.pooling import Dense, SentenceHead
from wordworth.models.read_encoder import read_encoder
from wordworth.models.save_encoder import OF_HEADS, save, write_checkpoint
from wordworth.models.weight_files import read_safetensors, write_safetensors
from wordworth.tasks import task_types
from wordworth.tasks.task_types import TaskType
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE
from wordworth.tasks.task_types.pronoun_resolution import PRONOUN_RESOLUTION
from wordworth.training.finetuning.checkpoint_metadata import AGAIN, write_metadata, write_model_card
from wordworth.training.finetuning.label_tensors import LabelTensors
from wordworth.training.finetuning.masked_piece_scores import PieceScores
from wordworth.training.finetuning.model import ABOVE, FineTuningModel, HeadConfig, bf16_replica
from wordworth.training.finetuning.trainer import FineTunedModel

if TYPE_CHECKING:
    from wordworth.models.checkpoint import Checkpoint
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.training.task_heads import TaskHead

HEAD = "head.safetensors"
_IDENTITY = "torch.nn.modules.linear.Identity"


def save_finetuned(folder: Path, encoder: TextEncoder, tuned: FineTunedModel, metadata: Mapping[str, Any]) -> None:
    """Write a model folder atomically; an older folder of that name is replaced.

    Args:
        folder: the folder to write.
        encoder: the encoder that was fine-tuned; its own model is not changed.
        tuned: the fine-tuned network, whose weights are written in float32.
        metadata: what loading needs: `kind`, `classes`, `pooling` and `tokens`, and anything that the caller adds.
    """
    weights = head_weights(tuned)
    learned = replace(encoder, max_length=int(metadata["tokens"]))
    with replacing_folder(folder) as neighbour:
        _write_model(learned, tuned, weights, metadata, neighbour)
        write_safetensors(weights, neighbour / HEAD)
        write_metadata(neighbour, metadata)
        write_model_card(neighbour, metadata)


def load_finetuned(
    folder: Path, head: TaskHead, metadata: Mapping[str, Any], device: torch.device, *, bf16: bool
) -> tuple[TextEncoder, FineTunedModel]:
    """Load the encoder of a folder, and the network that was fine-tuned from it, onto a device.

    Args:
        folder: a folder that `save_finetuned` wrote.
        head: the task head that fits `metadata`; it turns scores into predictions.
        metadata: the folder's metadata, as `read_metadata` returns it.
        device: the device to load both onto.
        bf16: whether the encoder computes in bfloat16; else in float32.

    Raises:
        BadInput: a file is missing or damaged.
    """
    encoder = read_encoder(folder)
    encoder.model.to(device)
    head.attach(encoder)
    weights = read_safetensors(folder / HEAD)
    rows = np.arange(encoder.model.config.vocab_size) if metadata.get("embeddings", True) else None
    pooling, bilstm = metadata["pooling"] if head.pooled else None, bool(metadata.get("bilstm"))
    config = HeadConfig(
        num_scores=head.num_scores,
        pooling=pooling,
        trained_rows=rows,
        bilstm=bilstm,
        vocabulary_head=head.vocabulary_head,
    )
    network = FineTuningModel(encoder.model, config, torch.Generator())
    network_weights = {name: value for name, value in weights.items() if not name.startswith("extra.")}
    _load(network, network_weights, folder / HEAD)
    if head.extra is not None:
        extra = {name.removeprefix("extra."): weights[name] for name in weights.keys() - network_weights.keys()}
        missing, unexpected = _load_state(head.extra, extra, folder / HEAD)
        _require_none([*missing, *unexpected], folder / HEAD)
    values = torch.zeros(0, dtype=torch.float32 if task_types.get(metadata["kind"]).numeric else torch.int64)
    gold = LabelTensors(values, weights["bias"])
    predictor = bf16_replica(network).module if bf16 else network
    return encoder, FineTunedModel(network, predictor, head, gold)


def _load(network: FineTuningModel, weights: Mapping[str, Tensor], where: Path) -> None:
    """Load the weights of all layers above the encoder into a network; the encoder has its weights already.

    Raises:
        BadInput: a layer's weights are missing, unexpected or of another shape.
    """
    missing, unexpected = _load_state(
        network, {name: value for name, value in weights.items() if name != "bias"}, where
    )
    on_top = [name for name in missing if name.partition(".")[0] in ABOVE]
    _require_none([*on_top, *unexpected, *({"bias"} - weights.keys())], where)


def _load_state(module: nn.Module, weights: Mapping[str, Tensor], where: Path) -> tuple[list[str], list[str]]:
    """Load those of a module's weights that are given; return (names of missing weights, names of unexpected ones)."""
    try:
        mismatch = module.load_state_dict(weights, strict=False)
    except RuntimeError as error:
        message = str(error).strip().splitlines()[-1].strip()
        raise BadInput(f"these weights do not fit the model: {message}", where=str(where), mend=AGAIN) from error
    return mismatch.missing_keys, mismatch.unexpected_keys


def _require_none(names: Sequence[str], where: Path) -> None:
    """Raise BadInput if there are missing or unexpected weights."""
    if names:
        raise BadInput(f"missing or unexpected weights: {', '.join(names)}", where=str(where), mend=AGAIN)


def head_weights(tuned: FineTunedModel) -> dict[str, Tensor]:
    """Return name -> weight of the layers above the encoder; `bias` expresses the labels' base rates.

    `bias` is `LabelTensors.bias`, such as the log frequency of each class. For regression the output layer is rescaled,
    so that its scores are on the original scale of the labels.
    """
    network = tuned.network
    weights = {
        f"{name}.{part}": value
        for name in ABOVE
        if (layer := getattr(network, name)) is not None
        for part, value in layer.state_dict().items()
    }
    if isinstance(network.output, nn.Linear):
        weights["output.weight"] = weights["output.weight"] * tuned.gold.std
        weights["output.bias"] = weights["output.bias"] * tuned.gold.std + tuned.gold.mean
    if tuned.head.extra is not None:
        weights |= {f"extra.{name}": value for name, value in tuned.head.extra.state_dict().items()}
    return {
        **{name: value.detach().to("cpu", torch.float32, copy=True) for name, value in weights.items()},
        "bias": tuned.gold.bias.float(),
    }


def head_bytes(tuned: FineTunedModel) -> list[bytes]:
    """Return the bytes of the weights that `head_weights` returns, in the order of their names.

    The key of a fine-tuned model is a hash of these bytes.
    """
    return [value.numpy().tobytes() for _, value in sorted(head_weights(tuned).items())]


def _write_model(
    encoder: TextEncoder,
    tuned: FineTunedModel,
    weights: Mapping[str, Tensor],
    metadata: Mapping[str, Any],
    folder: Path,
) -> None:
    """Write the fine-tuned encoder as the transformers class that has this head, if there is one.

    No class has a BiLSTM above its encoder; with a BiLSTM the encoder is written alone.
    """
    if tuned.network.recurrent is not None:
        model = finetuned_encoder(encoder, tuned.network, pooler=False)
        save(replace(encoder, checkpoint=replace(encoder.checkpoint, model=model)), folder)
        return
    if isinstance(tuned.network.output, PieceScores):
        _write_language_model(encoder, tuned.network, tuned.network.output.head, folder)
        return
    task_type, pooling = task_types.get(metadata["kind"]), metadata["pooling"] if tuned.head.pooled else None
    family, ending = encoder.checkpoint.family, task_type.transformers_head
    layers = {} if family.task_layers is None else family.task_layers.get(ending, family.task_layers[""])
    has_class = bool(layers) and (pooling is None or (pooling == "pooler" and family.pools))
    has_pooler = pooling == "pooler" and (
        ending == MULTIPLE_CHOICE.transformers_head or (bool(layers) and "pooler" not in layers)
    )
    dense = Dense(weights["output.weight"], weights["output.bias"], _IDENTITY)
    modes = (pooling,) if pooling not in {None, "pooler"} else encoder.head.modes
    model = finetuned_encoder(encoder, tuned.network, pooler=has_pooler)
    kept_fields = {name: value for name, value in encoder.checkpoint.raw.items() if name not in OF_HEADS}
    raw = {**kept_fields, **_labels(task_type, metadata["classes"])}
    checkpoint = replace(encoder.checkpoint, model=model, raw=raw)
    steps = (dense,) if tuned.head.pooled else ()
    save(replace(encoder, checkpoint=checkpoint, head=SentenceHead(modes=modes, steps=steps)), folder)
    if not has_class:
        return
    heads = {
        f"heads.{name}.{part}": weights[f"{layer}.{part}"]
        for layer, name in layers.items()
        for part in ("weight", "bias")
    }
    architecture = f"{family.class_prefixes[str(raw['model_type'])]}For{ending}"
    _write_with_heads(replace(checkpoint, heads=heads), folder, architecture)


def _write_language_model(encoder: TextEncoder, network: FineTuningModel, head: nn.Module, folder: Path) -> None:
    """Write the fine-tuned encoder with its head over the vocabulary, as a pretrained model is written."""
    model, family = finetuned_encoder(encoder, network, pooler=False), encoder.checkpoint.family
    heads = {f"heads.mlm.{name}": value.detach() for name, value in head.state_dict().items()}
    checkpoint = replace(encoder.checkpoint, model=model, heads=heads)
    save(replace(encoder, checkpoint=checkpoint), folder)
    prefix = family.class_prefixes.get(str(checkpoint.raw.get("model_type")))
    architecture = family.encoder_class if prefix is None else f"{prefix}For{PRONOUN_RESOLUTION.transformers_head}"
    _write_with_heads(checkpoint, folder, architecture)


def _write_with_heads(checkpoint: Checkpoint, folder: Path, architecture: str) -> None:
    """Write an encoder with heads as the transformers class `architecture`, without the files of a sentence encoder.

    Files of a sentence encoder that are in the folder are removed.
    """
    write_checkpoint(checkpoint, folder, architecture=architecture)
    for name in ("modules.json", "sentence_bert_config.json", "config_sentence_transformers.json"):
        (folder / name).unlink(missing_ok=True)
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)


def finetuned_encoder(encoder: TextEncoder, network: FineTuningModel, *, pooler: bool) -> Encoder:
    """Return a copy of the encoder's model with the fine-tuned weights of a network.

    Args:
        encoder: the encoder before fine-tuning.
        network: the fine-tuned network.
        pooler: whether the copy has a pooler.
    """
    model = network.trained(encoder, pooler=pooler)
    if model.pooler is not None and network.pooler is not None:
        model.pooler.load_state_dict(network.pooler.state_dict())
    return model


def _labels(task_type: TaskType, classes: list[str]) -> dict[str, Any]:
    """Return the fields of a transformers config that describe its head."""
    names = list(classes) or (["value"] if task_type.numeric else [])
    fields: dict[str, Any] = {"problem_type": task_type.problem_type} if task_type.problem_type else {}
    if names:
        fields |= {"id2label": {str(number): name for number, name in enumerate(names)}}
        fields |= {"label2id": {name: number for number, name in enumerate(names)}}
    return fields
