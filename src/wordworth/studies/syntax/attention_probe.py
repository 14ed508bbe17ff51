"""The attention probe of Coenen et al. 2019: a linear classifier over all heads' attention between two words.

The probe predicts whether one word is the other's syntactic head, and which relation the two have. Controls are a
classifier that reads only the distance between the words, and the same probe on an encoder with random weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from wordworth import seeds
from wordworth.measures.bootstrap import Resamples, share_draws
from wordworth.measures.weighted_sums import Flags, Integers, floats
from wordworth.models.encoder_base import Encoder
from wordworth.models.pruning import heads_of
from wordworth.progress import Step
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.studies.syntax.sampled_trees import SyntaxSample
from wordworth.studies.syntax.structural_probe_scores import Estimate
from wordworth.studies.syntax.word_pairs import (
    FEWEST,
    NONE,
    Pairs,
    any_distance,
    joined,
    related_pairs,
    same_distance,
    unrelated_pairs,
)
from wordworth.studies.word_attention import word_attention
from wordworth.text.tokens import Tokens
from wordworth.training.loop import Loss
from wordworth.training.probes.train_probe import ProbeTraining, train_probe

MATCHED, ANY, WHICH = "related, same distance", "related, any distance", "which relation"
OWN, RANDOM, DISTANCE, FREQUENT = "attention", "attention, random weights", "distance alone", "most frequent"
TRAINING = ProbeTraining(rate=1e-2, batch_size=256, passes=40, patience=3)
_FARTHEST = 15
"""Largest distance, in words, that is a feature of its own; larger ones count as this one."""
Features = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PairTask:
    """A classification task about pairs of words.

    Attributes:
        pairs: the pairs of words.
        labels: int64 [pairs], the class of each pair.
        classes: number of classes.
    """

    pairs: Pairs
    labels: Integers
    classes: int


@dataclass(frozen=True, slots=True)
class PairScore:
    """The accuracy of a classifier of pairs of words on the test sentences.

    Attributes:
        task: name of the task: `MATCHED`, `ANY` or `WHICH`.
        source: name of the classifier's features: `OWN` or `RANDOM` (attention of the model, or of random weights) or
            `DISTANCE` (between the words); or `FREQUENT` for the baseline that predicts the most frequent class.
        pairs: number of pairs.
        classes: number of classes.
        accuracy: share of pairs that are classified correctly, with its bootstrap distribution over documents.
    """

    task: str
    source: str
    pairs: int
    classes: int
    accuracy: Estimate


def pair_tasks(sample: SyntaxSample, seed: int) -> dict[str, PairTask]:
    """Return the classification tasks on pairs of words, by name.

    The tasks are whether two words are related, with unrelated pairs of the same distance (`MATCHED`) or of any
    distance (`ANY`), and which relation two related words have (`WHICH`). A task is left out if a part of the sample
    has no pairs for it, or if all its pairs have one class.

    Args:
        sample: the sentences.
        seed: seed of the draw of pairs.
    """
    rng = seeds.child(seed, "syntax", "pairs")
    names = sample.relation_names
    related, unrelated = related_pairs(sample.sentences, names), unrelated_pairs(sample.sentences)
    tasks = {}
    for name, draw in ((MATCHED, same_distance), (ANY, any_distance)):
        pairs = joined([draw(related.within(rows), unrelated.within(rows), rng) for rows in _parts(sample)])
        tasks[name] = PairTask(pairs, (pairs.relations != NONE).astype(np.int64), 2)
    in_training = np.bincount(related.within(sample.split.train).relations, minlength=len(names))
    frequent = np.flatnonzero(in_training >= FEWEST)
    known = related[np.flatnonzero(np.isin(related.relations, frequent))]
    tasks[WHICH] = PairTask(known, np.searchsorted(frequent, known.relations), len(frequent))
    return {name: task for name, task in tasks.items() if _is_posed(task, sample)}


def _parts(sample: SyntaxSample) -> tuple[Integers, Integers, Integers]:
    return sample.split.train, sample.split.held_out, sample.split.test


def _is_posed(task: PairTask, sample: SyntaxSample) -> bool:
    """Return True if a task has two classes or more, and pairs in every part of the sample."""
    return task.classes > 1 and all(np.isin(task.pairs.sentences, rows).any() for rows in _parts(sample))


def read_pairs(model: Encoder, tokens: Sequence[Tokens], lengths: Sequence[int], pairs: Pairs, step: Step) -> Features:
    """Return for each pair of words the attention between them in all heads, float32 [pairs, 2 * heads].

    The first columns are the attention from the first word to the second, the others the attention from the second to
    the first.

    Args:
        model: an encoder with attention.
        tokens: the tokens of each sentence.
        lengths: number of words of each sentence.
        pairs: the pairs of words; their `sentences` are indices into `tokens`.
        step: progress step, advanced after each sentence.
    """
    order = np.argsort(pairs.sentences, kind="stable")
    ends = np.searchsorted(pairs.sentences[order], np.arange(len(tokens) + 1))
    maps = np.zeros((len(pairs), 2 * len(heads_of(model))), np.float32)
    for sentence, attention in enumerate(word_attention(model, tokens, lengths, step)):
        rows = order[ends[sentence] : ends[sentence + 1]]
        first, second = pairs.first[rows], pairs.second[rows]
        maps[rows] = np.concatenate([attention[:, first, second], attention[:, second, first]]).T
    return maps


def distance_features(pairs: Pairs) -> Features:
    """Return the distance of each pair of words as a one-hot vector, float32 [pairs, distances].

    The distance is the position of the second word minus the position of the first, clipped on both sides.
    """
    clipped = np.clip(pairs.offsets, -_FARTHEST, _FARTHEST) + _FARTHEST
    return np.eye(2 * _FARTHEST + 1, dtype=np.float32)[clipped]


@dataclass(frozen=True, slots=True)
class PairProbes:
    """A trainer of linear classifiers of pairs of words, which also scores them.

    Attributes:
        sample: the sentences, split into training, held-out and test parts.
        resamples: the bootstrap resamples: their number, and the seed, from which training is seeded too.
        finished: cache with the classifiers that an earlier call trained.
    """

    sample: SyntaxSample
    resamples: Resamples
    finished: FinishedParts

    def scores(self, name: str, task: PairTask, features: Mapping[str, Features], step: Step) -> list[PairScore]:
        """Train a classifier of word pairs on each source of features, and return the scores.

        The score of always predicting the most frequent class is among them.

        Args:
            name: name of the task.
            task: the pairs of words with their classes.
            features: name of a source -> its features, float32 [pairs, features].
            step: progress step, advanced by each training pair in each pass.
        """
        parts = [np.flatnonzero(np.isin(task.pairs.sentences, rows)) for rows in _parts(self.sample)]
        right = {source: self._right((name, source), task, values, parts, step) for source, values in features.items()}
        right[FREQUENT] = task.labels[parts[2]] == np.bincount(task.labels[parts[0]]).argmax()
        rng = seeds.child(self.resamples.seed, "syntax", "pair draws", name)
        documents = self.sample.documents[task.pairs.sentences[parts[2]]]
        columns = floats(list(right.values())).T
        draws = share_draws(columns, np.ones(len(columns)), documents, self.resamples.draws, rng)
        values = zip(right, columns.mean(0), draws.T, strict=True)
        return [
            PairScore(name, source, len(columns), task.classes, Estimate(float(share), drawn))
            for source, share, drawn in values
        ]

    def _right(
        self, name: tuple[str, str], task: PairTask, features: Features, parts: Sequence[Integers], step: Step
    ) -> Flags:
        """Return whether a classifier labels each test pair correctly, bool [test pairs]; a cached result is reused.

        Args:
            name: names of the task and of the source of the features, the key in the cache.
            task: the pairs of words with their classes.
            features: float32 [pairs, features].
            parts: indices of the training, held-out and test pairs.
            step: progress step, advanced by each training pair in each pass.
        """

        def trained() -> dict[str, Flags]:
            return {"right": self._trained(task, features, parts, step)}

        amount = TRAINING.passes * len(parts[0])
        return self.finished.arrays(("attention probe", TRAINING, *name), trained, step, amount)["right"]

    def _trained(self, task: PairTask, features: Features, parts: Sequence[Integers], step: Step) -> Flags:
        mean, deviation = features[parts[0]].mean(0), features[parts[0]].std(0)
        scaled = torch.from_numpy((features - mean) / np.where(deviation > 0, deviation, 1))
        labels = torch.from_numpy(task.labels)
        probe = nn.Linear(features.shape[1], task.classes)
        for parameter in probe.parameters():
            nn.init.zeros_(parameter)

        def loss(rows: Integers, _: torch.Generator | None) -> Loss:
            logits, gold = probe(scaled[rows]), labels[rows]
            total = functional.cross_entropy(logits, gold, reduction="sum")
            return Loss(total, len(rows), (logits.argmax(1) == gold).sum())

        train_probe(probe, loss, parts[0], parts[1], TRAINING, seed=self.resamples.seed, step=step)
        with torch.inference_mode():
            is_right: Flags = (probe(scaled[parts[2]]).argmax(1) == labels[parts[2]]).numpy()
        return is_right
