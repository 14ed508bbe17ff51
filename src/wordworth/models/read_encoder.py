"""Read a folder of transformers or sentence-transformers as a `TextEncoder`."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import torch

from wordworth.errors import BadInput, nearest
from wordworth.models.checkpoint import Checkpoint, read_checkpoint
from wordworth.models.cpu_inference import DtypeOption, require_dtype
from wordworth.models.cpu_inference.detect_kernels import Dtype, Kernel
from wordworth.models.cpu_inference.select_dtype_and_kernel import StateReader, accelerate, resolve_dtype
from wordworth.models.devices import device_of
from wordworth.models.encoder_base import LastLayer
from wordworth.models.sentence_transformers_format import SentenceSettings, read_sentence_settings
from wordworth.models.text_encoder import TextEncoder
from wordworth.text.tokenizer_protocol import TokenizerProtocol


def read_encoder(
    folder: Path | str,
    *,
    name: str = "",
    dtype: DtypeOption = "float32",
    threads: int | None = None,
    last_layer: LastLayer = "after_final_norm",
    device: str = "cpu",
) -> TextEncoder:
    """Read the encoder in a folder that transformers or sentence-transformers wrote.

    Args:
        folder: a folder with config.json, weights and tokenizer.
        name: the encoder's name; if empty, the folder's name.
        dtype: dtype of the computation; `auto` is bfloat16 if the device has bfloat16 instructions, else float32.
        threads: number of torch's threads in the whole process; None leaves it as it is.
        last_layer: `after_final_norm` or `before_final_norm`: whether the last layer's states are taken after or before
            the final norm of a model that has one (GPT-2); no effect on other models.
        device: where the encoder computes: `cpu`, `cuda`, or `auto`, which is a GPU if there is one.

    Raises:
        BadInput: a file is missing or damaged, the model type is unknown, the tokenizer does not fit the weights, or
            there is no such device.
    """
    path = Path(folder)
    if not path.is_dir():
        raise BadInput("no such folder", where=str(path), mend="give a folder with config.json, weights and tokenizer")
    require_dtype(dtype)
    if last_layer not in get_args(LastLayer):
        raise BadInput(f"no last-layer {last_layer!r}", mend=nearest(str(last_layer), get_args(LastLayer)))
    if threads is not None:
        torch.set_num_threads(threads)
    settings = read_sentence_settings(path)
    checkpoint = read_checkpoint(settings.home, last_layer=last_layer)
    tokenizer = checkpoint.family.tokenizer(settings.home)
    _check_fit(checkpoint, tokenizer, settings)
    reader, resolved_dtype, kernel = _reader(checkpoint, tokenizer, dtype, device_of(device, dtype))
    return TextEncoder(
        name=name or path.name,
        checkpoint=checkpoint,
        tokenizer=tokenizer,
        head=settings.head,
        max_length=_max_length(checkpoint, settings),
        state_reader=reader,
        prompt=settings.prompt,
        prompts=settings.prompts,
        dtype="float32" if kernel == "plain" and resolved_dtype == "int8" else resolved_dtype,
        kernel=kernel,
    )


def _reader(
    checkpoint: Checkpoint, tokenizer: TokenizerProtocol, dtype: DtypeOption, device: torch.device
) -> tuple[StateReader, Dtype, Kernel]:
    """Return (function that computes states, dtype, kernel); on a GPU the function is the model, moved to the GPU."""
    resolved = resolve_dtype(checkpoint.model, dtype, device)
    if device.type == "cpu":
        reader, kernel = accelerate(checkpoint.model, resolved, tokenizer.encode)
        return reader, resolved, kernel
    return checkpoint.model.to(device, getattr(torch, resolved)), resolved, "plain"


def _max_length(checkpoint: Checkpoint, settings: SentenceSettings) -> int:
    possible = checkpoint.model.config.max_length
    return possible if settings.max_length is None else min(possible, settings.max_length)


def _check_fit(checkpoint: Checkpoint, tokenizer: TokenizerProtocol, settings: SentenceSettings) -> None:
    """Check that the vocabulary is no larger than the word table (which may be padded), and that casing agrees."""
    rows = checkpoint.model.config.vocab_size
    if tokenizer.vocab_size > rows:
        raise BadInput(
            f"the tokenizer knows {tokenizer.vocab_size} pieces, the weights {rows}",
            where=str(settings.home),
            mend="use the tokenizer that belongs to the weights",
        )
    if settings.lowercase and not tokenizer.lowercase:
        raise BadInput(
            "sentence_bert_config.json asks for lower case, the tokenizer keeps capitals",
            where=str(settings.home),
            mend="lower the texts yourself and set do_lower_case to false there",
        )
