"""Encode documents that have links to entities: token ids, and for each token the entity whose mention begins there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.text.cached_tokenizer import store_type
from wordworth.text.corpus.read_documents import Document
from wordworth.text.corpus.sentence_splitter import sentences
from wordworth.text.corpus.tokenize_corpus import EncodedDocuments
from wordworth.text.entity_link_tokenizer import LinkedTokenizer
from wordworth.text.entity_links import ENTITY, parse_links
from wordworth.text.tokens import Tokens
from wordworth.text.windows import take


def encode_linked(documents: Sequence[Document], tokenizer: LinkedTokenizer) -> EncodedDocuments:
    """Encode documents that have links to entities as token ids, with the feature `entity` of each token.

    The feature is, at the first token of a mention, the row of its entity in the model's entity table; elsewhere -1.
    Documents without a token are left out. Links are read before a line is split into sentences, so that no mention is
    cut.

    Args:
        documents: the documents, with links such as `[[entity|mention]]` in their texts.
        tokenizer: the tokenizer, which reads `[MASK]` and the like in a text as plain characters.

    Raises:
        UnknownEntity: a link names an entity that the tokenizer does not know.
    """
    read = [_inner(tokens) for tokens in tokenizer.encode([document.text for document in documents])]
    lengths = [
        _sentence_lengths(document, tokens) for document, tokens in zip(documents, read, strict=True) if len(tokens)
    ]
    dtype, characters = store_type(tokenizer), sum(len(document.text) for document in documents)
    return EncodedDocuments(
        np.concatenate([np.empty(0, dtype), *(tokens.ids.astype(dtype) for tokens in read)]),
        np.concatenate([np.empty(0, np.int64), *lengths]),
        np.array([len(each) for each in lengths], dtype=np.int64),
        len(documents) - len(lengths),
        characters,
        {ENTITY: np.concatenate([np.empty(0, np.int32), *(each.features[ENTITY].astype(np.int32) for each in read)])},
    )


def _inner(tokens: Tokens) -> Tokens:
    return take(tokens, np.flatnonzero(tokens.offsets[:, 1] > 0))


def _sentence_lengths(document: Document, tokens: Tokens) -> NDArray[np.int64]:
    """Return the number of tokens of each sentence of a document; sentences without a token are left out."""
    linked, begins, position = parse_links(document.text), list[int](), 0
    for line in linked.text.split("\n"):
        spans = [(0, len(line))] if document.presplit else sentences(line)
        begins += [int(linked.source[position + begin]) for begin, _ in spans]
        position += len(line) + 1
    owner = np.searchsorted(np.array(begins), tokens.offsets[:, 0], side="right")
    counts = np.bincount(np.maximum(owner - 1, 0))
    return counts[counts > 0].astype(np.int64)
