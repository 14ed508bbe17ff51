"""Processes started beside this one: Ctrl-C is left to their parent, and they go when it goes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def born_deaf() -> Iterator[None]:
    """What is started inside never hears Ctrl-C, from its first moment on.

    A terminal sends it to every process. It is for the parent to say what was stopped, once, and to end the others.
    """
    resource_tracker.ensure_running()  # to start it, multiprocessing lets signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def cores() -> int:
    """How many processes can compute side by side: the cores that this one may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def end_with_parent() -> None:
    """In a child: a killed parent cannot end its processes, so each watches for it."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
