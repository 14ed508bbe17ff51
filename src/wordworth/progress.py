"""Telling a person how far the work is: rooms report to a `Progress`, only the command line draws it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol


class Step(Protocol):
    """One piece of work of known (or unknown) length."""

    def advance(self, amount: float = 1) -> None:
        """Say that `amount` more of the total is done."""

    def skip(self, amount: float) -> None:
        """Say that `amount` of the total was done another time: it counts, but tells nothing of the speed."""


class Progress(Protocol):
    """Where work is reported. `step` is a context manager: entering starts the bar, leaving ends it."""

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:
        """Start a piece of work; `total` is in whatever unit `advance` counts."""
        ...

    def note(self, message: str) -> None:
        """Tell something worth knowing that is no error (texts windowed, a rung dropped)."""


class _NoStep:
    def advance(self, amount: float = 1) -> None:
        """Nothing is drawn."""

    def skip(self, amount: float) -> None:
        """Nothing is drawn."""


class NoProgress:
    """Reports to nobody: the default in Python."""

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:  # noqa: ARG002 - a Progress
        """Start a piece of work that nobody watches."""
        yield STILL

    def note(self, message: str) -> None:
        """Drop the message."""


class FractionProgress:
    """Tells one listener what share of a piece of work was done since it last told.

    Args:
        told: the listener.
        whole: what all steps together count.
    """

    def __init__(self, told: Callable[[float], None], whole: float) -> None:
        self._told, self._whole = told, max(whole, 1.0)

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:  # noqa: ARG002 - a Progress
        """Start a part of the work."""
        yield self

    def advance(self, amount: float = 1) -> None:
        """Tell the share."""
        self._told(amount / self._whole)

    def skip(self, amount: float) -> None:
        """Tell the share."""
        self.advance(amount)

    def note(self, message: str) -> None:
        """Drop the message: it is about a part of something that has its own."""


def ignore(share: float) -> None:
    """Hears what share was done and does nothing with it."""


STILL: Step = _NoStep()
SILENT: Progress = NoProgress()
