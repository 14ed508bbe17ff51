"""`Family`: how checkpoints of one kind of model are read and written: config, tensor names, model, tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wordworth.models.encoder_module import EncoderConfig
from wordworth.models.families.config_fields import Fields
from wordworth.models.transformer import Encoder
from wordworth.models.weight_mapping import Names
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_protocol import TokenizerProtocol


@dataclass(frozen=True, slots=True)
class Family:
    """One family of checkpoints.

    Attributes:
        model_types: values of `model_type` in a `config.json`.
        architecture: the class of transformers that loads its encoder.
        table: maps tensor names.
        read: converts their config to ours.
        write: converts ours to theirs, without `model_type`; undoes `read`.
        build: makes a model from our config.
        tokenizer: reads the tokenizer from a folder.
    """

    model_types: tuple[str, ...]
    architecture: str
    table: Names
    read: Callable[[Fields], EncoderConfig]
    write: Callable[[Any], Mapping[str, Any]]
    build: Callable[[Any], Encoder]
    tokenizer: Callable[[Path], TokenizerProtocol] = Tokenizer.read
