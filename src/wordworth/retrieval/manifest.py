"""`Manifest`: the file that describes an index: its model, columns, segments and deleted rows.

A segment is a set of rows that were added together, in a folder of its own.

The manifest is replaced in one step, after all files that it names are on the disk. Files that it does not name were
left by a process that was killed; the next process that writes the index removes them.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import atomic_write, write_text
from wordworth.json_file import read_object, require_fields
from wordworth.measures.weighted_sums import Integers
from wordworth.models.canary_texts import CANARIES, from_base64
from wordworth.models.prompts import NAMES, Role
from wordworth.retrieval.stored_vectors import PRECISIONS, Precision, damaged

MANIFEST = "index.json"
FORMAT = 1
_MEND = "build the index again"
_KINDS: Mapping[str, Any] = {
    "format": int,
    "model": str,
    "dtype": str,
    "long_texts": str,
    "fingerprint": str,
    "canaries": list,
    "width": int,
    "precision": str,
    "text": str,
    "id": str | None,
    "segments": list,
    "deleted": str,
    "changes": int,
}
_SEGMENT_KINDS: Mapping[str, Any] = {"name": str, "rows": int, "made_of": dict, "files": dict}
_GRAPH_KINDS: Mapping[str, Any] = {
    "name": str,
    "rows": int,
    "size": int,
    "m": int,
    "ef_construction": int,
    "ef_search": int | None,
    "k": int,
    "recall": int | float,
    "low": int | float,
    "high": int | float,
    "queries": int,
    "deleted": str,
}
_OURS = re.compile(
    r"segment-\d{5}|deleted-\d{5}\.npy|graph-\d{5}\.faiss|\.(segment|deleted|graph)-.*\.(part|old)|\.index\.json\..*\.part"
)


@dataclass(frozen=True, slots=True)
class Segment:
    """Rows that were added to an index together, in a folder that is never changed.

    Attributes:
        name: name of the segment's folder in the index.
        rows: number of rows.
        made_of: name -> value of everything that the segment's files depend on: hashes of the texts and of the model's
            files, and settings.
        files: name of each file -> its size in bytes.
    """

    name: str
    rows: int
    made_of: Mapping[str, str]
    files: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphDescription:
    """Description of the HNSW graph of an index, and the recall that was measured with it.

    Attributes:
        name: name of the graph's file in the index.
        rows: number of rows that the graph holds: the first ones of the index, deleted ones included.
        size: size of the file in bytes.
        m: number of links of a vector in each layer; twice as many in the lowest.
        ef_construction: number of candidates among which the links of a vector were chosen.
        ef_search: number of candidates that a search keeps; None if the recall was not measured since rows were last
            added to the graph.
        k: number of results for which recall was measured.
        recall: the share of the `k` nearest texts that a search finds, from 0 to 1.
        low: lower end of the 95 % interval of the recall.
        high: upper end of that interval.
        queries: number of queries on which recall was measured.
        deleted: name of the file of deleted rows when recall was measured; empty if no row was deleted.
    """

    name: str
    rows: int
    size: int
    m: int
    ef_construction: int
    ef_search: int | None = None
    k: int = 0
    recall: float = 0.0
    low: float = 0.0
    high: float = 0.0
    queries: int = 0
    deleted: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The description of an index, which is stored beside its rows.

    Attributes:
        model: name or path of the model, as the user wrote it.
        dtype: data type that the model computed in.
        long_texts: how texts above the model's maximum length were encoded: `window` (whole, in overlapping windows),
            `cut` (their beginning) or `error` (refused).
        prompts: role (query or document) -> the text that the model puts before texts of this role; empty if the model
            has no separate prompts for queries and documents.
        fingerprint: hash of everything that decides the model's vectors of documents.
        canaries: the model's vectors of the canaries (fixed texts by which models are told apart), in base64.
        width: width of a vector.
        precision: how vectors are stored.
        text: the column of texts.
        id: the column of ids; None if the id of a row is its number.
        segments: the segments in the order in which they were added; rows are numbered through them from 0.
        deleted: name of the file with the numbers of deleted rows; empty if no row is deleted.
        changes: number of changes to the index so far.
        dense_weight: weight w of the ranking by vectors in the method `hybrid`, from 0 to 1; the ranking by words has
            the weight 1 - w.
        graph: the graph for approximate search; None for an index without a graph.
    """

    model: str
    dtype: str
    long_texts: str
    fingerprint: str
    canaries: tuple[str, ...]
    width: int
    precision: Precision
    text: str
    id: str | None
    segments: tuple[Segment, ...] = ()
    deleted: str = ""
    changes: int = 0
    dense_weight: float = 0.5
    graph: GraphDescription | None = None
    prompts: Mapping[Role, str] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Number of rows, deleted ones included."""
        return sum(segment.rows for segment in self.segments)

    def canary_vectors(self, folder: Path) -> NDArray[np.float32]:
        """Return the model's vectors of the canaries (fixed texts by which models are told apart).

        The vectors are decoded from this manifest.

        Args:
            folder: the folder of the index, which only the error names.

        Returns:
            float32 [canaries, width].

        Raises:
            BadInput: the stored vectors are damaged.
        """
        try:
            vectors = np.stack([from_base64(text) for text in self.canaries])
        except (ValueError, TypeError) as error:
            raise damaged(folder / MANIFEST) from error
        if vectors.shape != (len(CANARIES), self.width):
            raise damaged(folder / MANIFEST)
        return vectors

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Read the manifest of an index, and check that the folder has all files that it names, with their sizes.

        Raises:
            BadInput: there is no index here, a newer version wrote it, or a file is missing or damaged.
        """
        path = folder / MANIFEST
        if not path.exists():
            mend = "make one with wordworth search build, or check the path"
            raise BadInput("there is no index here", where=str(folder), mend=mend)
        raw = read_object(path, _MEND)
        require_fields(raw, _KINDS, str(path), _MEND)
        if raw["format"] > FORMAT:
            raise BadInput("a newer version of Wordworth made this index", where=str(folder), mend="update Wordworth")
        for entry in raw["segments"]:
            require_fields(entry if isinstance(entry, dict) else {}, _SEGMENT_KINDS, str(path), _MEND)
        if raw["precision"] not in PRECISIONS:
            raise damaged(path)
        segments = tuple(Segment(**{name: entry[name] for name in _SEGMENT_KINDS}) for entry in raw["segments"])
        known = {name: raw[name] for name in _KINDS if name != "format"}
        known["dense_weight"] = weight = raw.get("dense_weight", 0.5)
        if not isinstance(weight, int | float) or not 0 <= weight <= 1:
            raise damaged(path)
        known["prompts"] = _prompts_of(raw.get("prompts", {}), path)
        known["graph"] = _graph_of(raw.get("graph"), path)
        manifest = cls(**{**known, "segments": segments, "canaries": tuple(raw["canaries"])})
        manifest.require_files(folder)
        return manifest

    def require_files(self, folder: Path) -> None:
        """Check that all files of the segments (sets of rows added together) exist, with the sizes in this manifest.

        Raises:
            BadInput: a file is missing or has another size.
        """
        for segment in self.segments:
            for name, size in segment.files.items():
                path = folder / segment.name / name
                if not path.is_file() or path.stat().st_size != size:
                    raise damaged(path)

    def write(self, folder: Path) -> Manifest:
        """Make this the manifest of an index, and remove the index's files that it does not name.

        Returns:
            The manifest as written, with `changes` one higher.

        Raises:
            BadInput: the manifest cannot be written.
        """
        counted = replace(self, changes=self.changes + 1)
        content = {"format": FORMAT, **asdict(counted)}
        write_text(folder / MANIFEST, json.dumps(content, indent=1, sort_keys=True) + "\n")
        counted.sweep(folder)
        return counted

    def sweep(self, folder: Path) -> None:
        """Remove replaced or incomplete files: segments, deleted rows and graphs that this manifest does not name."""
        named = {self.deleted, *(segment.name for segment in self.segments)}
        named |= set() if self.graph is None else {self.graph.name}
        for path in folder.iterdir():
            if _OURS.fullmatch(path.name) and path.name not in named:
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)

    def next_name(self, kind: str) -> str:
        """Return an unused name of a file or folder of the index: its kind and a number, such as `segment-00003`."""
        return f"{kind}-{self.changes:05}"

    def deleted_rows(self, folder: Path) -> Integers:
        """Return the numbers of the deleted rows, ascending, int64 [deleted].

        Raises:
            BadInput: the file with the numbers is damaged.
        """
        if not self.deleted:
            return np.zeros(0, np.int64)
        try:
            rows = np.load(folder / self.deleted, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise damaged(folder / self.deleted) from error
        if rows.ndim != 1 or rows.dtype != np.int64 or (len(rows) and not 0 <= rows[0] <= rows[-1] < self.rows):
            raise damaged(folder / self.deleted)
        return cast("Integers", rows)

    def with_deleted(self, folder: Path, rows: Integers) -> Manifest:
        """Write the file of deleted rows, and return a manifest that names it; `write` then makes the deletion valid.

        Args:
            folder: folder of the index.
            rows: numbers of all deleted rows, earlier ones included, int64 [n].

        Raises:
            BadInput: the file cannot be written.
        """
        name = self.next_name("deleted") + ".npy"
        with atomic_write(folder / name) as neighbour, neighbour.open("wb") as file:
            np.save(file, np.unique(rows).astype(np.int64))
        return replace(self, deleted=name)


def _prompts_of(raw: object, path: Path) -> dict[Role, str]:
    """Return role -> prompt from the JSON value in a manifest; {} without separate prompts by role."""
    if raw == {}:
        return {}
    entry = raw if isinstance(raw, dict) else {}
    require_fields(entry, dict.fromkeys(NAMES, str), str(path), _MEND)
    return {role: entry[role] for role in NAMES}


def _graph_of(raw: object, path: Path) -> GraphDescription | None:
    """Return the description of the graph from its JSON value in a manifest; None for null, without a graph."""
    if raw is None:
        return None
    entry = raw if isinstance(raw, dict) else {}
    require_fields(entry, _GRAPH_KINDS, str(path), _MEND)
    return GraphDescription(**{name: entry[name] for name in _GRAPH_KINDS})


def files_of(folder: Path) -> dict[str, int]:
    """Return a dict of the files in a folder: name -> size in bytes."""
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
