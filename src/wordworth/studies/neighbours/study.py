"""The study `neighbours`: the nearest contexts of a word in its sentence, from a corpus to a `Record`.

Hoover et al. 2019 (exBERT, arXiv 1910.05276): search by the vector of a token or of a head's output.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.models.pruning import load_with_heads
from wordworth.models.random_twin import random_twin
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.records import Record, Table
from wordworth.studies.neighbours.corpus import TaggedText, WordVectors, read_query, read_texts, word_vectors
from wordworth.studies.neighbours.search import (
    Nearest,
    common_rows,
    context_rows,
    nearest_words,
    property_counts,
    share_by_luck,
)
from wordworth.studies.neighbours.settings import NeighboursSettings
from wordworth.studies.neighbours.verdict import method, verdict, warnings
from wordworth.studies.study import Study, make_record, timed
from wordworth.text.raw_file import file_sha256

CONTEXTS = {
    "rank": "from 1, the nearest first",
    "cosine": "of the vectors after their mean is subtracted",
    "before": "words before it",
    "form": "the word as it is written",
    "after": "words after it",
    "relation": "to its syntactic head; null without a treebank",
}
COMMON = {
    "kind": "word, word before, word after; of a treebank also part of speech, relation and syntactic head",
    "value": "without case",
    "count": "how many of the nearest words have it",
    "share": "of the nearest words",
    "low": "lower end of the exact 95 % interval of the share",
    "high": "upper end",
    "corpus_share": "of all words of the corpus",
    "input_share": "of the nearest words by the input layer, which knows no context",
    "random_share": "of the nearest words by the same layer or head with random weights",
    "p": "of so many by chance, corrected for all properties of the corpus",
}


def study(sentence: str, data: Path, settings: NeighboursSettings, progress: Progress) -> Record:
    """Find the words of a corpus whose vectors are nearest to that of a word in its sentence.

    Args:
        sentence: a text with one word in square brackets.
        data: a file of texts or a treebank.
        settings: the settings of the study.
        progress: receives the progress.

    Raises:
        BadInput: the sentence, the corpus or the model cannot be used.
    """
    text, index = read_query(sentence)
    texts = read_texts(data, settings.text, settings.limit, settings.seed)
    encoder = load_with_heads(settings.model)
    seconds: dict[str, float] = {}
    length = len(encoder.tokenizer.encode([text.text or ""])[0])
    if length > encoder.max_length:
        what = f"the sentence has {length} tokens, more than the {encoder.max_length} that {encoder.name} reads at once"
        raise BadInput(what, mend="give a shorter one")
    own, at = _query_vectors(encoder, text, index, settings)
    twin = encoder.with_model(random_twin(encoder.model, seeds.child_seed(settings.seed, "neighbours", "random")))
    with timed(seconds, "vectors"), progress.step("reading the corpus", 2 * len(texts)) as step:
        corpus = word_vectors(encoder, texts, settings.layer, settings.head, step)
        random = word_vectors(twin, corpus.texts, settings.layer, settings.head, step)
    same_text = np.array([each.words == text.words for each in corpus.texts])
    allowed = ~same_text[corpus.text]
    if not allowed.any():
        raise BadInput("the corpus has no other text than the query's", where=str(data), mend="give more texts")
    with timed(seconds, "search"), progress.step("searching"):
        own_random = _query_vectors(twin, text, index, settings)[0]
        nearest = near, by_input, by_random = [
            nearest_words(query[at], vectors, allowed, settings.nearest)
            for query, vectors in (
                (own.vectors, corpus.vectors),
                (own.inputs, corpus.inputs),
                (own_random.vectors, random.vectors),
            )
        ]
        word = text.words[index]
        every = property_counts(corpus, word)
        luck = len(every), share_by_luck(every, len(corpus), len(near.words))
        common, contexts = common_rows(corpus, word, every, nearest), context_rows(corpus, near)
    forms = [corpus.texts[t].words[p].casefold() for t, p in zip(corpus.text, corpus.position, strict=True)]
    facts = {
        "texts": len(corpus.texts),
        "words": len(corpus),
        "too_long": len(texts) - len(corpus.texts),
        "occurrences": forms.count(word.casefold()),
    }
    overlaps = _overlap(near, by_input), _overlap(near, by_random)
    source = {"path": data.name, "sha256": file_sha256(data), "rows": len(texts)}
    return make_record(
        STUDY.kind,
        asdict(settings),
        {"name": data.name, "model": encoder.name, "sentence": sentence, "word": word, **facts, "sources": [source]},
        tables={"contexts": Table.of(contexts, CONTEXTS), "common": Table.of(common, COMMON)},
        findings=[verdict(word, common, contexts, overlaps, luck), *warnings(facts, word), *method()],
        seconds=seconds,
    )


def _query_vectors(
    encoder: TextEncoder, text: TaggedText, index: int, settings: NeighboursSettings
) -> tuple[WordVectors, int]:
    """Return the vectors of a text's words, and the place of the word at an index among them.

    Raises:
        BadInput: the model reads nothing of the word.
    """
    own = word_vectors(encoder, [text], settings.layer, settings.head)
    at = np.flatnonzero(own.position == index)
    if not len(at):
        raise BadInput("the model reads no token of the word in brackets", mend="choose another word")
    return own, int(at[0])


def _overlap(near: Nearest, control: Nearest) -> int:
    return len(set(near.words.tolist()) & set(control.words.tolist()))


STUDY = Study(
    "neighbours",
    "Find the contexts of a corpus that are nearest to a word in its sentence.",
    NeighboursSettings,
    study,
    inputs={"sentence": "a text with one word in square brackets", "data": "a file of texts"},
)
