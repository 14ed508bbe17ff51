"""Run independent pieces of work on as many threads as torch has, each piece on one thread.

A piece's result cannot depend on the number of threads, so the same input gives the same bytes on one thread or eight.
It is also faster than sharing every product, since no thread waits at a barrier for a slower one.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from itertools import chain, islice
from typing import TypeVar

from wordworth.models.single_thread import ONE_THREAD, take_one

_Piece = TypeVar("_Piece")
_Result = TypeVar("_Result")


def side_by_side(work: Callable[[_Piece], _Result], pieces: Iterable[_Piece]) -> Iterator[_Result]:
    """Yield `work(piece)` for every piece, in order; pieces are taken lazily, up to twice as many as threads.

    A single piece runs on the caller's thread.
    """
    with ONE_THREAD.held() as threads:
        remaining = iter(pieces)
        first = list(islice(remaining, 2 * threads))
        if threads == 1 or len(first) < 2:  # noqa: PLR2004 - a single piece needs no pool
            yield from map(work, chain(first, remaining))
        else:
            yield from _spread(work, first, remaining, _pool(threads, os.getpid()))


@cache
def _pool(threads: int, process: int) -> ThreadPoolExecutor:  # noqa: ARG001 - a forked child needs threads of its own
    """A permanent pool of threads: oneDNN caches what it prepares for a shape per thread."""
    return ThreadPoolExecutor(threads, "wordworth", initializer=take_one)


def _spread(
    work: Callable[[_Piece], _Result], first: list[_Piece], remaining: Iterator[_Piece], pool: ThreadPoolExecutor
) -> Iterator[_Result]:
    waiting: deque[Future[_Result]] = deque(pool.submit(work, piece) for piece in first)
    try:
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(work, piece) for piece in islice(remaining, 1))
    finally:
        wait([future for future in waiting if not future.cancel()])
