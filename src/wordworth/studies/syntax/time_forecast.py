"""Forecast of the seconds that the study takes: each kind of work is timed on a few sentences and multiplied up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch

from wordworth.measures.weighted_sums import Integers
from wordworth.models.encoder_base import Encoder
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import STILL
from wordworth.studies.study_progress import seconds_of
from wordworth.studies.syntax.parser import PARSERS as NUMBER_OF_PARSERS
from wordworth.studies.syntax.parser import TRAINING as PARSER_TRAINING
from wordworth.studies.syntax.parser import parser_loss, untrained_parser
from wordworth.studies.syntax.sampled_trees import SyntaxSample
from wordworth.studies.syntax.structural_probes import TRAINING, measured_scores, number_of_probes
from wordworth.studies.syntax.treebank_word_vectors import Vectors, WordVectors, read_vectors
from wordworth.studies.word_attention import word_attention
from wordworth.training.loop import Loss
from wordworth.training.probes.structural_probe import StructuralProbe, WordBatch
from wordworth.training.probes.train_probe import train_probe

ATTENTION, VECTORS = "reading attention", "reading vectors"
PROBES, PARSERS = "training structural probes", "training parsers"
"""Titles of the steps that are forecast; classifiers of pairs of words, a fortieth of the time, are left out."""
_FEW = 20
"""Number of sentences that are timed, from the shortest to the longest at even steps."""
_PASSES = 0.45
"""Share of the passes allowed after which a probe's training ends: 17 of 40 for MiniLM and 300 sentences of EWT."""


def forecast(encoder: TextEncoder, sample: SyntaxSample, rank: int) -> dict[str, float]:
    """Return title of each step of the study -> the seconds that the step is expected to take.

    Args:
        encoder: the model; the encoder with random weights takes as long.
        sample: the sentences with their trees.
        rank: rank of the probes of every layer.
    """
    rows = _few(sample)
    sentences = [sample.sentences[row].words for row in rows]
    read = read_vectors(encoder, sentences, STILL)
    layer = read.layer(read.layers // 2, np.arange(len(rows)))
    each = 2 * len(sample.sentences) / len(rows)
    training, measuring = _probe_seconds(sample, rows, layer, rank)
    passed = _PASSES * len(sample.split.train)
    a_probe = passed * TRAINING.passes * training + len(sample.split.test) * measuring
    a_parser = passed * PARSER_TRAINING.passes * _parser_seconds(sample, rows, read)
    return {
        ATTENTION: each * seconds_of(lambda: _read_attention(encoder.model, sample, rows)),
        VECTORS: each * seconds_of(lambda: read_vectors(encoder, sentences, STILL)),
        PROBES: number_of_probes(read.layers, read.width, rank) * a_probe,
        PARSERS: NUMBER_OF_PARSERS * a_parser,
    }


def _few(sample: SyntaxSample) -> Integers:
    order = np.argsort(sample.lengths, kind="stable")
    return order[np.unique(np.linspace(0, len(order) - 1, _FEW).round().astype(np.int64))]


def _read_attention(model: Encoder, sample: SyntaxSample, rows: Integers) -> None:
    lengths = sample.lengths[rows].tolist()
    for _ in word_attention(model, [sample.tokens[row] for row in rows], lengths, STILL):
        pass


def _probe_seconds(sample: SyntaxSample, rows: Integers, vectors: list[Vectors], rank: int) -> tuple[float, float]:
    """Return the seconds that a structural probe needs per sentence in a training pass, and per sentence of testing.

    Args:
        sample: the sentences with their trees.
        rows: int64 [n], indices of the sentences that are timed.
        vectors: vectors of these sentences, in the same order.
        rank: rank of the probe.
    """
    trees, numbers = [sample.trees[row] for row in rows], np.arange(len(rows))
    probe = StructuralProbe(vectors[0].shape[1], rank)
    probe.initialise(torch.Generator().manual_seed(0))

    def loss(units: Integers, _: torch.Generator | None) -> Loss:
        return probe.distance_loss(WordBatch.of([vectors[unit] for unit in units], [trees[unit] for unit in units]))

    def train() -> None:
        train_probe(probe, loss, numbers, numbers[:4], replace(TRAINING, passes=1), seed=0)

    def measure() -> None:
        measured_scores(probe, "distance", numbers, vectors, trees)

    return seconds_of(train) / len(rows), seconds_of(measure) / len(rows)


def _parser_seconds(sample: SyntaxSample, rows: Integers, vectors: WordVectors) -> float:
    """Return the seconds that the parser needs per sentence in a training pass.

    Args:
        sample: the sentences with their trees.
        rows: int64 [n], indices of the sentences that are timed.
        vectors: vectors of these sentences, in the same order.
    """
    few, numbers = [sample.sentences[row] for row in rows], np.arange(len(rows))
    parser = untrained_parser(vectors, len(sample.relation_names), numbers, 0)
    loss, once = parser_loss(parser, vectors, few, sample.relation_names), replace(PARSER_TRAINING, passes=1)
    return seconds_of(lambda: train_probe(parser, loss, numbers, numbers[:4], once, seed=0)) / len(rows)
