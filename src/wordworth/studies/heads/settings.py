"""The settings of `wordworth study heads`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from wordworth.settings_validation import at_least, setting, settings_from, validate
from wordworth.tasks.reading.settings import ReadSettings


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadsSettings:
    """Settings of the study of attention heads that a fine-tuned model needs."""

    text: str | None = setting(None, "Column of the texts; guessed if not given.")
    text_b: str | None = setting(None, "Column of the second texts, for pairs.")
    label: str | None = setting(None, "Column of the labels; guessed if not given.")
    metric: str | None = setting(None, "Metric: accuracy, macro_f1, f1:CLASS, spearman, entity_f1, ...")
    limit: int = setting(1_000, "Most rows, drawn by class; half choose, half measure.", at_least(40))
    margin: float = setting(1.0, "Points of the metric that pruning may cost.", at_least(0))
    second_run: Path | str | None = setting(
        None, "A second fine-tuning that differs in its seed alone: how far two runs differ by luck."
    )
    draws: int = setting(1_000, "Bootstrap resamples of rows per interval.", at_least(100))
    seed: int = setting(0, "Random seed.")

    def __post_init__(self) -> None:
        validate(self)

    @property
    def read(self) -> ReadSettings:
        """The settings by which the labelled rows are read."""
        return settings_from(asdict(self), ReadSettings)
