"""The settings of `wordworth study finetuning`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.settings_validation import at_least, setting
from wordworth.studies.labelled_rows_settings import LabelledRows


@dataclass(frozen=True, kw_only=True, slots=True)
class FinetuningChangesSettings(LabelledRows):
    """Settings of the study `finetuning`, which measures what fine-tuning changed in a model."""

    start: str | None = setting(None, "The model that the run began from, if it is not where it was.")
    second_run: Path | str | None = setting(
        None, "A second fine-tuning that differs in its seed alone. [default: the one that the run kept]"
    )
    scratch_run: Path | str | None = setting(
        None, "The same training from random weights (finetune --from-scratch), as a control."
    )
    other_task: Path | str | None = setting(
        None, "A run from the same start on another task: the second direction of the plane."
    )
    limit: int = setting(512, "Most rows that are read, drawn by class.", at_least(40))
    points: int = setting(21, "Points along each side of the plane; 0 for no plane.", at_least(0))
    draws: int = setting(1_000, "Bootstrap resamples of rows per interval.", at_least(100))
