"""Child processes: they leave Ctrl-C to the parent, and end when the parent ends."""

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
"""Seconds that children have to end their step and save its state before they are killed."""


@contextmanager
def ignore_sigint() -> Iterator[None]:
    """Block Ctrl-C (SIGINT) in all child processes that the body of the `with` statement starts.

    A terminal sends SIGINT to every process of the command. The parent alone reports the interrupt and ends the others.
    """
    resource_tracker.ensure_running()  # to start it, multiprocessing lets signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def available_cpus() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def exit_with_parent() -> None:
    """In a child process: exit as soon as the parent ends, as a killed parent cannot end its children."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def end(members: Sequence[BaseProcess], patience: float = PATIENCE) -> None:
    """Terminate child processes; a child may save its state after its step, and is killed after `patience` seconds.

    A stopped child is woken, so that it can end by itself. A second Ctrl-C kills all children at once.
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
    """Continue a stopped process, which otherwise receives no SIGTERM."""
    if member.pid is not None and member.is_alive() and hasattr(signal, "SIGCONT"):
        with suppress(ProcessLookupError):  # it has ended meanwhile
            os.kill(member.pid, signal.SIGCONT)
