"""Prefetching: a thread makes the next batches while the current one is trained on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from queue import Empty, Queue
from typing import TypeVar

_Item = TypeVar("_Item")
_POLL_S = 0.1


def prefetch(items: Iterator[_Item], depth: int = 2) -> Iterator[_Item]:
    """Yield the items of an iterator in order, while a thread computes further items in advance.

    An error raised by `items` is raised here in place of the item. Closing the iterator ends the thread.

    Args:
        items: the iterator.
        depth: most items that are computed in advance.
    """
    queue: Queue[tuple[_Item | None, BaseException | None]] = Queue(depth)
    stopped = threading.Event()
    thread = threading.Thread(target=_fill, args=(items, queue, stopped), name="batches ahead", daemon=True)
    thread.start()
    try:
        while True:
            item, error = queue.get()
            if isinstance(error, StopIteration):
                return
            if error is not None:
                raise error
            yield item  # type: ignore[misc]  # without an error there is an item
    finally:
        stopped.set()
        while thread.is_alive():  # it may wait for room
            _drain(queue)
            thread.join(_POLL_S)


def _fill(
    items: Iterator[_Item], queue: Queue[tuple[_Item | None, BaseException | None]], stopped: threading.Event
) -> None:
    try:
        for item in items:
            queue.put((item, None))
            if stopped.is_set():
                return
        queue.put((None, StopIteration()))
    except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits for it
        queue.put((None, error))


def _drain(queue: Queue[tuple[_Item | None, BaseException | None]]) -> None:
    try:
        while True:
            queue.get_nowait()
    except Empty:
        return
