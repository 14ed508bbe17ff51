"""The settings of `wordworth study context`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from wordworth.errors import BadInput, nearest
from wordworth.models.cpu_inference import DtypeOption
from wordworth.studies.layer_reader import LastLayer, Pooling, Units

_LEAST = {
    "contexts": 2,
    "pool": 50,
    "sample": 10,
    "occurrences": 3,
    "sentences": 10,
    "draws": 100,
    "limit": 10,
    "explorer": 0,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextSettings:
    """How contextuality is measured.

    Attributes:
        models: encoders and static tables: catalogue names, folders or files.
        units: `words` as people write them, or `pieces`, the tokenizer's subwords, as the paper used for BERT.
        pooling: how a word's subwords become one vector: `mean`, `first` or `last`.
        text: the column of the texts, where the file has columns.
        limit: read at most this many different sentences, drawn at random; None for all.
        contexts: a word is studied if it occurs in at least this many different sentences.
        first: whether the first unit of a sentence counts; some models put a giant vector there.
        pool: the number of occurrences drawn for the baseline and for the measures of the whole space.
        sample: the number of words drawn for the measures that need the vectors and not just a sum of them.
        occurrences: at most this many occurrences of each drawn word, from different sentences.
        sentences: the number of sentences drawn for the similarity within sentences.
        draws: the number of resampled sets behind each interval.
        seed: seed of everything random.
        explorer: the number of words in the word explorer, those with most contexts among the drawn words; 0 for none.
        word: further words for the explorer, whether drawn or not.
        last_layer: for a model with a final layer norm (GPT-2), whether its last layer is read `after` or `before` it.
        dtype: dtype of an encoder's computation; `auto` is bfloat16 where the processor multiplies it natively, which
            changes no measure by as much as a fortieth of its interval. Sums over a word's occurrences are float32,
            everything computed from them float64.
    """

    models: tuple[str, ...] = ("minilm",)
    units: Units = "words"
    pooling: Pooling = "mean"
    text: str = "text"
    limit: int | None = None
    contexts: int = 5
    first: bool = True
    pool: int = 2_000
    sample: int = 400
    occurrences: int = 16
    sentences: int = 5_000
    draws: int = 1_000
    seed: int = 0
    explorer: int = 150
    word: tuple[str, ...] = ()
    last_layer: LastLayer = "after"
    dtype: DtypeOption = "auto"

    def __post_init__(self) -> None:
        choosable = {"units": Units, "pooling": Pooling, "last_layer": LastLayer, "dtype": DtypeOption}
        for name, choices in ((name, get_args(each)) for name, each in choosable.items()):
            if getattr(self, name) not in choices:
                raise BadInput(f"no {name} {getattr(self, name)!r}", mend=nearest(getattr(self, name), choices))
        for name, value in _LEAST.items():
            setting = getattr(self, name)
            if setting is not None and setting < value:
                raise BadInput(f"--{name} {setting} is too few", mend=f"give {value} or more")
        if not self.models:
            raise BadInput("no model was given", mend="give --model, a name, a folder or a file")
        if len(set(self.models)) < len(self.models):
            raise BadInput("the same model was given twice", mend="give each --model once")
