"""Attachment scores of parsers on frozen vectors, by the language that a parser learned from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wordworth import seeds
from wordworth.measures.bootstrap import share_draws
from wordworth.measures.weighted_sums import Integers, floats
from wordworth.progress import Step
from wordworth.studies.finished_parts import FinishedParts
from wordworth.studies.languages.interval_columns import Value
from wordworth.studies.languages.parsing.parsed_languages import ParsedLanguages
from wordworth.studies.languages.parsing.word_vectors import ParserInput
from wordworth.studies.languages.transfer_scores import MODEL, SHUFFLED, tested_languages
from wordworth.studies.syntax.parser import (
    MEASURES,
    TRAINING,
    Attachment,
    attached,
    parsed,
    parser_loss,
    right_branching,
    untrained_parser,
)
from wordworth.studies.syntax.vectors import WordVectors
from wordworth.text.treebank import ROOT, DependencySentence
from wordworth.training.probes.biaffine_parser import BiaffineParser
from wordworth.training.probes.train_probe import train_probe

HELD_OUT = 10
"""One training sentence in so many is held out, to stop the training."""


class TreeValue(NamedTuple):
    """The two attachment scores on a language's test sentences, each with its value in every bootstrap resample."""

    uas: Value
    las: Value


@dataclass(frozen=True)
class TreeScores:
    """The attachment scores of all systems that parse, by training language and test language.

    Attributes:
        data: the sentences of all languages.
        values: (system, index of the training language, index of the test language) -> the scores.
        constants: for each test language the scores of right-branching trees.
    """

    data: ParsedLanguages
    values: Mapping[tuple[str, int, int], TreeValue]
    constants: Sequence[TreeValue]

    @property
    def languages(self) -> tuple[str, ...]:
        """The names of the languages, the source language first."""
        return self.data.languages

    def size(self, language: int, *, test: bool) -> int:
        """Return the number of a language's test sentences if `test` is True, else of its training sentences.

        Args:
            language: index of the language.
            test: True for the test sentences.
        """
        return len(self.data.sentences(language, test=test))

    def accuracy(self, system: str, train: int, test: int) -> Value:
        """Return the labelled attachment score on a language's test sentences, and its value in each resample.

        Args:
            system: name of the system.
            train: index of the training language.
            test: index of the test language.
        """
        return self.values[system, train, test].las

    def majority(self, test: int) -> Value:
        """Return the labelled attachment score of right-branching trees on a language, and its value in each resample.

        Every word hangs on the next one, with the relation that most such words have in the source language.

        Args:
            test: index of the language.
        """
        return self.constants[test].las


def tree_scores(
    systems: Mapping[str, ParserInput], data: ParsedLanguages, draws: int, seed: int, finished: FinishedParts
) -> TreeScores:
    """Train a parser for every system and training language, parse the test sentences and score the trees.

    Parsers on the model's vectors parse the test sentences of all languages, and so do parsers that learned from the
    source language. Other parsers, and the control with trees dealt out anew, parse only the language that they learned
    from.

    Args:
        systems: name of a system -> vectors of the words.
        data: the sentences of all languages.
        draws: number of bootstrap resamples; documents are resampled if the treebanks mark them, else sentences.
        seed: seed of the study.
        finished: cache with the parsers that an earlier call has finished.
    """
    languages, value = range(len(data.languages)), partial(_value, data=data, draws=draws, seed=seed)
    pairs = [(system, train) for system in (*systems, SHUFFLED) for train in languages]
    amounts = [TRAINING.passes * num_learned(len(data.train[train])) for train in languages]
    values: dict[tuple[str, int, int], TreeValue] = {}
    with finished.progress.step("parsers by language", sum(amounts[train] for _, train in pairs)) as step:
        for system, train in pairs:
            tested = tested_languages(system, train, len(languages))
            vectors = systems.get(system, systems[MODEL])
            compute = partial(_Trainer(data, seed, step).trees, vectors, train, tested, shuffled=system == SHUFFLED)
            part = finished.arrays(("parser", system, train), compute, step, amounts[train])
            for test in tested:
                heads, labels = part[f"heads {test}"], np.array(data.relations)[part[f"labels {test}"]]
                values[system, train, test] = value(attached(data.test[test], heads, labels.tolist()), test)
    constants = [value(right_branching(data.train[0], data.test[test]), test) for test in languages]
    return TreeScores(data, values, constants)


