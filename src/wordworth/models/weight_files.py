"""Find and read the files of a checkpoint folder: config, and weights as safetensors, shards or an old `.bin`.

ELMo was published in two files of its own, `…options.json` and `…weights.hdf5`.
"""

from __future__ import annotations

from pathlib import Path

from torch import Tensor

from wordworth.errors import BadInput
from wordworth.json_file import read_object
from wordworth.models.hdf5_file import read_hdf5
from wordworth.models.safetensors_file import read_safetensors
from wordworth.models.torch_file import read_torch_file

_AGAIN = "fetch the checkpoint again, or run again what made it"
_READERS = {".safetensors": read_safetensors, ".hdf5": read_hdf5}
_WHOLE = ("model.safetensors", "pytorch_model.bin")
PUBLISHED_OPTIONS, PUBLISHED_WEIGHTS = "options.json", "weights.hdf5"
"""Endings of the names of ELMo's two files."""


def config_file(folder: Path) -> Path:
    """Path of the folder's `config.json`, or of an ELMo's options if there is none.

    Raises:
        BadInput: there are several options files.
    """
    published = None if (folder / "config.json").exists() else _published(folder, PUBLISHED_OPTIONS)
    return published or folder / "config.json"


def _published(folder: Path, ending: str) -> Path | None:
    paths = sorted(folder.glob(f"*{ending}"))
    if len(paths) > 1:
        names = ", ".join(path.name for path in paths)
        raise BadInput(f"several models here: {names}", where=str(folder), mend="give each a folder of its own")
    return paths[0] if paths else None


def weight_files(folder: Path) -> list[Path]:
    """Paths of the folder's weight files, safetensors before `.bin`.

    Raises:
        BadInput: there are none, several ELMos, or a shard of the index is missing.
    """
    for name in _WHOLE:
        index = folder / f"{name}.index.json"
        if (folder / name).is_file():
            return [folder / name]
        if index.is_file():
            return _shards(index)
    published = _published(folder, PUBLISHED_WEIGHTS)
    if published is not None:
        return [published]
    raise BadInput("no weights here", where=str(folder), mend=f"expected {' or '.join(_WHOLE)}")


def read_weights(folder: Path) -> dict[str, Tensor]:
    """Read every tensor of the checkpoint by name.

    Raises:
        BadInput: a file is missing, unreadable, truncated or not what its name says; two shards hold the same name.
    """
    tensors: dict[str, Tensor] = {}
    for path in weight_files(folder):
        part = _READERS.get(path.suffix, read_torch_file)(path)
        duplicates = tensors.keys() & part.keys()
        if duplicates:
            raise BadInput(f"{min(duplicates)!r} is in two shards", where=str(path), mend=_AGAIN)
        tensors |= part
    return tensors


def _shards(index: Path) -> list[Path]:
    names = read_object(index, _AGAIN).get("weight_map")
    if not isinstance(names, dict) or not names:
        raise BadInput("this index names no shards", where=str(index), mend=_AGAIN)
    odd = [shard for shard in names.values() if not isinstance(shard, str)]
    if odd:
        raise BadInput(f"a shard of this index is {odd[0]!r:.60}, not a file name", where=str(index), mend=_AGAIN)
    paths = [index.parent / name for name in sorted(set(names.values()))]
    for path in paths:
        if path.parent != index.parent or not path.is_file():
            raise BadInput(f"shard {path.name!r} is missing", where=str(index.parent), mend=_AGAIN)
    return paths
