"""Fine-tuning on labelled texts: train, evaluate, and restart with another seed if nothing was learned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from wordworth import seeds
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import FractionProgress, ignore
from wordworth.representations.finetuning_settings import HELD_OUT_PART, FineTuning
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.cross_validation import best, smoothed, split_off
from wordworth.representations.heads.logit_adjustment import NONE, LogitAdjustment, taus_for
from wordworth.representations.heads.prediction_sets import fit_calibration
from wordworth.representations.heads.temperature_scaling import NOT_CALIBRATED, Calibration
from wordworth.tasks.task import Rows
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.finetuning.trainer import FineTunedModel, FineTuningConfig, FineTuningRun
from wordworth.training.loop import Diverged, train_keep_best
from wordworth.training.task_heads import TaskHead

HELD_OUT_PART_OF_FEW = 5
_MAX_CHECKED = 256


@dataclass(frozen=True, slots=True)
class FineTuningJob:
    """The inputs of a fine-tuning run.

    Attributes:
        encoder: the pretrained encoder, of which a copy is fine-tuned.
        head: the task head.
        tokenized: the training texts.
        target: the labels of the training texts.
        settings: the settings of the run.
        report: function that is called with the fraction of the run done since the last call.
    """

    encoder: TextEncoder
    head: TaskHead
    tokenized: TokenizedExamples
    target: Target
    settings: FineTuning
    report: Callable[[float], None] = ignore


@dataclass(frozen=True, slots=True)
class FineTuningOutcome:
    """The result of a fine-tuning run.

    Attributes:
        model: the fine-tuned encoder under its task head.
        adjustment: the logit adjustment of the model's scores.
        calibration: the temperature and shift by which adjusted scores become probabilities.
        chosen: a summary of the training, which a study writes into its record.
    """

    model: FineTunedModel
    adjustment: LogitAdjustment
    calibration: Calibration
    chosen: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class FineTunedWeights:
    """The weights of a fine-tuned model, to send to a process that has the job and the seed and can restore the model.

    Attributes:
        weights: name -> tensor of the trained layers, float32.
        adjustment: the logit adjustment of the model's scores.
        calibration: the temperature and shift by which adjusted scores become probabilities.
        chosen: a summary of the training, which a study writes into its record; its number of restarts is needed to
            restore the model.
    """

    weights: Mapping[str, Tensor]
    adjustment: LogitAdjustment
    calibration: Calibration
    chosen: Mapping[str, object]

    @classmethod
    def of(cls, outcome: FineTuningOutcome) -> FineTunedWeights:
        """Return a fine-tuned model's weights, without what the process that restores the model has already."""
        weights = outcome.model.network.state_dict()
        return cls(weights, outcome.adjustment, outcome.calibration, outcome.chosen)

    def restored(self, job: FineTuningJob, seed: int) -> FineTuningOutcome:
        """Rebuild the fine-tuned model from its weights and the job of its training.

        Args:
            job: the job of the training.
            seed: the seed of the training.
        """
        with ONE_THREAD.limit():
            tuning = _Attempt(job, attempt_seed(seed, int(str(self.chosen["restarts"])))).tuning
            tuning.load_weights(self.weights)
        return FineTuningOutcome(tuning.tuned, self.adjustment, self.calibration, self.chosen)


def attempt_seed(seed: int, attempt: int) -> int:
    """Return the seed of one attempt of a fine-tuning run.

    Args:
        seed: the seed of the run.
        attempt: number of the attempt, from 0.
    """
    return seeds.child_seed(seed, "attempt", attempt)


def fine_tune(job: FineTuningJob, seed: int) -> FineTuningOutcome:
    """Fine-tune a model; if it learned nothing, start again with a new seed, up to `settings.restarts` times.

    A model has learned nothing if it predicts the same for all training texts although their labels differ, or if its
    loss is not finite.

    Args:
        job: the data, the encoder and the settings.
        seed: the seed of the run.

    Raises:
        Diverged: the loss of the last attempt was not finite.
    """
    with ONE_THREAD.limit():
        for attempt in range(job.settings.restarts + 1):
            run = _Attempt(job, attempt_seed(seed, attempt))
            last = attempt == job.settings.restarts
            try:
                kept_step = run.train()
            except Diverged:
                if last:
                    raise
                continue
            collapsed = run.learned_nothing()
            if last or not collapsed:
                break
    adjustment, calibration = run.on_held_out()
    summary = {**run.about(kept_step), "tau": adjustment.tau, "restarts": attempt, "collapsed": collapsed}
    return FineTuningOutcome(run.tuning.tuned, adjustment, calibration, summary)


def best_adjustment(training: Target, held_out: Target, scores: NDArray[np.float64]) -> LogitAdjustment:
    """Return the logit adjustment, by class frequencies in `training`, whose strength scores best on held-out rows.

    Args:
        training: the labels that the network was trained on.
        held_out: the labels of the held-out rows.
        scores: float64 [held-out rows, classes], without the adjustment.
    """

    def smoothed_scores(taus: Sequence[float]) -> list[float]:
        each = {tau: held_out.score(LogitAdjustment.of(training, tau)(scores)) for tau in sorted(taus)}
        smooth = dict(zip(each, smoothed(np.array(list(each.values())), 0), strict=True))
        return [float(smooth[tau]) for tau in taus]

    return LogitAdjustment.of(training, best(sorted(taus_for(held_out), key=abs), smoothed_scores))


