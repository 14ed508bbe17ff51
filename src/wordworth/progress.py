"""`Progress`: the interface to which long work reports its steps and messages, and the two objects that draw no bars.

The command line passes an object that draws bars; callers in Python may pass one of their own. By default no bars are
drawn, and steps and messages go to the logger `wordworth` at level INFO, which a caller shows by

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
    """A piece of work that reports how many of its units (texts, tokens, updates) are done, of a total if known."""

    def advance(self, amount: int = 1) -> None:
        """Report that `amount` more units are done."""

    def skip(self, amount: int) -> None:
        """Report that an earlier run did `amount` units, which count as done but not in the estimate of speed.

        Args:
            amount: number of units.
        """


class Progress(Protocol):
    """A receiver of progress reports.

    Any object with the methods `step` and `note` will do. `step` is a context manager: entering it starts a bar,
    leaving it ends the bar, and it yields a `Step`. Steps may be nested, and several threads may report at a time.
    """

    @contextmanager
    def step(self, title: str, total: int | None = None) -> Iterator[Step]:
        """Start a piece of work and yield its `Step`.

        Args:
            title: what is done, as the user reads it.
            total: number of units of the work; None if the number is unknown.
        """
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
        """Start a piece of work; log its title, and now and then how much of it is done.

        Args:
            title: what is done.
            total: number of units of the work; None if the number is unknown.
        """
        yield _LoggedStep(title, total) if LOGGER.isEnabledFor(logging.INFO) else STILL

    def note(self, message: str) -> None:
        """Log the message at level INFO."""
        LOGGER.info(message)


class FractionProgress:
    """A `Progress` that calls a function with the fraction of the whole work that each advance adds.

    Args:
        report: called with each fraction, from 0 to 1; the fractions of the whole work sum to 1.
        whole: number of units of all steps together.
    """

    def __init__(self, report: Callable[[float], None], whole: float) -> None:
        self._report, self._whole = report, max(whole, 1.0)

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:  # noqa: ARG002 - a Progress
        """Start a part of the work and yield its `Step`, which is this object.

        Args:
            title: not used.
            total: not used.
        """
        yield self

    def advance(self, amount: float = 1) -> None:
        """Report `amount` units, as a fraction of the whole."""
        self._report(amount / self._whole)

    def skip(self, amount: float) -> None:
        """Report `amount` units of an earlier run, exactly as `advance` does."""
        self.advance(amount)

    def note(self, message: str) -> None:
        """Drop the message: the caller reports messages of the whole work itself."""


def require_progress(progress: object) -> None:
    """Check that an object is a `Progress`.

    Raises:
        BadInput: the object lacks a method of `Progress`, or it is a class rather than an instance.
    """
    if isinstance(progress, type) or not all(callable(getattr(progress, name, None)) for name in ("step", "note")):
        what = f"progress is {progress!r:.60}, not an object with the methods step and note"
        raise BadInput(what, mend="leave it out, or give a wordworth.Progress of yours")


def ignore(fraction: float) -> None:
    """Do nothing: a callback that receives fractions of work done, for callers that show no progress."""


STILL: Step = _NoStep()
SILENT: Progress = NoProgress()
UNREPORTED: Progress = FractionProgress(ignore, 1)
"""A `Progress` that neither draws nor logs, for work inside a step that the caller reports itself, such as a timing."""
