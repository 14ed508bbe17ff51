"""The fine-tuned rung: the encoder's body is trained on the task with a new output layer (Devlin et al. 2019, 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from wordworth.files import content_key
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.progress import ignore
from wordworth.representations.finetuning_settings import FineTuning, RunLength
from wordworth.representations.heads.base import Target
from wordworth.representations.rung import Cost, Learner, Predictions, RunContext, Rung
from wordworth.representations.shared_encoder import load_encoder
from wordworth.sources import display_name, short_name
from wordworth.tasks.task import Examples, Kind, Rows, Task
from wordworth.tasks.task_types import IN_LADDER
from wordworth.text_format import count_of

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
