"""How many held-out texts an evaluation reads under a time budget, so that evaluations take at most a fifth of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.setup import TrainingSetup

MOST_LOOKING = 0.2
"""Fraction of a budget that evaluations may take: with little text they would leave no time to train."""
_WANTED = 4
"""Number of evaluations that must fit into that time: rather on fewer texts than hardly any."""
_TRIED = 8


@dataclass(frozen=True, slots=True)
class LookSize:
    """What evaluations read, and how long one is expected to take.

    Attributes:
        texts: held-out sequences that every evaluation of the run reads.
        of: number of sequences that there are.
        seconds: of an evaluation; 0 if not measured, as the run has no budget.
    """

    texts: int
    of: int
    seconds: float


def sized(parts: TrainingSetup, budget: float | None, folder: Path) -> tuple[TrainingSetup, LookSize | None]:
    """Size the evaluations so that a budget can afford them; a resumed run keeps the size it began with.

    Args:
        parts: of the run.
        budget: its seconds; None evaluates on everything.
        folder: where the log is, whose first row holds the size.
    """
    held_out = parts.held_out
    if held_out is None or budget is None:
        return parts, None
    group, network = parts.loop.processes, parts.objective.network
    trial = replace(held_out, texts=min(_TRIED, held_out.whole))
    trial.evaluate(network)  # the first one warms up
    began = time.monotonic()
    trial.evaluate(network)
    seconds_per_text = (time.monotonic() - began) / min(_TRIED, held_out.whole)
    recorded = next((row.get("evaluation_texts") for row in read(folder) if row["kind"] == "start"), None)
    affordable = max(1, int(MOST_LOOKING * budget / (_WANTED * max(seconds_per_text, 1e-9))))
    texts, seconds = group.broadcast((recorded or min(affordable, held_out.whole), seconds_per_text))
    size = LookSize(texts, held_out.whole, seconds * texts)
    return replace(parts, held_out=replace(held_out, texts=texts)), size
