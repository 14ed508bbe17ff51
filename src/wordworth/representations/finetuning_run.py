"""One fine-tuning on a subset of labels: trained, looked at, and started anew if it learned nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.models.single_thread import ONE_THREAD
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import FractionProgress, ignore
from wordworth.representations import model_selection
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.logit_adjustment import NONE, LogitAdjustment, taus_for
from wordworth.tasks.task import Rows
from wordworth.training.best_checkpoint import BestStep, train_keep_best
from wordworth.training.finetuning.collapse import is_degenerate
from wordworth.training.finetuning.inputs import TokenizedExamples
from wordworth.training.finetuning.trainer import FineTunedModel, FineTuningConfig, FineTuningRun
from wordworth.training.loop import Diverged
from wordworth.training.task_heads import TaskHead

_HELD_PART = 10
_HELD_PART_OF_FEW = 5
_LOOKED_AT = 256


@dataclass(frozen=True, slots=True)
class Work:
    """An encoder, the head of the task, sequences and their labels, the settings of every run, and who hears of it."""

    encoder: TextEncoder
    head: TaskHead
    read: TokenizedExamples
    target: Target
    settings: FineTuning
    told: Callable[[float], None] = ignore


@dataclass(frozen=True, slots=True)
class Outcome:
    """A network that has learned, how its scores are adjusted, and what is worth knowing about how it came to be."""

    tuned: FineTunedModel
    adjustment: LogitAdjustment
    chosen: Mapping[str, object]


def fine_tune(work: Work, seed: int) -> Outcome:
    """Fine-tune, with new seeds as often as `settings.restarts` if nothing was learned; and what came of it.

    Raises:
        Diverged: the last attempt's loss was no number.
    """
    with ONE_THREAD.held():
        for attempt in range(work.settings.restarts + 1):
            run = _Run(work, seeds.child_seed(seed, "attempt", attempt))
            last = attempt == work.settings.restarts
            try:
                kept = run.train()
            except Diverged:
                if last:
                    raise
                continue
            collapsed = run.learned_nothing()
            if last or not collapsed:
                break
    adjustment = run.adjustment()
    about = {**run.about(kept), "tau": adjustment.tau, "restarts": attempt, "collapsed": collapsed}
    return Outcome(run.tuning.tuned, adjustment, about)


class _Run:
    """One attempt."""

    def __init__(self, work: Work, seed: int) -> None:
        self.work, self.seed = work, seed
        self.learned, self.held = self._parts()
        read, target = work.read.take(self.learned), work.target.take(self.learned)
        gold = work.head.targets(work.target.labels if not len(self.held) else target.labels, read)
        self.tuning = FineTuningRun(work.encoder.model, work.head, read, gold, self._procedure(read), seed)

    def train(self) -> BestStep:
        """Train as planned; the held-out part decides which look is kept, where there is one."""
        if not len(self.learned):
            return BestStep(0)
        judge = self._judged if self._is_large() else None
        steps = self.tuning.how.steps
        return train_keep_best(
            self.tuning.loop, steps, judge, self.work.settings.looks, FractionProgress(self.work.told, steps)
        )

    def learned_nothing(self) -> bool:
        """Whether what it says of its own training texts does not depend on them, though their labels differ."""
        rows = self.learned[:_LOOKED_AT]
        said = self.tuning.tuned.predict(self.work.read.take(rows))
        return is_degenerate(self.work.target.kind, self.work.target.take(rows).labels, said)

    def about(self, kept: BestStep) -> dict[str, object]:
        """What is worth knowing about how it came to be."""
        epochs = round(kept.step * self.work.settings.batch / max(len(self.learned), 1), 1)
        chosen = {"steps": kept.step, "epochs": epochs, "held_out": len(self.held)}
        return {**chosen, "cut": self.work.read.num_truncated, "most_tokens": self.work.settings.most_tokens}

    def _procedure(self, read: TokenizedExamples) -> FineTuningConfig:
        settings = self.work.settings
        pooling = self.work.encoder.head.modes[0]
        return FineTuningConfig(
            steps=settings.plan(read.lengths).steps,
            batch=settings.batch,
            rate=settings.rate,
            head_rate=settings.output_rate,
            warmup=settings.warmup,
            pooling=pooling,
            embeddings=False,
            inner_dropout=False,
            dropout=settings.dropout,
            half=settings.half,
        )

    def _parts(self) -> tuple[Rows, Rows]:
        """Rows to learn from, and rows held out to choose on: the step where labels are many, and tau where it matters.

        A fifth of few labels is no judge of steps but finds a good tau, worth more than what that fifth would teach.
        """
        order = seeds.child(self.seed, "held out").permutation(len(self.work.read))
        held = 0
        if self._is_large():
            held = len(order) // _HELD_PART
        elif len(taus_for(self.work.target)) > 1:
            held = len(order) // _HELD_PART_OF_FEW
        return np.sort(order[held:]), np.sort(order[:held])

    def _is_large(self) -> bool:
        """Whether labels are so many that the best step is chosen on held-out rows."""
        return len(self.work.read) >= self.work.settings.stop_from

    def adjustment(self) -> LogitAdjustment:
        """The logit adjustment that does best on the held-out rows; none where no row is held out."""
        learned, held = self.work.target.take(self.learned), self.work.target.take(self.held)
        taus = sorted(taus_for(held), key=abs) if len(self.held) else NONE
        if len(taus) == 1:
            return LogitAdjustment.of(learned, *taus)
        scores = np.asarray(self.tuning.tuned.predict(self.work.read.take(self.held)))

        def judged(taus: Sequence[float]) -> list[float]:
            each = {tau: model_selection.score(held, LogitAdjustment.of(learned, tau)(scores)) for tau in sorted(taus)}
            evened = dict(zip(each, model_selection.evened(np.array(list(each.values())), 0), strict=True))
            return [float(evened[tau]) for tau in taus]

        return LogitAdjustment.of(learned, model_selection.best(taus, judged))

    def _judged(self) -> float:
        """The task's metric on the held-out rows."""
        said = self.tuning.tuned.predict(self.work.read.take(self.held))
        return model_selection.score(self.work.target.take(self.held), said)  # type: ignore[arg-type]  # no rung answers questions
