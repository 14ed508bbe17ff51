"""The settings of `cascade`, shared by Python and the command line."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.settings_validation import at_least, setting
from wordworth.studies.labelled_rows_settings import LabelledRows


@dataclass(frozen=True, kw_only=True, slots=True)
class CascadeSettings(LabelledRows):
    """Settings of `cascade`, which combines a cheap and a costly model."""

    limit: int = setting(
        2_000, "Most rows, drawn by class; half choose the threshold, half measure its loss.", at_least(40)
    )
    margin: float = setting(1.0, "Points of the metric that the cascade may cost.", at_least(0))
    draws: int = setting(1_000, "Bootstrap resamples of rows per interval.", at_least(100))
