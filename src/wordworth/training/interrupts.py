"""A person's Ctrl-C, or a cluster's SIGTERM, taken between two steps and not inside one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stopping() -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether the process was asked to stop; a second Ctrl-C stops at once.

    A SIGTERM may come twice for one request: clusters send it to torchrun and its processes, and torchrun hands it on.

    In a thread that is not the main one signals cannot be taken, and the function always says no.
    """
    asked = False

    def ask(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a signal handler's
        nonlocal asked
        if asked and number == signal.SIGINT:
            raise KeyboardInterrupt
        asked = True

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = [signal.signal(each, ask) for each in _SIGNALS]
    try:
        yield lambda: asked
    finally:
        for each, handler in zip(_SIGNALS, before, strict=True):
            signal.signal(each, handler)
