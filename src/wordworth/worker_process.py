"""Worker processes: child Python processes that run functions for this one, without importing the user's script.

Threads of one process share Python's global lock, so that work in Python and fits of a network slow each other down.
`multiprocessing` would import the user's script in each child, and most short scripts lack the main guard that this
needs; so a worker is started as `python -m wordworth.worker_process`.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from wordworth.errors import WordworthError
from wordworth.progress import ignore

_POLL_S = 0.5
_PATIENCE_S = 5.0


class WorkerProcess:
    """A child Python process that runs one function call after another for this process."""

    def __init__(self) -> None:
        packages = [str(Path(__file__).parents[1]), *filter(None, sys.path)]
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter, and a module of this package
            # -P: a file torch.py in the working folder, as a user's data may hold, is not imported
            [sys.executable, "-P", "-m", "wordworth.worker_process", str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(packages)},
            start_new_session=True,  # Ctrl-C is the parent's to handle
        )
        self._in_call = False

    def call(self, function: Callable[..., Any], *arguments: object, report: Callable[[float], None] = ignore) -> Any:  # noqa: ANN401 - whatever the function returns
        """Call `function(*arguments, report=...)` in the worker process, and return the result.

        Args:
            function: a function at the top level of a module, with a keyword argument `report`.
            arguments: positional arguments; they and the result must be picklable.
            report: called here with each value that the function passes to its `report`.

        Raises:
            MemoryError: the process was killed by SIGKILL, as a system that runs out of memory does.
            WordworthError: the process died of another cause.
            Exception: the exception that the function raised.
        """
        request, self._in_call = pickle.dumps((function, arguments)), True
        try:
            kind, value = self._exchange(request, report)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise self._death() from None
        self._in_call = False
        if kind == "error":
            raise value
        return value

    def _exchange(self, request: bytes, report: Callable[[float], None]) -> tuple[str, Any]:
        assert self._process.stdin is not None  # noqa: S101 - __init__ opened both pipes
        assert self._process.stdout is not None  # noqa: S101 - as above
        self._process.stdin.write(request)
        self._process.stdin.flush()
        while True:
            kind, value = pickle.load(self._process.stdout)  # noqa: S301 - of a process of our own
            if kind != "report":
                return kind, value
            report(value)

    @property
    def is_ready(self) -> bool:
        """True if the process can run another call: it is alive, and its last call was not interrupted."""
        return self._process.poll() is None and not self._in_call

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was not sent is not wanted
                    pipe.close()

    def _death(self) -> Exception:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE_S)
        code = self._process.returncode
        if code is not None and code < 0 and signal.Signals(-code).name == "SIGKILL":
            return MemoryError("a worker process was killed")
        return WordworthError(f"a worker process died (exit code {code}): its own error is above")


class WorkerPool:
    """A pool of worker processes for the threads of a study, with as many processes as threads call at the same time.

    The processes stay alive between calls until the pool is closed.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[WorkerProcess] = []
        self._workers: list[WorkerProcess] = []
        self._is_closed = False

    def call(self, function: Callable[..., Any], *arguments: object, report: Callable[[float], None] = ignore) -> Any:  # noqa: ANN401 - whatever the function returns
        """Call `function(*arguments, report=...)` in an idle worker process, or in a new one if all are busy.

        Args:
            function: a function at the top level of a module, with a keyword argument `report`.
            arguments: positional arguments; they and the result must be picklable.
            report: called here with each value that the function passes to its `report`.

        Raises:
            WordworthError: the pool is closed, or the process died.
            MemoryError: the process was killed by SIGKILL, as a system that runs out of memory does.
            Exception: the exception that the function raised.
        """
        worker = self._take()
        try:
            return worker.call(function, *arguments, report=report)
        finally:
            if worker.is_ready:
                with self._lock:
                    self._idle.append(worker)

    def close(self) -> None:
        """End all processes, and refuse further calls."""
        with self._lock:
            self._is_closed = True
            for worker in self._workers:
                worker.close()

    def _take(self) -> WorkerProcess:
        with self._lock:
            if self._is_closed:
                raise WordworthError("the worker processes are closed")
            if self._idle:
                return self._idle.pop()
            self._workers.append(WorkerProcess())
            return self._workers[-1]


def _reply(pipe: BinaryIO, kind: str, value: object) -> None:
    pipe.write(pickle.dumps((kind, value)))
    pipe.flush()


def _end_with(parent: int) -> None:
    """Exit as soon as the parent process has ended, as a killed parent cannot end its children.

    Args:
        parent: the process id of the parent.
    """
    while os.getppid() == parent:
        time.sleep(_POLL_S)
    os._exit(1)


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Run the loop of a worker process, which makes the calls that another process requests.

    Calls are read from `requests` until the stream ends; the outcome of each call is written to `replies`. A reply is a
    pickled pair of a kind (`report`, `result` or `error`) and a value.

    Args:
        requests: the stream of pickled calls.
        replies: the stream of pickled replies.
    """
    while True:
        try:
            function, arguments = pickle.load(requests)  # noqa: S301 - of the parent
        except EOFError:
            return
        try:
            result = function(*arguments, report=lambda value: _reply(replies, "report", value))
        except Exception as error:  # noqa: BLE001 - whatever it is, the parent raises it
            _reply(replies, "error", error)
        else:
            _reply(replies, "result", result)


if __name__ == "__main__":
    threading.Thread(target=_end_with, args=(int(sys.argv[1]),), daemon=True).start()
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as to_parent:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no reply
        serve(sys.stdin.buffer, to_parent)
