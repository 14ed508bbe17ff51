"""Telling a person how far the work is: rooms report to a `Progress`, only the command line draws it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Step(Protocol):
    """One piece of work of known (or unknown) length."""

    def advance(self, amount: float = 1) -> None:
        """Say that `amount` more of the total is done."""


class Progress(Protocol):
    """Where work is reported. `step` is a context manager: entering starts the bar, leaving ends it."""

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:
        """Start a piece of work; `total` is in whatever unit `advance` counts."""
        ...

    def note(self, message: str) -> None:
        """Tell something worth knowing that is no error (texts windowed, a rung dropped)."""


class _Still:
    def advance(self, amount: float = 1) -> None:
        """Nothing is drawn."""


class Silent:
    """Reports to nobody: the default in Python."""

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:  # noqa: ARG002 - a Progress
        """Start a piece of work that nobody watches."""
        yield _Still()

    def note(self, message: str) -> None:
        """Drop the message."""


SILENT: Progress = Silent()
