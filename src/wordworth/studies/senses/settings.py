"""What `wordworth study senses` can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from wordworth.errors import BadInput, nearest
from wordworth.studies.layer_reader import Pooling

_LEAST = {"limit": 10, "occurrences": 5, "words": 0, "shown": 6, "pool": 50, "draws": 100}


@dataclass(frozen=True, kw_only=True, slots=True)
class SensesSettings:
    """How senses are looked at.

    Attributes:
        models: encoders and static tables: catalogue names, folders or files.
        data: `semcor`, `coarsewsd`, `wic`, or files; where empty, those of the three that WORDWORTH_DATA has.
        pooling: how a word's pieces become one vector: their mean, or the first or last alone.
        limit: read at most so many sentences (or pairs of a split) of a set, drawn at random; None for all.
        occurrences: a word takes part in the explanations of self-similarity from so many occurrences on.
        words: in the word explorer, the most frequent that have two senses; 0 for none.
        shown: occurrences of a word in its picture at most.
        pool: occurrences of other words that neighbours are looked for among.
        draws: resampled sets behind each interval.
        seed: that everything random comes from.
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
            given = getattr(self, name)
            if given is not None and given < value:
                raise BadInput(f"--{name} {given} is too few", mend=f"give {value} or more")
        if not self.models:
            raise BadInput("no model was given", mend="give --model, a name, a folder or a file")
        for what, given in (("model", self.models), ("data", self.data)):
            if len(set(given)) < len(given):
                raise BadInput(f"the same {what} was given twice", mend=f"give each --{what} once")