def calibrated(adjustment: LogitAdjustment, held_out: Target, scores: NDArray[np.float64]) -> Calibration:
    """Fit on held-out rows, which have one class each, the temperature that turns adjusted scores into probabilities.

    Args:
        adjustment: the adjustment of the scores that will become probabilities.
        held_out: the labels of the held-out rows.
        scores: float64 [held-out rows, classes], without the adjustment.
    """
    shift = adjustment.shift.tolist() if adjustment.tau else ()
    return fit_calibration([scores], [np.asarray(held_out.labels)], shift)


class _Attempt:
    """One of the fine-tuning runs that `fine_tune` makes, until a model has learned something."""

    def __init__(self, job: FineTuningJob, seed: int) -> None:
        self.job, self.seed = job, seed
        self.training, self.held_out = self._split()
        tokenized, target = job.tokenized.take(self.training), job.target.take(self.training)
        gold = job.head.targets(job.target.labels if not len(self.held_out) else target.labels, tokenized)
        self.tuning = FineTuningRun(job.encoder.model, job.head, tokenized, gold, self._config(tokenized), seed)

    def train(self) -> int:
        """Train the model, and return the number of the step whose weights are kept.

        With `stop_from` labelled texts or more, this step scores best on held-out texts; else it is the last step.
        """
        if not len(self.training):
            return 0
        score = self._held_out_score if self._is_large() and len(self.held_out) else None
        steps = self.tuning.config.steps
        return train_keep_best(
            self.tuning.loop, steps, score, self.job.settings.evaluations, FractionProgress(self.job.report, steps)
        )

    def learned_nothing(self) -> bool:
        """True if the predictions for training texts are all equal, though their labels differ."""
        rows = self.training[:_MAX_CHECKED]
        predictions = self.tuning.tuned.predict(self.job.tokenized.take(rows))
        return self.job.target.type.is_degenerate(self.job.target.take(rows).labels, predictions)

    def about(self, kept_step: int) -> dict[str, object]:
        """Return a summary of the training, which a study writes into its record."""
        steps_per_epoch = max(1, -(-len(self.training) // self.job.settings.batch_size))
        epochs = round(kept_step / steps_per_epoch, 1)
        chosen = {"steps": kept_step, "epochs": epochs, "held_out": len(self.held_out)}
        return {**chosen, "cut": self.job.tokenized.num_truncated, "most_tokens": self.job.settings.most_tokens}

    def _config(self, tokenized: TokenizedExamples) -> FineTuningConfig:
        settings = self.job.settings
        pooling = self.job.encoder.head.modes[0]
        return FineTuningConfig(
            steps=settings.plan(tokenized.lengths).steps,
            batch_size=settings.batch_size,
            learning_rate=settings.learning_rate,
            head_learning_rate=settings.head_learning_rate,
            warmup=settings.warmup,
            pooling=pooling,
            embeddings=False,
            encoder_dropout=False,
            dropout=settings.dropout,
            bf16=settings.bf16,
        )

    def _split(self) -> tuple[Rows, Rows]:
        """Return (training texts, held-out texts), indices of the job's texts.

        If there are many texts, a tenth is held out, to choose the step and tau by. If there are few and the metric has
        a tau to choose, a fifth is held out. A fifth is too small to choose the step by, but a good tau gains more than
        training on these texts. Else nothing is held out.
        """
        few = HELD_OUT_PART_OF_FEW if len(taus_for(self.job.target)) > 1 else 0
        part = HELD_OUT_PART if self._is_large() else few
        return split_off(self.job.target, seeds.child(self.seed, "held out"), part)

    def _is_large(self) -> bool:
        """Return whether there are enough labelled texts to choose the best step on held-out texts."""
        return len(self.job.tokenized) >= self.job.settings.stop_from

    def on_held_out(self) -> tuple[LogitAdjustment, Calibration]:
        """Return the logit adjustment and the calibration that are best on the held-out rows.

        If no rows are held out, neither of the two changes the scores.
        """
        training, held_out = self.job.target.take(self.training), self.job.target.take(self.held_out)
        single_class, has_taus = held_out.type.multiclass, taus_for(held_out) != NONE
        if not len(self.held_out) or not (single_class or has_taus):
            return LogitAdjustment.of(training, *NONE), NOT_CALIBRATED
        scores = np.asarray(self.tuning.tuned.predict(self.job.tokenized.take(self.held_out)))
        adjustment = best_adjustment(training, held_out, scores) if has_taus else LogitAdjustment.of(training, *NONE)
        return adjustment, calibrated(adjustment, held_out, scores) if single_class else NOT_CALIBRATED

    def _held_out_score(self) -> float:
        """Return the task's metric on the held-out rows."""
        predictions = self.tuning.tuned.predict(self.job.tokenized.take(self.held_out))
        return self.job.target.take(self.held_out).score(predictions)  # type: ignore[arg-type]  # no rung answers questions
