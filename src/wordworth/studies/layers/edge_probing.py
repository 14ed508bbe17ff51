"""Edge probes of a task at every depth, and its expected layer (Tenney et al. 2019, arXiv 1905.05950).

An edge probe reads spans of text from a scalar mix of layers; the probe of depth l mixes layers 0 to l. The expected
layer is an estimate of where the task is solved: the mean of the layers' numbers, each weighted by what its layer adds
to the probe's score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Interval, interval
from wordworth.measures.expected_layer import expected_layer
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.layers.probe_trainer import Counts, ProbeTrainer, f1_draws


@dataclass(frozen=True, slots=True)
class EdgeProbing:
    """The results of the edge probes of one task; the probe of depth k mixes layers 0 to k.

    Attributes:
        counts: for each depth the `Counts` of the probe on the test texts, from which micro F1 follows.
        again: like `counts`, for probes trained with a second seed.
        random: like `counts`, for two probes of the encoder with random weights: one of depth 0, and one of all layers.
        shares: float64 [layers], the mixing weights of the probe of all layers.
        resampled_f1: float64 [draws, probes], micro F1 of each probe on each resample of the test texts; first the
            probes of `counts`, then of `again`, then of `random`.
    """

    counts: Sequence[Counts]
    again: Sequence[Counts]
    random: Sequence[Counts]
    shares: Floats
    resampled_f1: Floats

    @property
    def depth(self) -> int:
        """The number of layers of the encoder above the input layer."""
        return len(self.counts) - 1

    @property
    def scores(self) -> Floats:
        """Micro F1 of the edge probe of each depth on the test texts, float64 [layers]."""
        return floats([each.f1 for each in self.counts])

    @property
    def by_depth(self) -> Floats:
        """Micro F1 of the edge probe of each depth on each resample of texts, float64 [draws, layers]."""
        return self.resampled_f1[:, : len(self.counts)]

    @property
    def expected(self) -> tuple[float, Floats]:
        """The expected layer on the test texts, and on each resample of them, float64 [draws].

        The expected layer is an estimate of where the task is solved: the mean of the layers' numbers above 0, each
        weighted by what its layer adds to micro F1 (Tenney et al. 2019, equation 4).
        """
        return float(expected_layer(self.scores)), expected_layer(self.by_depth)

    @property
    def expected_again(self) -> tuple[float, Floats]:
        """The expected layer, as in `expected`, by the probes that were trained with a second seed.

        The pair holds the value on the test texts, and its value on each resample of them, float64 [draws].
        """
        drawn = self.resampled_f1[:, len(self.counts) : 2 * len(self.counts)]
        return float(expected_layer(floats([each.f1 for each in self.again]))), expected_layer(drawn)


def edge_probing(own: ProbeTrainer, random: ProbeTrainer, draws: int) -> EdgeProbing:
    """Train the edge probes of a task at each depth of an encoder, and measure them.

    Args:
        own: the trainer of probes on the encoder.
        random: the trainer of probes on the encoder with random weights.
        draws: number of bootstrap resamples of texts.
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
    """Return the random generator for the resamples of a task's texts.

    Tasks on the same texts get the same generator, so that differences between them are paired.
    """
    return seeds.child(trainer.seed, "layers", "draws", *trainer.task.seed_names[1])


def finite_interval(drawn: Floats, level: float = 0.95) -> Interval:
    """Return the percentile interval of bootstrap values, with NaN as ends if over 1 % of the values are not finite.

    Args:
        drawn: float64 [draws], the value in each resample.
        level: the share of values inside the interval.
    """
    known = drawn[np.isfinite(drawn)]
    if len(known) < 0.99 * len(drawn):
        return Interval(float("nan"), float("nan"))
    return interval(known, level)
