"""Solvers that give the same bytes on any number of threads: one linear-algebra thread while anyone solves."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from threadpoolctl import ThreadpoolController

_SOLVERS = r"(sklearn|scipy\.optimize)\."


class Steady:
    """Holds the linear-algebra libraries to one thread, and scikit-learn to silence, while at least one fit runs.

    Both are settings of the whole process, so fits that overlap in several threads must share one change: the first
    to enter makes it, the last to leave undoes it. Non-convergence is not lost: callers read it off the iterations.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._held = ExitStack()
        self._controller: ThreadpoolController | None = None

    @contextmanager
    def solving(self) -> Iterator[None]:
        """Enter before a fit, leave after it."""
        with self._lock:
            if self._inside == 0:
                self._hold()
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if self._inside == 0:
                    self._held.close()

    def _hold(self) -> None:
        if self._controller is None:
            self._controller = ThreadpoolController()  # looks through the loaded libraries: a few milliseconds
        self._held.enter_context(self._controller.limit(limits=1, user_api="blas"))
        self._held.enter_context(warnings.catch_warnings())
        warnings.filterwarnings("ignore", module=_SOLVERS)  # a step too small for float32 is an end


STEADY = Steady()
"""The one of this process, for it guards what belongs to the process."""
