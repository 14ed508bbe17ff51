"""`notify`: pass a message to the caller's progress display or, without one, issue a warning at the caller's line."""

from __future__ import annotations

import sys
import warnings

from wordworth.progress import SILENT, Progress

_PACKAGE = __name__.partition(".")[0]


def notify(message: str, category: type[Warning], progress: Progress = SILENT) -> None:
    """Pass a message to `progress.note`; if the caller passed no `progress`, issue a Python warning instead.

    The warning names the line of the first caller outside this package.

    Args:
        message: the text of the message.
        category: class of the warning, by which a caller can filter it.
        progress: the `progress` argument of the public function that was called; `SILENT` if the caller passed none.
    """
    if progress is not SILENT:
        progress.note(message)
        return
    warnings.warn(message, category, stacklevel=_frames_of_this_package() + 1)


def _frames_of_this_package() -> int:
    """Return how many frames lie between `notify` and the first one outside this package, `notify` included."""
    frame, count = sys._getframe(1), 0  # noqa: SLF001 - as `warnings` finds a caller
    while frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE and frame.f_back is not None:
        frame, count = frame.f_back, count + 1
    return count
