"""The sentences of the study `syntax` with their trees, divided into training, held-out and measuring parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.tree_embeddings import tree_depths, tree_distances
from wordworth.measures.tree_recovery import LENGTHS, Tree
from wordworth.measures.weighted_sums import Integers
from wordworth.models.text_encoder import TextEncoder
from wordworth.studies.syntax.settings import SyntaxSettings
from wordworth.studies.treebank_sample import (
    FEW_DOCUMENTS,
    ProbeSplit,
    drawn_sentences,
    is_counted,
    probe_split,
    treebank_path,
)
from wordworth.text.tokens import Tokens
from wordworth.text.treebank import ROOT, DependencySentence, Treebank, read_treebank

_TO_FIRST, _TO_LAST, _TO_PREVIOUS = range(3)


@dataclass(frozen=True, slots=True)
class SyntaxSample:
    """The sentences of the study with their trees.

    Attributes:
        name: name of the treebank.
        sentences: the sentences of all parts.
        tokens: the tokens of each sentence.
        trees: the tree of each sentence.
        documents: int64 [sentences], a number that identifies each sentence's document; if there are too few documents
            to divide them into two halves, each sentence is a document of its own.
        split: indices of the training sentences, of the held-out sentences that decide when training stops, and of the
            test sentences.
        facts: name -> number, such as the numbers of sentences and of documents.
        files: name, SHA-256 and number of sentences of each treebank.
    """

    name: str
    sentences: Sequence[DependencySentence]
    tokens: Sequence[Tokens]
    trees: Sequence[Tree]
    documents: Integers
    split: ProbeSplit
    facts: dict[str, int]
    files: list[dict[str, Any]]

    @property
    def lengths(self) -> Integers:
        """The number of words of each sentence, int64 [sentences]."""
        return np.array([len(sentence) for sentence in self.sentences])

    @property
    def relation_names(self) -> list[str]:
        """The names of all dependency relations in the sentences, without subtypes, sorted."""
        return sorted({name for sentence in self.sentences for name in sentence.universal_relations})


def read_sample(encoder: TextEncoder, settings: SyntaxSettings) -> SyntaxSample:
    """Read the treebanks and split their sentences.

    Args:
        encoder: the encoder; sentences longer than its window are left out.
        settings: settings of the study.

    Raises:
        BadInput: there is no treebank, it is damaged, it is too small to train and measure, or the treebank to test on
            is the one to train on.
    """
    treebanks = [read_treebank(path) for path in _paths(settings)]
    if len({each.sha256 for each in treebanks}) < len(treebanks):
        mend = "leave --test out, which halves the treebank, or name another"
        raise BadInput(
            "probes would be tested on the sentences that they learn from", where=treebanks[1].name, mend=mend
        )
    most = settings.limit * (2 if len(treebanks) == 1 else 1)
    parts = [drawn_sentences(encoder, each, most, settings.seed) for each in treebanks]
    sentences = [sentence for part in parts for sentence in part.sentences]
    documents = [part.documents for part in parts]
    if len(parts) > 1:
        documents[1] = documents[1] + documents[0].max(initial=0) + 1
    joined = np.concatenate(documents)
    measured = np.arange(len(documents[0]), len(joined)) if len(parts) > 1 else None
    number = len(np.unique(joined if measured is None else documents[1]))
    if number < FEW_DOCUMENTS:  # two halves of so few would have no interval
        joined = np.arange(len(sentences))
    words = np.concatenate([part.word_counts for part in parts])
    split = probe_split(joined, words, settings.seed, treebanks[0].name, measured)
    _require_edges(sentences, words, split, treebanks[-1])
    facts = {"sentences": len(split.test), "documents": number, **split.facts}
    return SyntaxSample(
        name=treebanks[0].name,
        sentences=sentences,
        tokens=[tokens for part in parts for tokens in part.tokens],
        trees=[tree_of(sentence) for sentence in sentences],
        documents=joined,
        split=split,
        facts=facts | {"too_long": sum(part.too_long for part in parts)},
        files=[{"path": each.name, "sha256": each.sha256, "rows": len(each.sentences)} for each in treebanks],
    )


def tree_of(sentence: DependencySentence) -> Tree:
    """Return the dependency tree of a sentence, in which punctuation is marked as not scored."""
    return Tree(tree_distances(sentence.heads), tree_depths(sentence.heads), is_counted(sentence))


def control_trees(sentences: Sequence[DependencySentence], seed: int) -> list[Tree]:
    """Return random trees as a control: a probe can only memorise them, word by word (Hewitt and Liang 2019).

    A random draw decides for each distinct word whether its head is the first word of the sentence, the last word, or
    the word before it.

    Args:
        sentences: the sentences.
        seed: seed of the draw.
    """
    forms = sorted({word for sentence in sentences for word in sentence.words})
    kinds = dict(zip(forms, seeds.child(seed, "syntax", "control").integers(3, size=len(forms)), strict=True))
    return [_control_tree(sentence, [int(kinds[word]) for word in sentence.words]) for sentence in sentences]


def _control_tree(sentence: DependencySentence, kinds: Sequence[int]) -> Tree:
    """Return a control tree of a sentence; the first word is the root, and the last word's head is the first word.

    Args:
        sentence: the sentence.
        kinds: for each other word which word is the head: `_TO_FIRST`, `_TO_LAST` or `_TO_PREVIOUS`; the entries of the
            first and the last word are ignored, to avoid a cycle.
    """
    last = len(kinds) - 1
    heads = [{_TO_FIRST: 0, _TO_LAST: last, _TO_PREVIOUS: word - 1}[kind] for word, kind in enumerate(kinds)]
    heads[last], heads[0] = 0, ROOT
    array = np.array(heads, dtype=np.int64)
    return Tree(tree_distances(array), tree_depths(array), is_counted(sentence))


def _paths(settings: SyntaxSettings) -> list[Path]:
    """Return the paths of the training and the test treebank; one path if `test` is None and both are one file."""
    if settings.test is not None:
        return [_training_path(settings.treebank), treebank_path(settings.test)]
    dev = treebank_path(settings.treebank)
    training = _training_path(settings.treebank)
    return [dev] if training == dev else [training, dev]


def _training_path(treebank: Path | str | None) -> Path:
    """Return the path of the file to train on.

    Args:
        treebank: a file, which is returned as it is; or the name of a treebank, whose train part is returned, or its
            dev part if it has no train part.
    """
    try:
        return treebank_path(treebank, "train")
    except BadInput:
        return treebank_path(treebank)


def _require_edges(
    sentences: Sequence[DependencySentence], words: Integers, split: ProbeSplit, treebank: Treebank
) -> None:
    """Raise BadInput if no test sentence is long enough for the measures.

    UUAS needs a sentence with at least two words that are not punctuation, the rank correlations need a sentence of at
    least `LENGTHS[0]` words.

    Args:
        sentences: all sentences.
        words: int64 [sentences], number of words of each sentence that are not punctuation.
        split: indices of the sentences of each part.
        treebank: the test treebank, for the error.
    """
    longest = max(len(sentences[row]) for row in split.test)
    if words[split.test].max() < 2 or longest < LENGTHS[0]:  # noqa: PLR2004 - an edge has two ends
        what = "no sentence to measure has two words beside punctuation, or five words"
        raise BadInput(what, where=treebank.name, mend="give longer sentences")
