"""The settings of `wordworth study neighbours`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.settings_validation import at_least, setting, validate


@dataclass(frozen=True, kw_only=True, slots=True)
class NeighboursSettings:
    """Settings of the study `neighbours`, which searches for the nearest contexts of a word."""

    model: str = setting("minilm", "An encoder: a name, a folder or a hub name; with --head one with attention.")
    layer: int = setting(-1, "The layer whose states are compared; negative numbers count from the last.")
    head: int | None = setting(None, "Compare the output of this attention head of the layer, from 1.", at_least(1))
    nearest: int = setting(20, "Number of words with the nearest vectors.", at_least(2))
    text: str = setting("text", "Column of the texts; a .txt has one text per line.")
    limit: int = setting(2_000, "Most texts of the corpus, drawn at random.", at_least(2))
    index: Path | None = setting(
        None, "A folder that keeps the vectors of the corpus, so that the next query does not read it through again."
    )
    seed: int = setting(0, "Random seed.")

    def __post_init__(self) -> None:
        validate(self)
