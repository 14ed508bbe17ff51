"""The process of a command line, which ends as soon as its work is done."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from types import FrameType
from typing import NoReturn

from wordworth.cli.app import main
from wordworth.cli.main_process import spell_out


def run() -> NoReturn:
    """As `main`, but the process leaves without taking itself apart: with torch in it, that takes a third of a second.

    What was asked to run at the end runs, and what was written is flushed. A bug ends the usual way. A cluster's
    SIGTERM is taken as Ctrl-C is, so that what was done is kept.
    """
    signal.signal(signal.SIGTERM, _interrupt)
    spell_out()
    try:
        main()
    except SystemExit as stopped:
        if not isinstance(stopped.code, int | None):
            raise
        code = stopped.code or 0
    else:
        code = 0
    leave(code)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - a signal handler's
    """Raise what Ctrl-C raises, once: clusters send a SIGTERM to all that belongs to a job, and to its leader."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def leave(code: int) -> NoReturn:
    """End the process with this exit code once threads, exit handlers and output are done."""
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001 - what the interpreter itself calls first
    atexit._run_exitfuncs()  # noqa: SLF001 - what it calls next
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            try:
                stream.flush()
            except BrokenPipeError:  # the reader went away, as in `main`
                code = 0
            except OSError:  # what could not be written was told by `main`
                code = code or 2
    os._exit(code)
