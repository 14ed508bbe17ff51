"""A biaffine parser on a model's frozen states, beside what it does with less, and the attachment scores of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from wordworth import seeds
from wordworth.measures.bootstrap import share_draws
from wordworth.measures.layer_mixing import centre_of_gravity
from wordworth.measures.weighted_sums import Flags, Integers, floats
from wordworth.progress import Step
from wordworth.studies.finished_parts import FinishedParts
from wordworth.studies.syntax.probes import AGAIN, MODEL, RANDOM
from wordworth.studies.syntax.sample import SyntaxSample
from wordworth.studies.syntax.scores import INPUT, Estimate
from wordworth.studies.syntax.vectors import WordVectors
from wordworth.studies.trained_probes import trained_probe
from wordworth.text.treebank import ROOT, DependencySentence
from wordworth.training.loop import Loss
from wordworth.training.probes.biaffine_parser import BiaffineParser, ParserBatch
from wordworth.training.probes.train_probe import ProbeLoss, ProbeRun, ProbeTraining, train_probe

NEXT_WORD = "right-branching"
COMPARED = (NEXT_WORD, RANDOM, INPUT, AGAIN)
"""What the parser on all layers of the model is compared with."""
MEASURES = ("uas", "las")
TRAINING = ProbeTraining(rate=3e-3, batch_size=20, passes=30, patience=3, decay=0.5)
PARSERS = 4
"""Parsers that are trained, for a bar of progress."""
_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Attachment:
    """Which words of the sentences that measure are attached right.

    Attributes:
        source: source of the parser: the model, or one of `COMPARED`.
        sentence: int64 [words], the number of each word's sentence.
        measures: `uas`, whether the head is right, and `las`, whether head and relation are, bool [words] each.
        run: the parser's training; None for right-branching.
        layer: the mean layer of its mix; None where nothing is mixed.
    """

    source: str
    sentence: Integers
    measures: dict[str, Flags]
    run: ProbeRun | None = None
    layer: float | None = None


@dataclass(frozen=True, slots=True)
class ScoredParser:
    """A parser with its unlabelled and labelled attachment scores."""

    attachment: Attachment
    scores: dict[str, Estimate]


@dataclass(frozen=True, slots=True)
class ParserTrainer:
    """Trains parsers on the sentences of a study.

    Attributes:
        sample: the sentences.
        seed: seed of first weights, of the order of sentences and of dropout.
        step: progress step, advanced after each sentence of each pass.
        finished: the parsers that an earlier call trained.
    """

    sample: SyntaxSample
    seed: int
    step: Step
    finished: FinishedParts

    def train(self, vectors: WordVectors, source: str = MODEL) -> tuple[BiaffineParser, ProbeRun]:
        """Train a parser on all layers of some vectors.

        Args:
            vectors: vectors of every sentence.
            source: the name of the parser; that of another seed takes one.
        """
        sample, names = self.sample, self.sample.relation_names
        seed = seeds.child_seed(self.seed, "syntax", "parser", source == AGAIN)
        parser = BiaffineParser(vectors.layers, vectors.width, len(names))
        parser.initialise(torch.Generator().manual_seed(seed))
        parser.mix.scale[:] = torch.from_numpy(1 / vectors.sizes(sample.split.items))
        loss, split = parser_loss(parser, vectors, sample), sample.split

        def train() -> ProbeRun:
            return train_probe(parser, loss, split.items, split.held_out, TRAINING, seed=seed, step=self.step)

        name, amount = ("parser", TRAINING, source, vectors.layers), TRAINING.passes * len(split.items)
        return parser, trained_probe(self.finished, name, parser, train, self.step, amount)

    def attachment(self, vectors: WordVectors, source: str) -> Attachment:
        """Train a parser, parse the sentences that measure, and compare."""
        parser, run = self.train(vectors, source)
        shares = parser.mix.shares.detach().double().numpy()
        layer = centre_of_gravity(shares) if len(shares) > 1 else None
        return replace(self.measured(parser, vectors), source=source, run=run, layer=layer)

    def measured(self, parser: BiaffineParser, vectors: WordVectors) -> Attachment:
        """Parse the sentences that measure, and compare."""
        names, rows = np.array(self.sample.relation_names), self.sample.split.measuring
        parts = [
            parser.parse(batch(vectors, rows[start : start + _AT_ONCE])) for start in range(0, len(rows), _AT_ONCE)
        ]
        heads, labels = (np.concatenate(each) for each in zip(*parts, strict=True))
        return attached([self.sample.sentences[row] for row in rows], heads, names[labels].tolist())


def parser_loss(parser: BiaffineParser, vectors: WordVectors, sample: SyntaxSample) -> ProbeLoss:
    """Return the loss of a parser on sentences, by their numbers.

    Args:
        parser: parser of all relations of the sample.
        vectors: vectors of every sentence.
        sample: the sentences.
    """
    numbers = {name: number for number, name in enumerate(sample.relation_names)}
    labels = [np.array([numbers[name] for name in each.universal_relations]) for each in sample.sentences]

    def loss(rows: Integers, generator: torch.Generator | None) -> Loss:
        heads = np.concatenate([sample.sentences[row].heads for row in rows])
        return parser.loss(batch(vectors, rows), heads, np.concatenate([labels[row] for row in rows]), generator)

    return loss


def batch(vectors: WordVectors, rows: Integers) -> ParserBatch:
    """Return the words of some sentences as a parser reads them."""
    states = [vectors.sentence(row) for row in rows]
    return ParserBatch(torch.from_numpy(np.concatenate(states).astype(np.float32)), [len(each) for each in states])


def attached(sentences: Sequence[DependencySentence], heads: Integers, labels: Sequence[str]) -> Attachment:
    """Compare heads and relations with those of a treebank, every word counted, punctuation too (CoNLL 2018).

    Args:
        sentences: sentences of the treebank.
        heads: int64 [words], the head of each word in its sentence, all sentences end to end; -1 for the root.
        labels: the relation of each word, without subtypes.
    """
    is_head = heads == np.concatenate([each.heads for each in sentences])
    is_label = np.array(labels) == np.array([name for each in sentences for name in each.universal_relations])
    sentence = np.repeat(np.arange(len(sentences)), [len(each) for each in sentences])
    return Attachment(MODEL, sentence, {"uas": is_head, "las": is_head & is_label})


def right_branching(sample: SyntaxSample) -> Attachment:
    """Return the baseline in which each word hangs on the next one and the last is the root.

    The relation is the one that most words of the training part have that hang on the next word or are the root.
    """
    training = [sample.sentences[row] for row in sample.split.items]
    names = sample.relation_names
    counts = np.zeros((2, len(names)), np.int64)
    for each in training:
        is_next = each.heads == np.arange(1, len(each) + 1)
        numbers = np.searchsorted(names, each.universal_relations)
        np.add.at(counts[0], numbers[is_next], 1)
        np.add.at(counts[1], numbers[each.heads == ROOT], 1)
    inner, of_root = (names[number] for number in counts.argmax(1))
    measured = [sample.sentences[row] for row in sample.split.measuring]
    heads = np.concatenate([np.append(np.arange(1, len(each)), ROOT) for each in measured])
    return replace(attached(measured, heads, np.where(heads == ROOT, of_root, inner).tolist()), source=NEXT_WORD)


def parsers(trainer: ParserTrainer, own: WordVectors, random: WordVectors) -> list[Attachment]:
    """Return the parser of a model and all that it is compared with.

    Args:
        trainer: trainer of the parsers.
        own: vectors of the model.
        random: vectors of the same model with random weights.
    """
    read = {MODEL: own, AGAIN: own, INPUT: own.first_layer(), RANDOM: random}
    return [*(trainer.attachment(vectors, source) for source, vectors in read.items()), right_branching(trainer.sample)]


def scored_parsers(
    attachments: Sequence[Attachment], documents: Integers, plan: tuple[int, np.random.Generator]
) -> list[ScoredParser]:
    """Return attachment scores with bootstrap draws, the same for all.

    Args:
        attachments: attachments of every parser, on the same words.
        documents: int64 [sentences], the document of each sentence that measures.
        plan: number of resamples, and the source of randomness.
    """
    columns = floats([each.measures[name] for each in attachments for name in MEASURES]).T
    draws = share_draws(columns, np.ones(len(columns)), documents[attachments[0].sentence], *plan)
    pairs = zip(columns.mean(0).tolist(), draws.T, strict=True)
    estimates = iter(Estimate(value, of_value) for value, of_value in pairs)
    return [ScoredParser(each, {name: next(estimates) for name in MEASURES}) for each in attachments]
