"""Make the data of each optimisation step: masked, sorted by length, split into micro-batches over processes."""

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
from wordworth.text.corpus.pretraining_sequences import NO_SECOND, NOTHING, Instances
from wordworth.training.objectives.objective import Objective, Targets, round_up
from wordworth.training.prefetch import prefetch
from wordworth.training.pretraining.step_plan import Plan


class Stream(Protocol):
    """An interface: a source of sequences; the sequences of a step depend on the step's number alone."""

    @property
    def steps_per_pass(self) -> float:
        """The number of steps in which all text is read once."""
        ...

    def batch(self, step: int) -> Instances:
        """Return the sequences of `step`; the first step is 0."""
        ...


@dataclass(frozen=True, slots=True)
class MicroBatch:
    """The data of one forward pass of one process: a part of the sequences of a step.

    Attributes:
        batch: the packed sequences.
        targets: the targets of each objective, by its name.
    """

    batch: Batch
    targets: Mapping[str, Targets]


@dataclass(frozen=True, slots=True)
class StepData:
    """The data of one optimisation step, the same on every process.

    Attributes:
        number: number of the step; the first is 0.
        instances: the sequences with masked ids, the longest first.
        targets: the targets of each objective, by its name, over all instances.
    """

    number: int
    instances: Instances
    targets: Mapping[str, Targets]

    @property
    def tokens(self) -> int:
        """The number of tokens of all sequences of the step."""
        return len(self.instances.ids)

    def parts(self, rank: int, count: int, micro_batch_tokens: int) -> Iterator[MicroBatch]:
        """Yield the sequences of a step that one process reads, in micro-batches.

        Sequences, sorted by length, are dealt out in turn, so that all micro-batches have similar numbers of tokens.

        Args:
            rank: rank of the process, from 0.
            count: number of processes.
            micro_batch_tokens: approximate number of tokens of a micro-batch.
        """
        passes = max(1, round(self.tokens / count / micro_batch_tokens))
        stride = count * passes
        for turn in range(passes):
            rows = np.arange(rank * passes + turn, len(self.instances), stride)
            yield self._part(rows)

    def sample(self, count: int) -> StepData:
        """Return the step with at most `count` of its sequences, evenly spaced from the longest to the shortest."""
        rows = np.unique(np.linspace(0, len(self.instances) - 1, min(count, len(self.instances))).astype(np.int64))
        return StepData(self.number, self.instances.take(rows), self._targets(rows))

    def _part(self, rows: NDArray[np.int64]) -> MicroBatch:
        return MicroBatch(packed(filled(self.instances.take(rows))), self._targets(rows))

    def _targets(self, rows: NDArray[np.int64]) -> dict[str, Targets]:
        return {name: each.take(rows, self.instances.starts) for name, each in self.targets.items()}


def filled(instances: Instances) -> Instances:
    """Return the sequences with padding sequences appended, so that only few different numbers of tokens occur.

    The padding sequences have no targets.

    CPU libraries compile a kernel for each new number of rows. Compiling all these kernels took longer than the padding
    takes to compute, and the kernels took gigabytes of memory.
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
        features={name: np.concatenate([each, np.full(left, NOTHING)]) for name, each in instances.features.items()},
    )


def packed(instances: Instances) -> Batch:
    """Return pretraining sequences as a packed batch, which the model reads."""
    parts = (torch.from_numpy(part) for part in (instances.ids, instances.segments, instances.starts))
    return Batch(*parts, features={name: torch.from_numpy(each) for name, each in instances.features.items()})


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of pretraining with its own sequence length and batch size.

    Attributes:
        begins: the fraction of training at which the phase begins.
        stream: the source of sequences. A phase with the same `length` as an earlier phase continues where the earlier
            phase stopped, to within a batch.
        length: number of tokens of the longest sequence.
        batch: sequences in a step.
    """

    begins: float
    stream: Stream
    length: int = 0
    batch: int = 1


@dataclass(frozen=True, slots=True)
class Steps:
    """The data of the steps of a run, which a thread prepares in advance.

    The class is the `BatchSource` of a `Loop`.

    Attributes:
        phases: the phases in order; the first begins at 0.
        objectives: the objectives that are trained; each may mask tokens.
        plan: decides to which phase a step belongs.
        seed: the seed of the masks.
    """

    phases: Sequence[Phase]
    objectives: Sequence[Objective]
    plan: Plan
    seed: int

    def after(self, step: int) -> Iterator[StepData]:
        """Yield the data of steps without end, beginning with step `step`."""
        return prefetch(self.step(number) for number in _numbers(step))

    def step(self, number: int) -> StepData:
        """Return the data of one step, which depends on the plan, the seed and the step's number alone."""
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
        """Return the number of steps in which a phase would read the sequences that earlier phases have read.

        Only earlier phases with the same `length` count.
        """
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
