"""Ctrl-C and SIGTERM (a cluster's way to stop a job), handled between two training steps and not inside one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stop_signals() -> Iterator[Callable[[], bool]]:
    """Defer Ctrl-C and SIGTERM inside the `with` block; yield a function that returns whether one has arrived.

    A second Ctrl-C stops at once. A second SIGTERM does not, since under torchrun every process gets it twice: from the
    cluster and from torchrun.

    Signals can only be handled in the main thread; in any other thread the function always returns False.
    """
    requested = False

    def handle(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a signal handler's
        nonlocal requested
        if requested and number == signal.SIGINT:
            raise KeyboardInterrupt
        requested = True

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = [signal.signal(each, handle) for each in _SIGNALS]
    try:
        yield lambda: requested
    finally:
        for each, handler in zip(_SIGNALS, before, strict=True):
            signal.signal(each, handler)
