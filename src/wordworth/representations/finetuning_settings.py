"""Settings of the fine-tuned rung, and how long a run is by them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class RunLength:
    """The planned length of a fine-tuning run; the same for the same texts on any machine.

    Attributes:
        steps: number of updates.
        tokens: read in training in all; the cost of a run is about proportional to it.
    """

    steps: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuning:
    """Settings of a run.

    They follow Mosbach et al. 2021 and Zhang et al. 2021 (bias correction, 10 % warm-up, many steps on few labels); the
    rate is higher than BERT's, for an encoder of this size.

    Attributes:
        rate: peak learning rate of the encoder's body; `output_rate` that of the new layer.
        dropout: on the vector under the output layer.
        epochs: passes over the labels, but at least `least_steps` and at most `most_steps` updates...
        least_epochs: ...or as many as these passes need, if that is more...
        budget: ...and never more than this many tokens in training.
        most_tokens: a text is read up to this many tokens (special ones included): half of them its beginning, half its
            end, as Sun et al. 2019 (arXiv 1905.05583, 5.3.1) found best; how many texts were cut is recorded.
        stop_from: from this many labels on, one in ten is held out, the network is evaluated on these four times on the
            way and the best step by the task's metric is kept. Fewer labels are all trained on, unless the metric has a
            tau to choose (F1, Matthews): then one in five is held out, and the last step is kept.
        restarts: new seeds tried after a run that learned nothing.
        half: compute in bfloat16 where the processor has instructions for it.
    """

    rate: float = 1e-4
    output_rate: float = 1e-3
    batch: int = 16
    epochs: int = 8
    warmup: float = 0.1
    dropout: float = 0.1
    least_steps: int = 150
    most_steps: int = 400
    least_epochs: int = 2
    budget: int = 600_000
    most_tokens: int = 128
    stop_from: int = 2000
    looks: int = 4
    restarts: int = 1
    half: bool = True

    def plan(self, lengths: NDArray[np.int64]) -> RunLength:
        """Return how long a run over texts of these lengths in tokens will be."""
        each = (
            float(np.minimum(lengths, self.most_tokens).mean()) * min(self.batch, len(lengths)) if len(lengths) else 1
        )
        epoch = -(-len(lengths) // self.batch)
        most = max(self.most_steps, self.least_epochs * epoch)
        steps = min(max(self.epochs * epoch, self.least_steps), most, max(1, int(self.budget / each)))
        return RunLength(steps, round(steps * each))


QUICK = FineTuning(least_steps=60, most_steps=80, least_epochs=0, budget=40_000, most_tokens=64)
"""A run takes ten to twenty seconds on a core, for an answer within a minute."""
