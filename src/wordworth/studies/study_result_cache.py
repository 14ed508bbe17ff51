"""`FinishedParts`: cache the parts of a study on disk as they are computed, so that a stopped study resumes."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wordworth.array_cache import ArrayCache
from wordworth.files import content_key
from wordworth.package_versions import code_key
from wordworth.progress import STILL, Progress, Step
from wordworth.studies.study import timed

Arrays: TypeAlias = Mapping[str, NDArray[Any]]


@dataclass(slots=True)
class FinishedParts:
    """Cache on disk of the finished parts of a study, each under a key of everything that decides its arrays.

    A part is a piece of work whose result is arrays, such as one trained probe.

    Attributes:
        key: key of what decides every part: the kind of study, models, data, settings, and Wordworth's own code.
        progress: receives a note when parts that an earlier call finished are loaded from the cache.
        cache: the disk cache.
        call: further settings, such as the rank of a probe, that decide which parts a call needs; `seconds_kept`
            counts only the parts of calls with equal values.
    """

    key: str
    progress: Progress
    cache: ArrayCache = field(default_factory=ArrayCache)
    call: tuple[object, ...] = ()
    _computed: set[str] = field(default_factory=set, repr=False)
    _read: set[str] = field(default_factory=set, repr=False)
    _saved: float = field(default=0.0, repr=False)
    """Seconds that the parts read from the cache once took to compute, minus the seconds of reading them."""

    @classmethod
    def of(cls, kind: str, progress: Progress, *identity: object) -> Self:
        """Return the cache of the finished parts of a study.

        A part is a piece of work whose result is arrays, such as one trained probe.

        Args:
            kind: the kind of study.
            progress: receives a note when parts that an earlier call finished are loaded from the cache.
            identity: keys of the models and data, and the settings that decide every part.
        """
        return cls(content_key("part", code_key(), kind, *identity), progress)

    def seconds_kept(self) -> float:
        """Return the seconds of work that are saved because earlier calls with the same settings cached their parts."""
        return sum(self.cache.seconds(key) for key in self._finished_keys())

    def arrays(
        self,
        name: tuple[object, ...],
        compute: Callable[[], Mapping[str, ArrayLike]],
        step: Step = STILL,
        amount: int = 0,
    ) -> Arrays:
        """Return the arrays of one part of a study, read from the cache if they are in it, else computed and cached.

        A part is a piece of work whose result is arrays, such as one trained probe.

        Args:
            name: name of the part, with everything beyond `key` that decides the part's arrays.
            compute: function that returns name -> array of the part, and advances `step`; if it raises an error,
                nothing is cached.
            step: the step of progress that the part belongs to.
            amount: the part's share of the step's total, by which `step` is advanced if the part is in the cache.
        """
        is_new = False

        def packed() -> NDArray[np.uint8]:
            nonlocal is_new
            is_new = True
            file = io.BytesIO()
            np.savez(file, **{each: np.asarray(value) for each, value in compute().items()})  # type: ignore[arg-type]  # names
            return np.frombuffer(file.getvalue(), dtype=np.uint8)

        began, spared = time.monotonic(), self.cache.spared
        key = content_key(self.key, *name)
        data = self.cache.array(key, packed)
        self._write_down(key)
        with np.load(io.BytesIO(data.tobytes()), allow_pickle=False) as file:
            arrays = {each: file[each] for each in file.files}
        if is_new:
            self._computed.add(key)
        else:
            self._count(key, took=self.cache.spared - spared, reading=time.monotonic() - began)
            step.skip(amount)
        return arrays

    def arrays_in_one_step(
        self, name: tuple[object, ...], compute: Callable[[], Mapping[str, ArrayLike]], step: Step
    ) -> Arrays:
        """Return the arrays of a part, read from the cache if they are in it, else computed and cached.

        A part is a piece of work whose result is arrays, such as one trained probe. If the arrays are computed, the
        step of progress advances by one unit.

        Args:
            name: name of the part, with everything beyond `key` that decides the part's arrays.
            compute: function that returns name -> array of the part.
            step: the step of progress.
        """

        def compute_and_advance() -> Mapping[str, ArrayLike]:
            made = compute()
            step.advance()
            return made

        return self.arrays(name, compute_and_advance, step, 1)

    def _count(self, key: str, *, took: float, reading: float) -> None:
        """Add a part that was read from the cache to the seconds saved; a part that is read again saves nothing more.

        Args:
            key: key of the part.
            took: the seconds that an earlier call needed to compute the part.
            reading: the seconds of reading the part from the cache.
        """
        self._saved -= reading
        if key in self._computed | self._read:
            return
        if not self._read:
            self.progress.note("finished parts of the same study are read from the cache")
        self._read.add(key)
        self._saved += took

    @property
    def _list_file(self) -> Path:
        return self.cache.folder / "calls" / content_key(self.key, "call", *self.call)

    def _finished_keys(self) -> list[str]:
        """Return the keys of the parts that earlier calls with the same settings have finished."""
        return self._list_file.read_text().split() if self._list_file.exists() else []

    def _write_down(self, key: str) -> None:
        with suppress(OSError):  # without the list a stopped study goes on all the same
            if key not in self._finished_keys():
                self._list_file.parent.mkdir(parents=True, exist_ok=True)
                with self._list_file.open("a") as file:
                    file.write(f"{key}\n")

    @contextmanager
    def timed(self, seconds: dict[str, float], name: str) -> Iterator[None]:
        """Time the body of the `with` statement as if no part had been read from the cache.

        The seconds are written into `seconds[name]`. A part that an earlier call computed counts, once, as the seconds
        that it took in that call. The time of reading parts from the cache does not count.
        """
        saved = self._saved
        with timed(seconds, name):
            yield
        seconds[name] = round(seconds[name] + self._saved - saved, 3)
