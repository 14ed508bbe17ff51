"""A folder of transformers or sentence-transformers becomes a `TextEncoder`."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import torch

from wordworth.errors import BadInput, nearest
from wordworth.models.checkpoint import Checkpoint, read_checkpoint
from wordworth.models.cpu_inference.select import Wanted, chosen, compiled
from wordworth.models.sentence_transformers_format import SentenceSettings, read_sentence_settings
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.transformer_layers import LastLayer
from wordworth.text.tokenizer_protocol import TokenizerProtocol


def read_encoder(
    folder: Path | str,
    *,
    name: str = "",
    dtype: Wanted = "float32",
    threads: int | None = None,
    last_layer: LastLayer = "after_final_norm",
) -> TextEncoder:
    """The encoder in a folder of transformers or sentence-transformers.

    `threads` sets how many torch uses, in the whole process; None leaves it. `dtype="auto"` computes in bfloat16 where
    the CPU has instructions for it, else in float32. `last_layer` is as in `load`.

    Raises:
        BadInput: a file is missing or damaged, the model type is unknown, the tokenizer does not fit the weights.
    """
    place = Path(folder)
    if not place.is_dir():
        raise BadInput("no such folder", where=str(place), mend="give a folder with config.json, weights and tokenizer")
    if threads is not None:
        torch.set_num_threads(threads)
    settings = read_sentence_settings(place)
    checkpoint = read_checkpoint(settings.home, last_layer=last_layer)
    tokenizer = checkpoint.family.tokenizer(settings.home)
    _check_fit(checkpoint, tokenizer, settings)
    computed = chosen(checkpoint.model, _known(dtype))
    reading, kernel = compiled(checkpoint.model, computed, tokenizer.encode)
    return TextEncoder(
        name=name or place.name,
        checkpoint=checkpoint,
        tokenizer=tokenizer,
        head=settings.head,
        max_length=_max_length(checkpoint, settings),
        last=reading,
        prompt=settings.prompt,
        dtype="float32" if kernel == "plain" and computed == "int8" else computed,
        kernel=kernel,
    )


def _max_length(checkpoint: Checkpoint, settings: SentenceSettings) -> int:
    possible = checkpoint.model.config.max_length
    return possible if settings.max_length is None else min(possible, settings.max_length)


def _check_fit(checkpoint: Checkpoint, tokenizer: TokenizerProtocol, settings: SentenceSettings) -> None:
    """A vocabulary may be smaller than the table (padded to a round number), never larger; casing must agree."""
    rows = checkpoint.model.config.vocab_size
    if tokenizer.vocab_size > rows:
        raise BadInput(
            f"the tokenizer knows {tokenizer.vocab_size} pieces, the weights {rows}",
            where=str(settings.home),
            mend="put the tokenizer beside the weights that it was made with",
        )
    if settings.lowercase and not tokenizer.lowercase:
        raise BadInput(
            "sentence_bert_config.json asks for lower case, the tokenizer keeps capitals",
            where=str(settings.home),
            mend="lower the texts yourself and set do_lower_case to false there",
        )


def _known(dtype: Wanted) -> Wanted:
    if dtype not in get_args(Wanted):
        raise BadInput(f"dtype {dtype!r} is unknown", mend=nearest(str(dtype), get_args(Wanted)))
    return dtype
