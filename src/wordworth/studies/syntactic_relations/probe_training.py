"""Training of the dependency probes on one half of the documents, and their correct predictions on the other half."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.weighted_sums import Integers
from wordworth.models.encoder_base import Encoder
from wordworth.progress import Step
from wordworth.studies.probe_cache import trained_probe
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.studies.syntactic_relations.dependency_probe_inputs import ProbedSentences, ProbeInputs
from wordworth.studies.treebank_sample import ProbeSplit
from wordworth.training.loop import Loss
from wordworth.training.probes.dependency_probes import (
    AttentionAndWordsProbe,
    AttentionProbe,
    DependencyProbe,
    WordsProbe,
)
from wordworth.training.probes.train_probe import ProbeRun, ProbeTraining, train_probe
from wordworth.training.probes.word_pairs import ProbedSentence, WordPairs

ATTENTION, ATTENTION_AND_WORDS = "attention alone", "attention and words"
WORDS_AND_DISTANCES, WORDS = "words and distances", "words alone"
RANDOM = "{}, random weights"
_BUILD: Mapping[str, Callable[[int, int], DependencyProbe]] = {
    ATTENTION: lambda maps, _: AttentionProbe(maps),
    ATTENTION_AND_WORDS: AttentionAndWordsProbe,
    WORDS_AND_DISTANCES: lambda _, width: WordsProbe(width, distances=True),
    WORDS: lambda _, width: WordsProbe(width, distances=False),
}
_WITH_ATTENTION = (ATTENTION, ATTENTION_AND_WORDS)
TRAINING = ProbeTraining()
_AT_ONCE = 16
"""Number of sentences that are measured at a time."""


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """A trained dependency probe, and the number of words whose syntactic head it finds in each test sentence.

    Attributes:
        right: int64 [sentences], number of words whose syntactic head the probe finds.
        again: int64 [sentences], the same after training with another seed; None if the probe was trained once.
        rate: the learning rate with the lowest held-out loss.
        run: the training at this learning rate.
        parameters: number of the probe's weights.
    """

    right: Integers
    again: Integers | None
    rate: float
    run: ProbeRun
    parameters: int


def probe_results(
    inputs: ProbeInputs, models: tuple[Encoder, Encoder], split: ProbeSplit, seed: int, finished: FinishedParts
) -> dict[str, ProbeResult]:
    """Train every dependency probe, and count the syntactic heads that it finds in each test sentence.

    Args:
        inputs: the sentences.
        models: the encoder, and an encoder of the same shape with random weights; only the probes with attention are
            trained on the second.
        split: indices of the sentences to train on, held out for early stopping, and to test on.
        seed: seed of the training.
        finished: cache with the probes that an earlier call trained; its field `progress` receives the progress of
            reading attention, training and measuring.

    Returns:
        Name of each probe -> its result; a probe on random weights has `, random weights` after its name.
    """
    probes = _Probes(inputs, split, seed, finished)
    return probes.of(models[0], tuple(_BUILD), "{}", 2) | probes.of(models[1], _WITH_ATTENTION, RANDOM, 1)


@dataclass(frozen=True, slots=True)
class _Probes:
    """A trainer and tester of dependency probes, which stores the attention of one model at a time."""

    inputs: ProbeInputs
    split: ProbeSplit
    seed: int
    finished: FinishedParts

    def of(self, model: Encoder, names: Sequence[str], label: str, repeats: int) -> dict[str, ProbeResult]:
        """Train and test probes on the attention of one model; return name of each probe -> its result.

        Args:
            model: the encoder.
            names: names of the probes.
            label: format string with one field, into which the name of a probe or of a progress step is put.
            repeats: number of seeds with which each probe is trained.
        """
        rows, training = self.split.test, self.split.train_and_held_out
        with self.finished.progress.step(label.format("reading attention"), len(training)) as step:
            sentences = self.inputs.keep(model, training, step)
        trials = sum(len(_built(name, sentences).rates) + repeats - 1 for name in names)
        total = trials * TRAINING.passes * len(self.split.train)
        with self.finished.progress.step(label.format("training probes"), total) as step:
            trainer = _Trainer(sentences, len(self.split.train), self.seed, step, label, self.finished)
            trained = {name: trainer.train(name, repeats) for name in names}
        with self.finished.progress.step(label.format("measuring probes"), len(rows)) as step:
            probes = [each.probe for name in names for each in trained[name]]
            right = iter(right_words(probes, self.inputs.read(model, rows, step), sentences.scale).T)
        return {label.format(name): _result(trained[name], [next(right) for _ in trained[name]]) for name in names}


@dataclass(frozen=True, slots=True)
class _Trained:
    probe: DependencyProbe
    rate: float
    run: ProbeRun


@dataclass(frozen=True, slots=True)
class _Trainer:
    """A trainer of probes on stored sentences: the first `num_train` are trained on, the others are held out."""

    sentences: ProbedSentences
    num_train: int
    seed: int
    step: Step
    label: str
    finished: FinishedParts

    def train(self, name: str, number: int) -> list[_Trained]:
        """Train a probe at each learning rate; return the best, then `number` - 1 probes of other seeds at its rate."""
        trials = [self._once(name, rate, 0) for rate in _built(name, self.sentences).rates]
        best = min(trials, key=lambda trial: min(trial.run.losses))
        return [best, *(self._once(name, best.rate, repeat) for repeat in range(1, number))]

    def _once(self, name: str, rate: float, repeat: int) -> _Trained:
        probe, seed = _built(name, self.sentences), seeds.child_seed(self.seed, "relations", name, repeat)
        probe.initialise(torch.Generator().manual_seed(seed))

        def loss(rows: Integers, _: torch.Generator | None) -> Loss:
            pairs = WordPairs.of([self.sentences.sentences[row] for row in rows], self.sentences.scale)
            return pairs.loss(probe(pairs))

        train_rows, held_out = np.split(np.arange(len(self.sentences.sentences)), [self.num_train])
        training = replace(TRAINING, rate=rate)

        def train() -> ProbeRun:
            return train_probe(probe, loss, train_rows, held_out, training, seed=seed, step=self.step)

        of = ("dependency probe", self.label, name, training, seed)
        return _Trained(
            probe, rate, trained_probe(self.finished, of, probe, train, self.step, training.passes * len(train_rows))
        )


def right_words(
    probes: Sequence[DependencyProbe], sentences: Iterator[ProbedSentence], scale: NDArray[np.float32]
) -> Integers:
    """Count the words whose syntactic head each probe finds, int64 [sentences, probes].

    Args:
        probes: the probes.
        sentences: inputs of each sentence; they are consumed a few at a time.
        scale: float32 [maps], the factor by which each map is multiplied, the same as in training.
    """
    counts = []
    with torch.inference_mode():
        while together := list(islice(sentences, _AT_ONCE)):
            pairs = WordPairs.of(together, scale)
            right = torch.stack([pairs.right(probe(pairs)) for probe in probes], 1).numpy()
            starts = np.cumsum([0, *map(len, together[:-1])])
            counts.append(np.add.reduceat(right.astype(np.int64), starts))
    return np.concatenate(counts)


def _built(name: str, sentences: ProbedSentences) -> DependencyProbe:
    first = sentences.sentences[0]
    return _BUILD[name](first.maps.shape[1], first.vectors.shape[1])


def _result(trained: Sequence[_Trained], right: Sequence[Integers]) -> ProbeResult:
    parameters = sum(parameter.numel() for parameter in trained[0].probe.parameters())
    again = right[1] if len(right) > 1 else None
    return ProbeResult(right[0], again, trained[0].rate, trained[0].run, parameters)
