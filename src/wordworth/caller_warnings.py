"""`notify`: a message to who listens to the progress; to who does not, a Python warning at the caller's own line."""

from __future__ import annotations

import sys
import warnings

from wordworth.progress import SILENT, Progress

_PACKAGE = __name__.partition(".")[0]


def notify(message: str, category: type[Warning], progress: Progress = SILENT) -> None:
    """Note a message if there is a progress to note it; else show it as a Python warning.

    Args:
        message: what the caller should know.
        category: class of the warning, by which a caller filters it.
        progress: as it was given to the function that the caller called.
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
