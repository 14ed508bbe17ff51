"""Linear probes of a task by layer: micro F1, control task, description length, and the choice of a layer."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from wordworth.measures.bootstrap import Interval, interval
from wordworth.measures.description_length import block_ends, online_code
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.studies.layers.edge_probing import draw_source
from wordworth.studies.layers.probe_trainer import Counts, ProbeTrainer, f1_draws
from wordworth.training.probes.span_probes import LinearProbe

HALVINGS = 6
"""How often the training texts are halved for online coding: the first block is a 64th of the texts."""


@dataclass(frozen=True, slots=True)
class LayerResult:
    """The results of the linear probes of one layer, with 95 % intervals over resampled texts.

    Attributes:
        layer: number of the layer; 0 is the input layer.
        f1: micro F1 of the probe of this layer alone, with its interval.
        mix: micro F1 of the probe that mixes layers 0 to this one, with its interval.
        random: micro F1 of the probe of this layer of the encoder with random weights, with its interval.
        control: micro F1 on the control task (Hewitt and Liang 2019), on test targets whose word type occurs in
            training; None if targets are whole texts.
        selectivity: micro F1 on the task itself, on the same targets, minus `control`, with its interval; None if
            targets are whole texts.
        code: description length by online coding of the labels of the training texts, in bits.
    """

    layer: int
    f1: tuple[float, Interval]
    mix: tuple[float, Interval]
    random: tuple[float, Interval]
    control: float | None
    selectivity: tuple[float, Interval] | None
    code: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A linear probe that may be chosen: of one layer, or of a mix of layers from 0 on.

    Attributes:
        layers: the layers that the probe reads.
        probe: the trained probe.
        dev: the probe's `Counts`, from which micro F1 follows, on the dev texts, which decide the choice.
        test: the probe's `Counts` on the test texts.
    """

    layers: slice
    probe: LinearProbe
    dev: Counts
    test: Counts

    @property
    def depth(self) -> int:
        """The number of the highest layer that the probe reads; 0 is the input layer."""
        return int(self.layers.stop) - 1

    @property
    def is_mix(self) -> bool:
        """True if the probe mixes several layers."""
        return len(range(self.layers.start, self.layers.stop)) > 1

    @property
    def cost(self) -> tuple[int, bool]:
        """A key that sorts probes, the cheapest first: the highest layer, then whether several layers are mixed."""
        return self.depth, self.is_mix


@dataclass(frozen=True, slots=True)
class Choice:
    """The probe of one layer or of a mix that was chosen on the dev texts, with its score on the test texts.

    Attributes:
        taken: the chosen probe.
        depth: the highest layer that the chosen probe reads, with a 95 % interval, which comes from repeating the
            choice on resampled dev texts.
        f1: micro F1 of the chosen probe, with its interval.
        whole: micro F1 of the probe that mixes all layers, with its interval.
        change: `f1` minus `whole`, with its interval over the same resampled texts.
    """

    taken: Candidate
    depth: tuple[int, Interval]
    f1: tuple[float, Interval]
    whole: tuple[float, Interval]
    change: tuple[float, Interval]


@dataclass(frozen=True, slots=True)
class LinearProbing:
    """The results of the linear probes of one task.

    Attributes:
        layers: the results of each layer.
        choice: the probe that was chosen.
        uniform: number of bits that encode the labels of the training texts if all classes are equally probable.
        targets: number of targets (spans to label) in the training texts.
    """

    layers: Sequence[LayerResult]
    choice: Choice
    uniform: float
    targets: int


def linear_probing(own: ProbeTrainer, random: ProbeTrainer, draws: int) -> LinearProbing:
    """Train the linear probes of a task on each layer of an encoder, and measure them.

    Args:
        own: the trainer of probes on the encoder.
        random: the trainer of probes on the encoder with random weights.
        draws: number of bootstrap resamples of texts.
    """
    numbers, task = range(own.features.layers), own.task
    singles = [_candidate(own, slice(layer, layer + 1)) for layer in numbers]
    mixes = [singles[0], *(_candidate(own, slice(0, layer + 1)) for layer in numbers[1:])]
    counts: dict[Hashable, Counts] = {("f1", each.depth): each.test for each in singles}
    counts |= {("mix", each.depth): each.test for each in mixes}
    counts |= {("random", layer): _candidate(random, slice(layer, layer + 1)).test for layer in numbers}
    control = task.control_labels(own.seed)
    if control is not None:
        for each in singles:
            counts["seen", each.depth], counts["control", each.depth] = _control(own, each, control)
    scores = DrawnScores.of(counts, draws, own)
    uniform = float(np.log2(len(task.classes))) if task.exclusive else float(len(task.classes))
    results = [
        LayerResult(
            layer=layer,
            f1=scores.value(("f1", layer)),
            mix=scores.value(("mix", layer)),
            random=scores.value(("random", layer)),
            control=None if control is None else counts["control", layer].f1,
            selectivity=None if control is None else scores.change(("seen", layer), ("control", layer)),
            code=_code(own, slice(layer, layer + 1), uniform),
        )
        for layer in numbers
    ]
    targets = len(task.targets_of(task.parts[0]))
    return LinearProbing(results, choose([*singles, *mixes[1:]], draws, own), targets * uniform, targets)


