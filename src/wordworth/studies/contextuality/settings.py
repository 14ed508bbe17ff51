"""The settings of `wordworth study context`."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.errors import BadInput
from wordworth.models.cpu_inference import DtypeOption
from wordworth.settings_validation import at_least, setting, validate
from wordworth.studies.word_vectors_by_layer import LastLayer, Pooling, Units


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextSettings:
    """Settings of the study `context`.

    Sums over a word's occurrences are computed in float32, and everything that follows from them in float64.
    `dtype="bfloat16"` changes no measure by as much as a fortieth of its interval.
    """

    models: tuple[str, ...] = setting(
        ("minilm",), "Encoders and static tables: names, folders or hub names.", flags=("--model", "--models")
    )
    units: Units = setting("words", "words, or the tokenizer's pieces in place of words, as in the paper.")
    pooling: Pooling = setting("mean", "A word's vector: the mean of its pieces (mean), or its first or last piece.")
    last_layer: LastLayer = setting("after", "GPT-2's last layer: after or before the final norm.")
    text: str = setting("text", "Column of the texts.")
    limit: int | None = setting(
        None, "Number of different sentences to read, drawn at random. [default: all]", at_least(10)
    )
    contexts: int = setting(5, "Fewest different sentences that a measured word occurs in.", at_least(2))
    first: bool = setting(True, "Leave out the first unit of each sentence.")
    word: tuple[str, ...] = setting((), "Words to add to the word explorer.", flags=("--word", "--words"))
    explorer: int = setting(
        150, "Number of words in the word explorer, with excerpts of sentences; 0 for none.", at_least(0)
    )
    draws: int = setting(1_000, "Bootstrap resamples per interval.", at_least(100))
    dtype: DtypeOption = setting("auto", "Data type that an encoder computes in.")
    seed: int = setting(0, "Random seed.")
    pool: int = setting(
        2_000, "Occurrences drawn for the baseline and the measures of the whole space.", at_least(50), option=False
    )
    sample: int = setting(400, "Words drawn for the measures that need their vectors.", at_least(10), option=False)
    occurrences: int = setting(
        16, "Most occurrences of each drawn word, from different sentences.", at_least(3), option=False
    )
    sentences: int = setting(5_000, "Sentences drawn for the similarity within sentences.", at_least(10), option=False)

    def __post_init__(self) -> None:
        validate(self)
        if not self.models:
            raise BadInput("no model was given", mend="give --models, a name, a folder or a file")
        if len(set(self.models)) < len(self.models):
            raise BadInput("the same model was given twice", mend="give each of --models once")
