"""A biaffine parser on a model's frozen states, its controls, and the attachment scores of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from wordworth import seeds
from wordworth.measures.bootstrap import share_draws
from wordworth.measures.expected_layer import centre_of_gravity
from wordworth.measures.weighted_sums import Flags, Integers, floats
from wordworth.progress import Step
from wordworth.studies.probe_cache import trained_probe
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.studies.syntax.sampled_trees import SyntaxSample
from wordworth.studies.syntax.structural_probe_scores import INPUT, Estimate
from wordworth.studies.syntax.structural_probes import AGAIN, MODEL, RANDOM
from wordworth.studies.syntax.treebank_word_vectors import WordVectors
from wordworth.text.treebank import ROOT, DependencySentence
from wordworth.training.loop import Loss
from wordworth.training.probes.biaffine_parser import BiaffineParser, ParserBatch
from wordworth.training.probes.train_probe import ProbeLoss, ProbeRun, ProbeTraining, train_probe

NEXT_WORD = "right-branching"
COMPARED = (NEXT_WORD, RANDOM, INPUT, AGAIN)
"""Names of the controls of the parser on all layers of the model."""
MEASURES = ("uas", "las")
TRAINING = ProbeTraining(rate=3e-3, batch_size=20, passes=30, patience=3, decay=0.5)
PARSERS = 4
"""Number of parsers that are trained, for the progress bar."""
_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Attachment:
    """The correctness of a parser's trees, word by word, on the test sentences.

    Attributes:
        source: name of the parser: `MODEL`, or one of `COMPARED`.
        sentence: int64 [words], the index of each word's sentence.
        measures: `uas` -> bool [words], whether the head is correct; and `las` -> bool [words], whether both the head
            and the relation are correct.
        run: the parser's training; None for the right-branching baseline, which is not trained.
        mean_layer: centre of gravity of the parser's layer mix: the mean of the layers' numbers, weighted by their
            mixing weights; None if the parser reads a single layer.
    """

    source: str
    sentence: Integers
    measures: dict[str, Flags]
    run: ProbeRun | None = None
    mean_layer: float | None = None


@dataclass(frozen=True, slots=True)
class ScoredParser:
    """A parser with its attachment scores: `uas` (unlabelled) and `las` (labelled) -> share of words, with interval."""

    attachment: Attachment
    scores: dict[str, Estimate]


@dataclass(frozen=True, slots=True)
class ParserTrainer:
    """A trainer of parsers on the sentences of a study.

    Attributes:
        sample: the sentences with their trees.
        seed: seed of the initial weights, of the order of sentences and of dropout.
        step: progress step, advanced after each sentence of each pass.
        finished: cache with the parsers that an earlier call trained.
    """

    sample: SyntaxSample
    seed: int
    step: Step
    finished: FinishedParts

    def train(self, vectors: WordVectors, source: str = MODEL) -> tuple[BiaffineParser, ProbeRun]:
        """Train a parser on a mix of all layers of the vectors; a parser in the cache is not trained again.

        Args:
            vectors: vectors of every sentence.
            source: name of the parser; `AGAIN` trains it with another seed.
        """
        sample, split = self.sample, self.sample.split
        seed = seeds.child_seed(self.seed, "syntax", "parser", source == AGAIN)
        parser = untrained_parser(vectors, len(sample.relation_names), split.train, seed)
        loss = parser_loss(parser, vectors, sample.sentences, sample.relation_names)

        def train() -> ProbeRun:
            return train_probe(parser, loss, split.train, split.held_out, TRAINING, seed=seed, step=self.step)

        name, amount = ("parser", TRAINING, source, vectors.layers), TRAINING.passes * len(split.train)
        return parser, trained_probe(self.finished, name, parser, train, self.step, amount)

    def attachment(self, vectors: WordVectors, source: str) -> Attachment:
        """Train a parser, parse the test sentences, and compare the trees with the treebank.

        Args:
            vectors: vectors of every sentence.
            source: name of the parser; `AGAIN` trains it with another seed.
        """
        parser, run = self.train(vectors, source)
        shares = parser.mix.shares.detach().double().numpy()
        layer = centre_of_gravity(shares) if len(shares) > 1 else None
        return replace(self.measured(parser, vectors), source=source, run=run, mean_layer=layer)

    def measured(self, parser: BiaffineParser, vectors: WordVectors) -> Attachment:
        """Parse the test sentences with a trained parser, and compare the trees with the treebank."""
        names, rows = np.array(self.sample.relation_names), self.sample.split.test
        heads, labels = parsed(parser, vectors, rows)
        return attached([self.sample.sentences[row] for row in rows], heads, names[labels].tolist())


def untrained_parser(vectors: WordVectors, relations: int, training: Integers, seed: int) -> BiaffineParser:
    """Return a parser with initial weights that reads a mix of all layers of some vectors.

    Args:
        vectors: vectors of every sentence.
        relations: number of relations.
        training: int64 [n], indices of the training sentences, whose vectors decide the scale of each layer.
        seed: seed of the weights.
    """
    parser = BiaffineParser(vectors.layers, vectors.width, relations)
    parser.initialise(torch.Generator().manual_seed(seed))
    parser.mix.scale[:] = torch.from_numpy(1 / vectors.sizes(training))
    return parser


def parsed(parser: BiaffineParser, vectors: WordVectors, rows: Integers) -> tuple[Integers, Integers]:
    """Parse sentences with a trained parser; return (heads, relations) of their words, int64 [words] each.

    A head is the index of a word in its sentence, or -1 for the root. A relation is an index into the names of the
    relations that the parser was trained on.

    Args:
        parser: the parser.
        vectors: vectors of every sentence.
        rows: int64 [n], indices of the sentences to parse.
    """
    parts = [parser.parse(batch(vectors, rows[start : start + _AT_ONCE])) for start in range(0, len(rows), _AT_ONCE)]
    heads, labels = (np.concatenate(each) for each in zip(*parts, strict=True))
    return heads, labels


def parser_loss(
    parser: BiaffineParser, vectors: WordVectors, sentences: Sequence[DependencySentence], relations: Sequence[str]
) -> ProbeLoss:
    """Return a function that computes a parser's loss on the sentences with given indices.

    Args:
        parser: a parser for all `relations`.
        vectors: vectors of every sentence.
        sentences: the sentences with their trees.
        relations: names of the relations, without subtypes.
    """
    numbers = {name: number for number, name in enumerate(relations)}
    labels = [np.array([numbers[name] for name in each.universal_relations]) for each in sentences]

    def loss(rows: Integers, generator: torch.Generator | None) -> Loss:
        heads = np.concatenate([sentences[row].heads for row in rows])
        return parser.loss(batch(vectors, rows), heads, np.concatenate([labels[row] for row in rows]), generator)

    return loss


def batch(vectors: WordVectors, rows: Integers) -> ParserBatch:
    """Return the input of a parser for some sentences: the vectors of their words in every layer.

    Args:
        vectors: vectors of every sentence.
        rows: int64 [sentences], indices of the sentences.
    """
    states = [vectors.sentence(row) for row in rows]
    return ParserBatch(torch.from_numpy(np.concatenate(states).astype(np.float32)), [len(each) for each in states])


def attached(sentences: Sequence[DependencySentence], heads: Integers, labels: Sequence[str]) -> Attachment:
    """Compare predicted heads and relations with a treebank; punctuation is scored too, as in CoNLL 2018.

    Args:
        sentences: sentences of the treebank.
        heads: int64 [words], the predicted head of each word as an index into its sentence, all sentences end to end;
            -1 for the root.
        labels: the predicted relation of each word, without subtypes.
    """
    is_head = heads == np.concatenate([each.heads for each in sentences])
    is_label = np.array(labels) == np.array([name for each in sentences for name in each.universal_relations])
    sentence = np.repeat(np.arange(len(sentences)), [len(each) for each in sentences])
    return Attachment(MODEL, sentence, {"uas": is_head, "las": is_head & is_label})


def right_branching(training: Sequence[DependencySentence], measured: Sequence[DependencySentence]) -> Attachment:
    """Return which words of the test sentences the right-branching baseline attaches correctly.

    The baseline takes the next word as each word's head, and the last word as the root. Every word but the last gets
    the relation that words whose head is the next word have most often in the training sentences; the last word gets
    the most frequent relation of roots.

    Args:
        training: the training sentences.
        measured: the test sentences.
    """
    names = sorted({name for each in training for name in each.universal_relations})
    counts = np.zeros((2, len(names)), np.int64)
    for each in training:
        is_next = each.heads == np.arange(1, len(each) + 1)
        numbers = np.searchsorted(names, each.universal_relations)
        np.add.at(counts[0], numbers[is_next], 1)
        np.add.at(counts[1], numbers[each.heads == ROOT], 1)
    inner, of_root = (names[number] for number in counts.argmax(1))
    heads = np.concatenate([np.append(np.arange(1, len(each)), ROOT) for each in measured])
    return replace(attached(measured, heads, np.where(heads == ROOT, of_root, inner).tolist()), source=NEXT_WORD)


def parsers(trainer: ParserTrainer, own: WordVectors, random: WordVectors) -> list[Attachment]:
    """Train the parser on a model and its controls, and return which words each of them attaches correctly.

    Args:
        trainer: trainer of the parsers.
        own: the studied model's vectors of words.
        random: vectors of the same model with random weights.
    """
    read = {MODEL: own, AGAIN: own, INPUT: own.first_layer(), RANDOM: random}
    sentences, split = trainer.sample.sentences, trainer.sample.split
    training, measured = ([sentences[row] for row in rows] for rows in (split.train, split.test))
    attachments = [trainer.attachment(vectors, source) for source, vectors in read.items()]
    return [*attachments, right_branching(training, measured)]


def scored_parsers(
    attachments: Sequence[Attachment], documents: Integers, draws: int, rng: np.random.Generator
) -> list[ScoredParser]:
    """Return the attachment scores of parsers with intervals over documents, all on the same resamples.

    Args:
        attachments: for every parser, which words it attaches correctly; all on the same words.
        documents: int64 [sentences], a number that identifies each test sentence's document.
        draws: number of bootstrap resamples.
        rng: random generator of the resamples.
    """
    columns = floats([each.measures[name] for each in attachments for name in MEASURES]).T
    drawn = share_draws(columns, np.ones(len(columns)), documents[attachments[0].sentence], draws, rng)
    pairs = zip(columns.mean(0).tolist(), drawn.T, strict=True)
    estimates = iter(Estimate(value, of_value) for value, of_value in pairs)
    return [ScoredParser(each, {name: next(estimates) for name in MEASURES}) for each in attachments]
