"""Torch held to one thread, so that a result does not depend on how many the machine has."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch


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
    def held(self) -> Iterator[None]:
        """One thread for torch in the calling thread, until left; entering again inside changes nothing."""
        if getattr(self._here, "held", False):
            yield
            return
        with self._lock:
            self._before = self._before if self._inside else torch.get_num_threads()
            self._inside += 1
            torch.set_num_threads(1)
        self._here.held = True
        try:
            yield
        finally:
            self._here.held = False
            with self._lock:
                self._inside -= 1
                torch.set_num_threads(self._before)


ONE_THREAD = OneThread()
"""The one of this process, for it guards what belongs to the process."""
