"""The fine-tuned rung: an encoder trained on the task under a new output layer (Devlin et al. 2019, section 3.2).

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wordworth.files import content_key
from wordworth.models.encoder_fingerprint import training_key
from wordworth.progress import ignore
from wordworth.representations.encoder_training_rung import TrainedEncoderLearner, TrainedEncoderRung
from wordworth.representations.finetuning_settings import FineTuning, RunLength
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.temperature_scaling import Calibration
from wordworth.representations.rung import Cost, Predictions, RunContext
from wordworth.representations.shared_encoder import load_trainable_encoder, parameter_count
from wordworth.sentence_formatting import count_of
from wordworth.sources import FINETUNED_SUFFIX, display_name, short_name
from wordworth.tasks.task import Examples, Kind, Rows, Task
from wordworth.tasks.task_types import IN_LADDER

if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.representations.finetuning_run import FineTuningOutcome
    from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
    from wordworth.training.task_heads import TaskHead
    from wordworth.training.task_heads.base import InputReader
    from wordworth.worker_process import WorkerPool

_LONG_FIT = 3e11
"""Tokens times parameters above which a fit takes longer than the start of a worker process, some three seconds."""


@dataclass(frozen=True, slots=True)
class FineTuned(TrainedEncoderRung):
    """A rung with an encoder that is fine-tuned on every subset of the labelled texts, from its pretrained weights.

    Args:
        model: the encoder: a catalogue name, a folder or a cached hub name.
        settings: the settings of every fine-tuning run.
    """

    model: str
    settings: FineTuning = field(default_factory=FineTuning)

    @property
    def name(self) -> str:
        """The name of the rung, such as `minilm-finetuned`."""
        return f"{short_name(self.model)}{FINETUNED_SUFFIX}"

    @property
    def title(self) -> str:
        """The title of the rung, such as `MiniLM (fine-tuned)`."""
        return f"{display_name(self.model)} (fine-tuned)"

    def kinds(self) -> frozenset[Kind]:
        """Return the kinds of task that the rung can learn: all of them."""
        return IN_LADDER

    def brief(self, batch_size: int) -> FineTuned:
        """Return a copy of the rung that trains for one epoch, to measure the time of a step.

        Args:
            batch_size: number of texts in a step.
        """
        most = self.settings.most_tokens
        return replace(self, settings=FineTuning(epochs=1, restarts=0, batch_size=batch_size, most_tokens=most))

    def prepare(self, task: Task, run_context: RunContext) -> FineTuningLearner:
        """Load the encoder and tokenize every text of the task.

        Raises:
            BadInput: no encoder of that name is on this machine, or its files are damaged.
            MissingExtra: torch is not installed.
        """
        encoder = load_trainable_encoder(self.model, run_context.dtype, run_context.device)
        from wordworth.training.task_heads import head_of
        from wordworth.training.task_heads.base import InputReader

        limit = min(self.settings.most_tokens, encoder.max_length)
        reader, head = InputReader(tokenizer=encoder.tokenizer, limit=limit), head_of(task)
        tokenized = head.encode(reader, task.examples)
        if tokenized.num_truncated:
            longer = count_of(tokenized.num_truncated, "is", "are")
            run_context.progress.note(
                f"{self.title}: of {len(task.examples):,} texts, {longer} longer than {limit} tokens, cut to their "
                "beginning and end"
            )
        return FineTuningLearner(
            task, self.settings, encoder, reader, head, tokenized, model=self.model, workers=run_context.workers
        )


@dataclass(frozen=True, slots=True)
class FineTuningLearner(TrainedEncoderLearner):
    """A pretrained encoder and the tokenized texts of a task, ready for fits, also in several threads at once.

    Attributes:
        reader: the tokenizer that turns texts into token ids.
        head: the task head, which encodes examples as token sequences.
        tokenized: all texts of the task.
        report: function that is called with the fraction of a fit done since the last call.
        model: the name by which a worker process loads the encoder.
        workers: processes for long fits; None makes every fit in the calling thread.
    """

    task: Task
    settings: FineTuning
    encoder: TextEncoder
    reader: InputReader
    head: TaskHead
    tokenized: TokenizedExamples
    report: Callable[[float], None] = ignore
    model: str = ""
    workers: WorkerPool | None = None

    def with_progress(self, report: Callable[[float], None]) -> FineTuningLearner:
        """Return the same learner whose fits call `report` with the fraction of the fit done since the last call."""
        return replace(self, report=report)

    def fit(self, rows: Rows, rng: np.random.Generator) -> FineTunedPredictor:
        """Fine-tune a copy of the encoder on `rows`, in one thread, so that the result is the same on any machine.

        Args:
            rows: int64 [n], the indices of the training rows.
            rng: source of randomness.
        """
        from wordworth.representations.finetuning_run import FineTuningJob, fine_tune
        from wordworth.representations.finetuning_worker import fine_tune_in

        target, tokenized = Target.of(self.task, rows), self.tokenized.take(rows)
        job = FineTuningJob(self.encoder, self.head, tokenized, target, self.settings, self.report)
        seed = int(rng.integers(1 << 62))
        on_cpu = self.encoder.model.device.type == "cpu"  # a GPU is shared by the threads of one process
        if on_cpu and self.workers is not None and self.plan(rows).tokens * parameter_count(self.encoder) > _LONG_FIT:
            return FineTunedPredictor(self, fine_tune_in(self.workers, self.model, job, seed))
        return FineTunedPredictor(self, fine_tune(job, seed))

    @property
    def max_tokens(self) -> int:
        """The number of tokens, special ones included, to which a text (or a pair together) is truncated."""
        return self.reader.limit

    def num_truncated(self, rows: Rows) -> int:
        """Return the number of given rows of the task with more than `max_tokens` tokens, which lose their middle.

        Args:
            rows: int64 [n], indices of the task's rows.
        """
        return int(self.tokenized.truncated[rows].sum())

    def fingerprint(self) -> str:
        """Return a hash of the encoder's weights, its tokenizer and the settings."""
        return content_key(training_key(self.encoder), self.settings)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens that training reads of each text of the task, int64 [texts]."""
        return self.tokenized.lengths

    def plan(self, rows: Rows) -> RunLength:
        """Return the number of steps and tokens of a fit on given rows of the task."""
        return self.settings.plan(self.tokenized.lengths[rows])

    def cost(self) -> Cost:
        """Return the size of the encoder and its output layer, float32."""
        parameters = parameter_count(self.encoder) + (self.encoder.model.width + 1) * max(len(self.task.classes), 1)
        return Cost.of_float32(parameters, self.encoder.model.width)


@dataclass(frozen=True, slots=True)
class FineTunedPredictor:
    """A fine-tuned encoder that predicts the rows of a task, and new texts."""

    learner: FineTuningLearner
    outcome: FineTuningOutcome

    @property
    def chosen(self) -> Mapping[str, object]:
        """The selected training step and tau (strength of the logit adjustment), and a summary of the training."""
        return self.outcome.chosen

    @property
    def calibration(self) -> Calibration:
        """The temperature and shift by which scores become probabilities."""
        return self.outcome.calibration

    def predict(self, rows: Rows) -> Predictions:
        """Return predictions for some rows of the task.

        Args:
            rows: int64 [n], indices of the task's rows.
        """
        return self._predictions(self.learner.tokenized.take(rows))

    def predict_texts(self, examples: Examples) -> Predictions:
        """Return predictions for new texts."""
        return self._predictions(self.learner.head.encode(self.learner.reader, examples))

    def _predictions(self, tokenized: TokenizedExamples) -> Predictions:
        predicted = self.outcome.model.predict(tokenized)
        return self.outcome.adjustment(predicted) if isinstance(predicted, np.ndarray) else predicted  # type: ignore[return-value]  # only the head of spans predicts texts
