"""Save an encoder as a folder that transformers and sentence-transformers load, with the same numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from wordworth.files import replacing_folder
from wordworth.models.checkpoint import Checkpoint
from wordworth.models.pooling import Dense, SentenceHead
from wordworth.models.pruned_heads_field import FIELD, pruned_fields
from wordworth.models.sentence_transformers_format import OLD_KEYS, SentenceSettings, read_sentence_settings
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.weight_files import write_safetensors
from wordworth.text.tokenizer_files import inputs_of, tokenizer_settings

OF_HEADS = ("problem_type", "id2label", "label2id", "num_labels")
"""Fields of transformers' configs that describe a head; they must not be kept when a model gets another head."""
_OLD = "sentence_transformers.models."
_CARD = """---
library_name: sentence-transformers
tags: [wordworth]
---

# Encoder

Written by Wordworth, which loads it, as do transformers and sentence-transformers if they know the `model_type` in
`config.json`.
"""
"""The model card. Without one sentence-transformers asks the hub for it, and waits where there is no network."""


def save(encoder: TextEncoder, folder: Path | str) -> None:
    """Write an encoder's model, tokenizer and pooling into `folder`, whole or not at all.

    The folder is written under a temporary name and then renamed; an existing folder of that name is replaced.

    Raises:
        BadInput: `folder` is a file, the disk is full, or the folder cannot be written.
    """
    with replacing_folder(folder) as neighbour:
        write_encoder(encoder, neighbour)


def write_encoder(encoder: TextEncoder, folder: Path) -> None:
    """Write an encoder's model, tokenizer, pooling and card into an existing folder."""
    write_checkpoint(encoder.checkpoint, folder)
    _write_tokenizer(encoder, folder)
    settings = SentenceSettings(
        folder, encoder.head, max_length=encoder.max_length, prompt=encoder.prompt, prompts=encoder.prompts
    )
    write_sentence_files(settings, encoder.model.width, folder)
    (folder / "README.md").write_text(_CARD, encoding="utf-8")


def write_checkpoint(checkpoint: Checkpoint, folder: Path, *, architecture: str | None = None) -> None:
    """Write a checkpoint's `config.json` and float32 `model.safetensors` into an existing folder.

    Fields of the original config that this package does not use (ids of special tokens, labels) are kept.

    Args:
        checkpoint: the encoder and its heads.
        folder: an existing folder.
        architecture: the class of transformers that loads encoder and heads together; None leaves the heads out.
    """
    family, model = checkpoint.family, checkpoint.model
    architecture_name = architecture or family.class_of(checkpoint.raw.get("model_type"))
    config = {**checkpoint.raw, **family.write(model.config), "architectures": [architecture_name]}
    config |= {
        key: checkpoint.raw[key] for key in ("pad_token_id", "bos_token_id", "eos_token_id") if key in checkpoint.raw
    }
    config |= {"model_type": checkpoint.raw.get("model_type", family.model_types[0]), "dtype": "float32"}
    for former in ("torch_dtype", FIELD):
        config.pop(former, None)
    config |= pruned_fields(model.config)
    tensors = family.table.to_checkpoint(model.state_dict())
    if architecture is not None:
        with_heads = {**model.state_dict(), **checkpoint.heads}
        tensors = family.table.to_checkpoint(with_heads, prefix=family.table.prefix)
    _write_json(folder / "config.json", config)
    float_tensors = {name: tensor.to("cpu", torch.float32) for name, tensor in tensors.items()}
    write_safetensors(float_tensors, folder / "model.safetensors")


def _write_tokenizer(encoder: TextEncoder, folder: Path) -> None:
    """Write `tokenizer.json` and its config; token types only for a model that has segments."""
    (folder / "tokenizer.json").write_text(encoder.tokenizer.to_json(), encoding="utf-8")
    inputs = inputs_of(segments=encoder.model.config.has_segments)
    settings = {**tokenizer_settings(encoder.tokenizer, inputs), "model_max_length": encoder.max_length}
    if "eos_token" in settings:
        settings.setdefault("pad_token", settings["eos_token"])  # GPT-2 has none, but other libraries must pad
    _write_json(folder / "tokenizer_config.json", settings)


def write_sentence_files(settings: SentenceSettings, width: int, folder: Path) -> None:
    """Write `modules.json` and the files of its modules, for old and new versions of sentence-transformers.

    The files hold the pooling, the dense layers, the maximum length and the prompts.

    Args:
        settings: the settings to write.
        width: width of the encoder's states.
        folder: an existing folder.
    """
    modules = [("", "Transformer"), ("1_Pooling", "Pooling")]
    _write_json(folder / "1_Pooling" / "config.json", _pooling(settings.head, width))
    for number, step in enumerate(settings.head.steps, start=2):
        kind = type(step).__name__
        modules.append((f"{number}_{kind}", kind))
        (folder / modules[-1][0]).mkdir()
        if isinstance(step, Dense):
            _write_dense(step, folder / modules[-1][0])
    listed = [
        {"idx": number, "name": str(number), "path": path, "type": _OLD + kind}
        for number, (path, kind) in enumerate(modules)
    ]
    (folder / "modules.json").write_text(json.dumps(listed, indent=2) + "\n", encoding="utf-8")
    _write_json(folder / "sentence_bert_config.json", {"max_seq_length": settings.max_length, "do_lower_case": False})
    _write_json(folder / "config_sentence_transformers.json", _prompts(settings))


def _prompts(settings: SentenceSettings) -> Mapping[str, Any]:
    """Return the config of the prompts; the default prompt gets the name `default` if it has no name."""
    if not settings.prompt:
        return {"prompts": dict(settings.prompts), "default_prompt_name": None}
    named = next((name for name, prompt in settings.prompts.items() if prompt == settings.prompt), "default")
    return {"prompts": {**settings.prompts, named: settings.prompt}, "default_prompt_name": named}


def keep_sentence_files(source: Path, width: int, folder: Path) -> None:
    """Copy the settings of pooling and prompts (`modules.json` and its folders) from a model to a new model.

    Args:
        source: folder of the model; without `modules.json` nothing is copied.
        width: width of the states of the new model.
        folder: folder of the new model.
    """
    settings = read_sentence_settings(source)
    if settings.exists:
        write_sentence_files(settings, width, folder)


def _pooling(head: SentenceHead, hidden_size: int) -> Mapping[str, Any]:
    """Return a pooling config with the old schema's flags and the new schema's name, for any version of the library."""
    flags = {key: mode in head.modes for key, mode in OLD_KEYS.items()}
    modes = head.modes[0] if len(head.modes) == 1 else list(head.modes)
    return {"word_embedding_dimension": hidden_size, **flags, "pooling_mode": modes, "include_prompt": True}


def _write_dense(step: Dense, folder: Path) -> None:
    out_features, in_features = step.weight.shape
    config = {"in_features": in_features, "out_features": out_features, "bias": step.bias is not None}
    _write_json(folder / "config.json", {**config, "activation_function": step.activation})
    tensors = {"linear.weight": step.weight}
    if step.bias is not None:
        tensors["linear.bias"] = step.bias
    write_safetensors(tensors, folder / "model.safetensors")


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
