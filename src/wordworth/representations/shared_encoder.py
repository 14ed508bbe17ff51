"""Load a contextual encoder once for all models of a study that share it, such as the frozen and the hybrid one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from wordworth.errors import BadInput, require_package
from wordworth.models.load import load
from wordworth.models.static_embeddings import StaticTable
from wordworth.sources import kind_of, require

if TYPE_CHECKING:
    from wordworth.models.cpu_inference import DtypeOption
    from wordworth.models.text_encoder import TextEncoder


@lru_cache(maxsize=1)
def load_encoder(model: str, dtype: DtypeOption, device: str = "cpu") -> TextEncoder:
    """Load an encoder by a catalogue name, a folder or a cached hub name; the one loaded last stays in memory.

    Args:
        model: the name.
        dtype: the dtype of the encoder's computation. `auto`, the default of `worth`, is bfloat16 where the processor
            has instructions for it, which is three times as fast; the cosine of its vectors with float32 vectors is
            above 0.9998.
        device: where the encoder computes: `cpu`, `cuda` or `auto`.

    Raises:
        BadInput: nothing has that name, it is not a contextual encoder, or its files are damaged.
        MissingExtra: torch is not installed.
    """
    loaded = load(model, dtype=dtype, hash_whole=True, device=device)
    if isinstance(loaded, StaticTable):
        raise _table(model)
    return loaded


def load_trainable_encoder(model: str, dtype: DtypeOption, device: str = "cpu") -> TextEncoder:
    """Load an encoder whose weights will be trained, as `load_encoder` does.

    On a CPU the encoder has float32 weights, which training changes, and a copy of them in `dtype`. On a GPU there is
    no copy, so that the weights are loaded in float32.

    Args:
        model: a catalogue name, a folder or a hub name.
        dtype: data type to compute in.
        device: where the model computes: `cpu`, `cuda` or `auto`.

    Raises:
        BadInput: nothing has that name, it is not a contextual encoder, or its files are damaged.
        MissingExtra: torch is not installed.
    """
    require_package("torch", "torch")
    from wordworth.models.devices import device_of

    return load_encoder(model, dtype if device_of(device).type == "cpu" else "float32", device)


def require_encoder(model: str) -> None:
    """Check, before any weights are read, that a name names a contextual encoder.

    Raises:
        BadInput: nothing has that name, or it is a table of vectors.
    """
    require(model)
    if kind_of(model) == "static":
        raise _table(model)


def _table(model: str) -> BadInput:
    return BadInput(
        f"--models {model} names a table of word vectors, but --models takes contextual encoders",
        mend=f"give it as --vectors {model} (glove and wordllama are on the ladder already)",
    )


def parameter_count(encoder: TextEncoder) -> int:
    """Return the number of the encoder's parameters."""
    return sum(parameter.numel() for parameter in encoder.model.parameters())
