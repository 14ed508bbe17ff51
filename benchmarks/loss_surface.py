"""A point of the plane of losses around fine-tuned MiniLM on 512 sentences, beside transformers in padded batches.

    python benchmarks/loss_surface.py --points 3 --rounds 3 --threads 2 --out figures.json

SST-2's dev part (named task `sst2`, from WORDWORTH_DATA). Every point sets all weights and computes the mean loss: by
`LossSurface` in float32, by it in the dtype in which the model predicts, and by a plain loop over transformers' model,
batches of 32 in the order of the file. `minutes of a plane` are 441 points at the median. The losses of float32 and of
transformers must agree. By the processor's clock our two ways are timed again, which other work on the machine moves
less: `minutes of a plane by processor` are what cores take that do nothing else.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import torch
from torch.nn import functional
from transformers import AutoModel, AutoTokenizer

from measure import Spread, arguments, in_turns, ratios, report
from wordworth.cli.scripts import run_script
from wordworth.inference.labelled_inputs import LabelledInputs
from wordworth.models.text_encoder import TextEncoder
from wordworth.sources import resolve
from wordworth.studies.finetuning_changes.loss_surface import LossSurface, Weights, under_head, weights_of
from wordworth.tasks.datasets import named_task
from wordworth.tasks.task import Task
from wordworth.training.finetuning.checkpoint import finetuned_encoder
from wordworth.training.finetuning.run_inputs import load_encoder
from wordworth.training.finetuning.trainer import FineTunedModel, FineTuningConfig, FineTuningRun
from wordworth.training.task_heads import head_of
from wordworth.training.task_heads.base import InputReader

SENTENCES, STEPS, BATCH, PLANE = 512, 20, 32, 441
Positions = list[tuple[float, float]]


def trained(encoder: TextEncoder, task: Task) -> tuple[FineTunedModel, LabelledInputs]:
    """Return a model that has learned a little from the sentences, and the sentences as it reads them."""
    head = head_of(task)
    reader = InputReader(tokenizer=encoder.tokenizer, limit=128)
    rows = task.test[:SENTENCES]
    inputs = head.encode(reader, task.examples.take(rows))
    targets = head.targets(task.gold(rows), inputs)
    run = FineTuningRun(encoder.model, head, inputs, targets, FineTuningConfig(steps=STEPS), 0)
    run.loop.train(STEPS)
    return run.tuned, LabelledInputs(inputs, targets, task.gold(rows))


def by_surface(surface: LossSurface, ends: tuple[Weights, Weights], positions: Positions) -> list[float]:
    """Return the mean loss at each position."""
    return [float(losses.means[0]) for losses in surface.between(*ends, positions)]


class Plain:
    """The plain loop: transformers' model with mean pooling under the same output layer."""

    def __init__(self, encoder: TextEncoder, tuned: FineTunedModel, task: Task) -> None:
        folder = str(resolve("minilm").folder)
        self.model = AutoModel.from_pretrained(folder).eval()
        tokenizer, rows = AutoTokenizer.from_pretrained(folder), task.test[:SENTENCES]
        self.output = tuned.network.output
        self.start = {name: value.clone() for name, value in self.model.state_dict().items()}
        learned = finetuned_encoder(encoder, tuned.network, pooler=False)
        named = encoder.checkpoint.family.table.to_checkpoint(learned.state_dict())
        self.end = {name: named.get(name, value) for name, value in self.start.items()}
        texts = list(task.examples.take(rows).first)
        parts = [texts[at : at + BATCH] for at in range(0, len(texts), BATCH)]
        self.batches = [tokenizer(part, padding=True, truncation=True, return_tensors="pt") for part in parts]
        gold = torch.from_numpy(task.gold(rows))
        self.gold = [gold[at : at + BATCH] for at in range(0, len(gold), BATCH)]

    @torch.inference_mode()
    def losses(self, positions: Positions) -> list[float]:
        """Return the mean loss at each position."""
        losses = []
        for across, _ in positions:
            weights = {name: torch.lerp(value, self.end[name], across) if value.is_floating_point() else value
                       for name, value in self.start.items()}  # fmt: skip
            self.model.load_state_dict(weights)
            total = sum(self._loss(batch, gold) for batch, gold in zip(self.batches, self.gold, strict=True))
            losses.append(total / SENTENCES)
        return losses

    def _loss(self, batch: dict[str, torch.Tensor], gold: torch.Tensor) -> float:
        states = self.model(**batch).last_hidden_state
        mask = batch["attention_mask"][..., None]
        vectors = (states * mask).sum(1) / mask.sum(1)
        return float(functional.cross_entropy(self.output(vectors), gold, reduction="sum"))


def main() -> None:
    """Time a few points of each way in turns."""
    options = arguments(__doc__, points=3, rounds=3)
    torch.set_num_threads(options.threads)
    load = os.getloadavg()[0]
    task = named_task("sst2")
    encoder = load_encoder("minilm")
    tuned, examples = trained(encoder, task)
    end = {name: value.clone() for name, value in weights_of(tuned).items()}
    ends = under_head(tuned, encoder.model), end
    positions = [(number / max(1, options.points - 1), 0.0) for number in range(options.points)]
    exact, fast = (LossSurface(replace(tuned), examples, exact=exact) for exact in (True, False))
    plain = Plain(encoder, tuned, task)
    works: dict[str, Callable[[], list[float]]] = {
        "transformers": partial(plain.losses, positions),
        "float32": partial(by_surface, exact, ends, positions),
        "as it predicts": partial(by_surface, fast, ends, positions),
    }
    losses = {name: work() for name, work in works.items()}
    gap = max(abs(x - y) for x, y in zip(losses["transformers"], losses["float32"], strict=True))
    assert gap < 1e-4, losses
    seconds = in_turns(works, options.rounds)
    each = {name: Spread.of([second / options.points for second in spent]) for name, spent in seconds.items()}
    ours = {name: work for name, work in works.items() if name != "transformers"}
    processor = in_turns(ours, options.rounds, clock=time.process_time)
    of_cores = {name: Spread.of([second / options.points for second in spent]) for name, spent in processor.items()}
    results = {
        "load at the start": load,
        "seconds a point": each,
        "processor seconds a point": of_cores,
        "minutes of a plane by processor": {
            name: round(PLANE * spread.median / options.threads / 60, 2) for name, spread in of_cores.items()
        },
        "minutes of a plane": {name: round(PLANE * spread.median / 60, 2) for name, spread in each.items()},
        "times faster than transformers": ratios(seconds, "transformers"),
        "largest difference of losses": gap,
        "sentences": SENTENCES,
        "threads": options.threads,
    }
    report(results, options.out)


if __name__ == "__main__":
    run_script(main)
