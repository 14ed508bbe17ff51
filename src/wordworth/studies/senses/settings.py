"""The settings of `wordworth study senses`."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.errors import BadInput
from wordworth.settings_validation import at_least, setting, validate
from wordworth.studies.word_vectors_by_layer import Pooling


@dataclass(frozen=True, kw_only=True, slots=True)
class SensesSettings:
    """Settings of the study `senses`, which predicts word senses from vectors."""

    models: tuple[str, ...] = setting(
        ("minilm",), "Encoders and static tables: names, folders or hub names.", flags=("--model", "--models")
    )
    data: tuple[str, ...] = setting(
        (), "semcor, coarsewsd, wic, or your own files. [default: those in $WORDWORTH_DATA]"
    )
    pooling: Pooling = setting("mean", "A word's vector: the mean of its pieces (mean), or its first or last piece.")
    limit: int | None = setting(
        None, "Number of sentences to read of each data set, drawn at random. [default: all]", at_least(10)
    )
    occurrences: int = setting(10, "Fewest occurrences of a word whose self-similarity is explained.", at_least(5))
    words: int = setting(150, "Number of words in the explorer, the most frequent; 0 for none.", at_least(0))
    draws: int = setting(1_000, "Bootstrap resamples per interval.", at_least(100))
    seed: int = setting(0, "Random seed.")
    shown: int = setting(24, "Most occurrences in the plot of a word.", at_least(6), option=False)
    pool: int = setting(6_000, "Occurrences of other words that are candidate neighbours.", at_least(50), option=False)

    def __post_init__(self) -> None:
        validate(self)
        if not self.models:
            raise BadInput("no model was given", mend="give --models, a name, a folder or a file")
        for what, names in (("model", self.models), ("data", self.data)):
            if len(set(names)) < len(names):
                raise BadInput(f"the same {what} was given twice", mend=f"give each --{what} once")
