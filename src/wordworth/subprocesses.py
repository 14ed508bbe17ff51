"""Processes started beside this one: Ctrl-C is left to their parent, and they go when it goes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess

PATIENCE = 60.0
"""Seconds in which children may end their step and keep its state before they are killed."""


@contextmanager
def ignore_sigint() -> Iterator[None]:
    """What is started inside never hears Ctrl-C, from its first moment on.

    A terminal sends it to every process. It is for the parent to say what was stopped, once, and to end the others.
    """
    resource_tracker.ensure_running()  # to start it, multiprocessing lets signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def available_cpus() -> int:
    """How many processes can compute side by side: the cores that this one may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def exit_with_parent() -> None:
    """In a child: a killed parent cannot end its processes, so each watches for it."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def end(members: Sequence[BaseProcess], patience: float = PATIENCE) -> None:
    """End children: each may keep what it is at, after its step; one still alive after `patience` seconds is killed.

    A stopped child is woken, so that it too can end by itself. A second Ctrl-C kills at once.
    """
    for member in members:
        member.terminate()
        _wake(member)
    latest = time.monotonic() + patience
    try:
        for member in members:
            member.join(max(0.0, latest - time.monotonic()))
    finally:
        for member in members:
            if member.is_alive():
                member.kill()
            member.join()


def _wake(member: BaseProcess) -> None:
    """A stopped process hears no SIGTERM until it is told to continue."""
    if member.pid is not None and member.is_alive() and hasattr(signal, "SIGCONT"):
        with suppress(ProcessLookupError):  # it has ended since
            os.kill(member.pid, signal.SIGCONT)
