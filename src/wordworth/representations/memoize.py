"""Values that are computed once, however many threads request them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

Made = TypeVar("Made")


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
