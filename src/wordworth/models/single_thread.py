"""Limit torch to one thread, so that a result does not depend on the machine's number of cores."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch


def take_one() -> int:
    """Limit torch to one thread in the calling thread; return the number it had.

    The number must be queried first: a thread that never queried it gets the process' number at its first product.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    return threads


class OneThread:
    """A re-entrant limit of torch to one thread, since float sums depend on how they are split; fits run in parallel.

    Torch has a number of threads for each calling thread, and one for threads to come. The first to enter saves the
    process' number; everyone who leaves restores it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._here = threading.local()
        self._inside = 0
        self._before = 1

    @contextmanager
    def held(self) -> Iterator[int]:
        """Limit torch to one thread in the calling thread, until left; entering again inside changes nothing.

        Yields the number of threads for parallel pieces of work: the process' number, or one when nested.
        """
        if getattr(self._here, "held", False):
            yield 1
            return
        with self._lock:
            current = take_one()
            self._before = self._before if self._inside else current
            self._inside += 1
            threads = self._before
        self._here.held = True
        try:
            yield threads
        finally:
            self._here.held = False
            with self._lock:
                self._inside -= 1
                torch.set_num_threads(self._before)


ONE_THREAD = OneThread()
"""The only instance, since it guards state of the process."""
