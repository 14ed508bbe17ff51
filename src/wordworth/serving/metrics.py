"""`Metrics`: counts and durations of a server for Prometheus, with the names that text-embeddings-inference has."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterator, Mapping

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
_Key = tuple[str, tuple[tuple[str, str], ...]]


class _Histogram:
    """A histogram: for each bound the number of values up to it, and the number and the sum of all values."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds, self.counts, self.sum = bounds, [0] * (len(bounds) + 1), 0.0

    def lines(self, name: str) -> Iterator[str]:
        total = 0
        for bound, number in zip([*map(str, self.bounds), "+Inf"], self.counts, strict=True):
            total += number
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self.sum:.6g}"
        yield f"{name}_count {total}"


class Metrics:
    """Counters and histograms, safe to write from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counters: dict[_Key, int] = {}
        self._histograms: dict[str, _Histogram] = {}

    def count(self, name: str, number: int = 1, **labels: str) -> None:
        """Add a number to a counter.

        Args:
            name: name of the counter.
            number: the number to add.
            **labels: name -> value of the labels by which the counter is split.
        """
        key = name, tuple(sorted(labels.items()))
        with self._lock:
            self._counters[key] = self._counters.get(key, 0) + number

    def observe(self, name: str, value: float) -> None:
        """Add a value to a histogram: seconds if the name ends in `_duration`, else a size."""
        with self._lock:
            histogram = self._histograms.get(name)
            if histogram is None:
                histogram = self._histograms[name] = _Histogram(_SECONDS if name.endswith("_duration") else _SIZES)
            histogram.counts[bisect_left(histogram.bounds, value)] += 1
            histogram.sum += value

    def total(self, name: str) -> int:
        """Return the sum of a counter over all values of its labels."""
        with self._lock:
            return sum(number for (key, _), number in self._counters.items() if key == name)

    def sum(self, name: str) -> float:
        """Return the sum of a histogram's values."""
        with self._lock:
            return self._histograms[name].sum if name in self._histograms else 0.0

    def text(self, gauges: Mapping[str, float]) -> str:
        """Return all metrics in the text format of Prometheus; `gauges` adds further metrics, name -> present value."""
        with self._lock:
            lines, named = [], ""
            for (name, labels), number in sorted(self._counters.items()):
                lines += [f"# TYPE {name} counter"] if name != named else []
                listed, named = ",".join(f'{key}="{value}"' for key, value in labels), name
                lines.append(f"{name}{{{listed}}} {number}" if listed else f"{name} {number}")
            for name, histogram in sorted(self._histograms.items()):
                lines += [f"# TYPE {name} histogram", *histogram.lines(name)]
        for name, value in gauges.items():
            lines += [f"# TYPE {name} gauge", f"{name} {value:g}"]
        return "\n".join(lines) + "\n"
