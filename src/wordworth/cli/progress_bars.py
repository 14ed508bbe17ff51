"""Progress drawn on the terminal: bars with the time left; plain lines where there is no terminal."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from wordworth.cli.main_process import harmless
from wordworth.progress import Step

_EVERY_S, _QUIET_S, _STILL_S = 10.0, 2.0, 30.0
_TELLING = 0.05
"""Of less than this share done, the rest cannot be told."""


class _Bar:
    def __init__(self, bars: Progress, task: TaskID) -> None:
        self.bars, self.task = bars, task

    def advance(self, amount: float = 1) -> None:
        self.bars.advance(self.task, amount)

    def skip(self, amount: float) -> None:
        """Set anew, a bar forgets the speed that it has seen."""
        if not amount:
            return
        (task,) = self.bars.tasks
        self.bars.reset(self.task, completed=task.completed + amount)  # type: ignore[arg-type]  # it takes shares too


class _Line:
    """For logs: a line once work has lasted two seconds, every ten as it advances, every thirty if it does not."""

    def __init__(self, title: str, total: float | None) -> None:
        self.title, self.total, self.done, self.found = harmless(title), total, 0.0, 0.0
        self.began = self.told = time.monotonic()
        self.lock = threading.Lock()

    def live(self, over: threading.Event) -> None:
        """Name the work, which may be long in showing how far it is, and say now and then that it goes on."""
        if over.wait(_QUIET_S):
            return
        sys.stderr.write(f"{self.title} …\n")
        while not over.wait(_STILL_S):
            if time.monotonic() - self.told >= _STILL_S:
                self.tell()

    def advance(self, amount: float = 1) -> None:
        with self.lock:
            self.done += amount
        if time.monotonic() - self.told >= _EVERY_S and self.total:
            self.tell()

    def skip(self, amount: float) -> None:
        with self.lock:
            self.done += amount
            self.found += amount

    def tell(self) -> None:
        """How far it is, and the time left once that can be told; until then the time so far."""
        now = time.monotonic()
        spent, share = now - self.began, self._share(self.found)
        left = (
            f"about {duration(spent * (1 - share) / share)} left" if share >= _TELLING else f"{duration(spent)} so far"
        )
        whole = f"{100 * self._share(0):.0f} %, " if self.total else ""
        sys.stderr.write(f"{self.title}: {whole}{left}\n")
        self.told = now

    def _share(self, found: float) -> float:
        """What is done of all that was to be done, but for what was found done."""
        todo = (self.total or 0.0) - found
        return min(1.0, (self.done - found) / todo) if todo > 0 else 0.0


def duration(seconds: float) -> str:
    """A time as a person says it, no finer than it is known.

    >>> [duration(s) for s in (8.4, 95, 341_959)]
    ['8 s', '2 min', '95 h']
    """
    minute, hour = 60, 3_600
    if seconds < minute:
        return f"{seconds:.0f} s"
    return f"{seconds / minute:.0f} min" if seconds < 2 * hour else f"{seconds / hour:.0f} h"


class Bars:
    """A `Progress` for people: drawn on standard error, so that standard output stays clean."""

    def __init__(self) -> None:
        self.console = Console(stderr=True)

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:
        """A bar with the time left on a terminal, a line now and then elsewhere."""
        if not self.console.is_terminal:
            line, over = _Line(title, total), threading.Event()
            threading.Thread(target=line.live, args=(over,), daemon=True).start()
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
            yield _Bar(bars, bars.add_task(harmless(title), total=total))

    def note(self, message: str) -> None:
        """One line for the reader."""
        whole = not self.console.is_terminal  # a file has no width to break lines at
        self.console.print(harmless(message), style="dim", markup=False, highlight=False, soft_wrap=whole)
