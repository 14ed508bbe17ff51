"""The settings of `wordworth study heads`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.settings_validation import at_least, setting
from wordworth.studies.labelled_rows_settings import LabelledRows


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadsSettings(LabelledRows):
    """Settings of the study `heads`, which finds the attention heads that a fine-tuned model needs."""

    limit: int = setting(1_000, "Most rows, drawn by class; half choose, half measure.", at_least(40))
    margin: float = setting(1.0, "Points of the metric that pruning may cost.", at_least(0))
    second_run: Path | str | None = setting(
        None, "A second fine-tuning that differs in its seed alone: how far two runs differ by luck."
    )
    draws: int = setting(1_000, "Bootstrap resamples of rows per interval.", at_least(100))
