"""Pretraining steps beside transformers' `BertForPreTraining` in a plain loop, taking turns in one process.

    python benchmarks/pretrain_throughput.py --rounds 5 --threads 2

Shape mini, 16,384 pieces, pairs of at most 128 tokens, of lengths as the original's generator makes them. Both learn
masked tokens and next sentences from the same ids under the same masks, clip to 1 and step AdamW; both drop at
`--dropout-percent`. Tokens are counted without padding. Losses of the first batch are compared before anything is
timed.
"""

from __future__ import annotations

import contextlib
import math
import tempfile
from collections.abc import Callable, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

import measure
from wordworth.cli.scripts import run_script
from wordworth.models.checkpoint import Checkpoint
from wordworth.models.families.bert import BERT, BertConfig, bert
from wordworth.models.model_sizes import shape
from wordworth.models.save_encoder import write_checkpoint
from wordworth.models.weight_mapping import LoadReport
from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.text.corpus.token_store import Vocabulary
from wordworth.text.word_starts import WordStarts
from wordworth.training.loop import Loop
from wordworth.training.malloc import retain_freed_memory
from wordworth.training.mixed_precision import Bf16Replica
from wordworth.training.objectives.mlm import MaskedLanguageModel
from wordworth.training.objectives.objective import Objective
from wordworth.training.objectives.sentence_pairs import NextSentence
from wordworth.training.optimizers import AdamW
from wordworth.training.pretraining.batches import Phase, StepData, Steps
from wordworth.training.pretraining.model import PretrainingLoss, PretrainingModel
from wordworth.training.pretraining.run_logger import matmul_peak, operations
from wordworth.training.pretraining.step_plan import Plan

BASE = "transformers float32"
PIECES, LENGTH, RATE, STEPS = 16_384, 128, 1e-4, 3
MARKS = {"pad": 0, "unk": 1, "cls": 2, "sep": 3, "mask": 4}


class MadeUp:
    """Pairs of random pieces: three in four fill `length` tokens, as of a corpus of documents of some length."""

    def __init__(self, batch: int, length: int = LENGTH) -> None:
        self.size, self.length = batch, length

    @property
    def steps_per_pass(self) -> float:
        """Return infinity, as no pair comes twice."""
        return math.inf

    def batch(self, step: int) -> Instances:
        """Return the pairs of a step."""
        rng = np.random.default_rng(step)
        lengths = np.where(rng.random(self.size) < 0.75, self.length, rng.integers(20, self.length, self.size))
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        ids = rng.integers(len(MARKS), PIECES, starts[-1])
        ids[starts[:-1]], ids[starts[1:] - 1] = MARKS["cls"], MARKS["sep"]
        segments = (np.arange(starts[-1]) - np.repeat(starts[:-1], lengths) > np.repeat(lengths // 2, lengths)).astype(
            int
        )
        return Instances(ids, segments, starts, rng.integers(2, size=self.size))


def made_up_vocabulary() -> Vocabulary:
    special = np.arange(PIECES) < len(MARKS)
    return Vocabulary(PIECES, MARKS, WordStarts.of_continuations(np.zeros(PIECES, dtype=bool)), special, "made up")


def network(vocabulary: Vocabulary, dropout: float, named: str = "mini") -> PretrainingModel:
    config = BertConfig(
        vocab_size=vocabulary.vocab_size,
        dropout=dropout,
        attention_dropout=dropout,
        **shape(named).fields,  # type: ignore[arg-type]  # of a body
    )
    made = PretrainingModel(bert(config), [MaskedLanguageModel(vocabulary=vocabulary), NextSentence()])
    made.draw(0)
    return made.train()


def ours(model: PretrainingModel, steps: Steps, *, half: bool) -> Callable[[], float]:
    replica = Bf16Replica(model) if half else None
    objective = PretrainingLoss(model if replica is None else replica.module, 0, micro_batch_tokens=1 << 30)
    optimiser = AdamW().build({model: RATE})
    loop = Loop(model, optimiser, lambda _: 1.0, steps, objective, replica=replica)
    running = loop.run()

    def work() -> float:
        with retain_freed_memory():
            return next(iter([next(running).loss for _ in range(STEPS)]))

    return work


def padded(step: StepData, width: int) -> dict[str, torch.Tensor]:
    """Return the step as transformers reads it: padded, with label -100 where nothing is predicted."""
    instances, target = step.instances, step.targets["mlm"]
    shape = (len(instances), width)
    rows = np.repeat(np.arange(len(instances)), instances.lengths)
    columns = np.arange(len(instances.ids)) - np.repeat(instances.starts[:-1], instances.lengths)
    arrays = {name: np.zeros(shape, np.int64) for name in ("input_ids", "token_type_ids", "attention_mask")}
    labels = np.full(shape, -100, np.int64)
    arrays["input_ids"][rows, columns], arrays["token_type_ids"][rows, columns] = instances.ids, instances.segments
    arrays["attention_mask"][rows, columns] = 1
    labels[rows[target.positions], columns[target.positions]] = target.labels
    tensors = {name: torch.from_numpy(array) for name, array in {**arrays, "labels": labels}.items()}
    return {**tensors, "next_sentence_label": torch.from_numpy(step.targets["nsp"].labels)}


def theirs(source: PretrainingModel, steps: Sequence[StepData], *, half: bool) -> Callable[[], float]:
    with tempfile.TemporaryDirectory() as folder:
        named = Checkpoint(source.encoder, BERT, LoadReport(), source.head_weights(), {})
        write_checkpoint(named, Path(folder), architecture="BertForPreTraining")
        model = transformers.BertForPreTraining.from_pretrained(folder).train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE)
    batches = cycle([padded(step, LENGTH) for step in steps])

    def update() -> float:
        optimiser.zero_grad()
        with torch.autocast("cpu", torch.bfloat16) if half else contextlib.nullcontext():
            loss = model(**next(batches)).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        return float(loss.item())

    return lambda: next(iter([update() for _ in range(STEPS)]))


