"""Child processes: they leave Ctrl-C to the parent, and end when the parent ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess

from wordworth.errors import BadInput, WordworthError

PATIENCE = 60.0
"""Seconds that child processes have to finish their step and save its state before they are killed."""
UNGUARDED = 81
"""Exit code of a child process that `require_main_guard` stops."""
_STARTER = "WORDWORTH_STARTED_BY"
"""Environment variable with the process id of the parent, by which a child knows that Wordworth started it."""
_DEATH = 5.0
"""Seconds to wait for the exit code of a child that has closed its pipe."""


@contextmanager
def ignore_sigint() -> Iterator[None]:
    """Block Ctrl-C (SIGINT) in all child processes that the body of the `with` statement starts.

    A terminal sends SIGINT to every process of the command. The parent alone reports the interrupt and ends the others.
    """
    os.environ[_STARTER] = str(os.getpid())
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


def require_main_guard() -> None:
    """Stop this process if it is a spawned child in which a user's script without a main guard runs again.

    `multiprocessing` imports the user's script in each spawned child. Without `if __name__ == "__main__":` the script
    would make its calls there once more.

    Raises:
        SystemExit: Wordworth started the child; the parent then raises the error that `child_death` returns.
        BadInput: the script itself started the child.
    """
    if not getattr(multiprocessing.current_process(), "_inheriting", False):  # multiprocessing's own test
        return
    if os.environ.get(_STARTER) == str(os.getppid()):
        sys.exit(UNGUARDED)
    raise _no_guard()


def child_death(members: Iterable[BaseProcess], mend: str) -> WordworthError:
    """Return the error to raise for child processes that died, with the cause, which is inferred from their exit codes.

    Args:
        members: all child processes, dead or alive.
        mend: how the user can go on.
    """
    codes = [code for member in members if (code := member.exitcode)]
    codes.sort(key=lambda code: (code == -signal.SIGTERM, code))  # SIGTERM may be our own, to the others
    if UNGUARDED in codes:
        return _no_guard()
    if not codes:
        return WordworthError("a process died", mend=mend)
    if codes[0] > 0:
        return WordworthError(f"a process died with exit code {codes[0]}: its own error is above", mend=mend)
    name = signal.Signals(-codes[0]).name
    why = ": memory ran out, or it was ended from outside" if name == "SIGKILL" else ""
    return WordworthError(f"a process died of {name}{why}", mend=mend)


def await_death(member: BaseProcess) -> None:
    """Wait up to 5 seconds for the exit code of a child that has closed its pipe."""
    member.join(_DEATH)


def _no_guard() -> BadInput:
    """Return the error for a script that runs itself again in every process that is spawned."""
    where = getattr(sys.modules.get("__main__"), "__file__", None) or ""
    mend = 'put its calls under `if __name__ == "__main__":`'
    return BadInput(
        "this script runs again in every process that it starts, as it has no guard", where=where, mend=mend
    )


def end(members: Sequence[BaseProcess], patience: float = PATIENCE) -> None:
    """Terminate child processes: send SIGTERM, wait up to `patience` seconds for all of them, then kill the rest.

    A child may use the time to finish its step and save its state. A suspended child is continued, so that it receives
    the signal. A second Ctrl-C kills all children at once.

    Args:
        members: the child processes.
        patience: seconds that all children together have to end.
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
