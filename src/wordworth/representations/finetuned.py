"""The fine-tuned rung: the encoder's body is trained on the task with a new output layer (Devlin et al. 2019, 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wordworth.files import content_key
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.progress import ignore
from wordworth.representations.heads.base import Target
from wordworth.representations.rung import Cost, Learner, Predictions, RunContext, Rung
from wordworth.representations.shared_encoder import load_encoder
from wordworth.sources import display_name, short_name
from wordworth.tasks.task import Examples, Kind, Rows, Task
from wordworth.tasks.task_types import IN_LADDER
from wordworth.text_format import count_of


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


if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.representations.finetuning_run import Outcome
    from wordworth.training.finetuning.inputs import TokenizedExamples
    from wordworth.training.task_heads import TaskHead
    from wordworth.training.task_heads.base import InputReader

_BYTES_A_NUMBER = 4


@dataclass(frozen=True, slots=True)
class FineTuned(Rung):
    """A contextual encoder, fine-tuned on every subset anew from its own weights.

    Args:
        model: a catalogue name, a folder or a cached hub name.
        settings: of every run.
    """

    model: str
    settings: FineTuning = field(default_factory=FineTuning)
    family = "finetuned"
    contextual = True
    slow = True
    assumed_run_sd = 0.01

    @property
    def name(self) -> str:
        """`minilm-finetuned`."""
        return f"{short_name(self.model)}-finetuned"

    @property
    def title(self) -> str:
        """`MiniLM, fine-tuned`."""
        return f"{display_name(self.model)}, fine-tuned"

    def kinds(self) -> frozenset[Kind]:
        """Return every kind of task."""
        return IN_LADDER

    def open(self, task: Task, run_context: RunContext) -> FineTuningLearner:
        """Load the encoder and read every text of the task as tokens.

        Raises:
            BadInput: no encoder of that name is on this machine, or its files are damaged.
            MissingExtra: torch is not installed.
        """
        encoder = load_encoder(self.model)
        from wordworth.training.task_heads import head_of
        from wordworth.training.task_heads.base import InputReader

        limit = min(self.settings.most_tokens, encoder.max_length)
        reader, head = InputReader(tokenizer=encoder.tokenizer, limit=limit), head_of(task)
        read = head.encode(reader, task.examples)
        if read.num_truncated:
            longer = count_of(read.num_truncated, "is", "are")
            run_context.progress.note(
                f"{self.title}: of {len(task.examples):,} texts, {longer} longer than {limit} tokens, cut to their "
                "beginning and end"
            )
        return FineTuningLearner(task, self.settings, encoder, (reader, head), read)


@dataclass(frozen=True, slots=True)
class FineTuningLearner(Learner):
    """An encoder and a task's tokenized texts; fits in several threads do not touch each other.

    Attributes:
        way: how texts become tokens, and the task head.
        read: all texts of the task.
        report: callback for the progress of a fit, as a fraction.
    """

    task: Task
    settings: FineTuning
    encoder: TextEncoder
    way: tuple[InputReader, TaskHead]
    read: TokenizedExamples
    report: Callable[[float], None] = ignore

    def with_progress(self, report: Callable[[float], None]) -> FineTuningLearner:
        """Return the same learner, reporting its progress to `report`."""
        return replace(self, report=report)

    def fit(self, rows: Rows, rng: np.random.Generator) -> FineTunedPredictor:
        """Fine-tune a copy of the encoder's body on `rows`, on one thread whatever the machine has."""
        from wordworth.representations.finetuning_run import Work, fine_tune

        target, read = Target.of(self.task, rows), self.read.take(rows)
        work = Work(self.encoder, self.way[1], read, target, self.settings, self.report)
        return FineTunedPredictor(self, fine_tune(work, int(rng.integers(1 << 62))))

    @property
    def max_tokens(self) -> int:
        """Most tokens of a text (or pair), special ones included."""
        return self.way[0].limit

    def num_truncated(self, rows: Rows) -> int:
        """Return how many of these rows are longer and are cut to their beginning and end."""
        return int(self.read.truncated[rows].sum())

    def fingerprint(self) -> str:
        """Return a key of the encoder's weights and tokenizer, and the settings of every run."""
        return content_key(fingerprint(self.encoder), self.settings)

    def plan(self, rows: Rows) -> RunLength:
        """Return what `fit` on these rows would do: steps, and tokens read in training."""
        return self.settings.plan(self.read.lengths[rows])

    def cost(self) -> Cost:
        """Return the size of the encoder and its output layer, float32."""
        numbers = sum(parameter.numel() for parameter in self.encoder.model.parameters())
        numbers += (self.encoder.model.width + 1) * max(len(self.task.classes), 1)
        return Cost(_BYTES_A_NUMBER * numbers, numbers, self.encoder.model.width)


@dataclass(frozen=True, slots=True)
class FineTunedPredictor:
    """A fine-tuned encoder."""

    learner: FineTuningLearner
    outcome: Outcome

    @property
    def chosen(self) -> Mapping[str, object]:
        """What was chosen in training, and how it went."""
        return self.outcome.chosen

    def predict(self, rows: Rows) -> Predictions:
        """Return predictions for the task's `rows`."""
        return self._predictions(self.learner.read.take(rows))

    def answer(self, examples: Examples) -> Predictions:
        """Return predictions for new texts."""
        reader, head = self.learner.way
        return self._predictions(head.encode(reader, examples))

    def _predictions(self, read: TokenizedExamples) -> Predictions:
        predicted = self.outcome.tuned.predict(read)
        return self.outcome.adjustment(predicted) if isinstance(predicted, np.ndarray) else predicted  # type: ignore[return-value]  # only the head of spans predicts texts
