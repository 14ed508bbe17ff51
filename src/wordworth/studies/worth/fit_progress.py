"""`FitBar`: the progress bar of many fits, in which a fit counts by the seconds that it is expected to take.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from wordworth.progress import Step
    from wordworth.representations.rung import Rung
    from wordworth.tasks.task import Kind

Result = TypeVar("Result")
FitSecondsOf = Callable[["Rung", int], float]
"""Function of a rung and a number of labelled examples that returns the expected seconds of a fit; 0 if unknown."""
_UNITS = 1_000
"""Units of the bar per second that a fit is expected to take."""
_CHEAP_S, _EXPENSIVE_S = 1e-4, 0.02
"""Seconds per label of a cheap and of an expensive fit whose rung was not measured."""


@dataclass(frozen=True, slots=True)
class FitBar:
    """A progress bar of many fits.

    Attributes:
        title: the title of the bar.
        fit_seconds: function that returns the expected seconds of a fit; None if nothing was measured.
    """

    title: str = "learning from the labels"
    fit_seconds: FitSecondsOf | None = None

    def weight(self, rung: Rung, labels: int, kind: Kind) -> int:
        """Return the units of the bar that a fit counts for.

        Args:
            rung: the rung.
            labels: number of labelled examples of the fit.
            kind: the kind of task, which decides which rungs are expensive.
        """
        seconds = self.fit_seconds(rung, labels) if self.fit_seconds else 0.0
        usual = labels * (_EXPENSIVE_S if rung.is_expensive(kind) else _CHEAP_S)
        return max(1, round(_UNITS * (seconds or usual)))


class FitProgress:
    """The progress of one fit in the shared bar: its whole weight is reported once, even if the fit starts again.

    Args:
        weight: the units of the bar that the fit counts for.
        step: the bar.
    """

    def __init__(self, weight: int, step: Step) -> None:
        self._weight, self._step, self._done = weight, step, 0.0
        self._cached = True

    def fit(self, fit: Callable[[Callable[[float], None]], Result]) -> Result:
        """Call `fit` with a function that receives each fraction done, and return what it returns.

        Args:
            fit: function that does the fit. Without a call of this method, the fit counts as read from a cache.
        """
        self._cached = False
        return fit(self._advance)

    def finish(self) -> None:
        """Report the rest of the fit as done; a fit from a cache does not count for the speed of the bar."""
        if self._cached:
            self._step.skip(self._weight)
        else:
            self._advance(1.0)

    def _advance(self, fraction: float) -> None:
        counted = round(self._done * self._weight)
        self._done = min(self._done + fraction, 1.0)
        self._step.advance(round(self._done * self._weight) - counted)
