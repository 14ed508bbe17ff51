"""Distil a table from an encoder and a corpus: count words, encode their occurrences, aggregate the states."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, NotFound
from wordworth.measures.geometry.directions import Axes, all_but_the_top, principal_axes, sif_weights
from wordworth.measures.geometry.explainable_variance import group_share
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.models.static.distillation.aggregators import Aggregate, Directions, Means
from wordworth.models.static.distillation.distilled_table import Distilled, Notes
from wordworth.models.static.distillation.layer_states import Layer
from wordworth.models.static.distillation.postprocess_parameters import finished_width, table_warnings, zipf_shares
from wordworth.models.static.distillation.settings import DistilSettings
from wordworth.models.static.distillation.vocabulary import Speller, count_words, frequent
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.text.derived_tokenizers import is_wordpiece, table_tokenizer
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.word_boundaries import words

Texts = Callable[[], Iterator[str]]
Vectors = NDArray[np.float32]
Keep = Callable[[str, Callable[[], Vectors]], Vectors]
OccurrenceSink = Callable[[NDArray[np.int64], NDArray[np.int64], Vectors], None]
"""Receives occurrences as they are read: (rows of the table int64 [n], indices of texts int64 [n], states [n, d])."""
_SENTENCES, _CHARACTERS = 256, 1 << 17
"""Maximal numbers of sentences and characters read at a time, since their states are in memory together."""
_UNUSED = re.compile(r"\[unused\d+\]")


class Raw(NamedTuple):
    """The vectors of a distilled table before postprocessing.

    Attributes:
        entries: the words of the table, then its pieces.
        vectors: float32 [entries, d], the vector of each entry.
        shares: float64 [entries], relative frequency of each entry, 0 to 1.
        counts: counts of what the vectors were made from.
    """

    entries: list[str]
    vectors: NDArray[np.float32]
    shares: NDArray[np.float64]
    counts: Notes


def without_cache(_: str, make: Callable[[], Vectors]) -> Vectors:
    """Return what `make` computes, without storing it; this function takes the place of a cache.

    Args:
        _: the key of the value, which is not used.
        make: computes the value.
    """
    return make()


def ignore_occurrences(_: NDArray[np.int64], __: NDArray[np.int64], ___: Vectors) -> None:
    """Do nothing: this function takes the place of an `OccurrenceSink`.

    Args:
        _: int64 [occurrences], not used.
        __: int64 [occurrences], not used.
        ___: vectors of the occurrences, [occurrences, width], not used.
    """


def distil(
    encoder: TextEncoder,
    texts: Texts,
    settings: DistilSettings,
    progress: Progress,
    keep: Keep = without_cache,
    sink: OccurrenceSink = ignore_occurrences,
) -> Distilled:
    """Distil a static table from an encoder and texts; return the table, which is not yet saved.

    Args:
        encoder: the encoder whose states are taken.
        texts: returns a new iterator over the texts at each call; it is called twice. Each text is encoded on its own.
        settings: method, layer, vocabulary and postprocessing.
        progress: receives the progress.
        keep: a cache: returns the vectors that are stored under a name, or computes and stores them. It stores the
            states of the encoder's pieces, each of which is read alone, so that no state depends on the texts.
        sink: function that receives every occurrence that is read: row of the word in the table, int64 [n], index of
            the text, int64 [n], and state, float32 [n, d].

    Raises:
        BadInput: no word of the corpus is frequent enough, the encoder's vocabulary does not suit the method, or
            `width` exceeds the number of vectors or the encoder's width; raised as early as possible.
        NotFound: there is no such layer.
    """
    layer, tokenizer = Layer(encoder, _number(encoder, settings)), tokenizer_of(encoder)
    encoder_width = encoder.model.width
    finished_width(settings, encoder_width, _most(settings, tokenizer))
    if settings.method == "pieces":
        raw = _pieces(layer, progress)
    else:
        raw = _words(_Reading(layer, settings, Speller(tokenizer), sink), texts, progress, keep)
    finished, axes = _finished(raw, settings)
    vectors = np.concatenate([np.zeros((1, finished.shape[1]), np.float32), finished])  # row 0: the unknown token
    return Distilled(
        encoder=encoder.name,
        layer=layer.number,
        settings=settings,
        entries=tuple(raw.entries),
        vectors=vectors,
        tokenizer=table_tokenizer(tokenizer, raw.entries),
        counts=raw.counts,
        warnings=table_warnings(
            settings, encoder_width, len(raw.entries), None if settings.method == "pieces" else raw.counts.words
        ),
        axes=axes,
    )


def _most(settings: DistilSettings, tokenizer: Tokenizer) -> int | None:
    """Return the largest possible number of vectors; None if there are neither words nor pieces."""
    words = 0 if settings.method == "pieces" else settings.words
    pieces = is_wordpiece(tokenizer) and (settings.back_off or not words)
    return words + (len(text_pieces(tokenizer)) if pieces else 0) or None


def _number(encoder: TextEncoder, settings: DistilSettings) -> int:
    layer = (-1 if settings.method == "pieces" else 1) if settings.layer is None else settings.layer
    if not -encoder.depth - 1 <= layer <= encoder.depth:
        raise NotFound(f"there is no layer {layer}", mend=f"{encoder.name} has layers 0 to {encoder.depth}")
    return layer % (encoder.depth + 1)


def _pieces(layer: Layer, progress: Progress) -> Raw:
    name, tokenizer = layer.encoder.name, tokenizer_of(layer.encoder)
    if not is_wordpiece(tokenizer):
        mend = "use --method mean or pc1 with a corpus"
        raise BadInput(f"{name}'s vocabulary is not WordPiece: its pieces cannot stand alone", mend=mend)
    entries = text_pieces(tokenizer)
    vectors = layer.pieces(list(entries.values()), progress, around=True)
    return Raw(list(entries), vectors, zipf_shares(len(entries)), Notes(pieces=len(entries)))


def _words(reading: _Reading, texts: Texts, progress: Progress, keep: Keep) -> Raw:
    settings, tokenizer = reading.settings, reading.speller.tokenizer
    with progress.step("counting words"):
        counts = count_words(texts(), reading.speller)
    chosen = frequent(counts, settings.least, settings.words)
    if not chosen:
        what = f"no word of this corpus occurs {settings.least} times"
        raise BadInput(what, mend="give more text, or a smaller --least")
    with_pieces = settings.back_off and is_wordpiece(tokenizer)
    extra_pieces = set(text_pieces(tokenizer) if with_pieces else ()) - set(chosen)
    finished_width(settings, reading.layer.encoder.model.width, len(chosen) + len(extra_pieces))
    vectors, notes = reading.vectors(texts, {word: counts[word] for word in chosen}, progress)
    shares = np.array([counts[word] for word in chosen]) / counts.total()
    if not with_pieces:
        return Raw(chosen, vectors, shares, notes)
    names, piece_vectors = _others(reading.layer, set(chosen), progress, keep)
    if settings.method == "pc1":
        piece_vectors = unit_or_zero(piece_vectors).astype(np.float32)
    shares = np.concatenate([shares, np.zeros(len(names))])
    return Raw([*chosen, *names], np.concatenate([vectors, piece_vectors]), shares, notes._replace(pieces=len(names)))


def _others(layer: Layer, chosen: set[str], progress: Progress, keep: Keep) -> tuple[list[str], Vectors]:
    """Return the encoder's pieces that are not among the chosen words, and their states, float32 [pieces, d]."""
    pieces = text_pieces(tokenizer_of(layer.encoder))
    states = keep(
        f"pieces of layer {layer.number}", lambda: layer.pieces(list(pieces.values()), progress, around=False)
    )
    kept_indices = [index for index, piece in enumerate(pieces) if piece not in chosen]
    names = list(pieces)
    return [names[index] for index in kept_indices], states[kept_indices]


