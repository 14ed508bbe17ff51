"""Save a tokenizer as a folder that `Tokenizer.read` and transformers' `AutoTokenizer` load."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wordworth.files import write_text
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_protocol import TokenizerProtocol


def save_tokenizer(tokenizer: Tokenizer, folder: Path | str, *, segments: bool = True) -> None:
    """Write `tokenizer.json` and `tokenizer_config.json` into a folder.

    Args:
        tokenizer: the tokenizer to write.
        folder: an existing folder.
        segments: whether the model of that folder distinguishes a first text from a second.

    Raises:
        BadInput: the disk is full or the folder cannot be written.
    """
    settings = tokenizer_settings(tokenizer, inputs_of(segments=segments))
    write_text(Path(folder) / "tokenizer_config.json", json.dumps(settings, indent=1) + "\n")
    write_text(Path(folder) / "tokenizer.json", tokenizer.to_json())


def inputs_of(*, segments: bool) -> list[str]:
    """The model inputs that transformers' tokenizer makes; no segments for GPT-2, which would embed them as tokens."""
    return ["input_ids", *(["token_type_ids"] if segments else []), "attention_mask"]


def tokenizer_settings(tokenizer: TokenizerProtocol, inputs: Sequence[str]) -> dict[str, Any]:
    """The content of `tokenizer_config.json`: special tokens, model inputs, and the class that transformers loads."""
    settings: dict[str, Any] = {f"{role}_token": token for role, token in tokenizer.special_tokens.items()}
    settings |= {"tokenizer_class": "PreTrainedTokenizerFast", "do_lower_case": tokenizer.lowercase}
    return settings | {"model_input_names": list(inputs)}
