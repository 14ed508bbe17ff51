"""The settings of `wordworth study words`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wordworth.measures.words.analogies import Method
from wordworth.settings_validation import at_least, setting, validate

Candidates = Literal["table", "sets"]


@dataclass(frozen=True, kw_only=True, slots=True)
class WordsSettings:
    """Settings of the study `words`, which scores static tables on word benchmarks.

    A table of subwords has no words of its own, so that its candidate answers are always the words of the benchmarks,
    and `candidates` has no effect on it.
    """

    sets: tuple[str, ...] = setting(
        ("all",), "Word sets, kinds of sets (similarity, analogy, category, relation), or all."
    )
    data: Path | str | None = setting(None, "Folder of the word sets. [default: $WORDWORTH_DATA/wordsets]")
    candidates: Candidates = setting("table", "Candidate answers of analogies: words of the table or of the sets.")
    most: int = setting(300_000, "Most words to use of each table, the first ones.", at_least(1))
    method: Method = setting("add", "Method for analogies: 3CosAdd or 3CosMul.")
    draws: int = setting(1_000, "Bootstrap resamples per interval.", at_least(100))
    seed: int = setting(0, "Random seed of the resampling and of k-means.")

    def __post_init__(self) -> None:
        validate(self)
