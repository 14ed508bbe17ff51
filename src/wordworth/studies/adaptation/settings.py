"""`AdaptationSettings`: the settings of the study `adaptation`, shared by Python and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wordworth.settings_validation import at_least, setting, validate


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptationSettings:
    """Settings of the study `adaptation`; all but `task` and `control` mean the same as in the command `adapt`."""

    task: Path | str = setting("", "With --plan: file of the texts that the model is adapted for, without labels.")
    control: Path | str | None = setting(
        None, "With --plan: text of another domain, which the model is adapted to as well, for comparison."
    )
    text: str = setting("text", "Column of the texts in files that have columns.", option=False)
    steps: int = setting(50, "Updates of each trial run.", at_least(1), option=False)
    vocabulary: Literal["keep", "extend"] = setting("keep", "Keep the vocabulary, or extend it.", option=False)
    new_subwords: int | None = setting(None, "Most subwords to add.", option=False)
    seed: int = setting(0, "Random seed.", option=False)
    threads: int | None = setting(None, "Number of torch threads.", option=False)
    device: str = setting("auto", "cpu, cuda or auto.", option=False)

    def __post_init__(self) -> None:
        validate(self)
