"""`load`: from a name or a folder to something that turns texts into vectors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from wordworth.errors import BadInput, MissingExtra
from wordworth.models.torch_start import start_torch
from wordworth.sources import Resolved, resolve

if TYPE_CHECKING:
    from wordworth.models.static_embeddings import StaticTable
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.models.transformer_layers import LastLayer

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
    """The encoder or static table of a catalogue name, a local folder or file, or a cached hub name.

    Args:
        name_or_folder: what `wordworth.sources.resolve` understands.
        dtype: of an encoder's computation; vectors come back as float32. `auto` is bfloat16 where the CPU has
            instructions for it, else float32.
        threads: how many torch uses, in the whole process; None leaves it as it is.
        last_layer: of a model that ends with a norm of its own (GPT-2), whether the last layer's states are taken after
            it or before; no other model has the choice.
        kept: whether what the model says is kept or resumed: its files are then known by their bytes (`resolve`).

    Raises:
        BadInput: nothing has that name, or its files are damaged or do not fit each other.
        MissingExtra: it is an encoder, and torch is not installed.
    """
    found = resolve(str(name_or_folder), kept=kept)
    if found.kind == "static":
        from wordworth.models.static.read import read_resolved

        return read_resolved(found)
    if found.kind != "encoder":
        raise BadInput(f"{found.name!r} is {found.kind}, nothing that makes vectors", mend="name an encoder or a table")
    return _encoder(found, dtype, threads, last_layer)


def _encoder(found: Resolved, dtype: Wanted, threads: int | None, last_layer: LastLayer) -> TextEncoder:
    try:
        start_torch()
        from wordworth.models.read_encoder import read_encoder
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise MissingExtra("torch", "torch") from error
    return read_encoder(found.folder, name=_short(found), dtype=dtype, threads=threads, last_layer=last_layer)


def _short(found: Resolved) -> str:
    return found.folder.name if found.place == "folder" else found.name
