"""Edge probes of a task by depth, and at which layer the task is solved (Tenney et al. 2019, arXiv 1905.05950)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, interval
from wordworth.measures.layer_mixing import expected_layer
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.layers.probe_trainer import Counts, ProbeTrainer, f1_draws


@dataclass(frozen=True, slots=True)
class EdgeProbing:
    """Edge probes of one task, whose probe of depth l mixes layers 0 to l.

    Attributes:
        counts: of each depth, on the texts that measure.
        again: of each depth, with a second seed.
        random: of depth 0 and of all layers of the encoder with random weights.
        shares: float64 [layers], the mixing weights of the probe of all layers.
        draws: float64 [draws, probes], micro F1 on resampled texts: each depth, each depth again, both random ones.
    """

    counts: Sequence[Counts]
    again: Sequence[Counts]
    random: Sequence[Counts]
    shares: Floats
    draws: Floats

    @property
    def depth(self) -> int:
        """Number of layers above the input layer."""
        return len(self.counts) - 1

    @property
    def scores(self) -> Floats:
        """Micro F1 of each depth, float64 [layers]."""
        return floats([each.f1 for each in self.counts])

    @property
    def by_depth(self) -> Floats:
        """Micro F1 of each depth on resampled texts, float64 [draws, layers]."""
        return self.draws[:, : len(self.counts)]

    @property
    def expected(self) -> tuple[float, Floats]:
        """The expected layer, and float64 [draws] on resampled texts."""
        return float(expected_layer(self.scores)), expected_layer(self.by_depth)

    @property
    def expected_again(self) -> tuple[float, Floats]:
        """The same with the second seed."""
        drawn = self.draws[:, len(self.counts) : 2 * len(self.counts)]
        return float(expected_layer(floats([each.f1 for each in self.again]))), expected_layer(drawn)


def edge_probing(own: ProbeTrainer, random: ProbeTrainer, draws: int) -> EdgeProbing:
    """Train and measure the edge probes of a task.

    Args:
        own: trains on the encoder.
        random: trains on the encoder with random weights.
        draws: bootstrap resamples of texts.
    """
    depths, test = range(own.features.layers), own.task.parts[2]
    measured, shares = list[list[Counts]](), np.zeros(0)
    for repeat in range(2):
        measured.append([])
        for depth in depths:
            probe = own.edge(depth, repeat)
            measured[-1].append(own.counts(probe, slice(0, depth + 1), test))
            shares = probe.mix.shares.detach().double().numpy() if not repeat else shares
    ends = [random.counts(random.edge(depth), slice(0, depth + 1), test) for depth in (0, depths[-1])]
    counts = [*measured[0], *measured[1], *ends]
    return EdgeProbing(measured[0], measured[1], ends, shares, f1_draws(counts, draws, draw_source(own)))


def draw_source(trainer: ProbeTrainer) -> np.random.Generator:
    """Return the generator of resamples: the same for tasks on the same texts, whose differences are then paired."""
    return seeds.child(trainer.seed, "layers", "draws", *trainer.task.seed_names[1])


def finite_interval(drawn: Floats, level: float = 0.95) -> Interval:
    """Return the interval of draws; its ends are NaN if one in a hundred of them has no value."""
    known = drawn[np.isfinite(drawn)]
    if len(known) < 0.99 * len(drawn):
        return Interval(float("nan"), float("nan"))
    return interval(known, level)
