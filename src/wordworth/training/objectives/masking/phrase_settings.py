"""`PhraseSettings`: the settings of `wordworth phrases`, shared by Python and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wordworth.errors import BadInput
from wordworth.settings_validation import at_least, setting, validate

Scoring = Literal["npmi", "word2phrase"]
_THRESHOLDS = {"npmi": 0.5, "word2phrase": 10.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseSettings:
    """Settings for finding phrases in a corpus by word association."""

    tokenizer: Path | str | None = setting(None, "Folder of the tokenizer; not needed for token stores.")
    scoring: Scoring = setting(
        "npmi", "Score of two neighbouring words: normalised pointwise mutual information, or that of word2phrase."
    )
    threshold: float | None = setting(
        None, "Lowest score of a phrase. [default: 0.5 of at most 1; 10 with --scoring word2phrase]"
    )
    min_count: int = setting(10, "Fewest occurrences of a phrase.", at_least(2))
    rounds: int = setting(2, "Rounds of joining neighbours; each may double the words of a phrase.", at_least(1))

    def __post_init__(self) -> None:
        validate(self)
        if self.threshold is not None and self.scoring == "npmi" and not -1 <= self.threshold <= 1:
            raise BadInput(
                f"a threshold of {self.threshold:g} is out of range", where="--threshold", mend="give -1 to 1"
            )

    @property
    def lowest_score(self) -> float:
        """The lowest score of a phrase: the threshold of the settings, or else the default for the scoring."""
        return _THRESHOLDS[self.scoring] if self.threshold is None else self.threshold
