"""`VectorMetadata`: the description of a file of vectors: the model, its settings, and hashes of the input.

A `.parquet` holds the description as JSON in its metadata, under the key `wordworth`. Other formats have no metadata:
the description is a `.json` beside the file, such as `NAME.npy.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import sha256, write_text
from wordworth.json_file import differing, parse_json, read_object

KEY = b"wordworth"
"""The key in a Parquet file's metadata."""
INSIDE = ".parquet"
"""The suffix of files that hold their description themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorMetadata:
    """Description of a finished file of vectors.

    Attributes:
        model: the model's name, as the user wrote it.
        dtype: dtype of the computation; the vectors are float32.
        pooling: how the vectors of a text's tokens became one, such as `mean`; several are joined by `+`.
        version: the version of Wordworth.
        rows, width: number of vectors, and width of a vector.
        blank: number of vectors of zeros.
        unread: share, from 0 to 1, of the words or pieces of the first 1,000 texts that the model does not know.
        empty: number of rows whose text is empty or null.
        made_of: hashes of the input and of the model's files, and the settings that the vectors depend on.
    """

    model: str
    dtype: str
    pooling: str
    version: str
    rows: int
    width: int
    blank: int
    unread: float
    empty: int
    made_of: Mapping[str, str]

    def to_json(self, **more: str) -> str:
        """Return the description of a file of vectors as JSON text, with the fields `more` added."""
        return json.dumps({**asdict(self), **more}, indent=1, sort_keys=True) + "\n"

    def changed(self, made_of: Mapping[str, str]) -> list[str]:
        """Return the sorted names of everything that differs between what a file of vectors was made of and `made_of`.

        Args:
            made_of: name -> value of everything that vectors depend on, such as the model.
        """
        return differing(self.made_of, made_of)


def path_beside(out: Path) -> Path:
    """Return the path of the `.json` beside a file of vectors that cannot hold its own metadata."""
    return out.with_name(f"{out.name}.json")


def write_beside(out: Path, metadata: VectorMetadata) -> None:
    """Write the description of a file of vectors beside it, with the SHA-256 of the file that it describes.

    Args:
        out: the file of vectors.
        metadata: the description.

    Raises:
        BadInput: the description cannot be written.
    """
    write_text(path_beside(out), metadata.to_json(sha256=sha256(out)))


def read_metadata(out: Path) -> VectorMetadata | None:
    """Return the description of a file of vectors; None if the file is not there, lacks one, or was changed since.

    A description that is damaged also gives None.
    """
    if not out.exists():  # a description may stay behind when its file is removed
        return None
    raw = _of_parquet(out) if out.suffix == INSIDE else _json_beside(out)
    names = {field.name for field in fields(VectorMetadata)}
    known = {name: value for name, value in raw.items() if name in names}
    return VectorMetadata(**known) if known.keys() == names and isinstance(known["made_of"], dict) else None


def _json_beside(out: Path) -> Mapping[str, Any]:
    try:
        raw = read_object(path_beside(out))
    except BadInput:  # there is none, or it is not ours
        return {}
    return raw if raw.get("sha256") == sha256(out) else {}


def _of_parquet(out: Path) -> Mapping[str, Any]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        stored = (parquet.read_metadata(out).metadata or {}).get(KEY, b"{}")
        raw = parse_json(stored)
    except (pa.ArrowException, OSError, ValueError):  # it is no whole Parquet file, or not ours
        return {}
    return raw if isinstance(raw, dict) else {}
