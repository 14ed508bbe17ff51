"""What `wordworth evaluate` can be told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput

_LEAST_DRAWS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class EvaluateSettings:
    """How predictions are scored.

    Attributes:
        data: the user's own folder of the task's files; else `$WORDWORTH_DATA` and the hub's cache are looked through.
        part: of the task, `dev` or `test`; its dev part where it has one, else its test part.
        na_probs: SQuAD 2.0: a JSON of id -> how sure the system is that there is no answer.
        na_threshold: answers are withheld whose value in `na_probs` exceeds it (1 where it is not
            given, as the official script has it).
        gold, prediction: of a user's own file, the columns of labels and of predictions; guessed by their names where
            not given.
        kind: of such a file: `single`, `pair`, `regression`, `multilabel`, `tags`, `choice` or `span`; inferred from
            the labels where not given (`choice` and `span` are not).
        metric: of such a file: one metric in place of those usual for its kind.
        draws: resampled sets behind each interval.
        seed: of the resampling.
    """

    data: Path | str | None = None
    part: str | None = None
    na_probs: Path | str | None = None
    na_threshold: float | None = None
    gold: str | None = None
    prediction: str | None = None
    kind: str | None = None
    metric: str | None = None
    draws: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.na_threshold is not None and self.na_probs is None:
            said = "a threshold is for values of how sure a system is that there is no answer"
            raise BadInput(said, where="--na-threshold", mend="give those with --na-probs, or leave it out")
        if self.draws < _LEAST_DRAWS:
            raise BadInput(f"{self.draws} draws are too few", where="--draws", mend=f"give {_LEAST_DRAWS} or more")
