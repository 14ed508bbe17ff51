"""The batch of a run by the clock whose user named none: small enough for updates enough."""

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
"""Updates that a run should make: the rate rises over a hundred at least, and must fall again."""
LEAST_BATCH = 8
FILE = "batch.json"
_AGAIN = "remove the run's folder and start it again"


def recorded_batch(settings: PretrainingConfig, folder: Path) -> int | None:
    """The batch that a run in this folder began with, where it was chosen by the budget; None where it was not.

    Raises:
        BadInput: the user names another one now, or the file is damaged.
    """
    if not (folder / FILE).exists():
        return None
    kept = read_object(folder / FILE, _AGAIN)
    require_fields(kept, {"batch": int}, str(folder / FILE), _AGAIN)
    batch: int = kept["batch"]
    if batch < 1:
        raise BadInput(f"this file is damaged: a batch of {batch}", where=str(folder / FILE), mend=_AGAIN)
    if not settings.fit_batch and settings.recipe.batch != batch:
        said = f"this run began with a batch of {batch}, chosen by its budget, and not {settings.recipe.batch}"
        raise BadInput(said, where=str(folder.parent), mend="leave batch out, or choose another --out")
    return batch


def record_batch(batch: int, folder: Path) -> None:
    """Write down the batch that the budget chose.

    Raises:
        BadInput: the disk is full.
    """
    write_text(folder / FILE, json.dumps({"batch": batch}) + "\n")


def batch_within(
    settings: PretrainingConfig, seconds_a_token: float, phases: list[tuple[float, int]]
) -> tuple[int, int]:
    """The recipe's batch, halved until the budget has time for 500 updates, or to 8; and the updates of the recipe's.

    Args:
        settings: of a run with a budget.
        seconds_a_token: measured.
        phases: as `Parts.tokens_a_step`, under the recipe's batch.
    """
    usual = steps_within(settings.budget or 0.0, seconds_a_token, 0.0, phases)
    batch = settings.recipe.batch
    while batch // 2 >= LEAST_BATCH and usual * settings.recipe.batch / batch < UPDATES:
        batch //= 2
    return batch, usual


def with_batch(settings: PretrainingConfig, batch: int) -> PretrainingConfig:
    """The settings with another batch."""
    return replace(settings, recipe=replace(settings.recipe, batch=batch))
