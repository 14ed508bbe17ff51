"""`GivenVectors`: vectors of texts from a file, such as `embed` writes, held to be those of the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.measures.words.similarity import cosines
from wordworth.models.load import Loaded
from wordworth.models.static.weights import mapped
from wordworth.models.vector_space import SAME
from wordworth.progress import UNREPORTED
from wordworth.sources import short_name
from wordworth.text.windows import LongTexts

COMPARED = 16
"""Rows whose vectors are computed anew."""
_AT_ONCE = 4_096
_MEND = "give a .npy of float numbers [rows, width], or a .parquet with a column `vector`, as embed writes them"


@dataclass(frozen=True, slots=True)
class GivenVectors:
    """A file of vectors.

    Attributes:
        path: a `.npy` [rows, width], or a `.parquet` with a column `vector`.
        shape: number of vectors, and their width.
    """

    path: Path
    shape: tuple[int, int]

    @classmethod
    def open(cls, path: Path) -> GivenVectors:
        """Open a file of vectors.

        Raises:
            BadInput: it is missing, damaged, or holds no vectors.
        """
        if path.suffix == ".parquet":
            rows, first = _parquet_rows(path), next(_parquet_blocks(path), np.zeros((0, 0), np.float32))
            return cls(path, (rows, first.shape[1]))
        vectors = mapped(path)
        return cls(path, (vectors.shape[0], vectors.shape[1]))

    def blocks(self) -> Iterator[NDArray[np.float32]]:
        """Yield the vectors from the first on, float32 [n, width] at a time.

        Raises:
            BadInput: the file is damaged.
        """
        if self.path.suffix == ".parquet":
            yield from _parquet_blocks(self.path)
        else:
            yield from _npy_blocks(self.path)

    def compared_rows(self) -> NDArray[np.int64]:
        """Return the numbers of the rows to compare, spread over the file."""
        return np.unique(np.linspace(0, self.shape[0] - 1, min(COMPARED, self.shape[0])).astype(np.int64))

    def require_of(self, model: Loaded, texts: Sequence[str], long_texts: LongTexts) -> None:
        """Make sure that the vectors of the rows to compare are those that the model gives.

        Args:
            model: the model.
            texts: the text of each row to compare.
            long_texts: how long texts are read.

        Raises:
            BadInput: one is not.
        """
        rows = self.compared_rows()
        vectors, own = self._chosen(rows), model.encode(list(texts), long_texts=long_texts, progress=UNREPORTED)
        same = (cosines(vectors, own) >= SAME) | (~vectors.any(axis=1) & ~own.any(axis=1))
        if not same.all():
            row, name = rows[~same][0], short_name(model.name)
            what = f"the vector of row {row} (the first is 0) is not what {name} gives for its text"
            mend = "give the vectors of these texts in this order by this model, or leave --vectors out"
            raise BadInput(what, where=str(self.path), mend=mend)

    def _chosen(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of some rows, which are in order."""
        if self.path.suffix != ".parquet":
            return np.asarray(mapped(self.path)[rows], np.float32)
        chosen, start = [], 0
        for block in self.blocks():
            chosen.append(block[rows[(rows >= start) & (rows < start + len(block))] - start])
            start += len(block)
        return np.concatenate(chosen)


def _npy_blocks(path: Path) -> Iterator[NDArray[np.float32]]:
    """Yield the vectors of a `.npy`; they are read and not mapped, as mapped pages stay in memory."""
    vectors = mapped(path)
    if not isinstance(vectors, np.memmap) or not vectors.flags.c_contiguous:
        for start in range(0, len(vectors), _AT_ONCE):
            yield np.asarray(vectors[start : start + _AT_ONCE], np.float32)
        return
    rows, width = vectors.shape
    with path.open("rb") as file:
        file.seek(vectors.offset)
        for start in range(0, rows, _AT_ONCE):
            numbers = np.fromfile(file, vectors.dtype, min(_AT_ONCE, rows - start) * width)
            yield np.asarray(numbers.reshape(-1, width), np.float32)


def _parquet_rows(path: Path) -> int:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        metadata = parquet.read_metadata(path)
        names = parquet.read_schema(path).names
    except (pa.ArrowException, OSError) as error:
        raise BadInput("this is no whole file of vectors", where=str(path), mend=_MEND) from error
    if "vector" not in names:
        raise BadInput("this file has no column 'vector'", where=str(path), mend=_MEND)
    return int(metadata.num_rows)


def _parquet_blocks(path: Path) -> Iterator[NDArray[np.float32]]:
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=_AT_ONCE, columns=["vector"]):
            column = batch.column(0)
            flat = np.asarray(column.flatten().to_numpy(zero_copy_only=False), np.float32)
            if column.null_count or len(flat) % max(1, len(batch)):
                raise BadInput("vectors of this file differ in width", where=str(path), mend=_MEND)
            yield flat.reshape(len(batch), -1)
