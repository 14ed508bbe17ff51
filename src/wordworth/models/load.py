"""`load`: load an encoder or static table by name or folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from wordworth.errors import BadInput, MissingExtra
from wordworth.models.torch_start import start_torch
from wordworth.sources import Resolved, resolve

if TYPE_CHECKING:
    from wordworth.models.encoder_module import LastLayer
    from wordworth.models.static_embeddings import StaticTable
    from wordworth.models.text_encoder import TextEncoder

Wanted: TypeAlias = Literal["float32", "bfloat16", "int8", "auto"]
Loaded: TypeAlias = "TextEncoder | StaticTable"


def load(
    name_or_folder: str | Path,
    *,
    dtype: Wanted = "float32",
    threads: int | None = None,
    last_layer: LastLayer = "after_final_norm",
    kept: bool = False,
) -> Loaded:
    """Load the encoder or static table of a catalogue name, a local folder or file, or a cached hub name.

    Args:
        name_or_folder: anything that `wordworth.sources.resolve` accepts.
        dtype: dtype of an encoder's computation; vectors are always float32. `auto` is bfloat16 if the CPU has
            instructions for it, else float32.
        threads: number of torch's threads in the whole process; None leaves it as it is.
        last_layer: for a model with a final norm (GPT-2), whether the last layer's states are taken after or before it;
            it has no effect on other models.
        kept: whether the results are stored or resumed; the model's files are then identified by their hashes (see
            `resolve`).

    Raises:
        BadInput: nothing has that name, or its files are damaged or do not fit each other.
        MissingExtra: it is an encoder, and torch is not installed.
    """
    resolved = resolve(str(name_or_folder), kept=kept)
    if resolved.kind == "static":
        from wordworth.models.static.read import read_resolved

        return read_resolved(resolved)
    if resolved.kind != "encoder":
        raise BadInput(f"{resolved.name!r} gives no vectors ({resolved.kind})", mend="name an encoder or a table")
    return _encoder(resolved, dtype, threads, last_layer)


def _encoder(resolved: Resolved, dtype: Wanted, threads: int | None, last_layer: LastLayer) -> TextEncoder:
    try:
        start_torch()
        from wordworth.models.read_encoder import read_encoder
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise MissingExtra("torch", "torch") from error
    return read_encoder(resolved.folder, name=_short(resolved), dtype=dtype, threads=threads, last_layer=last_layer)


def _short(resolved: Resolved) -> str:
    return resolved.folder.name if resolved.place == "folder" else resolved.name
