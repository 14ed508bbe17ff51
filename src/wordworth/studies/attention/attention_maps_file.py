"""Read and write attention maps as .npz files of plain arrays, which any library can write and read."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from wordworth.errors import BadInput
from wordworth.files import atomic_write
from wordworth.measures.attention_maps import AttentionMaps
from wordworth.studies.attention.maps_from_arrays import maps_of_arrays
from wordworth.text.read_compressed_file import check_file

_MEND = "give an .npz with arrays attention [layers, heads, tokens, tokens] and tokens, as numpy.savez writes"
_OPTIONAL = ("special", "word_ids", "query", "key")


def read_maps_file(path: Path) -> AttentionMaps:
    """Read attention maps from an .npz file.

    The file has the arrays `attention` and `tokens`, and may have `special`, `word_ids`, `query`, `key`, `name` and
    `sentence_b_start`, as `maps_of_arrays` describes them. In `word_ids`, a negative number stands for no word.

    Raises:
        BadInput: the file is not an .npz of arrays of numbers and texts, or the arrays do not fit each other.
    """
    check_file(path)
    try:
        with path.open("rb") as file:
            loaded = np.load(file, allow_pickle=False)
            if not isinstance(loaded, np.lib.npyio.NpzFile):
                raise BadInput("this is a single array", where=str(path), mend=_MEND)
            arrays = {name: loaded[name] for name in loaded.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile, MemoryError) as error:
        raise BadInput("this file cannot be read as an .npz", where=str(path), mend=_MEND) from error
    missing = [name for name in ("attention", "tokens") if name not in arrays]
    if missing:
        raise BadInput(f"no array {missing[0]}", where=str(path), mend=_MEND)
    optional: dict[str, Any] = {name: arrays[name] for name in _OPTIONAL if name in arrays}
    if "word_ids" in optional:
        optional["word_ids"] = [None if word < 0 else word for word in optional["word_ids"].tolist()]
    start = arrays.get("sentence_b_start")
    try:
        return maps_of_arrays(
            arrays["attention"],
            arrays["tokens"].tolist(),
            name=str(arrays.get("name", path.stem)),
            sentence_b_start=None if start is None else int(start),
            **optional,
        )
    except BadInput as error:
        raise BadInput(error.what, where=str(path), mend=error.mend) from error
    except (TypeError, ValueError) as error:
        raise BadInput(f"an array has another form ({error!s:.80})", where=str(path), mend=_MEND) from error


def write_maps_file(maps: AttentionMaps, path: Path) -> None:
    """Write attention maps to an .npz file that `read_maps_file` and numpy can read.

    If writing fails, no incomplete file is left.

    Raises:
        BadInput: the file cannot be written.
    """
    arrays: dict[str, np.ndarray] = {
        "attention": maps.weights,
        "tokens": np.array(maps.tokens, dtype=np.str_),
        "special": maps.special,
        "name": np.array(maps.name, dtype=np.str_),
    }
    if maps.second is not None:
        arrays["sentence_b_start"] = np.array(maps.second)
    if maps.words is not None:
        arrays["word_ids"] = np.where(maps.special, -1, maps.words.of_token)
    if maps.vectors is not None:
        arrays |= {"query": maps.vectors.query, "key": maps.vectors.key}
    with atomic_write(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # arrays by name
