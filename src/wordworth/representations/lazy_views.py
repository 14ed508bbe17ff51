"""Views computed when first used, and features of pairs of vectors."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Features
from wordworth.tasks.task import Rows

_TINY = 1e-12

Made = TypeVar("Made")


class Lazy(Mapping[str, Made]):
    """Values by name, each computed at its first use."""

    def __init__(self, makers: Mapping[str, Callable[[], Made]]) -> None:
        self._makers = dict(makers)
        self._made: dict[str, Made] = {}

    def __getitem__(self, view: str) -> Made:
        if view not in self._made:
            self._made[view] = self._makers[view]()
        return self._made[view]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


class LazyViews(Lazy[Features]):
    """Views by name, each computed at its first use: a fitted rung predicts from one view and pays for one."""


class IndexedView(Mapping[str, Features]):
    """One view of the words in a text: the row of a word is stored once, however often it occurs.

    Looked up by name, the view is as long as the text, and is not cached; `at` returns selected rows.
    """

    def __init__(self, view: str, distinct: NDArray[np.float32], places: Rows) -> None:
        """Row i of the view is `distinct[places[i]]`."""
        self._view, self._distinct, self._places = view, distinct, places

    def __getitem__(self, view: str) -> NDArray[np.float32]:
        if view != self._view:
            raise KeyError(view)
        return self._distinct[self._places]

    def __iter__(self) -> Iterator[str]:
        yield self._view

    def __len__(self) -> int:
        return 1

    def at(self, rows: Rows) -> Mapping[str, Features]:
        """Return the view restricted to `rows`."""
        return LazyViews({self._view: lambda: self._distinct[self._places[rows]]})


def take_rows(views: Mapping[str, Features], rows: Rows) -> Mapping[str, Features]:
    """Return every view restricted to `rows`."""
    return views.at(rows) if isinstance(views, IndexedView) else ViewsAt(views, rows)


class ViewsAt(Mapping[str, Features]):
    """Every view restricted to some rows, which are taken at a view's first use."""

    def __init__(self, views: Mapping[str, Features], rows: Rows) -> None:
        self._views, self._rows = views, rows
        self._taken: dict[str, Features] = {}

    def __getitem__(self, view: str) -> Features:
        if view not in self._taken:
            self._taken[view] = self._views[view][self._rows]
        return self._taken[view]

    def __iter__(self) -> Iterator[str]:
        return iter(self._views)

    def __len__(self) -> int:
        return len(self._views)


def pair_features(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return `[u, v, |u - v|, u * v, cosine]`, float32 [n, 4 d + 1] (InferSent, Conneau et al. 2017, with cosine)."""
    columns = (first, second, np.abs(first - second), first * second, cosines(first, second)[:, None])
    return np.concatenate(columns, axis=1, dtype=np.float32)


def pair_distances(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return only how near two vectors are: cosine, Euclidean and city-block distance, float32 [n, 3].

    With few labels the one informative column among 4 d is not found; as a view of its own it costs none.
    """
    difference = first - second
    columns = (cosines(first, second), np.linalg.norm(difference, axis=1), np.abs(difference).sum(1))
    return np.stack(columns, axis=1).astype(np.float32)


def cosines(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return float32 [n], the cosine of each pair of rows; 0 where one of them is zero."""
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    values: NDArray[np.float32] = np.einsum("nd,nd->n", first, second) / np.maximum(lengths, _TINY)
    return values


def of_pairs(views: Mapping[str, tuple[NDArray[np.float32], NDArray[np.float32]]]) -> dict[str, Features]:
    """Return two views for each view of both texts: all pair features, and the distances alone."""
    wholes: dict[str, Features] = {view: pair_features(*both) for view, both in views.items()}
    return wholes | {f"{view}-likeness": pair_distances(*both) for view, both in views.items()}


class SingleFlight(Generic[Made]):
    """Values by key, computed at the first call; other threads that request one meanwhile wait for it.

    A failure is raised in all threads that wait and is not cached.
    """

    def __init__(self, most: int | None = None) -> None:
        """Cache the last `most` values; all if None."""
        self._most, self._lock = most, Lock()
        self._known: OrderedDict[Hashable, Future[Made]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return the value of `key`, computing it with `make` if needed."""
        with self._lock:
            is_first = key not in self._known
            future = self._known.setdefault(key, Future())
            self._known.move_to_end(key)
            while self._most is not None and len(self._known) > self._most:
                self._known.popitem(last=False)
        if is_first:
            self._make(key, future, make)
        return future.result()

    def _make(self, key: Hashable, future: Future[Made], make: Callable[[], Made]) -> None:
        try:
            future.set_result(make())
        except BaseException as error:
            with self._lock:
                if self._known.get(key) is future:
                    del self._known[key]
            future.set_exception(error)
            raise
