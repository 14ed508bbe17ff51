"""The settings of `wordworth study similarity`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.settings_validation import at_least, setting, validate
from wordworth.studies.word_vectors_by_layer import Units


@dataclass(frozen=True, kw_only=True, slots=True)
class SimilaritySettings:
    """Settings of the study `similarity`, on the words that make texts similar."""

    model: str = setting("minilm", "An encoder: a name, a folder or a hub name.")
    data: Path | None = setting(None, "A table of pairs of texts; with --query, a table of texts.")
    text: str | None = setting(None, "Column of the texts, or of the first texts. [default: a usual name]")
    text_b: str | None = setting(None, "Column of the second texts. [default: a usual name]")
    query: str | None = setting(None, "Compare this text with those of the table that are most similar to it.")
    top: int = setting(5, "Number of texts that are compared with the query.", at_least(1))
    units: Units = setting("words", "Whether rows and columns are words or pieces of the tokenizer.")
    limit: int = setting(1_000, "Most pairs of the table, drawn at random.", at_least(1))
    examples: int = setting(5, "Number of pairs of the table that are shown one by one.", at_least(1))
    draws: int = setting(1_000, "Bootstrap resamples of pairs per interval.", at_least(100))
    seed: int = setting(0, "Random seed.")

    def __post_init__(self) -> None:
        validate(self)
