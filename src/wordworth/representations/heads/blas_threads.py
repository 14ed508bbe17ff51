"""Solvers whose result has the same bytes on any number of threads: BLAS has one thread while any of them runs."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from threadpoolctl import ThreadpoolController

_SOLVERS = r"(sklearn|scipy\.optimize)\."


class Steady:
    """Limits BLAS to one thread, and silences scikit-learn, while at least one fit runs.

    Both are settings of the whole process, so fits that overlap in several threads must share one change: the first to
    enter makes it, the last to leave reverts it. Non-convergence is not lost: callers read it off the number of
    iterations.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._held = ExitStack()
        self._controller: ThreadpoolController | None = None

    @contextmanager
    def solving(self) -> Iterator[None]:
        """Limit the threads during a fit."""
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
            self._controller = ThreadpoolController()  # scans the loaded libraries, which takes a few milliseconds
        self._held.enter_context(self._controller.limit(limits=1, user_api="blas"))
        self._held.enter_context(warnings.catch_warnings())
        warnings.filterwarnings("ignore", module=_SOLVERS)  # a step too small for float32 ends the fit


STEADY = Steady()
"""The instance of this process, as the settings belong to the process."""
