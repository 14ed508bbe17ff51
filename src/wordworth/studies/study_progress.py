"""`WholeProgress`: show the steps of a study as parts of one progress bar, with the time left for the whole study."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from wordworth.progress import Progress, Step
from wordworth.sentence_formatting import duration

_MS = 1_000


def seconds_of(work: Callable[[], object]) -> float:
    """Call `work` twice and return the shorter time in seconds, because the first call may have to load files."""
    times = []
    for _ in range(2):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


class WholeProgress:
    """A `Progress` that shows the steps of a study as parts of one bar, whose total is a forecast in milliseconds.

    Each step is shown under its own title, and continues the bar where the step before it ended. The time left is the
    time of the whole study at the speed of the current step. A step without a forecast has a bar of its own.

    Args:
        progress: receives the steps and messages.
        name: name of the study.
        seconds: title of each step -> seconds that it is expected to take.
    """

    def __init__(self, progress: Progress, name: str, seconds: Mapping[str, float]) -> None:
        self._progress, self._name, self._seconds, self._done = progress, name, dict(seconds), 0.0
        self._total = max(1, round(_MS * sum(seconds.values())))

    def announce(self, earlier: float = 0.0) -> None:
        """Send a note with the forecast of each step, and with the seconds of work that an earlier call has done.

        Args:
            earlier: seconds of the work that an earlier call has done.
        """
        steps = [f"{title} {duration(seconds)}" for title, seconds in self._seconds.items() if round(seconds)]
        listed = f": {', '.join(steps)}" if len(steps) > 1 else ""
        whole = duration(self._total / _MS)
        done = f" Of that an earlier call has finished what took {duration(earlier)}." if round(earlier) else ""
        self.note(f"As fast as this machine is now, the study takes about {whole}{listed}.{done}")

    @contextmanager
    def step(self, title: str, total: int | None = None) -> Iterator[Step]:
        """Start a step of the study, and yield a `Step` that advances the bar of the whole study.

        Args:
            title: title of the step.
            total: total of the step's own units; None if it is not known.
        """
        if title not in self._seconds:
            with self._progress.step(title, total) as step:
                yield step
            return
        share = _MS * self._seconds[title]
        with self._progress.step(f"study {self._name}: {title}", self._total) as whole:
            if round(self._done):
                whole.skip(round(self._done))
            yield _PartOfWhole(whole, share / max(1, total or 1), round(share))
        self._done += share

    def note(self, message: str) -> None:
        """Pass a message on to the progress object of the caller."""
        self._progress.note(message)


class _PartOfWhole:
    """A step of which each unit advances the bar of the whole study by the milliseconds forecast for one unit.

    Args:
        whole: the bar of the whole study, in whole milliseconds.
        each: milliseconds for one unit of the step; fractions are carried over to later units.
        most: milliseconds of the whole step, beyond which the bar is not advanced.
    """

    def __init__(self, whole: Step, each: float, most: int) -> None:
        self._whole, self._each, self._most, self._exact, self._reported = whole, each, most, 0.0, 0

    def advance(self, amount: int = 1) -> None:
        """Report that `amount` of the step is done."""
        if due := self._due(amount):
            self._whole.advance(due)

    def skip(self, amount: int) -> None:
        """Report that `amount` of the step was done in an earlier call."""
        if due := self._due(amount):
            self._whole.skip(due)

    def _due(self, amount: float) -> int:
        self._exact += amount * self._each
        due = min(int(self._exact), self._most) - self._reported
        self._reported += due
        return due
