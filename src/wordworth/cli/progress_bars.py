"""`Bars`: progress as bars with the time left on a terminal, and as plain lines in a log."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from wordworth.cli.main_process_output import escape_controls
from wordworth.progress import Step
from wordworth.sentence_formatting import duration

_EVERY_S, _QUIET_S, _STILL_S = 10.0, 2.0, 30.0
"""Seconds between two lines, before the first line, and between two lines while nothing advances."""
_LEAST_DONE = 0.01
"""Fraction of the work that must be done before the time left is estimated."""


class _Bar:
    def __init__(self, bars: Progress, task: TaskID) -> None:
        self.bars, self.task = bars, task

    def advance(self, amount: float = 1) -> None:
        self.bars.advance(self.task, amount)

    def skip(self, amount: float) -> None:
        """Count `amount` units as done, and restart the clock of the bar, so that they do not count for its speed."""
        if not amount:
            return
        (task,) = self.bars.tasks
        self.bars.reset(self.task, completed=task.completed + amount)  # type: ignore[arg-type]  # it takes fractions too


class _Line:
    """Progress in a log: a line after two seconds, then every ten while work advances, every thirty if it does not."""

    def __init__(self, title: str, total: float | None) -> None:
        self.title, self.total, self.done = escape_controls(title), total, 0.0
        self.began = self.last_line = time.monotonic()
        self.first_advance, self.before = math.inf, 0.0
        self.lock = threading.Lock()

    def watch(self, over: threading.Event) -> None:
        """Write the title after two seconds, then a line whenever none was written for 30 seconds; end at `over`.

        Args:
            over: is set at the end of the work; a step of less than two seconds writes nothing.
        """
        if over.wait(_QUIET_S):
            return
        sys.stderr.write(f"{self.title} …\n")
        while not over.wait(_STILL_S):
            if time.monotonic() - self.last_line >= _STILL_S:
                self.write()

    def advance(self, amount: float = 1) -> None:
        with self.lock:
            self.done += amount
            if self.first_advance == math.inf:
                self.first_advance, self.before = time.monotonic(), self.done
        if time.monotonic() - self.last_line >= _EVERY_S and self.total:
            self.write()

    def skip(self, amount: float) -> None:
        with self.lock:
            self.done += amount
            self.before += amount

    def write(self) -> None:
        """Write a line with the fraction done, and the time left; until it can be estimated, the time so far.

        The speed is measured from the moment when the first unit was done, as work may be slow to start.
        """
        now, share = time.monotonic(), self._share(self.before)
        spent, left = now - self.first_advance, f"{duration(now - self.began)} so far"
        if share >= _LEAST_DONE and spent >= _QUIET_S:
            left = f"about {duration(spent * (1 - share) / share)} left"
        whole = f"{100 * self._share(0):.0f} %, " if self.total else ""
        sys.stderr.write(f"{self.title}: {whole}{left}\n")
        self.last_line = now

    def _share(self, before: float) -> float:
        """Return the fraction that is done of the work after the first `before` units; 0 if the total is unknown."""
        todo = (self.total or 0.0) - before
        return min(1.0, (self.done - before) / todo) if todo > 0 else 0.0


class Bars:
    """A `Progress` on standard error, so that standard output stays clean."""

    def __init__(self) -> None:
        self.console = Console(stderr=True)

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:
        """Show a bar with the time left on a terminal, or a line every ten seconds elsewhere.

        Args:
            title: what is done, as the user reads it.
            total: number of units of the work; None if the number is unknown.
        """
        if not self.console.is_terminal:
            line, over = _Line(title, total), threading.Event()
            threading.Thread(target=line.watch, args=(over,), daemon=True).start()
            try:
                yield line
            finally:
                over.set()
            return
        columns = (
            TextColumn("{task.description:<28}"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self.console, transient=True) as bars:
            yield _Bar(bars, bars.add_task(escape_controls(title), total=total))

    def note(self, message: str) -> None:
        """Print a message as one line."""
        whole = not self.console.is_terminal  # a file has no width to wrap lines at
        self.console.print(escape_controls(message), style="dim", markup=False, highlight=False, soft_wrap=whole)
