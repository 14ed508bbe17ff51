"""Settings of few-shot training (SetFit) on pairs of labelled texts, and the length of a run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.finetuning_settings import RunLength
from wordworth.settings_validation import POSITIVE, at_least, setting, validate


@dataclass(frozen=True, slots=True, kw_only=True)
class FewShotTraining:
    """Settings of a contrastive training on a few labelled texts; the defaults follow SetFit.

    As in SetFit (Tunstall et al. 2022, arXiv 2209.11055) with R = 20, each text is the first of 40 pairs on average: 20
    with texts of the same class and 20 with texts of other classes. There are fewer pairs if so many texts are given
    that `most_steps` ends the run earlier. No settings are selected on held-out texts, since a fifth of so few texts
    would select badly.
    """

    pairs_per_text: int = setting(40, "Pairs for each text, half of its own label.", at_least(1))
    batch_size: int = setting(16, "Pairs in a batch.", at_least(1))
    learning_rate: float = setting(2e-5, "Peak learning rate of the encoder.", POSITIVE)
    strength: float = setting(1.0, "C of the logistic regression on the trained vectors.", POSITIVE)
    most_steps: int = setting(400, "Most updates.", at_least(1))
    most_tokens: int = setting(128, "Most tokens of a text in training, special ones included.", at_least(3))

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            BadInput: a number is out of its range.
        """
        validate(self, named=str)

    def steps(self, num_texts: int) -> int:
        """Return the number of updates of a run over `num_texts` texts."""
        return min(-(-self.pairs_per_text * num_texts // self.batch_size), self.most_steps)

    def plan(self, lengths: NDArray[np.int64]) -> RunLength:
        """Return the length of a run, in steps and tokens.

        Args:
            lengths: int64 [texts], the number of tokens of each text.
        """
        if not len(lengths):
            return RunLength(0, 0)
        steps, texts = self.steps(len(lengths)), min(2 * self.batch_size, len(lengths))
        return RunLength(steps, round(steps * texts * float(np.minimum(lengths, self.most_tokens).mean())))

    def num_held_out_predictions(self, labels: int) -> float:  # noqa: ARG002 - as of `FineTuning`
        """Return 0, since this training predicts no held-out texts to choose its best step.

        Args:
            labels: number of labelled texts of the run.
        """
        return 0.0
