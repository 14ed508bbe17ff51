"""One fine-tuning: a copy of the encoder's body trained, looked at, and started anew if it learned nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth import seeds
from wordworth.models.batch import pack
from wordworth.models.encoder import TextEncoder
from wordworth.models.schedule import batches
from wordworth.representations import selection
from wordworth.representations.finetuning import FineTuning
from wordworth.representations.heads.head import Target
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Rows
from wordworth.training.batches import Batches
from wordworth.training.classifier import Classifier
from wordworth.training.gold import Gold
from wordworth.training.keeping import Kept, train
from wordworth.training.loop import Diverged, Loop, Loss
from wordworth.training.optimiser import AdamW
from wordworth.training.precision import halves_pay, mixed
from wordworth.training.schedule import linear, within
from wordworth.training.sequences import Sequences
from wordworth.training.task_loss import loss
from wordworth.training.threads import ONE_THREAD

_HELD_PART = 10
_LOOKED_AT = 256
_STILL = 0.05


@dataclass(frozen=True, slots=True)
class Tuned:
    """A fine-tuned network and how to read its scores."""

    network: Classifier
    gold: Gold
    half: bool
    chosen: Mapping[str, object]

    def predict(self, read: Sequences) -> Predictions:
        """Predictions for token sequences, one thread."""
        with ONE_THREAD.held():
            scores = self.scores(read)
        if read.firsts is None:
            return self.gold.predictions(np.concatenate(scores)) if scores else self._nothing()
        usual = int(self.gold.bias.argmax())
        return tuple(_tags(each, firsts, usual) for each, firsts in zip(scores, read.firsts, strict=True))

    @torch.inference_mode()
    def scores(self, read: Sequences) -> list[NDArray[np.float32]]:
        """For each sequence its scores: [1, outputs], or [tokens, outputs] for tagging."""
        found: list[NDArray[np.float32]] = [np.zeros((0, 0), np.float32)] * len(read)
        for places in batches(read.lengths.tolist()):
            batch = pack([read.tokens[place] for place in places])
            with mixed(wanted=self.half):
                values = self.network(batch).float()
            sizes = read.lengths[places].tolist() if self.network.pooling is None else [1] * len(places)
            for place, part in zip(places, values.split(sizes), strict=True):
                found[place] = part.numpy()
        return found

    def _nothing(self) -> NDArray[np.float64]:
        return self.gold.predictions(np.zeros((0, len(self.gold.bias)), np.float32))


def fine_tune(encoder: TextEncoder, read: Sequences, target: Target, settings: FineTuning, seed: int) -> Tuned:
    """Fine-tune on sequences and their labels, with new seeds as often as `settings.restarts` if nothing was learned.

    Raises:
        Diverged: the last attempt's loss was no number.
    """
    with ONE_THREAD.held():
        for attempt in range(settings.restarts + 1):
            run = _Run(encoder, read, target, settings, seeds.child_seed(seed, "attempt", attempt))
            last = attempt == settings.restarts
            try:
                kept = run.train()
            except Diverged:
                if last:
                    raise
                continue
            collapsed = run.learned_nothing()
            if last or not collapsed:
                break
    return run.result(kept, attempt, collapsed=collapsed)


class _Run:
    """One attempt."""

    def __init__(self, encoder: TextEncoder, read: Sequences, target: Target, settings: FineTuning, seed: int) -> None:
        self.read, self.target, self.settings, self.seed = read, target, settings, seed
        self.learned, self.held = self._parts()
        self.gold = Gold.of(target.kind, target.labels, len(target.classes))
        words = np.array([0 if read.firsts is None else len(firsts) for firsts in read.firsts or read.tokens], np.int64)
        self.word_starts = np.cumsum(words) - words
        generator = torch.Generator().manual_seed(seeds.child_seed(seed, "weights"))
        pooling = None if read.firsts is not None else encoder.head.modes[0]
        self.network = Classifier(encoder.model, len(self.gold.bias), pooling, generator)
        with torch.no_grad():
            self.network.output.bias.copy_(self.gold.bias)
        self.half = settings.half and halves_pay()

    def train(self) -> Kept:
        """Train as planned; the held-out part decides which look is kept, where there is one."""
        lengths = self.read.lengths[self.learned]
        if not len(lengths):
            return Kept(0)
        steps = self.settings.plan(lengths).steps
        optimiser = AdamW().build(
            {self.network.body: self.settings.rate, self.network.output: self.settings.output_rate}
        )
        order = Batches(lengths, self.settings.batch, self.seed)
        loop = Loop(self.network, optimiser, within(linear, steps, warmup=self.settings.warmup), order, self._loss)
        return train(loop, steps, self._judged if len(self.held) else None, self.settings.looks)

    def learned_nothing(self) -> bool:
        """Whether what it says of its own training texts does not depend on them, though their labels differ."""
        rows = self.learned[:_LOOKED_AT]
        gold, said = self.target.take(rows).labels, self._tuned().predict(self.read.take(rows))
        if isinstance(said, tuple) or isinstance(gold, tuple):
            return _constant(np.concatenate([*said, np.zeros(0)])) and not _constant(
                np.concatenate([*gold, np.zeros(0)])
            )
        if self.target.kind == "regression":
            return bool(said.std() < _STILL * gold.std())
        if self.target.kind == "multilabel":
            return bool(said.std(0).max(initial=0) < _STILL and gold.std(0).max(initial=0) > 0)
        return _constant(said.argmax(1)) and not _constant(gold)

    def result(self, kept: Kept, attempt: int, *, collapsed: bool) -> Tuned:
        """The network and what is worth knowing about how it came to be."""
        epochs = round(kept.step * self.settings.batch / max(len(self.learned), 1), 1)
        chosen = {"steps": kept.step, "epochs": epochs, "held_out": len(self.held), "restarts": attempt}
        chosen |= {"collapsed": collapsed, "cut": self.read.cut, "most_tokens": self.settings.most_tokens}
        return self._tuned(chosen)

    def _tuned(self, chosen: Mapping[str, object] | None = None) -> Tuned:
        return Tuned(self.network, self.gold, self.half, chosen or {})

    def _parts(self) -> tuple[Rows, Rows]:
        """Rows to learn from and rows to judge on."""
        order = seeds.child(self.seed, "held out").permutation(len(self.read))
        held = len(order) // _HELD_PART if len(order) >= self.settings.stop_from else 0
        return np.sort(order[held:]), np.sort(order[:held])

    def _loss(self, numbers: Rows, generator: torch.Generator) -> Loss:
        rows = self.learned[numbers]
        batch = pack([self.read.tokens[row] for row in rows])
        with mixed(wanted=self.half):
            scores = self.network(batch, generator, self.settings.dropout)
        if self.read.firsts is not None:
            scores, gold = self._of_words(rows, scores)
        else:
            gold = self.gold.values[torch.from_numpy(rows)]
        return Loss(loss(self.target.kind, scores, gold), len(gold))

    def _of_words(self, rows: Rows, scores: Tensor) -> tuple[Tensor, Tensor]:
        """The scores of words' first pieces and their tags; words without pieces teach nothing."""
        assert self.read.firsts is not None  # noqa: S101 - a task of tags
        starts = np.cumsum([0, *(len(self.read.tokens[row]) for row in rows)])[:-1]
        firsts = [self.read.firsts[row] for row in rows]
        places = [start + each[each >= 0] for start, each in zip(starts, firsts, strict=True)]
        words = [self.word_starts[row] + np.flatnonzero(each >= 0) for row, each in zip(rows, firsts, strict=True)]
        empty = np.zeros(0, np.int64)
        gold = self.gold.values[torch.from_numpy(np.concatenate([empty, *words]))]
        return scores[torch.from_numpy(np.concatenate([empty, *places]))], gold

    def _judged(self) -> float:
        """The task's metric on the held-out rows."""
        return selection.score(self.target.take(self.held), self._tuned().predict(self.read.take(self.held)))


def _tags(scores: NDArray[np.float32], firsts: NDArray[np.int32], usual: int) -> NDArray[np.int64]:
    """One tag a word from the scores of tokens; words without pieces, or beyond the cut, get the most usual tag."""
    tags = np.full(len(firsts), usual, dtype=np.int64)
    known = firsts >= 0
    tags[known] = scores[firsts[known]].argmax(1)
    return tags


def _constant(values: np.ndarray) -> bool:
    return len(np.unique(values)) <= 1
