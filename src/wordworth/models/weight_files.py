"""The files of a checkpoint folder: its config, and one safetensors file, shards with an index, or an old `.bin`.

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
"""How the names of ELMo's two files end."""


def config_file(folder: Path) -> Path:
    """The folder's `config.json`, or the options of an ELMo where there is none.

    Raises:
        BadInput: there are several options.
    """
    published = None if (folder / "config.json").exists() else _published(folder, PUBLISHED_OPTIONS)
    return published or folder / "config.json"


def _published(folder: Path, ending: str) -> Path | None:
    found = sorted(folder.glob(f"*{ending}"))
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise BadInput(f"several models here: {names}", where=str(folder), mend="give each a folder of its own")
    return found[0] if found else None


def weight_files(folder: Path) -> list[Path]:
    """The files that hold the folder's weights, safetensors before `.bin`.

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
    """Every tensor of the checkpoint by name.

    Raises:
        BadInput: a file is missing, unreadable, truncated or false; two shards hold the same name.
    """
    tensors: dict[str, Tensor] = {}
    for path in weight_files(folder):
        part = _READERS.get(path.suffix, read_torch_file)(path)
        twice = tensors.keys() & part.keys()
        if twice:
            raise BadInput(f"{min(twice)!r} stands in two shards", where=str(path), mend=_AGAIN)
        tensors |= part
    return tensors


def _shards(index: Path) -> list[Path]:
    names = read_object(index, _AGAIN).get("weight_map")
    if not isinstance(names, dict) or not names:
        raise BadInput("this index names no shards", where=str(index), mend=_AGAIN)
    odd = [shard for shard in names.values() if not isinstance(shard, str)]
    if odd:
        raise BadInput(f"a shard of this index is {odd[0]!r:.60}, no name of a file", where=str(index), mend=_AGAIN)
    paths = [index.parent / name for name in sorted(set(names.values()))]
    for path in paths:
        if path.parent != index.parent or not path.is_file():
            raise BadInput(f"shard {path.name!r} is missing", where=str(index.parent), mend=_AGAIN)
    return paths
