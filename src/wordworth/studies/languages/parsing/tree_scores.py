"""Attachment scores of biaffine parsers on frozen vectors, by the language that a parser learned from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from wordworth import seeds
from wordworth.measures.bootstrap import share_draws
from wordworth.measures.weighted_sums import Integers, floats
from wordworth.progress import Step
from wordworth.studies.languages.bootstrap_interval_columns import Value
from wordworth.studies.languages.parsing.treebanks_by_language import ParsedLanguages
from wordworth.studies.languages.parsing.word_vectors import ParserInput
from wordworth.studies.languages.scores_by_language import ScoresByLanguage, scores_by_language
from wordworth.studies.study_result_cache import Arrays, FinishedParts
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
from wordworth.studies.syntax.treebank_word_vectors import WordVectors
from wordworth.text.treebank import ROOT, DependencySentence
from wordworth.training.probes.biaffine_parser import BiaffineParser
from wordworth.training.probes.train_probe import train_probe

HELD_OUT = 10
"""One training sentence in so many is held out, to stop the training."""


@dataclass(frozen=True)
class ParserLearner:
    """Trains biaffine parsers, and scores their trees.

    Attributes:
        data: the sentences of all languages.
        draws: number of bootstrap resamples; documents are resampled if the treebanks mark them, else sentences.
        seed: seed of the study.
    """

    data: ParsedLanguages
    draws: int
    seed: int
    name, title = "parser", "parsers by language"

    def amount(self, train: int) -> int:
        """Return the number of sentences that one parser learns from, times the number of passes over them.

        The progress step advances by this number when a parser is trained. Training sentences that are held out for
        early stopping do not count.

        Args:
            train: index of the training language.
        """
        return TRAINING.passes * num_learned(len(self.data.train[train]))

    def predictions(
        self, inputs: ParserInput, train: int, tested: Sequence[int], step: Step, *, shuffled: bool
    ) -> dict[str, ArrayLike]:
        """Train a parser on a language; return the heads and relations of the words of each tested language.

        Args:
            inputs: vectors of the words.
            train: index of the training language.
            tested: indices of the languages whose test sentences are parsed.
            step: progress step, advanced after each sentence of each pass.
            shuffled: whether the words of each training sentence are randomly permuted in its tree, as a control.

        Returns:
            Two keys for each tested language, such as `heads 3` and `labels 3` for the language with the index 3 ->
            int64 [words], the predictions for the words of the language's test sentences: heads as indices of words in
            the sentence, -1 for the root, and relations as indices into `data.relations`.
        """
        parser = self._trained(inputs.of(train, test=False), train, step, shuffled=shuffled)
        predictions: dict[str, ArrayLike] = {}
        for test in tested:
            everything = np.arange(len(self.data.test[test]))
            predictions[f"heads {test}"], predictions[f"labels {test}"] = parsed(
                parser, inputs.of(test, test=True), everything
            )
        return predictions

    def _trained(self, vectors: WordVectors, train: int, step: Step, *, shuffled: bool) -> BiaffineParser:
        sentences: Sequence[DependencySentence] = self.data.train[train]
        seed, relations = seeds.child_seed(self.seed, "languages", "parser", train), self.data.relations
        if shuffled:
            rng = seeds.child(seed, "shuffled")
            sentences = [permuted_tree(sentence, rng.permutation(len(sentence))) for sentence in sentences]
        rows = np.arange(len(sentences))
        held_out = rows % HELD_OUT == HELD_OUT - 1
        parser = untrained_parser(vectors, len(relations), rows[~held_out], seed)
        loss = parser_loss(parser, vectors, sentences, relations)
        train_probe(parser, loss, rows[~held_out], rows[held_out], TRAINING, seed=seed, step=step)
        return parser

    def measures(self, predictions: Arrays, test: int) -> dict[str, Value]:
        """Return both attachment scores, `uas` and `las`, on a language's test sentences.

        Args:
            predictions: the heads and relations that `predictions` returned.
            test: index of the language.
        """
        heads, labels = predictions[f"heads {test}"], np.array(self.data.relations)[predictions[f"labels {test}"]]
        return self._measured(attached(self.data.test[test], heads, labels.tolist()), test)

    def constant(self, test: int) -> dict[str, Value]:
        """Return the attachment scores `uas` and `las` of right-branching trees on a language's test sentences.

        The head of every word is the next word, and the last word is the root. The relation of a word is the one that
        words with such a head have most often in the source language's training sentences.

        Args:
            test: index of the language.
        """
        return self._measured(right_branching(self.data.train[0], self.data.test[test]), test)

    def _measured(self, attachment: Attachment, test: int) -> dict[str, Value]:
        """Return the scores of trees; all trees of the same sentences have the same resamples."""
        columns = floats([attachment.measures[name] for name in MEASURES]).T
        documents = np.array([sentence.document for sentence in self.data.test[test]])[attachment.sentence]
        rng = seeds.child(self.seed, "languages", "draws")
        drawn = share_draws(columns, np.ones(len(columns)), documents, self.draws, rng)
        return dict(zip(MEASURES, zip(columns.mean(0).tolist(), drawn.T, strict=True), strict=True))


def tree_scores(
    systems: Mapping[str, ParserInput], data: ParsedLanguages, draws: int, seed: int, finished: FinishedParts
) -> ScoresByLanguage:
    """Train a parser for every system and training language, parse the test sentences and score the trees.

    Args:
        systems: name of a system -> vectors of the words.
        data: the sentences of all languages.
        draws: number of bootstrap resamples; documents are resampled if the treebanks mark them, else sentences.
        seed: seed of the study.
        finished: cache with the parsers that an earlier call has finished.
    """
    return scores_by_language(systems, ParserLearner(data, draws, seed), data, "las", finished)


def num_learned(sentences: int) -> int:
    """Return how many of a language's training sentences a parser learns from.

    The others are held out for early stopping.

    Args:
        sentences: number of the language's training sentences.
    """
    return sentences - sentences // HELD_OUT


def permuted_tree(sentence: DependencySentence, order: Integers) -> DependencySentence:
    """Return a sentence whose words are permuted in its tree: word `order[i]` takes the position of word i in the tree.

    Args:
        sentence: the sentence.
        order: int64 [words], a permutation of its words.
    """
    heads = np.empty_like(sentence.heads)
    heads[order] = np.where(sentence.heads == ROOT, ROOT, order[sentence.heads])
    relations = dict(zip(order.tolist(), sentence.relations, strict=True))
    return replace(sentence, heads=heads, relations=tuple(relations[word] for word in range(len(sentence))))
