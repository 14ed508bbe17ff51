"""What is made once, however many threads ask for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

Made = TypeVar("Made")


class SingleFlight(Generic[Made]):
    """Values by key, made at the first call; who asks meanwhile waits for the one who makes it.

    A failure is told to all who wait and is not kept.
    """

    def __init__(self, most: int | None = None) -> None:
        """The last `most` values are kept; all where None."""
        self._most, self._lock = most, Lock()
        self._known: OrderedDict[Hashable, Future[Made]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """The value under `key`, or what `make` gives."""
        with self._lock:
            mine = key not in self._known
            future = self._known.setdefault(key, Future())
            self._known.move_to_end(key)
            while self._most is not None and len(self._known) > self._most:
                self._known.popitem(last=False)
        if mine:
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
