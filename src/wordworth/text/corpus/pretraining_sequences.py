"""`Instances`: sequences for pretraining, concatenated; `InstanceStream`: the sequences of every optimisation step.

The stream is the same on every process and after any interruption.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.seeds import child
from wordworth.text.corpus.index_ranges import ranges, starts_of
from wordworth.text.corpus.samplers.base import PlannedSequences, Sampler
from wordworth.text.corpus.sampling_shares import sampling_shares
from wordworth.text.corpus.token_store import TokenStore

NO_SECOND = -1
NOTHING = -1
"""Value of a feature for a token that does not have the feature, such as a special token."""


@dataclass(frozen=True, slots=True)
class Instances:
    """The n sequences of a step of pretraining, with their special tokens and without padding.

    Attributes:
        ids: int64 [tokens], the token ids of all sequences, one sequence after the other.
        segments: int64 [tokens], 0 up to and including the first [SEP] of a pair, 1 after it; in dialogues 1 for turns
            of other speakers than the first; else all zero.
        starts: int32 [n + 1]; sequence i is `ids[starts[i]:starts[i + 1]]`.
        labels: int64 [n], 0 for a sequence whose second text follows the first. 1 for a random second text (next
            sentence), for swapped texts (sentence order), or for a dialogue with a replaced turn. -1 without a second
            text.
        features: name -> int64 [tokens], a further value of each token, such as the row of its entity in the model's
            entity table; -1 for a token without such a value.
    """

    ids: NDArray[np.int64]
    segments: NDArray[np.int64]
    starts: NDArray[np.int32]
    labels: NDArray[np.int64]
    features: Mapping[str, NDArray[np.int64]] = field(default_factory=dict, kw_only=True)

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def lengths(self) -> NDArray[np.int32]:
        """The number of tokens of each sequence, special tokens included, int32 [n]."""
        return np.diff(self.starts)

    def take(self, rows: NDArray[np.integer] | slice) -> Instances:
        """Return the sequences with these indices, in this order.

        Args:
            rows: int64 [k], the indices, or a slice.
        """
        chosen = np.arange(len(self))[rows]
        lengths = self.lengths[chosen]
        token_indices = ranges(self.starts[chosen], lengths)
        return Instances(
            self.ids[token_indices],
            self.segments[token_indices],
            starts_of(lengths).astype(np.int32),
            self.labels[chosen],
            features={name: values[token_indices] for name, values in self.features.items()},
        )


def gather(
    store: TokenStore, first: NDArray[np.int64], second: NDArray[np.int64], labels: NDArray[np.int64]
) -> Instances:
    """Build the pretraining sequence of each text or pair of texts from slices of a token store.

    A sequence is `[CLS] first [SEP]` or `[CLS] first [SEP] second [SEP]`. A slice that crosses the end of a document
    gets a [SEP] there (FULL-SENTENCES, Liu et al. 2019, section 4.2).

    Args:
        store: the token store.
        first: int64 [n, 2], the bounds of each sequence's first text in `store.ids`: first token, token after the last.
        second: int64 [n, 2], likewise for the second text; an empty slice for a sequence without one.
        labels: int64 [n], as in `Instances`.
    """
    texts = np.stack([first, second], axis=1)
    return gather_texts(store, texts, np.tile(np.arange(2), (len(labels), 1)), labels)


def gather_texts(
    store: TokenStore, texts: NDArray[np.int64], segments: NDArray[np.int64], labels: NDArray[np.int64]
) -> Instances:
    """Build pretraining sequences of several texts each, `[CLS] text [SEP] text [SEP] ...`, from slices of a store.

    The segment of [CLS] is 0.

    Args:
        store: the token store.
        texts: int64 [n, k, 2], the bounds of each text in `store.ids`: first token, token after the last. A text after
            the first is left out if its slice is empty.
        segments: int64 [n, k], the segment of each text and of the [SEP] after it.
        labels: int64 [n], as in `Instances`.
    """
    bounds, owners, kinds = _parts(store, texts, segments)
    lengths = bounds[:, 1] - bounds[:, 0] + 1  # and its [SEP]
    totals = np.bincount(owners, weights=lengths, minlength=len(labels)).astype(np.int64) + 1
    starts = starts_of(totals)
    ids = np.full(starts[-1], store.vocabulary.special_ids["cls"], dtype=np.int64)
    ends = np.cumsum(lengths) + owners + 1  # past each part's [SEP], a [CLS] before every sequence so far
    inner = bounds[:, 1] - bounds[:, 0]
    targets, sources = ranges(ends - lengths, inner), ranges(bounds[:, 0], inner)
    ids[targets] = store.ids[sources]
    features = {name: np.full(len(ids), NOTHING, dtype=np.int64) for name in store.features}
    for name, values in store.features.items():
        features[name][targets] = values[sources]
    ids[ends - 1] = store.vocabulary.special_ids["sep"]
    marked = np.zeros(len(ids), dtype=np.int64)
    marked[ranges(ends - lengths, lengths)] = np.repeat(kinds, lengths)
    return Instances(ids, marked, starts.astype(np.int32), labels, features=features)


def _parts(
    store: TokenStore, texts: NDArray[np.int64], segments: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the parts of all texts: their bounds [parts, 2], the index of each part's sequence, each part's segment.

    A text is cut into parts at the ends of documents; a special token follows each part.
    """
    count = texts.shape[1]
    slices, kinds = texts.reshape(-1, 2), segments.reshape(-1)
    owners = np.repeat(np.arange(len(texts)), count)
    present = (np.tile(np.arange(count), len(texts)) == 0) | (slices[:, 0] < slices[:, 1])
    slices, owners, kinds = slices[present], owners[present], kinds[present]
    ends = store.document_tokens
    inside = np.searchsorted(ends, slices[:, 0], side="right"), np.searchsorted(ends, slices[:, 1], side="left")
    crossed = np.maximum(inside[1] - inside[0], 0)
    if not crossed.any():
        return slices, owners, kinds
    again = np.repeat(np.arange(len(slices)), crossed + 1)
    bounds = slices[again]
    cuts = ends[ranges(inside[0], crossed)]
    heads = np.cumsum(crossed + 1) - (crossed + 1)
    later = np.ones(len(bounds), dtype=np.bool_)
    later[heads] = False
    bounds[later, 0] = cuts
    bounds[np.flatnonzero(later) - 1, 1] = cuts
    return bounds, owners[again], kinds[again]


