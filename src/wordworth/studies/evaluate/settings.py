"""The settings of `wordworth evaluate`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.settings_validation import at_least, setting, validate


@dataclass(frozen=True, kw_only=True, slots=True)
class EvaluateSettings:
    """Settings of the study `evaluate`, which scores given predictions."""

    data: Path | str | None = setting(None, "Folder of the task's files. [default: $WORDWORTH_DATA]")
    part: str | None = setting(None, "dev or test. [default: dev, test where there is no dev]")
    na_probs: Path | str | None = setting(None, "SQuAD 2.0: JSON of id -> probability of no answer.")
    na_threshold: float | None = setting(None, "Predict no answer where that probability is higher. [default: 1]")
    gold: str | None = setting(None, "Your own file: column of the labels. [default: gold, label, tags, ...]")
    prediction: str | None = setting(None, "Your own file: column of the predictions. [default: prediction, ...]")
    kind: str | None = setting(
        None,
        "Your own file: classification, pair_classification, regression, multilabel, tagging, multiple_choice or "
        "question_answering. [default: by the labels]",
    )
    metric: str | None = setting(
        None, "Your own file: accuracy, macro_f1, f1:CLASS, spearman, ... [default: the usual ones]"
    )
    draws: int = setting(1_000, "Bootstrap resamples per interval.", at_least(100))
    seed: int = setting(0, "Random seed of the resampling.")

    def __post_init__(self) -> None:
        validate(self)
        if self.na_threshold is not None and self.na_probs is None:
            what = "a threshold needs the probabilities that there is no answer"
            raise BadInput(what, where="--na-threshold", mend="give them with --na-probs, or leave the threshold out")
