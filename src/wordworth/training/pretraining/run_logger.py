"""The reports of a run: a log row for each step and evaluation, its speed in FLOP/s, and lines for the user."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from wordworth.progress import Progress
from wordworth.sentence_formatting import count_of, percent
from wordworth.training.loop import StepResult
from wordworth.training.optimizers import summary
from wordworth.training.pretraining.metrics_log import Log
from wordworth.training.pretraining.model import PretrainingModel, StepMetrics
from wordworth.training.pretraining.setup import TrainingSetup
from wordworth.training.pretraining.time_budget import EvaluationSize

_EVERY_S = 30.0
RISEN = 0.9
"""A learning rate that reaches this fraction of its peak counts as risen."""
_SAMPLED = 200
"""Steps of a plan at which its rate is sampled: the top of a schedule is wider than the gaps between two."""


class RunLogger:
    """Writes the log of a run and reports its progress to the user.

    Args:
        setup: the parts of the run.
        folder: folder of the log.
        progress: receives messages.
        evaluation_size: the amount of held-out text that evaluations read, if a budget decides it; else None.
    """

    def __init__(
        self, setup: TrainingSetup, folder: Path, progress: Progress, evaluation_size: EvaluationSize | None = None
    ) -> None:
        self.setup, self.progress, self.evaluation_size = setup, progress, evaluation_size
        self.log = Log(folder, setup.loop.step, writes=setup.loop.processes.rank == 0)
        self.peak = peak_flops(setup)
        self.reported, self.since, self.left_out = time.monotonic(), (time.monotonic(), 0, 0.0), False

    def begin(self) -> None:
        """Write the first row of the log: numbers of parameters, and newly initialised weights.

        The user is warned if the run is very short.
        """
        self._warn()
        if self.log.writes and not any(row["kind"] == "start" for row in self.log.rows()):
            groups = summary(self.setup.loop.optimiser)
            facts: dict[str, Any] = {
                "parameters": self.setup.network.num_parameters,
                "groups": groups,
                "threads": torch.get_num_threads(),
            }
            if self.evaluation_size is not None:
                size = self.evaluation_size
                facts |= {"evaluation_texts": size.texts, "evaluation_texts_of": size.total}
            floors = {} if self.setup.held_out is None else self.setup.held_out.unigrams()
            self.log.write("start", 0, steps=self.setup.plan.steps, fresh=list(self.setup.fresh), **facts, **floors)
            if self.setup.fresh:
                self.progress.note(fresh_heads_note(self.setup.fresh))
            if floors:  # a loss above these shows that the model has learned no more than subword frequencies
                self.progress.note(f"held out, loss of subword frequencies alone: {_numbers(floors)}")

    def _warn(self) -> None:
        """Warn if the run is too short for its learning rate to rise."""
        steps = self.setup.plan.steps
        reach = max(self.setup.loop.schedule(index * steps // _SAMPLED) for index in range(_SAMPLED))
        if reach < RISEN and self.setup.loop.step < steps:
            self.progress.note(
                f"only {count_of(steps, 'update')}: the learning rate reaches {percent(reach)} of its peak"
            )

    def step(self, done: StepResult, seconds: float) -> None:
        """Write the row of a step into the log, and every half a minute report the speed to the user.

        Args:
            done: the result of the step.
            seconds: seconds that the run has taken so far.
        """
        metrics = self.setup.objective.metrics
        right = {f"{name}_right": share for name, share in metrics.correct.items()}
        rate = done.rate * self.setup.loop.optimiser.param_groups[0]["peak"]
        facts = {
            "loss": done.loss,
            **metrics.losses,
            **right,
            "learning_rate": rate,
            "norm": done.norm,
            "tokens": metrics.tokens,
        }
        self.log.write("step", done.step + 1, **facts, seconds=round(seconds, 3))
        began, tokens, operated = self.since
        self.since = (began, tokens + metrics.tokens, operated + operations(self.setup.network, metrics))
        if time.monotonic() - self.reported > _EVERY_S:
            self._report_speed(done)

    def evaluation(self, step: int, scores: dict[str, float], seconds: float) -> None:
        """Write the row of an evaluation into the log and report it to the user.

        The time of evaluations is not counted in the speed of steps.

        Args:
            step: number of steps done.
            scores: losses and accuracies by name, as `HeldOut.evaluate` returns them.
            seconds: seconds that the evaluation took.
        """
        began, tokens, operated = self.since
        self.since = (began + seconds, tokens, operated)
        self.log.write("evaluation", step, **scores)
        self.progress.note(f"held out, after step {step:,}: {_numbers(scores)}")

    def note_skipped_evaluation(self) -> None:
        """Tell the user, at the first call, that evaluations are left out because the budget has no time for them."""
        if not self.left_out:
            self.progress.note("evaluations take long for so short a budget: some are left out")
        self.left_out = True

    def _report_speed(self, done: StepResult) -> None:
        """Write a row with the speed since the last such row into the log, and show the speed to the user.

        The progress bar alone says how much time is left: it counts evaluations too, which this speed leaves out.
        """
        now = time.monotonic()
        began, tokens, operated = self.since
        seconds = now - began
        speed, of_peak = tokens / seconds, operated / seconds / self.peak
        self.log.write("speed", done.step + 1, tokens_a_second=round(speed), of_peak=round(of_peak, 4))
        self.progress.note(
            f"step {done.step + 1:,} of {self.setup.plan.steps:,}: loss {done.loss:.3f}, {speed:,.0f} tokens/s, "
            f"{of_peak:.0%} of peak"
        )
        self.reported, self.since = now, (now, 0, 0.0)


def peak_flops(setup: TrainingSetup) -> float:
    """Measure the peak FLOP/s of all processes of a run together."""
    dtype, device = setup.dtype, setup.network.encoder.device
    peak = torch.tensor([matmul_peak(dtype, device)], device=device)
    setup.loop.processes.all_reduce([peak])
    return float(peak)


def fresh_heads_note(names: Sequence[str]) -> str:
    """Return a sentence that names the newly initialised heads, which the initial model lacked.

    >>> fresh_heads_note(["heads.mlm.bias", "heads.mlm.dense.weight", "heads.nsp.weight"])
    'Freshly initialised, as the model that it started from has none: mlm, nsp'
    """
    heads = dict.fromkeys(name.removeprefix("heads.").partition(".")[0] for name in names)
    return f"Freshly initialised, as the model that it started from has none: {', '.join(heads)}"


def _numbers(losses: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in losses.items())


_SMALLEST, _LARGEST, _LARGEST_ON_GPU = 256, 2048, 8192
_TIMES, _LONG_S = 5, 0.2


def matmul_peak(dtype: torch.dtype, device: torch.device) -> float:
    """Measure the peak FLOP/s of a device: the best of a few products of square matrices.

    Products use torch's current number of threads. The matrix size grows only until a product takes long: with an
    emulated dtype a large product would take minutes.
    """
    side, best = _SMALLEST, 0.0
    largest = _LARGEST_ON_GPU if device.type == "cuda" else _LARGEST
    while side <= largest:
        seconds = _product(side, dtype, device)
        best = max(best, 2 * side**3 / seconds)
        if seconds > _LONG_S:
            break
        side *= 2
    return best


def _product(side: int, dtype: torch.dtype, device: torch.device) -> float:
    """Return the seconds that a product of two square matrices takes, the least of a few."""
    a, b = (torch.randn(side, side, device=device).to(dtype) for _ in range(2))
    seconds = []
    for _ in range(_TIMES):
        began = time.perf_counter()
        a @ b
        if device.type == "cuda":
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def operations(network: PretrainingModel, metrics: StepMetrics) -> float:
    """Return the number of floating-point operations of a step's forward and backward passes, without padding.

    The number is a sum of three terms (Chowdhery et al. 2022, arXiv 2204.02311, appendix B): 6 for each weight of a
    matrix and each token that the matrix multiplies; 12 x layers x width for each pair of tokens that attend to each
    other; and 6 for each weight of the output layer and each target.
    """
    encoder = network.encoder
    inner = sum(each.numel() for name, each in _matrices(encoder) if "embedding" not in name and "pooler" not in name)
    width, vocabulary = encoder.width, encoder.config.vocab_size
    attention = 12 * encoder.depth * width * metrics.pairs if encoder.config.has_attention else 0.0
    return 6 * inner * metrics.tokens + attention + 6 * (width * vocabulary + width * width) * metrics.predicted


def _matrices(module: object) -> list[tuple[str, nn.Parameter]]:
    assert isinstance(module, nn.Module)  # noqa: S101 - every encoder is one
    return [(name, each) for name, each in module.named_parameters() if each.ndim > 1]