_BLOCK = 1024


class InstanceStream:
    """An endless stream of pretraining sequences, cut into optimisation steps of `batch_size` sequences.

    The corpora are read in passes. With several corpora, the corpus of each sequence is drawn with a probability
    proportional to the corpus's number of tokens to the power `sampling`. The power 1 keeps the proportions; a smaller
    power draws small corpora more often (0.7 in the multilingual README of Devlin et al.).
    """

    def __init__(
        self, samplers: Sampler | Sequence[Sampler], *, batch_size: int, seed: int = 0, sampling: float = 1.0
    ) -> None:
        several = samplers if isinstance(samplers, Sequence) else [samplers]
        _check(several)
        self.batch_size, self.seed = batch_size, seed
        self.sources = [_Source(sampler) for sampler in several]
        self.shares = sampling_shares([len(source.store.ids) for source in self.sources], sampling)
        self._before = [np.zeros(len(several), dtype=np.int64)]

    @property
    def stores(self) -> list[TokenStore]:
        """The token store of each corpus, in the order of the stream's samplers."""
        return [source.store for source in self.sources]

    @property
    def steps_per_pass(self) -> float:
        """The number of optimisation steps in which the corpus with the largest share of the mixture is read once."""
        largest = int(np.argmax(self.shares))
        return self.sources[largest].length(0) / (self.batch_size * float(self.shares[largest]))

    def batch(self, step: int) -> Instances:
        """Return the `batch_size` sequences of optimisation step `step`, counted from 0."""
        before, drawn = self.counts(step)
        parts = [source.read(int(at), int(n)) for source, at, n in zip(self.sources, before, drawn, strict=True) if n]
        if len(parts) == 1:
            return parts[0]
        order = child(self.seed, "mixture order", step).permutation(self.batch_size)
        return _concatenate(parts).take(order)

    def counts(self, step: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return how many sequences of each corpus were drawn before a step, and how many are drawn in the step.

        The result is (number in all earlier steps together, number in this step), int64 [corpora] each.
        """
        if len(self.sources) == 1:
            return np.array([step * self.batch_size]), np.array([self.batch_size])
        block, offset = divmod(step, _BLOCK)
        while len(self._before) <= block:
            self._before.append(self._before[-1] + self._block(len(self._before) - 1).sum(axis=0))
        drawn = self._block(block)
        return self._before[block] + drawn[:offset].sum(axis=0), drawn[offset]

    def _block(self, block: int) -> NDArray[np.int64]:
        return child(self.seed, "mixture", block).multinomial(self.batch_size, self.shares, size=_BLOCK)


class _Source:
    """The sequences of one sampler, pass after pass without end; the plans of the last two passes are cached."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler
        self._ends: list[int] = []
        self._passes: dict[int, PlannedSequences] = {}

    @property
    def store(self) -> TokenStore:
        return self.sampler.store

    def length(self, number: int) -> int:
        """Return the number of sequences in pass `number`."""
        while len(self._ends) <= number:
            self._plan(len(self._ends))
        return self._ends[number] - (self._ends[number - 1] if number else 0)

    def read(self, position: int, count: int) -> Instances:
        """Return `count` sequences from index `position` on, counted over all passes."""
        rows: list[PlannedSequences] = []
        number = self._pass_of(position)
        while count:
            length = self.length(number)  # plans the pass, if need be
            begin = position - (self._ends[number] - length)
            rows.append(self._plan(number).take(slice(begin, begin + count)))
            position, count, number = position + len(rows[-1]), count - len(rows[-1]), number + 1
        texts, segments, labels = (
            np.concatenate([getattr(row, name) for row in rows]) for name in ("texts", "segments", "labels")
        )
        return gather_texts(self.store, texts, segments, labels)

    def _pass_of(self, position: int) -> int:
        while not self._ends or self._ends[-1] <= position:
            self.length(len(self._ends))
        return int(np.searchsorted(self._ends, position, side="right"))

    def _plan(self, number: int) -> PlannedSequences:
        if number not in self._passes:
            planned = self.sampler.plan(number)
            if not len(planned):
                raise BadInput("no sequence can be made of this store", mend="give more text")
            self._passes = {kept: self._passes[kept] for kept in list(self._passes)[-1:]}
            self._passes[number] = planned
        if number == len(self._ends):
            self._ends.append((self._ends[-1] if self._ends else 0) + len(self._passes[number]))
        return self._passes[number]


def _check(samplers: Sequence[Sampler]) -> None:
    if not samplers:
        raise BadInput("no corpus to draw from", mend="give at least one")
    if len({sampler.store.vocabulary.fingerprint for sampler in samplers}) > 1:
        mend = "build every store with the same tokenizer"
        raise BadInput("the stores were built with different tokenizers", mend=mend)
    if len({sampler.store.entities for sampler in samplers if sampler.store.entities}) > 1:
        mend = "build every store with the same model's tokenizer"
        raise BadInput("the links of the stores are to different tables of entities", mend=mend)


def _concatenate(parts: Sequence[Instances]) -> Instances:
    offsets = np.cumsum([0, *(len(part.ids) for part in parts)])
    starts = [part.starts[1:] + offset for part, offset in zip(parts, offsets, strict=False)]
    names = sorted({name for part in parts for name in part.features})
    return Instances(
        np.concatenate([part.ids for part in parts]),
        np.concatenate([part.segments for part in parts]),
        np.concatenate([[0], *starts]).astype(np.int32),
        np.concatenate([part.labels for part in parts]),
        features={name: np.concatenate([_feature(part, name) for part in parts]) for name in names},
    )


def _feature(part: Instances, name: str) -> NDArray[np.int64]:
    """Return the values of a feature of instances, int64 [tokens]; all -1 if the instances lack the feature."""
    nothing = np.full(len(part.ids), NOTHING, dtype=np.int64)
    return part.features.get(name, nothing)
