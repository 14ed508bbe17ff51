"""Independent pieces of work on as many threads as torch was given, each piece on one.

What a piece computes cannot depend on how many threads there are, so the same input gives the same bytes on one or on
eight. It is also faster than sharing every product: nobody waits at a barrier for a neighbour who was held up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

import torch

_Piece = TypeVar("_Piece")
_Result = TypeVar("_Result")


def side_by_side(work: Callable[[_Piece], _Result], pieces: Iterable[_Piece]) -> Iterator[_Result]:
    """`work(piece)` for every piece, in order; pieces are taken as they are needed, twice as many as threads."""
    with one_thread_each() as threads:
        if threads == 1:
            yield from map(work, pieces)
        else:
            yield from _spread(work, iter(pieces), threads)


@contextmanager
def one_thread_each() -> Iterator[int]:
    """Let torch compute on one thread only inside, and yield how many it had."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield threads
    finally:
        torch.set_num_threads(threads)


def _spread(work: Callable[[_Piece], _Result], pieces: Iterator[_Piece], threads: int) -> Iterator[_Result]:
    pool = ThreadPoolExecutor(threads, "wordworth", initializer=torch.set_num_threads, initargs=(1,))
    try:
        waiting: deque[Future[_Result]] = deque(pool.submit(work, piece) for piece in islice(pieces, 2 * threads))
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(work, piece) for piece in islice(pieces, 1))
    finally:
        pool.shutdown(cancel_futures=True)
