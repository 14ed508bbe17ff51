"""`HnswGraph`: a hierarchical navigable small world graph of unit vectors, which faiss builds and searches.

The graph links each vector with some of its nearest neighbours. A search walks along the links from vector to vector,
and so compares a query with few vectors (Malkov and Yashunin 2018, arXiv 1603.09320). The search can miss some of the
nearest vectors. The share of the nearest vectors that it finds, the recall, grows with the number of candidates that
the search keeps (efSearch).

Vectors in the graph are float16. This module is the only one that imports faiss.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, require_package
from wordworth.measures.weighted_sums import Flags, Floats, Integers

BLOCK = 4_096
"""Number of vectors that are added at once; the links depend on it."""


class HnswGraph:
    """An HNSW graph of unit vectors, which are numbered from 0 in the order in which they were added.

    Attributes:
        faiss_index: faiss' `IndexHNSWSQ`, whose vectors are float16.
    """

    def __init__(self, faiss_index: Any) -> None:  # noqa: ANN401 - faiss has no types
        self.faiss_index = faiss_index

    def __len__(self) -> int:
        return int(self.faiss_index.ntotal)

    @classmethod
    def empty(cls, width: int, m: int, ef_construction: int) -> HnswGraph:
        """Return a graph without vectors.

        Args:
            width: width of a vector.
            m: number of links of a vector in each layer; twice as many in the lowest.
            ef_construction: number of candidates among which the links of a new vector are chosen.

        Raises:
            MissingExtra: faiss is not installed.
        """
        faiss = _faiss()
        made = faiss.IndexHNSWSQ(width, faiss.ScalarQuantizer.QT_fp16, m, faiss.METRIC_INNER_PRODUCT)
        made.hnsw.efConstruction = ef_construction
        made.is_trained = True  # a float16 number has no range to learn
        return cls(made)

    @classmethod
    def read(cls, path: Path, *, mapped: bool = True) -> HnswGraph:
        """Read a graph from a file that `write` wrote.

        Args:
            path: the file.
            mapped: whether the file is memory-mapped, so that it is open at once; vectors can be added only to a graph
                that is not mapped.

        Raises:
            MissingExtra: faiss is not installed.
            BadInput: the file is missing or damaged.
        """
        faiss = _faiss()
        try:
            read = faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC if mapped else 0)
        except RuntimeError as error:
            raise _damaged(path) from error
        if not isinstance(read, faiss.IndexHNSWSQ):
            raise _damaged(path)
        return cls(read)

    def write(self, path: Path) -> None:
        """Write the graph and its vectors to a file."""
        _faiss().write_index(self.faiss_index, str(path))

    def add(self, vectors: NDArray[np.float32], threads: int = 1) -> None:
        """Add vectors; with one thread the links are the same in every run that makes the same calls.

        Args:
            vectors: unit vectors, float32 [n, width].
            threads: number of threads.
        """
        # layers are drawn by the row and not by what the generator drew before, which a file does not hold
        self.faiss_index.hnsw.rng = _faiss().RandomGenerator(len(self))
        with _threads(threads):
            self.faiss_index.add(np.ascontiguousarray(vectors, np.float32))

    def candidates(self, query: Floats, number: int, ef_search: int, passing: Flags | None = None) -> Integers:
        """Return the numbers of rows that are likely the nearest to a query, in no order, int64 [at most `number`].

        Args:
            query: a unit vector, float64 [width].
            number: number of rows to return; there may be fewer.
            ef_search: number of candidates that the search keeps.
            passing: mask of the rows that may be returned, bool [rows]; None for all.
        """
        faiss = _faiss()
        chosen = {} if passing is None else {"sel": faiss.IDSelectorBitmap(np.packbits(passing, bitorder="little"))}
        settings = faiss.SearchParametersHNSW(efSearch=max(ef_search, number), **chosen)
        with _threads(1):
            _, rows = self.faiss_index.search(np.asarray(query[None], np.float32), number, params=settings)
        numbers: Integers = rows[0][rows[0] >= 0].astype(np.int64)
        return numbers


def _faiss() -> Any:  # noqa: ANN401 - faiss has no types
    require_package("faiss", "faiss", "faiss-cpu")
    import faiss

    return faiss


@contextmanager
def _threads(number: int) -> Iterator[None]:
    """Let faiss use `number` threads inside the `with` block."""
    faiss = _faiss()
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(number)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)


def _damaged(path: Path) -> BadInput:
    mend = "make it again with wordworth search hnsw"
    return BadInput("this file of the index's graph is missing or damaged", where=str(path), mend=mend)