def tokenizer_of(encoder: TextEncoder) -> Tokenizer:
    """Return the encoder's tokenizer, whose pieces can be entries of a table.

    Raises:
        BadInput: the encoder reads characters, not pieces.
    """
    if not isinstance(encoder.tokenizer, Tokenizer):
        raise BadInput(f"{encoder.name} reads words by their characters", mend="name an encoder with a vocabulary")
    return encoder.tokenizer


def text_pieces(tokenizer: Tokenizer) -> Mapping[str, int]:
    """Return piece -> id for the pieces of the vocabulary that can occur in text: all but special and unused pieces."""
    barred = set(tokenizer.special_tokens.values())
    return {
        piece: index
        for piece, index in tokenizer.vocabulary.items()
        if piece not in barred and not _UNUSED.match(piece)
    }


class _Reading:
    """A pass over the corpus that encodes sentences and aggregates the states of occurrences of words."""

    def __init__(self, layer: Layer, settings: DistilSettings, speller: Speller, sink: OccurrenceSink) -> None:
        self.layer, self.settings, self.speller, self.sink = layer, settings, speller, sink
        self.rows: dict[str, int] = {}
        self.seen = np.zeros(0, dtype=np.int64)
        self.read = self.passed = 0

    def vectors(self, texts: Texts, counts: Mapping[str, int], progress: Progress) -> tuple[NDArray[np.float32], Notes]:
        """Return the vector of each word, float32 [words, d], and counts of what was read.

        Args:
            texts: returns a new iterator over the sentences.
            counts: word -> number of occurrences in the texts; word i becomes row i.
            progress: receives the progress.
        """
        self.rows = {word: row for row, word in enumerate(counts)}
        self.seen = np.zeros(len(counts), dtype=np.int64)
        aggregate_type = Means if self.settings.method == "mean" else Directions
        aggregate: Means | Directions = aggregate_type(len(counts), self.layer.encoder.model.width)
        total = sum(counts.values())
        limit = self.settings.occurrences or total
        with progress.step(f"reading with {self.layer.encoder.name}", total) as step:
            for block in _blocks(texts()):
                step.advance(self._add(block, aggregate, limit))
        means = aggregate if isinstance(aggregate, Means) else aggregate.means
        notes = Notes(
            words=len(counts),
            occurrences=int(self.seen.sum()),
            sentences=self.read,
            passed_over=self.passed,
            word_share=group_share(means.sums, means.counts, means.squares),
        )
        return aggregate.result(), notes

    def _add(self, block: list[str], aggregate: Aggregate, limit: int) -> int:
        """Encode the sentences of a block that have a needed occurrence, and aggregate the occurrences.

        Args:
            block: the sentences.
            aggregate: the aggregate, which is updated.
            limit: number of occurrences of a word after which no further ones are needed.

        Returns:
            The number of occurrences of the table's words in the whole block.
        """
        rows = [self._rows([text[start:end] for start, end in words(text)]) for text in block]
        to_read = [i for i, in_text in enumerate(rows) if (self.seen[in_text[in_text >= 0]] < limit).any()]
        first_index = self.read + self.passed
        self.read, self.passed = self.read + len(to_read), self.passed + len(block) - len(to_read)
        if to_read:
            states = self.layer.words([block[i] for i in to_read])
            words_read = np.concatenate([rows[i] for i in to_read])
            is_used = (words_read >= 0) & (self.seen[np.maximum(words_read, 0)] + count_earlier(words_read) < limit)
            aggregate.add(words_read[is_used], states[is_used])
            text_indices = np.repeat(first_index + np.array(to_read), [len(rows[i]) for i in to_read])
            self.sink(words_read[is_used], text_indices[is_used], states[is_used])
            np.add.at(self.seen, words_read[is_used], 1)
        return sum(int((in_text >= 0).sum()) for in_text in rows)

    def _rows(self, forms: Sequence[str]) -> NDArray[np.int64]:
        """Return the row of each word in the table, int64 [words]; -1 for a word that is not in the table."""
        return np.array([self.rows.get(form, -1) for form in self.speller.spell(forms)], dtype=np.int64)


