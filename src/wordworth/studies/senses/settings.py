"""The settings of `wordworth study senses`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from wordworth.errors import BadInput, nearest
from wordworth.studies.layer_reader import Pooling

_LEAST = {"limit": 10, "occurrences": 5, "words": 0, "shown": 6, "pool": 50, "draws": 100}


@dataclass(frozen=True, kw_only=True, slots=True)
class SensesSettings:
    """How the senses of words are studied.

    Attributes:
        models: encoders and static tables: catalogue names, folders or files.
        data: `semcor`, `coarsewsd`, `wic`, or files; where empty, those of the three that WORDWORTH_DATA has.
        pooling: how a word's subwords become one vector: `mean`, `first` or `last`.
        limit: read at most this many sentences (or pairs of a split) of a set, drawn at random; None for all.
        occurrences: a word needs at least this many occurrences to take part in the explanations of self-similarity.
        words: the number of words in the word explorer, the most frequent ones with two senses; 0 for none.
        shown: the maximum number of occurrences in the plot of a word.
        pool: the number of occurrences of other words that are candidate neighbours.
        draws: the number of resampled sets behind each interval.
        seed: seed of everything random.
    """

    models: tuple[str, ...] = ("minilm",)
    data: tuple[str, ...] = ()
    pooling: Pooling = "mean"
    limit: int | None = None
    occurrences: int = 10
    words: int = 150
    shown: int = 24
    pool: int = 6_000
    draws: int = 1_000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.pooling not in get_args(Pooling):
            raise BadInput(f"no pooling {self.pooling!r}", mend=nearest(self.pooling, get_args(Pooling)))
        for name, value in _LEAST.items():
            setting = getattr(self, name)
            if setting is not None and setting < value:
                raise BadInput(f"--{name} {setting} is too few", mend=f"give {value} or more")
        if not self.models:
            raise BadInput("no model was given", mend="give --model, a name, a folder or a file")
        for what, names in (("model", self.models), ("data", self.data)):
            if len(set(names)) < len(names):
                raise BadInput(f"the same {what} was given twice", mend=f"give each --{what} once")
