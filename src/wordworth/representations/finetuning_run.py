"""Fine-tuning on a subset of labels: train, evaluate, and restart with another seed if nothing was learned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import FractionProgress, ignore
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.cross_validation import best, smoothed
from wordworth.representations.heads.logit_adjustment import NONE, LogitAdjustment, taus_for
from wordworth.tasks.task import Rows
from wordworth.training.finetuning.inputs import TokenizedExamples
from wordworth.training.finetuning.trainer import FineTunedModel, FineTuningConfig, FineTuningRun
from wordworth.training.loop import BestStep, Diverged, train_keep_best
from wordworth.training.task_heads import TaskHead

_HELD_PART = 10
_HELD_PART_OF_FEW = 5
_LOOKED_AT = 256


@dataclass(frozen=True, slots=True)
class Work:
    """An encoder, a task head, token sequences and their labels, the settings of a run, and a progress callback."""

    encoder: TextEncoder
    head: TaskHead
    read: TokenizedExamples
    target: Target
    settings: FineTuning
    report: Callable[[float], None] = ignore


@dataclass(frozen=True, slots=True)
class Outcome:
    """A trained network, how its scores are adjusted, and a summary of its training for the record."""

    tuned: FineTunedModel
    adjustment: LogitAdjustment
    chosen: Mapping[str, object]


def fine_tune(work: Work, seed: int) -> Outcome:
    """Fine-tune, restarting with new seeds up to `settings.restarts` times if nothing was learned.

    Raises:
        Diverged: the loss of the last attempt was not finite.
    """
    with ONE_THREAD.held():
        for attempt in range(work.settings.restarts + 1):
            run = _Run(work, seeds.child_seed(seed, "attempt", attempt))
            last = attempt == work.settings.restarts
            try:
                best = run.train()
            except Diverged:
                if last:
                    raise
                continue
            collapsed = run.learned_nothing()
            if last or not collapsed:
                break
    adjustment = run.adjustment()
    summary = {**run.about(best), "tau": adjustment.tau, "restarts": attempt, "collapsed": collapsed}
    return Outcome(run.tuning.tuned, adjustment, summary)


class _Run:
    """One attempt."""

    def __init__(self, work: Work, seed: int) -> None:
        self.work, self.seed = work, seed
        self.learned, self.held = self._parts()
        read, target = work.read.take(self.learned), work.target.take(self.learned)
        gold = work.head.targets(work.target.labels if not len(self.held) else target.labels, read)
        self.tuning = FineTuningRun(work.encoder.model, work.head, read, gold, self._procedure(read), seed)

    def train(self) -> BestStep:
        """Train as planned; the held-out part, if there is one, decides which evaluation's weights are kept."""
        if not len(self.learned):
            return BestStep(0)
        judge = self._judged if self._is_large() else None
        steps = self.tuning.config.steps
        return train_keep_best(
            self.tuning.loop, steps, judge, self.work.settings.looks, FractionProgress(self.work.report, steps)
        )

    def learned_nothing(self) -> bool:
        """Whether predictions for its own training texts are all alike, though their labels differ."""
        rows = self.learned[:_LOOKED_AT]
        predictions = self.tuning.tuned.predict(self.work.read.take(rows))
        return self.work.target.type.is_degenerate(self.work.target.take(rows).labels, predictions)

    def about(self, best: BestStep) -> dict[str, object]:
        """Return a summary of the training for the record."""
        epochs = round(best.step * self.work.settings.batch / max(len(self.learned), 1), 1)
        chosen = {"steps": best.step, "epochs": epochs, "held_out": len(self.held)}
        return {**chosen, "cut": self.work.read.num_truncated, "most_tokens": self.work.settings.most_tokens}

    def _procedure(self, read: TokenizedExamples) -> FineTuningConfig:
        settings = self.work.settings
        pooling = self.work.encoder.head.modes[0]
        return FineTuningConfig(
            steps=settings.plan(read.lengths).steps,
            batch_size=settings.batch,
            learning_rate=settings.rate,
            head_learning_rate=settings.output_rate,
            warmup=settings.warmup,
            pooling=pooling,
            embeddings=False,
            encoder_dropout=False,
            dropout=settings.dropout,
            bf16=settings.half,
        )

    def _parts(self) -> tuple[Rows, Rows]:
        """Return training rows and held-out rows; these choose the step if labels are many, and tau where it matters.

        A fifth of few labels is too noisy to choose steps by but finds a good tau, worth more than what that fifth
        would teach.
        """
        order = seeds.child(self.seed, "held out").permutation(len(self.work.read))
        held = 0
        if self._is_large():
            held = len(order) // _HELD_PART
        elif len(taus_for(self.work.target)) > 1:
            held = len(order) // _HELD_PART_OF_FEW
        return np.sort(order[held:]), np.sort(order[:held])

    def _is_large(self) -> bool:
        """Whether there are enough labels to choose the best step on held-out rows."""
        return len(self.work.read) >= self.work.settings.stop_from

    def adjustment(self) -> LogitAdjustment:
        """Return the logit adjustment that is best on the held-out rows; none without held-out rows."""
        learned, held = self.work.target.take(self.learned), self.work.target.take(self.held)
        taus = sorted(taus_for(held), key=abs) if len(self.held) else NONE
        if len(taus) == 1:
            return LogitAdjustment.of(learned, *taus)
        scores = np.asarray(self.tuning.tuned.predict(self.work.read.take(self.held)))

        def judged(taus: Sequence[float]) -> list[float]:
            each = {tau: held.score(LogitAdjustment.of(learned, tau)(scores)) for tau in sorted(taus)}
            smooth = dict(zip(each, smoothed(np.array(list(each.values())), 0), strict=True))
            return [float(smooth[tau]) for tau in taus]

        return LogitAdjustment.of(learned, best(taus, judged))

    def _judged(self) -> float:
        """Return the task's metric on the held-out rows."""
        predictions = self.tuning.tuned.predict(self.work.read.take(self.held))
        return self.work.target.take(self.held).score(predictions)  # type: ignore[arg-type]  # no rung answers questions
