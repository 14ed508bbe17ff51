"""The settings of `wordworth study shrink`."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.settings_validation import at_least, setting
from wordworth.studies.labelled_rows_settings import LabelledRows


@dataclass(frozen=True, kw_only=True, slots=True)
class ShrinkSettings(LabelledRows):
    """Settings of the study `shrink`, which scores smaller variants of a model."""

    limit: int = setting(2_000, "Most rows, drawn by class; half choose, half measure.", at_least(40))
    also: tuple[str, ...] = setting(
        (),
        "Folders of smaller models: of fine-tuned ones as distill and prune write them, of encoders as train-sentences "
        "writes them. Repeatable.",
    )
    margin: float = setting(1.0, "Points of the metric that a smaller model may cost.", at_least(0))
    hourly_price: float = setting(0.10, "Price of an hour of this machine.", at_least(0))
    draws: int = setting(1_000, "Bootstrap resamples of rows per interval.", at_least(100))
