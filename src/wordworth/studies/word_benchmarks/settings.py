"""The settings of `wordworth study words`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wordworth.errors import BadInput
from wordworth.measures.words.analogies import Method

Candidates = Literal["table", "sets"]
_LEAST_DRAWS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class WordsSettings:
    """How tables are scored.

    Attributes:
        sets: names of sets, of kinds of sets (similarity, analogy, category, relation), or `all`.
        data: the folder of the sets; by default `$WORDWORTH_DATA/wordsets`.
        candidates: the candidate answers of analogies: the words of the `table`, or the words of all `sets` on this
            machine. A table of subwords has no words of its own, and answers from those of the sets.
        most: only this many of a table's most frequent words are used, as in gensim (300,000 there).
        method: scoring of analogies, 3CosAdd (`add`) or 3CosMul (`mul`).
        draws: the number of resampled sets behind each interval.
        seed: seed of the resampling and of k-means.
    """

    sets: tuple[str, ...] = ("all",)
    data: Path | str | None = None
    candidates: Candidates = "table"
    most: int = 300_000
    method: Method = "add"
    draws: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.draws < _LEAST_DRAWS:
            raise BadInput(f"{self.draws} draws are too few", where="--draws", mend=f"give {_LEAST_DRAWS} or more")
        if self.most < 1:
            raise BadInput(f"{self.most} words are too few", where="--most", mend="give 1 or more")
