"""Progress reports: the code reports to a `Progress`, which the caller may replace; the command line draws it.

Without one, no bars are drawn; steps and messages go to the logger `wordworth`, which shows them to who asks for them:

    logging.basicConfig(level=logging.INFO)
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from wordworth.errors import BadInput

LOGGER = logging.getLogger("wordworth")
LOGGER.addHandler(logging.NullHandler())  # a library leaves it to its caller to show messages


_SECONDS_BETWEEN = 10.0
"""Seconds between two messages on how much of a step is done."""


class Step(Protocol):
    """A piece of work whose progress is reported in whole numbers; its length may be unknown."""

    def advance(self, amount: int = 1) -> None:
        """Report that `amount` more of the total is done."""

    def skip(self, amount: int) -> None:
        """Report that `amount` of the total was done in an earlier run: that counts as done, but not for the speed."""


class Progress(Protocol):
    """A receiver of progress reports. `step` is a context manager: entering starts a bar, leaving ends the bar.

    Any object with the two methods will do; `step` yields one with those of a `Step`. Steps may lie in each other, and
    several threads may report at a time.
    """

    @contextmanager
    def step(self, title: str, total: int | None = None) -> Iterator[Step]:
        """Start a piece of work and yield its `Step`; `total` has the unit of `advance`, None if unknown."""
        ...

    def note(self, message: str) -> None:
        """Show a message that is not an error, such as that long texts are read in windows."""


class _NoStep:
    def advance(self, amount: float = 1) -> None:
        """Do nothing."""

    def skip(self, amount: float) -> None:
        """Do nothing."""


class _LoggedStep:
    """A step that logs its title when it starts, and every ten seconds how much of it is done."""

    def __init__(self, title: str, total: float | None) -> None:
        self._title, self._total, self._done, self._logged = title, total or 0.0, 0.0, time.monotonic()
        LOGGER.info(title)

    def advance(self, amount: float = 1) -> None:
        """Count `amount` as done, and log the share done if ten seconds have passed."""
        self._done += amount
        now = time.monotonic()
        if self._total and now - self._logged >= _SECONDS_BETWEEN:
            self._logged = now
            LOGGER.info("%s: %.0f %%", self._title, min(100.0, 100 * self._done / self._total))

    def skip(self, amount: float) -> None:
        """Count `amount` as done."""
        self.advance(amount)


class NoProgress:
    """A `Progress` that draws nothing and logs steps and messages at level INFO: the default in Python."""

    def __repr__(self) -> str:
        return "NoProgress()"

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:
        """Start a piece of work; log its title, and now and then how much of it is done."""
        yield _LoggedStep(title, total) if LOGGER.isEnabledFor(logging.INFO) else STILL

    def note(self, message: str) -> None:
        """Log the message at level INFO."""
        LOGGER.info(message)


class FractionProgress:
    """A `Progress` that calls a function with the fraction of the whole work that was done since the last call.

    Args:
        report: called with each fraction.
        whole: the total of all steps together.
    """

    def __init__(self, report: Callable[[float], None], whole: float) -> None:
        self._report, self._whole = report, max(whole, 1.0)

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:  # noqa: ARG002 - a Progress
        """Start a part of the work and yield its `Step`, which is this object."""
        yield self

    def advance(self, amount: float = 1) -> None:
        """Call the function with `amount` as a fraction of the whole."""
        self._report(amount / self._whole)

    def skip(self, amount: float) -> None:
        """Call the function with `amount` as a fraction of the whole, as `advance` does."""
        self.advance(amount)

    def note(self, message: str) -> None:
        """Drop the message: the whole work has messages of its own."""


def require_progress(progress: object) -> None:
    """Check that progress can be reported to an object.

    Raises:
        BadInput: it is no `Progress`: it lacks a method, or it is a class.
    """
    if isinstance(progress, type) or not all(callable(getattr(progress, name, None)) for name in ("step", "note")):
        what = f"progress is {progress!r:.60}, not an object with the methods step and note"
        raise BadInput(what, mend="leave it out, or give a wordworth.Progress of yours")


def ignore(share: float) -> None:
    """Do nothing with a fraction of work done: the callback of callers that show no progress."""


STILL: Step = _NoStep()
SILENT: Progress = NoProgress()
UNREPORTED: Progress = FractionProgress(ignore, 1)
"""For work inside a step of the caller's own, such as its timing: neither steps nor messages are drawn or logged."""
