"""Sentences of a corpus that are nearest to the texts of a task, and as many drawn at random (kNN-TAPT's selection)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Integers
from wordworth.models.load import load
from wordworth.seeds import child
from wordworth.text.corpus.evaluation_overlap import GRAM, EvaluationTexts
from wordworth.text.corpus.read_documents import CorpusSettings, DocumentReader
from wordworth.text.corpus.sentence_splitter import sentences

SHORTEST = 40
"""Fewest characters of a sentence that may be selected."""
_AT_ONCE = 256


def pool_of(corpus: Path, tests: EvaluationTexts) -> list[str]:
    """Return the distinct sentences of a corpus, without short ones and those that share a run of words with the tests.

    Args:
        corpus: file of the corpus.
        tests: the texts that are tested on.

    Raises:
        BadInput: the corpus cannot be read, or no sentence is left.
    """
    distinct = dict.fromkeys(
        document.text[start:end]
        for document in DocumentReader(CorpusSettings()).documents([corpus])
        for start, end in sentences(document.text)
        if end - start >= SHORTEST
    )
    pool = without_tests(distinct, tests)
    if distinct and not pool:
        what = f"every sentence shares {GRAM} words in a row, or is as a whole the same, with a test text"
        raise BadInput(what, where=str(corpus), mend="name a corpus that does not hold the test")
    if not pool:
        raise BadInput("no sentence is left to select from", where=str(corpus), mend="give running text")
    return pool


def without_tests(texts: Iterable[str], tests: EvaluationTexts) -> list[str]:
    """Return the texts that share no run of words with the tests."""
    return [text for text in texts if not tests.overlap(text)]


def nearest_rows(model: str, texts: Sequence[str], pool: Sequence[str], neighbours: int) -> Integers:
    """Return the rows of a pool that are among the nearest of some text, by cosine, int64, sorted.

    Args:
        model: name or folder of a model of sentence vectors; a static table is quick.
        texts: the texts.
        pool: the sentences to select from.
        neighbours: number of nearest sentences of each text.
    """
    encoder = load(model)
    own, vectors = (np.asarray(encoder.encode(list(each), normalize=True)) for each in (texts, pool))
    most, chosen = min(neighbours, len(pool)), set[int]()
    for start in range(0, len(own), _AT_ONCE):
        cosines = own[start : start + _AT_ONCE] @ vectors.T
        chosen.update(np.argpartition(-cosines, most - 1, axis=1)[:, :most].ravel().tolist())
    return np.array(sorted(chosen), dtype=np.int64)


def random_rows(pool: Sequence[str], characters: int, seed: int = 0) -> Integers:
    """Return rows of a pool, drawn at random, that have about as many characters together, int64, sorted.

    Args:
        pool: the sentences to draw from.
        characters: number of characters.
        seed: seed of the draw.
    """
    order = child(seed, "random sentences").permutation(len(pool))
    lengths = np.cumsum([len(pool[row]) for row in order])
    return np.sort(order[: int(np.searchsorted(lengths, characters)) + 1])
