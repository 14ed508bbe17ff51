"""`WordVectors`: the vector of every word of a corpus in its sentence, of a layer or of one attention head."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.attention_maps import Weights
from wordworth.measures.weighted_sums import Integers
from wordworth.models.activations import activations
from wordworth.models.layer_choice import layer_numbers
from wordworth.models.pooling import pool_words
from wordworth.models.pruning import require_heads
from wordworth.models.taps import Taps
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Step
from wordworth.text.encoding import Tokens
from wordworth.text.file_formats.read import iterate_texts
from wordworth.text.treebank import ROOT, read_treebank
from wordworth.text.word_boundaries import words as word_spans
from wordworth.text_format import join_words

_BATCH_TOKENS = 2_048
_QUERY = re.compile(r"\[([^\[\]]+)\]")
_MEND = 'put one word in square brackets: "He sat by the [bank] of the river."'


@dataclass(frozen=True, slots=True)
class TaggedText:
    """A text as words; in a treebank also each word's relation, part of speech, and the word of its syntactic head.

    Attributes:
        words: the words in order.
        text: the text that they are of; None where only the words are known.
        relations: each word's relation to its head, or none.
        governors: the word of each word's head, `(root)` for the root; or none.
        tags: each word's part of speech, `_` where it has none; or none.
    """

    words: tuple[str, ...]
    text: str | None = None
    relations: tuple[str, ...] = ()
    governors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """Every word of a corpus with its vectors.

    Attributes:
        texts: the texts that were read.
        text: int64 [words], the index of each word's text.
        position: int64 [words], the index of each word in its text.
        vectors: float32 [words, width], of the chosen layer or head.
        inputs: float32 [words, width of the model], of the input layer, which reads no context.
    """

    texts: tuple[TaggedText, ...]
    text: Integers
    position: Integers
    vectors: Weights
    inputs: Weights

    def __len__(self) -> int:
        return len(self.text)


def read_texts(path: Path, column: str, limit: int, seed: int) -> list[TaggedText]:
    """Return texts of a file, in order: at most so many, drawn at random.

    Args:
        path: a file of texts, or a treebank in CoNLL-U (`.conllu`).
        column: the column of texts.
        limit: most texts.
        seed: decides which.

    Raises:
        BadInput: the file cannot be read, or has fewer than two texts with words.
    """
    if ".conllu" in path.name.lower():
        texts = [
            TaggedText(
                sentence.words,
                relations=sentence.relations,
                governors=tuple("(root)" if head == ROOT else sentence.words[head] for head in sentence.heads),
                tags=sentence.tags,
            )
            for sentence in read_treebank(path).sentences
        ]
    else:
        texts = [plain_text(text) for _, text in iterate_texts(path, column) if text.strip()]
    texts = [text for text in texts if text.words]
    if len(texts) < 2:  # noqa: PLR2004 - nothing to search
        raise BadInput("fewer than two texts", where=str(path), mend="give a file of texts, some hundreds at least")
    drawn = np.sort(seeds.child(seed, "neighbours", "texts").permutation(len(texts))[:limit])
    return [texts[index] for index in drawn]


def plain_text(text: str) -> TaggedText:
    """Return a text with its words."""
    return TaggedText(tuple(text[start:end] for start, end in word_spans(text)), text)


def read_query(sentence: str) -> tuple[TaggedText, int]:
    """Return the text of a query without its brackets, and the index of the word that stood in them.

    Raises:
        BadInput: no word, or several, stand in brackets.
    """
    bracketed = [match for match in _QUERY.finditer(sentence) if match[1].strip()]
    if len(bracketed) != 1:
        raise BadInput(f"{len(bracketed)} words in square brackets", mend=_MEND)
    start = bracketed[0].start()
    text = _QUERY.sub(r"\1", sentence)
    index = next((number for number, (_, end) in enumerate(word_spans(text)) if end > start), None)
    if index is None:
        raise BadInput("no word in the square brackets", mend=_MEND)
    return plain_text(text), index


def word_vectors(
    encoder: TextEncoder, texts: Sequence[TaggedText], layer: int, head: int | None, step: Step | None = None
) -> WordVectors:
    """Return the vector of every word; texts longer than the model reads at once are left out.

    Args:
        encoder: a transformer.
        texts: the texts.
        layer: the layer, as in `layer_numbers`.
        head: an attention head of it, from 1; None for the layer's states.
        step: advanced by each text.

    Raises:
        BadInput: there is no such layer or head, or no text is short enough.
    """
    tap, column = _tap(encoder, layer, head)
    tokens = list(_encoded(encoder, texts))
    fits = [index for index, each in enumerate(tokens) if 0 < len(each) <= encoder.max_length]
    if not fits:
        raise BadInput(f"every text has more than {encoder.max_length} tokens", mend="give shorter texts")
    read = activations(
        encoder.model, [tokens[index] for index in fits], Taps(read=("embedding", tap)), batch_tokens=_BATCH_TOKENS
    )
    vectors, inputs, indices = [], [], []
    for number, each in enumerate(read):
        own = each.values[tap] if column is None else each.values[tap][:, column]
        words, of_words = _mean_by_word(own, each.tokens.words)
        vectors.append(of_words)
        inputs.append(_mean_by_word(each.values["embedding"], each.tokens.words)[1])
        indices.append(np.stack([np.full(len(words), number), words]))
        if step is not None:
            step.advance(1)
    text, position = np.concatenate(indices, axis=1).astype(np.int64)
    return WordVectors(
        tuple(texts[index] for index in fits), text, position, np.concatenate(vectors), np.concatenate(inputs)
    )


def _encoded(encoder: TextEncoder, texts: Sequence[TaggedText]) -> Iterator[Tokens]:
    if any(text.text is None for text in texts):
        return iter(encoder.tokenizer.encode_words([text.words for text in texts]))
    return iter(encoder.tokenizer.encode([text.text or "" for text in texts]))


def _tap(encoder: TextEncoder, layer: int, head: int | None) -> tuple[str, int | None]:
    """Return the name of the values that are compared, and of a head its place among those of its layer."""
    [number] = layer_numbers(layer, encoder.depth)
    if head is not None:
        return f"layers.{number - 1}.attention.heads", _column(encoder, number, head)
    if number == encoder.depth and "final_norm" in encoder.model.tap_names():
        return "final_norm", None
    return "embedding" if number == 0 else f"layers.{number - 1}.output", None


def _column(encoder: TextEncoder, layer: int, head: int) -> int:
    """Return the place of a head among those that its layer has.

    Raises:
        BadInput: the layer has no such head, or lost it.
    """
    config = require_heads(encoder.model, encoder.name).config
    kept = config.kept_heads(layer - 1) if layer else []
    if head - 1 in kept:
        return kept.index(head - 1)
    if layer and head <= config.num_heads:
        left = join_words([str(each + 1) for each in kept])
        raise BadInput(f"head {head} of layer {layer} was removed from this model", mend=f"the layer has {left}")
    what = f"there is no head {head} in layer {layer}"
    raise BadInput(what, mend=f"give a head from 1 to {config.num_heads} of a layer from 1 to {encoder.depth}")


def _mean_by_word(values: Weights, words: NDArray[np.int32]) -> tuple[Integers, Weights]:
    """Return the indices of the words that have tokens, and the mean of each word's tokens."""
    present = np.unique(words[words >= 0]).astype(np.int64)
    number = int(present[-1]) + 1 if len(present) else 0
    pooled = pool_words(torch.from_numpy(values), torch.from_numpy(words), number, "mean")
    return present, pooled.numpy()[present]
