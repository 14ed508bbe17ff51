"""Independent pieces of work on as many threads as torch was given, each piece on one.

What a piece computes cannot depend on how many threads there are, so the same input gives the same bytes on one or on
eight. It is also faster than sharing every product: nobody waits at a barrier for a neighbour who was held up.
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
    """`work(piece)` for every piece, in order; pieces are taken as they are needed, twice as many as threads.

    A single piece stays on the caller's thread.
    """
    with ONE_THREAD.held() as threads:
        coming = iter(pieces)
        first = list(islice(coming, 2 * threads))
        if threads == 1 or len(first) < 2:  # noqa: PLR2004 - one piece needs no company
            yield from map(work, chain(first, coming))
        else:
            yield from _spread(work, first, coming, _pool(threads, os.getpid()))


@cache
def _pool(threads: int, process: int) -> ThreadPoolExecutor:  # noqa: ARG001 - a forked child needs threads of its own
    """Threads that stay: what oneDNN prepares for a shape belongs to the thread that met it."""
    return ThreadPoolExecutor(threads, "wordworth", initializer=take_one)


def _spread(
    work: Callable[[_Piece], _Result], first: list[_Piece], coming: Iterator[_Piece], pool: ThreadPoolExecutor
) -> Iterator[_Result]:
    waiting: deque[Future[_Result]] = deque(pool.submit(work, piece) for piece in first)
    try:
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(work, piece) for piece in islice(coming, 1))
    finally:
        wait([future for future in waiting if not future.cancel()])
