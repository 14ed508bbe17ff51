"""Settings of fine-tuning an encoder on a subset of the labelled texts, and the length of a run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.settings_validation import POSITIVE, SHARE, at_least, setting, validate

_NONE, _ONE = at_least(0), at_least(1)
HELD_OUT_PART = 10
"""With many labels, one in this many is held out, to select the best weights."""
_EPOCHS = 8
"""Default number of passes over the training texts, before the bounds on the number of steps."""


@dataclass(frozen=True, slots=True)
class RunLength:
    """The length of a fine-tuning run.

    Attributes:
        steps: number of updates.
        tokens: number of training tokens over all steps; the time of a run is about proportional to it.
    """

    steps: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuning:
    """Settings of a fine-tuning run.

    The defaults follow Mosbach et al. 2021 and Zhang et al. 2021 (bias correction, 10 % warm-up, many steps on few
    labels), with a higher learning rate than BERT's, for smaller encoders. Texts that are too long keep their beginning
    and end, half of the tokens each, which worked best in Sun et al. 2019 (arXiv 1905.05583, section 5.3.1).

    With `stop_from` labelled texts or more, one text in ten is held out. The run is evaluated on the held-out texts
    `evaluations` times, and the weights that score best are kept. With fewer texts, the last weights are kept, and no
    text is held out unless the metric needs a logit adjustment (F1, Matthews). For such a metric one text in five is
    held out, to select the strength of the adjustment (tau).
    """

    learning_rate: float = setting(1e-4, "Peak learning rate of the encoder.", POSITIVE)
    head_learning_rate: float = setting(1e-3, "Peak learning rate of the output layer.", POSITIVE)
    batch_size: int = setting(16, "Texts in a batch.", _ONE)
    epochs: int | None = setting(
        None,
        "Passes over the training texts, exactly as many, whatever the bounds on steps and tokens. None for as many as "
        "the number of texts asks for: 8, but at least `least_steps` and at most `most_steps` updates.",
        at_least(1, ", or None for as many as the number of texts asks for"),
    )
    warmup: float = setting(0.1, "Fraction of the steps over which the learning rate rises.", SHARE)
    dropout: float = setting(0.1, "Dropout on the vector under the output layer.", SHARE)
    least_steps: int = setting(150, "Least updates.", _NONE)
    most_steps: int = setting(400, "Most updates.", _ONE)
    least_epochs: int = setting(2, "Passes for which `most_steps` may be exceeded.", _NONE)
    budget: int = setting(600_000, "Most training tokens over all steps, before all other bounds.", _ONE)
    most_tokens: int = setting(
        128,
        "Most tokens of a text, special ones included.",
        at_least(3, ": a text between two special tokens takes three"),
    )
    stop_from: int = setting(2000, "Number of labels from which the best of several evaluations is kept.", _NONE)
    evaluations: int = setting(4, "Number of evaluations during a run.", _ONE)
    restarts: int = setting(1, "Most new runs, with other seeds, after one that learned nothing.", _NONE)
    bf16: bool = setting(True, "Whether to compute in bfloat16 where the processor has instructions for it.")

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            BadInput: a number is out of its range.
        """
        validate(self, named=str)

    def plan(self, lengths: NDArray[np.int64]) -> RunLength:
        """Return the length of a run, in steps and tokens.

        Args:
            lengths: int64 [texts], the number of tokens of each text.
        """
        tokens_per_step = 1.0
        if len(lengths):
            tokens_per_step = float(np.minimum(lengths, self.most_tokens).mean()) * min(self.batch_size, len(lengths))
        steps_per_epoch = -(-len(lengths) // self.batch_size)
        if self.epochs is not None:
            steps = max(1, self.epochs * steps_per_epoch)
        else:
            steps = min(self._bounded(steps_per_epoch), max(1, int(self.budget / tokens_per_step)))
        return RunLength(steps, round(steps * tokens_per_step))

    def num_held_out_predictions(self, labels: int) -> float:
        """Return how many held-out texts a run on `labels` labelled texts predicts to select its best weights.

        A text counts once for each evaluation in which it is predicted.
        """
        return self.evaluations * labels / HELD_OUT_PART if labels >= self.stop_from else 0.0

    def _bounded(self, steps_per_epoch: int) -> int:
        """Return the number of steps of the usual number of epochs, within the bounds on steps."""
        most = max(self.most_steps, self.least_epochs * steps_per_epoch)
        return min(max(_EPOCHS * steps_per_epoch, self.least_steps), most)


QUICK = FineTuning(least_steps=60, most_steps=80, least_epochs=0, budget=40_000, most_tokens=64)
"""Settings for `--quick`: a run takes ten to twenty seconds on one core."""
