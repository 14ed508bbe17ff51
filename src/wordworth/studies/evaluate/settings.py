"""The settings of `wordworth evaluate`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput

_LEAST_DRAWS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class EvaluateSettings:
    """How predictions are scored.

    Attributes:
        data: the user's own folder of the task's files; by default they are looked for in `$WORDWORTH_DATA` and the
            hub's cache.
        part: the split to score, `dev` or `test`; by default the task's dev split where it has one, else its test
            split.
        na_probs: for SQuAD 2.0, a JSON file of id -> the probability, by the system, that there is no answer.
        na_threshold: answers whose value in `na_probs` exceeds it are withheld (default 1, as in the official script).
        gold, prediction: for a user's own file, its columns of labels and of predictions; by default guessed by name.
        kind: for a user's own file, its kind of task: the name of a `TaskType`, such as `multilabel`; by default
            inferred from the labels (`multiple_choice` and `question_answering` cannot be).
        metric: for a user's own file, one metric in place of the usual ones of its kind.
        draws: the number of resampled sets behind each interval.
        seed: seed of the resampling.
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
            what = "a threshold needs the probabilities that there is no answer"
            raise BadInput(what, where="--na-threshold", mend="give them with --na-probs, or leave the threshold out")
        if self.draws < _LEAST_DRAWS:
            raise BadInput(f"{self.draws} draws are too few", where="--draws", mend=f"give {_LEAST_DRAWS} or more")
