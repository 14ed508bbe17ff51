"""`run`: the entry point of the program `wordworth`, which exits as soon as the work is done."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from types import FrameType
from typing import NoReturn

from wordworth.cli.app import main
from wordworth.cli.main_process_output import escape_unencodable


def run() -> NoReturn:
    """Run `main`, then exit without the interpreter's teardown, which takes a third of a second with torch loaded.

    Exit handlers run and output is flushed. A bug ends the process the usual way. SIGTERM, as a cluster sends it, is
    handled like Ctrl-C, so that finished work is kept.
    """
    signal.signal(signal.SIGTERM, _interrupt)
    escape_unencodable()
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
    """Raise KeyboardInterrupt at the first SIGTERM, and ignore later ones, which clusters send to a job's leader."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def leave(code: int) -> NoReturn:
    """Wait for threads, run exit handlers, flush output, and end the process with this exit code."""
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001 - the interpreter's own first step at exit
    atexit._run_exitfuncs()  # noqa: SLF001 - its next step
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            try:
                stream.flush()
            except BrokenPipeError:  # the reader has closed the output, as in `main`
                code = 0
            except OSError:  # `main` has reported the failed write
                code = code or 2
    os._exit(code)
