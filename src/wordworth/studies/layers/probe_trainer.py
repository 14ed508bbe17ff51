"""`ProbeTrainer`: train probes on some texts of a task, and count the correct labels on other texts, for micro F1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch

from wordworth import seeds
from wordworth.files import content_key
from wordworth.measures.bootstrap import share_draws
from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.progress import Step
from wordworth.studies.layers.layer_features import LayerFeatures
from wordworth.studies.layers.span_task import SpanTask
from wordworth.studies.probe_cache import trained_probe
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.training.loop import Loss
from wordworth.training.probes.span_probes import EdgeProbe, LinearProbe, SpanProbe
from wordworth.training.probes.train_probe import ProbeLoss, ProbeRun, ProbeTraining, mean_loss, train_probe

EDGE = ProbeTraining(rate=1e-3, batch_size=16, passes=15, patience=2)
LINEAR = ProbeTraining(rate=5e-3, batch_size=16, passes=20, patience=2)
Probe = TypeVar("Probe", bound=SpanProbe)
_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Counts:
    """The numerator and the denominator of micro F1 for each text, from which micro F1 of resampled texts follows.

    Attributes:
        numerator: float64 [texts], twice the number of predicted labels that are correct, 2 TP.
        denominator: float64 [texts], the number of predicted labels plus the number of gold labels, 2 TP + FP + FN.
    """

    numerator: Floats
    denominator: Floats

    @property
    def f1(self) -> float:
        """Micro F1 over all texts, 2 TP / (2 TP + FP + FN); 0 if there are no labels at all.

        F1 equals accuracy if each target has exactly one gold and one predicted label.
        """
        return float(self.numerator.sum() / max(self.denominator.sum(), 1.0))


def f1_draws(counts: Sequence[Counts], draws: int, rng: np.random.Generator) -> Floats:
    """Return the micro F1 of several probes on resampled texts, float64 [draws, probes]; probes share the resamples.

    Args:
        counts: the counts of each probe, all on the same texts.
        draws: number of resamples.
        rng: source of randomness.
    """
    numerator, denominator = (
        floats([getattr(each, name) for each in counts]).T for name in ("numerator", "denominator")
    )
    drawn = share_draws(numerator, denominator, np.arange(len(numerator)), draws, rng)
    return np.nan_to_num(drawn)


@dataclass(frozen=True, slots=True)
class ProbeTrainer:
    """The trainer of all probes of one task on one encoder.

    Attributes:
        task: the task.
        features: the states of the encoder at the words of the task.
        seed: seed of the study.
        name: name of the encoder, which enters the seeds of the probes.
        step: the step of progress that training advances.
        finished: the cache of probes that an earlier call trained.
    """

    task: SpanTask
    features: LayerFeatures
    seed: int
    name: str
    step: Step
    finished: FinishedParts

    def edge(self, depth: int, repeat: int = 0) -> EdgeProbe:
        """Train an edge probe on layers 0 to `depth`.

        Args:
            depth: the highest layer that the probe mixes.
            repeat: index of the repetition, which changes the seed of the training.
        """
        width = int(self.features.values.shape[2])
        probe = EdgeProbe(depth + 1, width, self.task.sides, len(self.task.classes))
        return self._trained(probe, slice(0, depth + 1), EDGE, (depth, repeat), self.task.labels, self.task.parts[0])

    def linear(self, layers: slice, labels: Flags | None = None, texts: Integers | None = None) -> LinearProbe:
        """Train a linear probe.

        Args:
            layers: the layers that the probe reads.
            labels: bool [targets, classes], the gold labels of all targets; None means the labels of the task.
            texts: int64 [texts], the indices of the texts to train on; None means the training part.
        """
        width = int(self.features.values.shape[2])
        exclusive = self.task.exclusive
        probe = LinearProbe(
            layers.stop - layers.start, width, self.task.sides, len(self.task.classes), exclusive=exclusive
        )
        learned = self.task.parts[0] if texts is None else texts
        gold = self.task.labels if labels is None else labels
        return self._trained(probe, layers, LINEAR, ("linear", layers.start, layers.stop, len(learned)), gold, learned)

    def _trained(
        self,
        probe: Probe,
        layers: slice,
        training: ProbeTraining,
        named: tuple[object, ...],
        labels: Flags,
        texts: Integers,
    ) -> Probe:
        seed = seeds.child_seed(self.seed, "layers", self.task.seed_names[0], self.name, *named)
        probe.initialise(torch.Generator().manual_seed(seed))
        probe.mix.scale.copy_(self.features.scale[layers])
        loss, deciding = self._loss(probe, layers, labels), self.task.parts[1]

        def train() -> ProbeRun:
            with ONE_THREAD.limit():
                return train_probe(probe, loss, texts, deciding, training, seed=seed, step=self.step)

        of = (type(probe).__name__, training, seed, layers, content_key(labels.tobytes(), texts.tobytes()))
        trained_probe(self.finished, of, probe, train, self.step, training.passes * len(texts))
        return probe.eval()

    def _loss(self, probe: SpanProbe, layers: slice, labels: Flags) -> ProbeLoss:
        def loss(texts: Integers, generator: torch.Generator | None) -> Loss:
            return probe.loss(self.features.batch(texts, layers, labels), generator)

        return loss

    def loss(self, probe: SpanProbe, layers: slice, texts: Integers) -> float:
        """Return a probe's mean loss, in nats, on the targets (spans to label) of some texts.

        Args:
            probe: the probe.
            layers: the layers that the probe reads.
            texts: int64 [texts], the indices of the texts.
        """
        return mean_loss(self._loss(probe, layers, self.task.labels), texts, _AT_ONCE)

    def counts(
        self, probe: SpanProbe, layers: slice, texts: Integers, labels: Flags | None = None, only: Flags | None = None
    ) -> Counts:
        """Return the counts of a probe's correct, predicted and gold labels on some texts, from which micro F1 follows.

        Args:
            probe: the probe.
            layers: the layers that the probe reads.
            texts: int64 [texts], the indices of the texts to measure on.
            labels: bool [targets, classes], the gold labels of all targets; None means the labels of the task.
            only: bool [targets], whether to measure on each target of the task; None means all targets.
        """
        gold = self.task.labels if labels is None else labels
        sums = list[Floats]()
        with torch.inference_mode(), ONE_THREAD.limit():
            for start in range(0, len(texts), _AT_ONCE):
                together = texts[start : start + _AT_ONCE]
                batch = self.features.batch(together, layers, gold)
                predicted = probe.predicted(probe(batch)).numpy()
                sums.append(
                    _by_text(predicted, batch.labels.numpy() > 0, self._text_of(together), self._mask(together, only))
                )
        return Counts(*np.concatenate(sums, 1))

    def _text_of(self, texts: Integers) -> Integers:
        return np.repeat(np.arange(len(texts)), self.features.targets[texts, 1])

    def _mask(self, texts: Integers, only: Flags | None) -> Flags | None:
        return None if only is None else only[self.task.targets_of(texts)]


def _by_text(predicted: Flags, gold: Flags, text_of: Integers, mask: Flags | None) -> Floats:
    """Return the fields `numerator` and `denominator` of `Counts`, float64 [2, texts].

    Args:
        predicted: bool [targets, classes], the predicted labels of the texts' targets.
        gold: bool [targets, classes], the gold labels.
        text_of: int64 [targets], index of each target's text among these texts.
        mask: bool [targets], whether each target counts; None to count all.
    """
    number = int(text_of.max()) + 1
    weight = 1.0 if mask is None else mask.astype(np.float64)
    sums = (2 * (predicted & gold).sum(1) * weight, (predicted.sum(1) + gold.sum(1)) * weight)
    return np.stack([np.bincount(text_of, each, number) for each in sums])