class Repeated(Steps):
    """The same few steps again and again, so that both sides read the same."""

    def after(self, step: int) -> Any:  # noqa: ARG002 - a `Source`; the benchmark starts at 0
        """Return the steps, repeated without end."""
        made = [self.step(number) for number in range(self.plan.steps)]
        return cycle(made)


def main() -> None:
    """Compare the first losses, take turns, report."""
    options = measure.arguments(__doc__, rounds=5, batch=64, **{"dropout-percent": 10})
    torch.set_num_threads(options.threads)
    vocabulary, dropout = made_up_vocabulary(), options.dropout_percent / 100
    objectives: list[Objective] = [MaskedLanguageModel(vocabulary=vocabulary), NextSentence()]
    steps = Repeated([Phase(0.0, MadeUp(options.batch))], objectives, Plan.of(STEPS), 0)
    made = [steps.step(number) for number in range(STEPS)]
    first = {half: ours(network(vocabulary, 0.0), steps, half=half)() for half in (False, True)}
    expected = theirs(network(vocabulary, 0.0), made, half=False)()
    assert abs(first[False] - expected) < 1e-4, (first, expected)
    works = {
        BASE: theirs(network(vocabulary, dropout), made, half=False),
        "transformers bfloat16 autocast": theirs(network(vocabulary, dropout), made, half=True),
        "wordworth float32": ours(network(vocabulary, dropout), steps, half=False),
        "wordworth bfloat16": ours(network(vocabulary, dropout), steps, half=True),
    }
    for work in works.values():
        work()
    seconds = measure.in_turns(works, options.rounds)
    tokens = sum(step.tokens for step in made)
    best = {name: tokens / min(times) for name, times in seconds.items()}
    measure.report(
        {
            "tokens": {"step": tokens / STEPS, "of_padded": tokens / STEPS / options.batch / LENGTH},
            "rounds": options.rounds,
            "threads": options.threads,
            "dropout": dropout,
            "first_loss": {"transformers": expected, "float32": first[False], "bfloat16": first[True]},
            "times_faster_than_float32": measure.ratios(seconds, BASE),
            "times_faster_than_autocast": measure.ratios(seconds, "transformers bfloat16 autocast"),
            "tokens_per_second": best,
            "share_of_peak": shares(network(vocabulary, 0.0), made, best),
            "seconds": seconds,
        },
        options.out,
    )


def operations_a_token(model: PretrainingModel, step: StepData) -> float:
    """Return the multiplications and additions per token of a step, forward and backward."""
    objective = PretrainingLoss(model, 0, micro_batch_tokens=1 << 30)
    with torch.no_grad():
        for _ in objective(step, torch.Generator()):
            pass
    return operations(model, objective.metrics) / objective.metrics.tokens


def shares(model: PretrainingModel, made: Sequence[StepData], best: dict[str, float]) -> dict[str, float]:
    """Return each speed as a share of the machine's best matrix product."""
    each = operations_a_token(model, made[0])
    types = {"wordworth float32": torch.float32, "wordworth bfloat16": torch.bfloat16}
    return {
        name: each * best[name] / matmul_peak(kind, torch.device("cpu")) if best[name] else math.nan
        for name, kind in types.items()
    }


if __name__ == "__main__":
    run_script(main)
