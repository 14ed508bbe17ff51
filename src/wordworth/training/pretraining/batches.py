"""The data of each optimisation step: masked, sorted by length, and split into micro-batches over processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.models.batch import Batch
from wordworth.text.corpus.instances import NO_SECOND, Instances
from wordworth.training.objectives.objective import Objective, Targets, round_up
from wordworth.training.prefetch import prefetch
from wordworth.training.pretraining.step_plan import Plan


class Stream(Protocol):
    """A source of sequences, as a function of the step."""

    @property
    def steps_per_pass(self) -> float:
        """Number of steps that read all text once."""
        ...

    def batch(self, step: int) -> Instances:
        """Return the sequences of `step` (0 first)."""
        ...


@dataclass(frozen=True, slots=True)
class MicroBatch:
    """What one forward pass of one process reads of a step."""

    batch: Batch
    targets: Mapping[str, Targets]


@dataclass(frozen=True, slots=True)
class StepData:
    """One optimisation step's data, the same on every process.

    Attributes:
        number: of the step, 0 first.
        instances: with masked ids, the longest first.
        targets: of each objective, by its name, over all instances.
    """

    number: int
    instances: Instances
    targets: Mapping[str, Targets]

    @property
    def tokens(self) -> int:
        """Tokens of all instances."""
        return len(self.instances.ids)

    def parts(self, number: int, count: int, micro_batch_tokens: int) -> Iterator[MicroBatch]:
        """Yield the part of process `number` of `count`, in micro-batches of about `micro_batch_tokens` tokens.

        Sequences are dealt out in turn, so that all micro-batches have about as many tokens and all lengths.
        """
        passes = max(1, round(self.tokens / count / micro_batch_tokens))
        stride = count * passes
        for turn in range(passes):
            rows = np.arange(number * passes + turn, len(self.instances), stride)
            yield self._part(rows)

    def sample(self, count: int) -> StepData:
        """Return the step with at most `count` of its instances, evenly spaced from the longest to the shortest."""
        rows = np.unique(np.linspace(0, len(self.instances) - 1, min(count, len(self.instances))).astype(np.int64))
        return StepData(self.number, self.instances.take(rows), self._targets(rows))

    def _part(self, rows: NDArray[np.int64]) -> MicroBatch:
        return MicroBatch(packed(filled(self.instances.take(rows))), self._targets(rows))

    def _targets(self, rows: NDArray[np.int64]) -> dict[str, Targets]:
        return {name: each.take(rows, self.instances.starts) for name, each in self.targets.items()}


def filled(instances: Instances) -> Instances:
    """Append padding sequences without targets, so that the number of tokens is one that recurs.

    CPU libraries compile a kernel for the products of every new number of rows: doing so at each step took longer than
    the padding does, and filled gigabytes.
    """
    left, longest = round_up(len(instances.ids)) - len(instances.ids), int(instances.lengths.max(initial=1))
    if not left:
        return instances
    lengths = [longest] * (left // longest) + [left % longest] * (left % longest > 0)
    ends = instances.starts[-1] + np.cumsum(lengths, dtype=np.int32)
    return Instances(
        np.concatenate([instances.ids, np.full(left, instances.ids[0])]),
        np.concatenate([instances.segments, np.zeros(left, np.int64)]),
        np.concatenate([instances.starts, ends.astype(np.int32)]),
        np.concatenate([instances.labels, np.full(len(lengths), NO_SECOND)]),
    )


def packed(instances: Instances) -> Batch:
    """Return the instances as a model's batch."""
    return Batch(*(torch.from_numpy(part) for part in (instances.ids, instances.segments, instances.starts)))


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of the training with its own sequence length and batch size.

    Attributes:
        begins: the fraction of training at which the phase begins.
        stream: of sequences; one of the same `length` continues where the earlier phases stopped, to within a batch
            (with several corpora, to within their shares of it).
        length: tokens of the longest sequence.
        batch: sequences in a step.
    """

    begins: float
    stream: Stream
    length: int = 0
    batch: int = 1


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a run, prefetched in a thread: a loop's `BatchSource`.

    Attributes:
        phases: in order; the first begins at 0.
        objectives: what is trained; each may mask some of what the model reads.
        plan: decides which phase a step belongs to.
        seed: of the masks.
    """

    phases: Sequence[Phase]
    objectives: Sequence[Objective]
    plan: Plan
    seed: int

    def after(self, step: int) -> Iterator[StepData]:
        """Yield the steps from `step` on, without end."""
        return prefetch(self.step(number) for number in _numbers(step))

    def step(self, number: int) -> StepData:
        """The data of one step: a function of seed and number, given the plan."""
        share = self.plan.fraction(number)
        phase = max((each for each in self.phases if each.begins <= share), key=lambda each: each.begins)
        instances = phase.stream.batch(number - self.plan.first_step(phase.begins) + self._read_before(phase))
        instances = instances.take(np.argsort(-instances.lengths, kind="stable"))
        rng = seeds.child(self.seed, "masks", number)
        targets = {}
        for objective in self.objectives:
            instances, targets[objective.name] = objective.prepare(instances, rng)
        return StepData(number, instances, targets)

    def _read_before(self, phase: Phase) -> int:
        """In how many of its steps a phase would have read what those before it have of sequences as long."""
        passed = [each for each in self.phases if each.begins <= phase.begins]
        firsts = [self.plan.first_step(each.begins) for each in passed]
        read = sum(
            each.batch * (last - first)
            for each, (first, last) in zip(passed, pairwise(firsts), strict=False)
            if each.length == phase.length
        )
        return -(-read // phase.batch)


def _numbers(first: int) -> Iterator[int]:
    while True:
        yield first
        first += 1
