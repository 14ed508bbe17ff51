"""What `wordworth study context` can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from wordworth.errors import BadInput, nearest
from wordworth.models.load import Wanted
from wordworth.studies.layer_reader import Pooling

Units = Literal["words", "pieces"]
LastLayer = Literal["after", "before"]
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
    """How vectors are looked at.

    Attributes:
        models: encoders and static tables: catalogue names, folders or files.
        units: `words`, as a person writes them, or `pieces`, the tokenizer's own, as the paper took BERT's.
        pooling: how a word's pieces become one vector: their mean, or the first or last alone.
        text: the column of the texts, where the file has columns.
        limit: read at most so many different sentences, drawn at random; None for all.
        contexts: a word counts from so many different sentences on.
        first: whether the first unit of a sentence counts; some models put a giant vector there.
        pool: occurrences drawn for the baseline and for the measures of the whole space.
        sample: words drawn for the measures that need their vectors and not just a sum of them.
        occurrences: of each such word at most so many, from different sentences.
        sentences: drawn for the similarity within sentences.
        draws: resampled sets behind each interval.
        seed: that everything random comes from.
        explorer: words in the word explorer, those of most contexts among the words drawn; 0 for none.
        word: words that the explorer shows besides, whether drawn or not.
        last_layer: of a model with a norm at its end (GPT-2), whether its last layer is seen `after` it or `before`.
        dtype: of an encoder's computation; `auto` is bfloat16 where the processor multiplies it by itself, which moves
            no measure by a fortieth of its interval. Sums of a word's occurrences are float32, what is made of them
            float64.
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
    dtype: Wanted = "auto"

    def __post_init__(self) -> None:
        choosable = {"units": Units, "pooling": Pooling, "last_layer": LastLayer, "dtype": Wanted}
        for name, choices in ((name, get_args(each)) for name, each in choosable.items()):
            if getattr(self, name) not in choices:
                raise BadInput(f"no {name} {getattr(self, name)!r}", mend=nearest(getattr(self, name), choices))
        for name, value in _LEAST.items():
            given = getattr(self, name)
            if given is not None and given < value:
                raise BadInput(f"--{name} {given} is too few", mend=f"give {value} or more")
        if not self.models:
            raise BadInput("no model was given", mend="give --model, a name, a folder or a file")
        if len(set(self.models)) < len(self.models):
            raise BadInput("the same model was given twice", mend="give each --model once")
