"""`speeds`: time a whole model and smaller copies in turn: milliseconds per text, and speedup over the whole model."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeAlias, TypeVar

import numpy as np

from wordworth.progress import Step
from wordworth.records import Table
from wordworth.tasks.task import Rows

BATCHES = (1, 32)
ROUNDS = 8
"""Number of rounds of timing; the first warms up and does not count."""
_SINGLE_TEXTS = 8
"""Number of texts that a round predicts in batches of one."""


class Numbered(Protocol):
    """A sequence of a model's inputs from which some can be selected by index, such as `Examples`."""

    def __len__(self) -> int: ...

    def take(self, rows: Rows, /) -> Self:
        """Return the inputs at given indices, in that order.

        Args:
            rows: int64 [n], the indices.
        """


Inputs = TypeVar("Inputs", bound=Numbered)


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a model predicts, on one thread.

    Attributes:
        milliseconds: milliseconds a text: the whole model's median over rounds, divided by the median speedup. So the
            milliseconds of two models have the ratio that their speedup says, also on a busy machine.
        speedup: the whole model's time divided by this model's time: the median, the least and the most over rounds.
    """

    milliseconds: float
    speedup: tuple[float, float, float]

    def relative_to(self, whole: Speed) -> Speed:
        """Return a copy of this speed whose milliseconds are computed from another timing of the whole model.

        Args:
            whole: the whole model's speed in the other timing.
        """
        return replace(self, milliseconds=whole.milliseconds / self.speedup[0])

    def columns(self, batch: int) -> dict[str, float]:
        """Return the cells of a table of speeds for one batch size: the milliseconds per text, and the speedup."""
        middle, least, most = self.speedup
        return {
            f"milliseconds_{batch}": self.milliseconds,
            f"speedup_{batch}": middle,
            f"speedup_least_{batch}": least,
            f"speedup_most_{batch}": most,
        }


SpeedByBatch: TypeAlias = Mapping[str, Mapping[int, Speed]]
"""Name of a model -> batch size -> speed."""
SPEED_COLUMNS = {
    f"{name}_{batch}": f"{text}, in batches of {batch}"
    for batch in BATCHES
    for name, text in (
        ("milliseconds", "milliseconds a text on one thread: the whole model's over the median of the speedups"),
        ("speedup", "texts a second over the whole model's, measured in turn: the median over rounds"),
        ("speedup_least", "the least over rounds"),
        ("speedup_most", "the most over rounds"),
    )
}
"""Column of a table of speeds -> its description."""


def speeds(
    models: Mapping[str, Callable[[Inputs], object]], inputs: Inputs, whole: str, step: Step | None = None
) -> SpeedByBatch:
    """Time several models in turn on the same texts.

    Args:
        models: name of a model -> function that predicts inputs.
        inputs: inputs of the models; the first 32 are used.
        whole: the name of the model that speedups are relative to.
        step: progress report, advanced by one after each of the `ROUNDS`; None reports nothing.

    Returns:
        Name of a model -> batch size -> speed.
    """
    units = np.arange(len(inputs))
    parts = {1: [inputs.take(units[[unit]]) for unit in units[:_SINGLE_TEXTS]], 32: [inputs.take(units[:32])]}
    seconds: dict[int, dict[str, list[float]]] = {batch: {name: [] for name in models} for batch in BATCHES}
    for number in range(ROUNDS):
        for batch in BATCHES:
            for name, model in models.items():
                took = _seconds_per_text(model, parts[batch])
                if number:  # the first round warms up
                    seconds[batch][name].append(took)
        if step is not None:
            step.advance(1)
    return {name: {batch: _speed(seconds[batch][name], seconds[batch][whole]) for batch in BATCHES} for name in models}


def speed_table(speed: SpeedByBatch, columns: Mapping[str, str]) -> Table:
    """Return a table of speeds with a row for each model.

    The table belongs in a record's `timings`, since its values differ from run to run.

    Args:
        speed: the speed of each model by batch size.
        columns: the columns of the table with their descriptions: `model` and the columns in `SPEED_COLUMNS`.
    """
    rows = []
    for name, by_batch in speed.items():
        row: dict[str, Any] = {"model": name}
        for batch, each in by_batch.items():
            row |= each.columns(batch)
        rows.append(row)
    return Table.of(rows, columns)


def _seconds_per_text(predict: Callable[[Inputs], object], parts: Sequence[Inputs]) -> float:
    began = time.perf_counter()
    for part in parts:
        predict(part)
    return (time.perf_counter() - began) / sum(map(len, parts))


def _speed(own: Sequence[float], whole: Sequence[float]) -> Speed:
    ratios = np.array(whole) / np.array(own)
    middle = float(np.median(ratios))
    return Speed(1_000 * float(np.median(whole)) / middle, (middle, float(ratios.min()), float(ratios.max())))
