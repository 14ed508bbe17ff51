"""The settings of `wordworth study patterns`."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.settings_validation import at_least, setting, validate


@dataclass(frozen=True, kw_only=True, slots=True)
class PatternsSettings:
    """Settings of the study `patterns`, which measures what attention heads attend to."""

    model: str = setting("minilm", "A transformer: a name, a folder or a hub name.")
    text: str = setting("text", "Column of the texts; a .txt has one text per line.")
    limit: int = setting(
        1_000, "Most segments: the first of every text, then the second ones, of texts in random order.", at_least(2)
    )
    length: int = setting(128, "Most tokens of a segment, special ones included.", at_least(8))
    draws: int = setting(1_000, "Bootstrap resamples of texts per interval.", at_least(100))
    seed: int = setting(0, "Random seed.")

    def __post_init__(self) -> None:
        validate(self)
