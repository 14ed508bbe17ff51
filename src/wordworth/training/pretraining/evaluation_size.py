"""How many held-out texts a look reads in a run by the clock, so that looks take a fifth of its time at most."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.setup import TrainingSetup

MOST_LOOKING = 0.2
"""Share of a budget's time that looks may take: on little text they would leave no time to learn."""
_WANTED = 4
"""Looks that must fit into that time: rather on fewer texts than hardly ever."""
_TRIED = 8


@dataclass(frozen=True, slots=True)
class LookSize:
    """What looks read, and what one is expected to take.

    Attributes:
        texts: held-out sequences that every look of the run reads.
        of: how many there are to look at.
        seconds: of a look; 0 where nobody measured, as the run has no budget.
    """

    texts: int
    of: int
    seconds: float


def sized(parts: TrainingSetup, budget: float | None, folder: Path) -> tuple[TrainingSetup, LookSize | None]:
    """The parts with looks of the size that a budget bears; a run that goes on keeps the size it began with.

    Args:
        parts: of the run.
        budget: its seconds; None leaves looks whole.
        folder: where the log is, whose first row holds the size.
    """
    held_out = parts.held_out
    if held_out is None or budget is None:
        return parts, None
    beside, network = parts.loop.processes, parts.objective.network
    trial = replace(held_out, texts=min(_TRIED, held_out.whole))
    trial.evaluate(network)  # the first one warms up
    began = time.monotonic()
    trial.evaluate(network)
    a_text = (time.monotonic() - began) / min(_TRIED, held_out.whole)
    recorded = next((row.get("look_texts") for row in read(folder) if row["kind"] == "start"), None)
    fits = max(1, int(MOST_LOOKING * budget / (_WANTED * max(a_text, 1e-9))))
    texts, seconds = beside.broadcast((recorded or min(fits, held_out.whole), a_text))
    size = LookSize(texts, held_out.whole, seconds * texts)
    return replace(parts, held_out=replace(held_out, texts=texts)), size
