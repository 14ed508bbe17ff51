"""Torch held to one thread, so that a result does not depend on how many the machine has."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch


def take_one() -> int:
    """Hold torch to one thread where the calling thread computes, and return how many it had.

    The question comes first: a thread that never asked would be given the process' number at its first product.
    """
    had = torch.get_num_threads()
    torch.set_num_threads(1)
    return had


class OneThread:
    """Sums of floats depend on how they are split over threads; independent fits run side by side instead.

    Torch keeps a number of threads for each calling thread and one more for threads yet to come. The first to enter
    remembers what the process had; everyone who leaves gets it back.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._here = threading.local()
        self._inside = 0
        self._before = 1

    @contextmanager
    def held(self) -> Iterator[int]:
        """One thread for torch in the calling thread, until left; entering again inside changes nothing.

        Yields how many threads there are for pieces of work side by side: what the process had; inside again, one.
        """
        if getattr(self._here, "held", False):
            yield 1
            return
        with self._lock:
            now = take_one()
            self._before = self._before if self._inside else now
            self._inside += 1
            had = self._before
        self._here.held = True
        try:
            yield had
        finally:
            self._here.held = False
            with self._lock:
                self._inside -= 1
                torch.set_num_threads(self._before)


ONE_THREAD = OneThread()
"""The one of this process, for it guards what belongs to the process."""
