"""The study `neighbours`: the nearest contexts of a word in its sentence, from a corpus to a `Record`.

As in exBERT (Hoover et al. 2019, arXiv 1910.05276), the vectors are a layer's states or the outputs of one attention
head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.models.load import load
from wordworth.models.random_weights_copy import random_twin
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.transformer import Transformer
from wordworth.progress import Progress
from wordworth.records import Record, Table
from wordworth.studies.neighbours.corpus_vector_cache import CachedVectors, cached_vectors
from wordworth.studies.neighbours.corpus_word_vectors import WordVectors, word_vectors
from wordworth.studies.neighbours.findings import method, verdict, warnings
from wordworth.studies.neighbours.nearest_words import (
    Nearest,
    common_rows,
    context_rows,
    nearest_words,
    property_counts,
    share_by_chance,
)
from wordworth.studies.neighbours.settings import NeighboursSettings
from wordworth.studies.neighbours.tagged_text import TaggedText, read_query, read_texts
from wordworth.studies.study import Study, file_name, make_record, timed
from wordworth.text.read_compressed_file import file_sha256

CONTEXTS = {
    "rank": "from 1, the nearest first",
    "cosine": "of the vectors after their mean is subtracted",
    "before": "words before it",
    "form": "the word as it is written",
    "after": "words after it",
    "relation": "to its syntactic head; null without a treebank",
    "attends_to": "the word that the head attends to most from it; null of a layer",
}
COMMON = {
    "kind": "word, word before, word after; of a treebank also part of speech, relation and syntactic head; of a head "
    "also the word that it attends to most, and its position",
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
    """Find the words of a corpus whose contextual vectors are nearest to the vector of a word in a sentence.

    Args:
        sentence: a text with one word in square brackets.
        data: a file of texts or a treebank.
        settings: the settings of the study.
        progress: receives progress and messages.

    Raises:
        BadInput: the sentence, the corpus or the model cannot be used.
    """
    text, index = read_query(sentence)
    texts = read_texts(data, settings.text, settings.limit, settings.seed)
    encoder = _encoder(settings)
    seconds: dict[str, float] = {}
    length = len(encoder.tokenizer.encode([text.text or ""])[0])
    if length > encoder.max_length:
        what = f"the sentence has {length} tokens, more than the {encoder.max_length} that {encoder.name} reads at once"
        raise BadInput(what, mend="give a shorter one")
    own, at = _query_vectors(encoder, text, index, settings)
    twin = encoder.with_model(random_twin(encoder.model, seeds.child_seed(settings.seed, "neighbours", "random")))

    def compute() -> CachedVectors:
        with progress.step("reading the corpus", 2 * len(texts)) as step:
            corpus = word_vectors(encoder, texts, settings.layer, settings.head, step)
            return corpus, word_vectors(twin, corpus.texts, settings.layer, settings.head, step).vectors

    with timed(seconds, "vectors"):
        identity = _identity(encoder, settings, texts)
        corpus, random = cached_vectors(settings.index, identity, texts, compute)
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
                (own_random.vectors, random),
            )
        ]
        word = text.words[index]
        every = property_counts(corpus, word)
        chance = len(every), share_by_chance(every, len(corpus), len(near.words))
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
        asdict(settings) | {"index": file_name(settings.index)},
        {"name": data.name, "model": encoder.name, "sentence": sentence, "word": word, **facts, "sources": [source]},
        tables={"contexts": Table.of(contexts, CONTEXTS), "common": Table.of(common, COMMON)},
        findings=[verdict(word, common, contexts, overlaps, chance), *warnings(facts, word), *method(settings.head)],
        seconds=seconds,
    )


def _encoder(settings: NeighboursSettings) -> TextEncoder:
    """Load the encoder.

    Raises:
        BadInput: the model is a static table, or it has no attention though the settings name a head.
    """
    encoder = load(settings.model, hash_whole=True)
    if not isinstance(encoder, TextEncoder):
        what = f"{settings.model!r} is a static table, in which a word has the same vector in every context"
        raise BadInput(what, mend="name an encoder, such as minilm; of a static table ask wordworth study words")
    if settings.head is not None and not isinstance(encoder.model, Transformer):
        raise BadInput(
            f"{settings.model!r} has no attention heads", mend="leave --head out: its layers have vectors too"
        )
    return encoder


def _identity(encoder: TextEncoder, settings: NeighboursSettings, texts: Sequence[TaggedText]) -> dict[str, object]:
    """Return everything that decides the vectors of the corpus; cached vectors with another identity are refused."""
    return {
        "format": 1,
        "model": fingerprint(encoder),
        "corpus": content_key(*((text.text, text.words) for text in texts)),
        "layer": settings.layer % (encoder.depth + 1),
        "head": settings.head,
        "seed": settings.seed,
    }


def _query_vectors(
    encoder: TextEncoder, text: TaggedText, index: int, settings: NeighboursSettings
) -> tuple[WordVectors, int]:
    """Return the vectors of a text's words, and the row of these vectors that belongs to one word.

    Args:
        encoder: the encoder.
        text: the text.
        index: index of the word in the text.
        settings: the settings, of which layer and head are used.

    Raises:
        BadInput: the tokenizer makes no token of the word.
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
