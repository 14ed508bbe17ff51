"""Run independent pieces of work on as many threads as torch has, each piece on one thread.

A piece's result cannot depend on the number of threads, so the same input gives the same bytes on one thread or eight.
This is also faster than computing each matrix product on all threads, since no thread waits for a slower one.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from itertools import chain, islice
from typing import TypeVar

import torch

_Piece = TypeVar("_Piece")
_Result = TypeVar("_Result")


def parallel_map(work: Callable[[_Piece], _Result], pieces: Iterable[_Piece]) -> Iterator[_Result]:
    """Apply a function to every piece of work, on as many threads as torch has; yield the results in order.

    Pieces are taken lazily, up to twice as many as threads. A single piece runs on the caller's thread.

    Args:
        work: the function, which is called with one piece at a time.
        pieces: the pieces of work.
    """
    with ONE_THREAD.limit() as threads:
        remaining = iter(pieces)
        first = list(islice(remaining, 2 * threads))
        if threads == 1 or len(first) < 2:  # noqa: PLR2004 - a single piece needs no pool
            yield from map(work, chain(first, remaining))
        else:
            yield from _in_order(work, first, remaining, _pool(threads, os.getpid()))


@cache
def _pool(threads: int, process: int) -> ThreadPoolExecutor:  # noqa: ARG001 - a forked child needs threads of its own
    """Return the permanent pool of threads of a process: oneDNN caches per thread what it prepares for a shape."""
    return ThreadPoolExecutor(threads, "wordworth", initializer=limit_to_one_thread)


def _in_order(
    work: Callable[[_Piece], _Result], first: list[_Piece], remaining: Iterator[_Piece], pool: ThreadPoolExecutor
) -> Iterator[_Result]:
    waiting: deque[Future[_Result]] = deque(pool.submit(work, piece) for piece in first)
    try:
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(work, piece) for piece in islice(remaining, 1))
    finally:
        wait([future for future in waiting if not future.cancel()])


def limit_to_one_thread() -> int:
    """Limit torch to one thread in the calling thread; return the number of threads that it had.

    A thread must read its number of threads from torch before it sets the number: otherwise its first matrix product
    resets the number to the number of the process.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    return threads


class OneThread:
    """A re-entrant limit of torch to one thread, so that sums do not depend on how threads share them.

    Torch keeps a number of threads for each calling thread, and a number for the process, with which new threads start.
    The first caller to enter saves the number of the process; every caller that leaves restores this number.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._here = threading.local()
        self._inside = 0
        self._before = 1

    @contextmanager
    def limit(self) -> Iterator[int]:
        """Limit torch to one thread in the calling thread inside the `with` block; nested blocks change nothing.

        Yields the number of threads for parallel pieces of work: the process's number, or 1 when nested.
        """
        if getattr(self._here, "is_limited", False):
            yield 1
            return
        with self._lock:
            current = limit_to_one_thread()
            self._before = self._before if self._inside else current
            self._inside += 1
            threads = self._before
        self._here.is_limited = True
        try:
            yield threads
        finally:
            self._here.is_limited = False
            with self._lock:
                self._inside -= 1
                torch.set_num_threads(self._before)


ONE_THREAD = OneThread()
"""The only instance, since it guards state of the process."""
