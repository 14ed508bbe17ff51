"""A limit of BLAS to one thread while a solver runs, so that results are the same bytes with any number of threads."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from threadpoolctl import OpenBLASController, ThreadpoolController

_SOLVERS = r"(sklearn|scipy\.optimize)\."


class SingleBlasThread:
    """A context that limits BLAS to one thread and silences scikit-learn's warnings while at least one fit runs.

    The limit and the silence are settings of the whole process. If fits run in several threads, the first fit to begin
    sets them, and the last fit to end restores the former settings. Callers detect non-convergence by the number of
    iterations.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._limits = ExitStack()
        self._controller: ThreadpoolController | None = None

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Limit BLAS to one thread during the `with` statement."""
        with self._lock:
            if self._users == 0:
                self._limit()
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    _let_any_thread_set_limits()
                    self._limits.close()
                    _let_any_thread_set_limits()

    def _limit(self) -> None:
        if self._controller is None:
            self._controller = ThreadpoolController()  # scans the loaded libraries, which takes a few milliseconds
        _let_any_thread_set_limits()
        self._limits.enter_context(self._controller.limit(limits=1, user_api="blas"))
        self._limits.enter_context(warnings.catch_warnings())
        warnings.filterwarnings("ignore", module=_SOLVERS)  # a step too small for float32 ends the fit


def _let_any_thread_set_limits() -> None:
    """Free OpenBLAS from the thread that controls it: threadpoolctl 3.8 ignores the limits that other threads set."""
    free = getattr(OpenBLASController, "clear_controlling_thread", None)
    if free is not None:
        free(force=True)


SINGLE_BLAS_THREAD = SingleBlasThread()
"""The limit of this process: the settings belong to the process."""