def _blocks(texts: Iterator[str]) -> Iterator[list[str]]:
    """Yield blocks of texts, limited in their number of texts and of characters."""
    block, size = list[str](), 0
    for text in texts:
        if block and (len(block) == _SENTENCES or size + len(text) > _CHARACTERS):
            yield block
            block, size = [], 0
        block.append(text)
        size += len(text)
    if block:
        yield block


def count_earlier(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each item the number of equal items before it.

    Args:
        rows: int64 [n], the items.

    Returns:
        int64 [n].

    >>> count_earlier(np.array([7, 5, 7, 7])).tolist()
    [0, 0, 1, 2]
    """
    order = np.argsort(rows, kind="stable")
    _, firsts, counts = np.unique(rows[order], return_index=True, return_counts=True)
    num_earlier = np.zeros(len(rows), dtype=np.int64)
    num_earlier[order] = np.arange(len(rows)) - np.repeat(firsts, counts)
    return num_earlier


def _finished(raw: Raw, settings: DistilSettings) -> tuple[NDArray[np.float32], Axes | None]:
    """Return the postprocessed vectors, float32 [entries, width], and the axes of their projection or None."""
    vectors = raw.vectors.astype(np.float64)
    width, encoder_width = finished_width(settings, vectors.shape[1], len(vectors)), vectors.shape[1]
    axes = None
    if settings.remove_top:
        vectors = all_but_the_top(vectors, settings.remove_top)
    is_requested = settings.width not in {None, 0, "auto"}
    if is_requested or settings.whiten or width < encoder_width:
        axes = principal_axes(vectors, width, whiten=settings.whiten)
        vectors = axes(vectors)
    if settings.sif:
        vectors = vectors * sif_weights(raw.shares, settings.sif)[:, None]
    return vectors.astype(np.float32), axes
