"""An encoder and a corpus become a table: words are counted, then read, then made vectors of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, NotFound
from wordworth.measures.geometry.directions import Axes, all_but_the_top, principal_axes, sif_weights
from wordworth.measures.geometry.explainable_variance import group_share
from wordworth.measures.words.similarity import unit
from wordworth.models.static.distillation.aggregators import Directions, Means, Occurrences
from wordworth.models.static.distillation.export import Distilled, Notes
from wordworth.models.static.distillation.layer_reader import Layer
from wordworth.models.static.distillation.postprocess import doubts, finished_width, zipf_shares
from wordworth.models.static.distillation.settings import DistilSettings
from wordworth.models.static.distillation.vocabulary import Speller, count_words, frequent
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.text.static_tokenizer import is_wordpiece, table_tokenizer
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.word_boundaries import words

Texts = Callable[[], Iterator[str]]
Vectors = NDArray[np.float32]
Keep = Callable[[str, Callable[[], Vectors]], Vectors]
OccurrenceSink = Callable[[NDArray[np.int64], NDArray[np.int64], Vectors], None]
"""Is told of occurrences as they are read: their entries, the numbers of their texts, and their states, all [n]."""
_SENTENCES, _CHARACTERS = 256, 1 << 17
"""Read at a time, at most: the states of so many are held."""
_UNUSED = re.compile(r"\[unused\d+\]")


class Raw(NamedTuple):
    """Vectors before they are finished: of entries, words first, with each one's share of the text."""

    entries: list[str]
    vectors: NDArray[np.float32]
    shares: NDArray[np.float64]
    told: Notes


def made_now(_: str, make: Callable[[], Vectors]) -> Vectors:
    """A `Keep` that keeps nothing."""
    return make()


def unseen(_: NDArray[np.int64], __: NDArray[np.int64], ___: Vectors) -> None:
    """An `OccurrenceSink` that keeps nothing."""


def distil(
    encoder: TextEncoder,
    texts: Texts,
    settings: DistilSettings,
    progress: Progress,
    keep: Keep = made_now,
    sink: OccurrenceSink = unseen,
) -> Distilled:
    """The table.

    Args:
        encoder: whose states are taken.
        texts: gives the texts from the first on at each call; they are read twice, each with its own as context.
        settings: how.
        progress: where to report.
        keep: gives the states of the encoder's pieces, each read alone, from where they are kept, or has them made:
            they depend on no text.
        sink: receives every occurrence that is read.

    Raises:
        BadInput: no word of the corpus is frequent enough, the encoder's vocabulary does not fit the method, or there
            are fewer vectors, or numbers in one, than `width`: said as soon as it is known.
        NotFound: there is no such layer.
    """
    layer, tokenizer, own = Layer(encoder, _number(encoder, settings)), tokenizer_of(encoder), encoder.model.width
    finished_width(settings, own, _most(settings, tokenizer))
    if settings.method == "pieces":
        raw = _pieces(layer, progress)
    else:
        raw = _words(_Reading(layer, settings, Speller(tokenizer), sink), texts, progress, keep)
    finished, axes = _finished(raw, settings)
    vectors = np.concatenate([np.zeros((1, finished.shape[1]), np.float32), finished])  # what is unknown says nothing
    return Distilled(
        encoder=encoder.name,
        layer=layer.number,
        settings=settings,
        entries=tuple(raw.entries),
        vectors=vectors,
        tokenizer=table_tokenizer(tokenizer, raw.entries),
        told=raw.told,
        doubts=doubts(settings, own, len(raw.entries), None if settings.method == "pieces" else raw.told.words),
        axes=axes,
    )


def _most(settings: DistilSettings, tokenizer: Tokenizer) -> int | None:
    """How many vectors there can be at most; None where there are no pieces to take."""
    words = 0 if settings.method == "pieces" else settings.words
    pieces = is_wordpiece(tokenizer) and (settings.back_off or not words)
    return words + (len(spelled(tokenizer)) if pieces else 0) or None


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
    entries = spelled(tokenizer)
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
    pieces = settings.back_off and is_wordpiece(tokenizer)
    others = set(spelled(tokenizer) if pieces else ()) - set(chosen)
    finished_width(settings, reading.layer.encoder.model.width, len(chosen) + len(others))
    vectors, told = reading.vectors(texts, {word: counts[word] for word in chosen}, progress)
    shares = np.array([counts[word] for word in chosen]) / counts.total()
    if not pieces:
        return Raw(chosen, vectors, shares, told)
    names, alone = _others(reading.layer, set(chosen), progress, keep)
    if settings.method == "pc1":
        alone = unit(alone).astype(np.float32)
    shares = np.concatenate([shares, np.zeros(len(names))])
    return Raw([*chosen, *names], np.concatenate([vectors, alone]), shares, told._replace(pieces=len(names)))


def _others(layer: Layer, chosen: set[str], progress: Progress, keep: Keep) -> tuple[list[str], Vectors]:
    """The pieces of the encoder that are no chosen words, and their states."""
    pieces = spelled(tokenizer_of(layer.encoder))
    alone = keep(f"pieces of layer {layer.number}", lambda: layer.pieces(list(pieces.values()), progress, around=False))
    stays = [place for place, piece in enumerate(pieces) if piece not in chosen]
    names = list(pieces)
    return [names[place] for place in stays], alone[stays]


