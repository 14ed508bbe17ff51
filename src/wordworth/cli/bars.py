"""Progress drawn on the terminal: bars with the time left; plain lines where there is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from wordworth.progress import Step

_EVERY_S = 10.0


class _Bar:
    def __init__(self, bars: Progress, task: TaskID) -> None:
        self.bars, self.task = bars, task

    def advance(self, amount: float = 1) -> None:
        self.bars.advance(self.task, amount)


class _Line:
    """A line every ten seconds, for logs."""

    def __init__(self, title: str, total: float | None) -> None:
        self.title, self.total, self.done = title, total, 0.0
        self.began = self.told = time.monotonic()

    def advance(self, amount: float = 1) -> None:
        self.done += amount
        now = time.monotonic()
        if now - self.told >= _EVERY_S and self.total and self.done:
            left = (now - self.began) * (self.total - self.done) / self.done
            sys.stderr.write(f"{self.title}: {100 * self.done / self.total:.0f} %, about {left:.0f} s left\n")
            self.told = now


class Bars:
    """A `Progress` for people: drawn on standard error, so that standard output stays clean."""

    def __init__(self) -> None:
        self.console = Console(stderr=True)

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:
        """A bar with the time left on a terminal, a line now and then elsewhere."""
        if not self.console.is_terminal:
            yield _Line(title, total)
            return
        columns = (
            TextColumn("{task.description:<28}"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self.console, transient=True) as bars:
            yield _Bar(bars, bars.add_task(title, total=total))

    def note(self, message: str) -> None:
        """One line for the reader."""
        self.console.print(message, style="dim", markup=False, highlight=False)
