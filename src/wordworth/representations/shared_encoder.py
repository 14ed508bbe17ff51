"""The encoder behind a contextual rung: loaded by name when a rung is opened, once for all rungs that share it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.models.load import load
from wordworth.models.static_embeddings import StaticTable
from wordworth.sources import catalogue, kind_of, require
from wordworth.versions import code_key

if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder


@lru_cache(maxsize=1)
def load_encoder(model: str) -> TextEncoder:
    """The encoder of a catalogue name, a folder or a cached hub name; the last one stays in memory.

    It computes in bfloat16 where the processor has instructions for it: three times the texts a second, and vectors
    whose cosine to those of float32 is above 0.9998.

    Raises:
        BadInput: nothing has that name, it is no contextual encoder, or its files are damaged.
        MissingExtra: torch is not installed.
    """
    found = load(model, dtype="auto", kept=True)
    if isinstance(found, StaticTable):
        raise _table(model)
    return found


def require_encoder(model: str) -> None:
    """Refuse a name that stands for nothing, or for a table of vectors, before any weights are read.

    Raises:
        BadInput: it does.
    """
    require(model)
    if kind_of(model) == "static":
        raise _table(model)


def _table(model: str) -> BadInput:
    return BadInput(
        f"--model {model} names a table of word vectors, but --model takes contextual encoders",
        mend=f"give it as --vectors {model} (glove and wordllama are on the ladder already)",
    )


def short_name(model: str) -> str:
    """What a person calls it: the last part of a path or hub name.

    >>> short("sentence-transformers/all-MiniLM-L6-v2")
    'all-MiniLM-L6-v2'
    """
    return Path(model).name or model


def display_name(model: str) -> str:
    """What a page calls it: the catalogue's own spelling, else `short_name`.

    >>> called("minilm")
    'MiniLM'
    """
    return next((entry.title.split()[0] for entry in catalogue() if entry.name == model), short_name(model))


def parameter_count(encoder: TextEncoder) -> int:
    """How many numbers the encoder holds."""
    return sum(parameter.numel() for parameter in encoder.model.parameters())


def fingerprint(encoder: TextEncoder) -> str:
    """One key for the encoder that it is: weights, tokenizer, pooling, window, prompt and type."""
    weights = (value.detach().float().numpy(force=True).tobytes() for value in encoder.model.state_dict().values())
    settings = (encoder.tokenizer.fingerprint, encoder.head.modes, len(encoder.head.steps), encoder.max_length)
    return content_key(*weights, *settings, encoder.prompt, encoder.dtype)


def vectors_key(encoder: TextEncoder) -> str:
    """One key for all that decides an encoder's vectors: itself, what stands above it, and what computes where.

    Vectors kept under it are never served to an encoder that was mended since, nor to another torch.
    """
    computing = (encoder.kernel, encoder.model.device, code_key("models", "text", "representations"))
    return content_key(fingerprint(encoder), encoder.head.fingerprint, *computing)