def tokenizer_of(encoder: TextEncoder) -> Tokenizer:
    """The encoder's tokenizer, whose pieces a table can hold.

    Raises:
        BadInput: the encoder reads characters, not pieces.
    """
    if not isinstance(encoder.tokenizer, Tokenizer):
        raise BadInput(f"{encoder.name} reads words by their characters", mend="name an encoder with a vocabulary")
    return encoder.tokenizer


def spelled(tokenizer: Tokenizer) -> Mapping[str, int]:
    """The pieces that text can be spelled in, each with its id."""
    barred = set(tokenizer.special_tokens.values())
    return {
        piece: index for piece, index in tokenizer.pieces.items() if piece not in barred and not _UNUSED.match(piece)
    }


class _Reading:
    """The corpus through the encoder."""

    def __init__(self, layer: Layer, settings: DistilSettings, speller: Speller, sink: OccurrenceSink) -> None:
        self.layer, self.settings, self.speller, self.sink = layer, settings, speller, sink
        self.rows: dict[str, int] = {}
        self.seen = np.zeros(0, dtype=np.int64)
        self.read = self.passed = 0

    def vectors(self, texts: Texts, counts: Mapping[str, int], progress: Progress) -> tuple[NDArray[np.float32], Notes]:
        """float32 [words, d] for words and how often each occurs; and what was read."""
        self.rows = {word: row for row, word in enumerate(counts)}
        self.seen = np.zeros(len(counts), dtype=np.int64)
        kind = Means if self.settings.method == "mean" else Directions
        kept: Means | Directions = kind(len(counts), self.layer.encoder.model.width)
        total = sum(counts.values())
        most = self.settings.occurrences or total
        with progress.step(f"reading with {self.layer.encoder.name}", total) as step:
            for some in _blocks(texts()):
                step.advance(self._add(some, kept, most))
        means = kept if isinstance(kept, Means) else kept.means
        told = Notes(
            words=len(counts),
            occurrences=int(self.seen.sum()),
            sentences=self.read,
            passed_over=self.passed,
            word_share=group_share(means.sums, means.counts, means.squares),
        )
        return kept.result(), told

    def _add(self, some: list[str], kept: Occurrences, most: int) -> int:
        """Read those sentences that bring something; how many occurrences stood in all of them."""
        rows = [self._rows([text[start:end] for start, end in words(text)]) for text in some]
        wanted = [place for place, found in enumerate(rows) if (self.seen[found[found >= 0]] < most).any()]
        before = self.read + self.passed
        self.read, self.passed = self.read + len(wanted), self.passed + len(some) - len(wanted)
        if wanted:
            states = self.layer.words([some[place] for place in wanted])
            found = np.concatenate([rows[place] for place in wanted])
            takes = (found >= 0) & (self.seen[np.maximum(found, 0)] + _earlier(found) < most)
            kept.add(found[takes], states[takes])
            numbers = np.repeat(before + np.array(wanted), [len(rows[place]) for place in wanted])
            self.sink(found[takes], numbers[takes], states[takes])
            np.add.at(self.seen, found[takes], 1)
        return sum(int((found >= 0).sum()) for found in rows)

    def _rows(self, found: Sequence[str]) -> NDArray[np.int64]:
        """int64 [words]: each word's row, -1 for none."""
        return np.array([self.rows.get(form, -1) for form in self.speller.spell(found)], dtype=np.int64)


def _blocks(texts: Iterator[str]) -> Iterator[list[str]]:
    block, size = list[str](), 0
    for text in texts:
        if block and (len(block) == _SENTENCES or size + len(text) > _CHARACTERS):
            yield block
            block, size = [], 0
        block.append(text)
        size += len(text)
    if block:
        yield block


def _earlier(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64 [n]: how many equal rows stand before each."""
    order = np.argsort(rows, kind="stable")
    _, firsts, counts = np.unique(rows[order], return_index=True, return_counts=True)
    found = np.zeros(len(rows), dtype=np.int64)
    found[order] = np.arange(len(rows)) - np.repeat(firsts, counts)
    return found


def _finished(raw: Raw, settings: DistilSettings) -> tuple[NDArray[np.float32], Axes | None]:
    """The table's vectors, and the axes that they were brought to, where they were."""
    vectors = raw.vectors.astype(np.float64)
    width, own = finished_width(settings, vectors.shape[1], len(vectors)), vectors.shape[1]
    axes = None
    if settings.remove_top:
        vectors = all_but_the_top(vectors, settings.remove_top)
    asked = settings.width not in {None, 0, "auto"}
    if asked or settings.whiten or width < own:
        axes = principal_axes(vectors, width, whiten=settings.whiten)
        vectors = axes(vectors)
    if settings.sif:
        vectors = vectors * sif_weights(raw.shares, settings.sif)[:, None]
    return vectors.astype(np.float32), axes
