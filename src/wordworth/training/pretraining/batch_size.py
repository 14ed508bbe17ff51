"""Batch size under a time budget when the user gave none: small enough for a sufficient number of updates."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.json_file import read_object, require_fields
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.step_plan import steps_within

UPDATES = 500
"""Least number of updates that a run should make: the rate rises over a hundred at least, and must fall again."""
LEAST_BATCH = 8
FILE = "batch.json"
_AGAIN = "remove the run's folder and start it again"


def recorded_batch(settings: PretrainingConfig, folder: Path) -> int | None:
    """Return the batch size that the budget chose when a run in this folder began, or None if it chose none.

    Raises:
        BadInput: the user gives another one now, or the file is damaged.
    """
    if not (folder / FILE).exists():
        return None
    recorded = read_object(folder / FILE, _AGAIN)
    require_fields(recorded, {"batch": int}, str(folder / FILE), _AGAIN)
    batch: int = recorded["batch"]
    if batch < 1:
        raise BadInput(f"this file is damaged: batch size {batch}", where=str(folder / FILE), mend=_AGAIN)
    if not settings.fit_batch and settings.recipe.batch_size != batch:
        message = f"this run uses batch size {batch}, chosen for its budget, not {settings.recipe.batch_size}"
        raise BadInput(message, where=str(folder.parent), mend="leave batch out, or choose another --out")
    return batch


def record_batch(batch: int, folder: Path) -> None:
    """Write the batch size that the budget chose.

    Raises:
        BadInput: the disk is full.
    """
    write_text(folder / FILE, json.dumps({"batch": batch}) + "\n")


def batch_within(
    settings: PretrainingConfig, seconds_a_token: float, phases: list[tuple[float, int]]
) -> tuple[int, int]:
    """Halve the recipe's batch size until the budget has time for 500 updates, or down to 8.

    Args:
        settings: of a run with a budget.
        seconds_a_token: measured.
        phases: as `TrainingSetup.tokens_a_step`, with the recipe's batch size.

    Returns:
        The batch size, and the number of updates that the recipe's own would allow.
    """
    usual = steps_within(settings.budget or 0.0, seconds_a_token, 0.0, phases)
    batch = settings.recipe.batch_size
    while batch // 2 >= LEAST_BATCH and usual * settings.recipe.batch_size / batch < UPDATES:
        batch //= 2
    return batch, usual


def with_batch(settings: PretrainingConfig, batch: int) -> PretrainingConfig:
    """Return the settings with another batch size."""
    return replace(settings, recipe=replace(settings.recipe, batch_size=batch))
