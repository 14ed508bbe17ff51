"""The settings of `fill`."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.settings_validation import at_least, setting, validate


@dataclass(frozen=True, kw_only=True, slots=True)
class FillSettings:
    """Settings of `fill`, which predicts the masked gaps of a text."""

    top: int = setting(5, "Guesses for each gap.", at_least(1))

    def __post_init__(self) -> None:
        validate(self)