@dataclass(frozen=True, slots=True)
class DrawnScores:
    """Micro F1 of several probes on the same texts, and on bootstrap resamples that all probes share.

    Attributes:
        counts: name of a probe -> its counts on the texts.
        resampled_f1: name of a probe -> its micro F1 on the resamples, float64 [draws].
    """

    counts: Mapping[Hashable, Counts]
    resampled_f1: Mapping[Hashable, Floats]

    @classmethod
    def of(cls, counts: Mapping[Hashable, Counts], draws: int, trainer: ProbeTrainer) -> Self:
        """Score probes on bootstrap resamples of texts that all probes share.

        Args:
            counts: name of a probe -> its counts on the texts.
            draws: number of bootstrap resamples of texts.
            trainer: the trainer whose task and seed decide the resamples.
        """
        drawn = f1_draws(list(counts.values()), draws, draw_source(trainer))
        return cls(counts, dict(zip(counts, drawn.T, strict=True)))

    def value(self, name: Hashable) -> tuple[float, Interval]:
        """Return the micro F1 of a probe, with its 95 % interval."""
        return self.counts[name].f1, interval(self.resampled_f1[name])

    def change(self, first: Hashable, second: Hashable) -> tuple[float, Interval]:
        """Return one probe's micro F1 minus another probe's, with a 95 % interval from resamples that both share.

        Args:
            first: key of the first probe.
            second: key of the probe whose score is subtracted.
        """
        return self.counts[first].f1 - self.counts[second].f1, interval(
            self.resampled_f1[first] - self.resampled_f1[second]
        )


def _candidate(trainer: ProbeTrainer, layers: slice) -> Candidate:
    probe, (_, dev, test) = trainer.linear(layers), trainer.task.parts
    return Candidate(layers, probe, trainer.counts(probe, layers, dev), trainer.counts(probe, layers, test))


def _control(trainer: ProbeTrainer, of: Candidate, labels: np.ndarray) -> tuple[Counts, Counts]:
    """Return the counts of a probe, and of a probe trained on the control task, on targets whose word type is known.

    The targets are those of the test texts. A word type is known if it occurs in the training texts.

    Args:
        trainer: the trainer of the task's probes.
        of: the probe, whose layers the control probe reads too.
        labels: bool [targets, classes], the labels of the control task.
    """
    task = trainer.task
    types = np.array(task.types())
    seen = np.isin(types, types[task.targets_of(task.parts[0])])
    control = trainer.linear(of.layers, labels)
    own = trainer.counts(of.probe, of.layers, task.parts[2], only=seen)
    return own, trainer.counts(control, of.layers, task.parts[2], labels, seen)


def _code(trainer: ProbeTrainer, layers: slice, uniform: float) -> float:
    """Return the description length of the labels of the training texts by online coding, in bits.

    The training texts are in random order.

    Args:
        trainer: the trainer of the task's probes.
        layers: the layers that the probe reads.
        uniform: number of bits that encode all labels if all classes are equally probable.
    """
    texts, losses = trainer.task.parts[0], []
    ends = block_ends(len(texts), HALVINGS)
    for start, end in pairwise(ends.tolist()):
        probe = trainer.linear(layers, texts=texts[:start])
        losses.append(trainer.loss(probe, layers, texts[start:end]))
    targets = [len(trainer.task.targets_of(part)) for part in np.split(texts, ends[:-1])]
    return online_code(targets, losses, uniform)


def choose(candidates: Sequence[Candidate], draws: int, trainer: ProbeTrainer) -> Choice:
    """Choose the cheapest linear probe whose score on the dev texts is within one standard error of the best score.

    Resampled texts give the standard error of the difference between the best score and the probe's score (the
    one-standard-error rule of Breiman et al. 1984, section 3.4.3). A probe is cheaper if its highest layer is lower. Of
    two probes with the same highest layer, a probe of one layer is cheaper than a mix of layers.

    Args:
        candidates: the trained probes; the last is the mix of all layers.
        draws: number of bootstrap resamples of texts.
        trainer: the trainer whose task and seed decide the resamples.
    """
    dev = f1_draws([each.dev for each in candidates], draws, draw_source(trainer))
    measured = floats([[each.dev.f1 for each in candidates]])
    order = sorted(range(len(candidates)), key=lambda number: candidates[number].cost)
    errors = floats([(dev[:, [best]] - dev).std(0) for best in range(len(candidates))])
    (chosen,), drawn = (_cheapest(scores, errors, order) for scores in (measured, dev))
    taken, whole = candidates[chosen], candidates[-1]
    depth = taken.depth, interval(floats([candidates[number].depth for number in drawn]))
    test = DrawnScores.of({"taken": taken.test, "whole": whole.test}, draws, trainer)
    return Choice(taken, depth, test.value("taken"), test.value("whole"), test.change("taken", "whole"))


def _cheapest(scores: Floats, errors: Floats, order: Sequence[int]) -> Integers:
    """Return the index of the cheapest candidate within one standard error of the best, for each row of scores.

    Args:
        scores: float64 [rows, candidates], a row for the sample or for each resample.
        errors: float64 [candidates, candidates], the standard error of the difference between the scores of each two
            candidates.
        order: indices of the candidates, the cheapest first.
    """
    best = scores.argmax(1)
    within = scores.max(1, keepdims=True) - scores <= errors[best]
    chosen: Integers = np.array(order, dtype=np.int64)[within[:, order].argmax(1)]
    return chosen
