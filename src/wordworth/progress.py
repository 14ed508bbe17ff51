"""Progress reports: the code reports to a `Progress`, and only the command line draws it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol


class Step(Protocol):
    """One piece of work of known (or unknown) length."""

    def advance(self, amount: float = 1) -> None:
        """Report that `amount` more of the total is done."""

    def skip(self, amount: float) -> None:
        """Report that `amount` of the total was done in an earlier run: it counts, but not for the speed."""


class Progress(Protocol):
    """Receives progress reports. `step` is a context manager: entering starts the bar, leaving ends it."""

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:
        """Start a piece of work; `total` is in whatever unit `advance` counts."""
        ...

    def note(self, message: str) -> None:
        """Show a message that is not an error (texts windowed, a rung dropped)."""


class _NoStep:
    def advance(self, amount: float = 1) -> None:
        """Do nothing."""

    def skip(self, amount: float) -> None:
        """Do nothing."""


class NoProgress:
    """Reports to nobody: the default in Python."""

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:  # noqa: ARG002 - a Progress
        """Start a piece of work without reporting it."""
        yield STILL

    def note(self, message: str) -> None:
        """Drop the message."""


class FractionProgress:
    """Reports to a callback which fraction of the whole work was done since the last report.

    Args:
        told: called with each fraction.
        whole: the total of all steps together.
    """

    def __init__(self, told: Callable[[float], None], whole: float) -> None:
        self._report, self._whole = told, max(whole, 1.0)

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:  # noqa: ARG002 - a Progress
        """Start a part of the work."""
        yield self

    def advance(self, amount: float = 1) -> None:
        """Report `amount` as a fraction of the whole."""
        self._report(amount / self._whole)

    def skip(self, amount: float) -> None:
        """Report `amount` as a fraction of the whole."""
        self.advance(amount)

    def note(self, message: str) -> None:
        """Drop the message: it concerns a part of a step that has messages of its own."""


def ignore(share: float) -> None:
    """Ignore a fraction done: the callback of nobody."""


STILL: Step = _NoStep()
SILENT: Progress = NoProgress()