def _value(attachment: Attachment, test: int, *, data: ParsedLanguages, draws: int, seed: int) -> TreeValue:
    """Return the scores of trees; all trees of the same sentences have the same resamples."""
    columns = floats([attachment.measures[name] for name in MEASURES]).T
    documents = np.array([sentence.document for sentence in data.test[test]])[attachment.sentence]
    drawn = share_draws(columns, np.ones(len(columns)), documents, draws, seeds.child(seed, "languages", "draws"))
    return TreeValue(*zip(columns.mean(0).tolist(), drawn.T, strict=True))


@dataclass(frozen=True, slots=True)
class _Trainer:
    """Trains parsers on a language and parses others with them.

    Attributes:
        data: the sentences of all languages.
        seed: seed of the study.
        step: progress step, advanced after each sentence of each pass.
    """

    data: ParsedLanguages
    seed: int
    step: Step

    def trees(self, vectors: ParserInput, train: int, tested: Sequence[int], *, shuffled: bool) -> dict[str, ArrayLike]:
        """Train a parser on a language; return the heads and relations of the words of each tested language.

        Args:
            vectors: vectors of the words.
            train: index of the training language.
            tested: indices of the languages whose test sentences are parsed.
            shuffled: whether the training trees are dealt out anew among the words, as a control.

        Returns:
            `heads 3` and `labels 3` -> int64 [words], those of the language with the index 3.
        """
        parser = self._trained(vectors.of(train, test=False), train, shuffled=shuffled)
        predictions: dict[str, ArrayLike] = {}
        for test in tested:
            everything = np.arange(len(self.data.test[test]))
            predictions[f"heads {test}"], predictions[f"labels {test}"] = parsed(
                parser, vectors.of(test, test=True), everything
            )
        return predictions

    def _trained(self, vectors: WordVectors, train: int, *, shuffled: bool) -> BiaffineParser:
        sentences: Sequence[DependencySentence] = self.data.train[train]
        seed, relations = seeds.child_seed(self.seed, "languages", "parser", train), self.data.relations
        if shuffled:
            rng = seeds.child(seed, "shuffled")
            sentences = [dealt_out(sentence, rng.permutation(len(sentence))) for sentence in sentences]
        rows = np.arange(len(sentences))
        held_out = rows % HELD_OUT == HELD_OUT - 1
        parser = untrained_parser(vectors, len(relations), rows[~held_out], seed)
        loss = parser_loss(parser, vectors, sentences, relations)
        train_probe(parser, loss, rows[~held_out], rows[held_out], TRAINING, seed=seed, step=self.step)
        return parser


def num_learned(sentences: int) -> int:
    """Return how many training sentences of so many are learned from; the others stop the training."""
    return sentences - sentences // HELD_OUT


def dealt_out(sentence: DependencySentence, order: Integers) -> DependencySentence:
    """Return a sentence whose tree is dealt out anew among its words: word `order[i]` takes the place of word i.

    Args:
        sentence: the sentence.
        order: int64 [words], a permutation of its words.
    """
    heads = np.empty_like(sentence.heads)
    heads[order] = np.where(sentence.heads == ROOT, ROOT, order[sentence.heads])
    relations = dict(zip(order.tolist(), sentence.relations, strict=True))
    return replace(sentence, heads=heads, relations=tuple(relations[word] for word in range(len(sentence))))
