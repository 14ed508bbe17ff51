"""Views (feature sets) computed at their first use, features of pairs of vectors, and a cache for several threads."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import Future
from functools import partial
from threading import Lock
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Features
from wordworth.tasks.task import Rows

_TINY = 1e-12

Value = TypeVar("Value")


class Lazy(Mapping[str, Value]):
    """A mapping whose values are computed at their first use, so that values that nobody reads cost nothing."""

    def __init__(self, makers: Mapping[str, Callable[[], Value]]) -> None:
        self._makers = dict(makers)
        self._made: dict[str, Value] = {}

    def __getitem__(self, view: str) -> Value:
        if view not in self._made:
            self._made[view] = self._makers[view]()
        return self._made[view]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


class RepeatedRows(Mapping[str, Features]):
    """A mapping from the name of a view (feature set), its only key, to the features of every word of the texts.

    Only the features of each distinct word are stored. The matrix, float32 with a row for every word of the texts, is
    put together from them at each access.
    """

    def __init__(self, view: str, distinct: NDArray[np.float32], indices: Rows) -> None:
        """Make the mapping of the name `view` to a matrix whose row i is `distinct[indices[i]]`."""
        self._view, self._distinct, self._indices = view, distinct, indices

    def __getitem__(self, view: str) -> NDArray[np.float32]:
        if view != self._view:
            raise KeyError(view)
        return self._distinct[self._indices]

    def __iter__(self) -> Iterator[str]:
        yield self._view

    def __len__(self) -> int:
        return 1

    def at(self, rows: Rows) -> Mapping[str, Features]:
        """Return a mapping with the same key to some rows of the matrix, that is, to the features of some of the words.

        Args:
            rows: int64 [n], the indices of the rows.
        """
        return Lazy({self._view: lambda: self._distinct[self._indices[rows]]})


def take_rows(views: Mapping[str, Features], rows: Rows) -> Mapping[str, Features]:
    """Return every view (name -> features) restricted to some rows.

    Args:
        views: name -> features, with a row for each example.
        rows: int64 [n], the indices of the rows.
    """
    if isinstance(views, RepeatedRows):
        return views.at(rows)

    def restricted(view: str) -> Features:
        return views[view][rows]

    return Lazy({view: partial(restricted, view) for view in views})


def pair_features(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return `[u, v, |u - v|, u * v, cosine]`, float32 [n, 4 d + 1] (InferSent, Conneau et al. 2017, with cosine).

    Args:
        first: float32 [n, d], the vectors u.
        second: float32 [n, d], the vectors v.
    """
    columns = (first, second, np.abs(first - second), first * second, cosines(first, second)[:, None])
    return np.concatenate(columns, axis=1, dtype=np.float32)


def pair_distances(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosine, Euclidean and city-block distance of each pair of vectors, float32 [n, 3].

    From few labelled pairs, a model does not learn the cosine from the 4 d + 1 columns of `pair_features`.

    Args:
        first: float32 [n, d].
        second: float32 [n, d].
    """
    difference = first - second
    columns = (cosines(first, second), np.linalg.norm(difference, axis=1), np.abs(difference).sum(1))
    return np.stack(columns, axis=1).astype(np.float32)


def cosines(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosine of row i of `first` with row i of `second`, float32 [n]; 0 where a row is a zero vector.

    Args:
        first: float32 [n, d].
        second: float32 [n, d].
    """
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    values: NDArray[np.float32] = np.einsum("nd,nd->n", first, second) / np.maximum(lengths, _TINY)
    return values


Makers = Mapping[str, Callable[[], NDArray[np.float32]]]
"""Name of a view -> a function that computes it, float32 [n, d]."""


def pair_views(first: Makers, second: Makers) -> dict[str, Callable[[], Features]]:
    """Return name -> function that computes a view (feature set) of text pairs from the views of their two texts.

    The arguments map the names of views to functions that compute them, float32 [pairs, d], for the first and for the
    second texts. Each view NAME of the texts gives two views of the pairs: `NAME` with all of `pair_features`, and
    `NAME-likeness` with `pair_distances` only.
    """

    def of_pairs(features: Callable[..., NDArray[np.float32]], view: str) -> Features:
        return features(first[view](), second[view]())

    makers: dict[str, Callable[[], Features]] = {}
    for view in first:
        makers[view] = partial(of_pairs, pair_features, view)
        makers[f"{view}-likeness"] = partial(of_pairs, pair_distances, view)
    return makers


class SingleFlight(Generic[Value]):
    """A cache that computes each value once: other threads that request it meanwhile wait for it.

    An exception is raised in all waiting threads and is not cached.
    """

    def __init__(self, most: int | None = None) -> None:
        """Cache the `most` values used last; None for all."""
        self._most, self._lock = most, Lock()
        self._known: OrderedDict[Hashable, Future[Value]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value stored under `key`; if nothing is stored there, compute it with `make` and store it.

        Args:
            key: the key of the value.
            make: computes the value.
        """
        with self._lock:
            is_first = key not in self._known
            future = self._known.setdefault(key, Future())
            self._known.move_to_end(key)
            while self._most is not None and len(self._known) > self._most:
                self._known.popitem(last=False)
        if is_first:
            self._make(key, future, make)
        return future.result()

    def _make(self, key: Hashable, future: Future[Value], make: Callable[[], Value]) -> None:
        try:
            future.set_result(make())
        except BaseException as error:
            with self._lock:
                if self._known.get(key) is future:
                    del self._known[key]
            future.set_exception(error)
            raise
