"""Chunks of tags (entities), found and scored by the rules of CoNLL's own scorer.

A chunk starts at a tag other than O if the tag before is O, of another type, or an end (E, S), or if the tag itself
is B or S; it ends before O, another type, B or S, or after E or S. IOB1, IOB2, IOBES and BILOU all come out right, and
an orphan I- opens a chunk. A chunk is found where start, end and type agree (conlleval; Tjong Kim Sang and De Meulder,
CoNLL 2003).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Flags, Floats, Gold, Integers, Predicted, Rule, floats, ratio, weighted

_OUTSIDE = -1


@dataclass(frozen=True, slots=True)
class Scheme:
    """What each tag means: its type (-1 for O), whether it always opens a chunk, whether it always closes one."""

    types: tuple[str, ...]
    kind: Integers
    opens: Flags
    closes: Flags


@dataclass(frozen=True, slots=True)
class Chunks:
    """Chunks in reading order. All int64 [chunks]: sentence, first word, word after the last, type.

    Words are numbered through all sentences, end to end.
    """

    sentence: Integers
    start: Integers
    end: Integers
    kind: Integers

    @property
    def lengths(self) -> Integers:
        """int64 [chunks]: words in each."""
        return self.end - self.start


def stripped(tag: str) -> tuple[str, str]:
    """A tag's prefix and type; O has neither, and a tag without a prefix continues its own kind.

    >>> stripped("B-PER"), stripped("O"), stripped("NOUN")
    (('B', 'PER'), ('', ''), ('I', 'NOUN'))
    """
    prefix, dash, kind = tag.partition("-")
    if dash and prefix in {"B", "I", "E", "S", "L", "U", "M"}:
        return prefix, kind
    return ("", "") if tag == "O" else ("I", tag)


def scheme(tags: Sequence[str]) -> Scheme:
    """The meaning of tag names, whichever of IOB1, IOB2, IOBES or BILOU they follow."""
    parts = [stripped(tag) for tag in tags]
    types = tuple(sorted({kind for prefix, kind in parts if prefix}))
    return Scheme(
        types=types,
        kind=np.array([types.index(kind) if prefix else _OUTSIDE for prefix, kind in parts], dtype=np.int64),
        opens=np.array([prefix in {"B", "S", "U"} for prefix, _ in parts], dtype=np.bool_),
        closes=np.array([prefix in {"E", "S", "L", "U"} for prefix, _ in parts], dtype=np.bool_),
    )


def chunks(tags: Sequence[Integers], of: Scheme) -> Chunks:
    """The chunks of sentences given as tag numbers; words are numbered through all sentences."""
    lengths = np.array([len(sentence) for sentence in tags], dtype=np.int64)
    flat = np.concatenate([np.zeros(0, dtype=np.int64), *tags])
    sentence = np.repeat(np.arange(len(tags)), lengths)
    kind = of.kind[flat]
    same = (kind[1:] == kind[:-1]) & (sentence[1:] == sentence[:-1]) & ~of.closes[flat][:-1] & ~of.opens[flat][1:]
    goes_on = np.concatenate([np.zeros(min(len(flat), 1), dtype=np.bool_), same]) & (kind != _OUTSIDE)
    start = np.flatnonzero(~goes_on & (kind != _OUTSIDE))
    stops = np.append(np.flatnonzero(~goes_on), len(flat))
    return Chunks(sentence[start], start, stops[np.searchsorted(stops, start, side="right")], kind[start])


def found(gold: Chunks, predicted: Chunks) -> Flags:
    """Flags [gold chunks]: whether a predicted chunk has the same start, end and type."""
    ends = dict(
        zip(predicted.start.tolist(), zip(predicted.end.tolist(), predicted.kind.tolist(), strict=True), strict=True)
    )
    mine = zip(gold.start.tolist(), gold.end.tolist(), gold.kind.tolist(), strict=True)
    return np.array([ends.get(start) == (end, kind) for start, end, kind in mine], dtype=np.bool_)


def entity_f1(tags: Sequence[str], only: str | None = None) -> Rule:
    """F1 over chunks, pooled over sentences (micro), 0 where neither side has one; `only` keeps one type."""
    of = scheme(tags)

    def rule(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
        right, true, said = weighted(_by_sentence(tagged(gold, predicted), of, only), weights)
        return ratio(2 * right, true + said)

    return rule


def entity_precision(tags: Sequence[str]) -> Rule:
    """Share of predicted chunks that are in gold, pooled over sentences; 0 where none is predicted."""
    of = scheme(tags)

    def rule(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
        right, _, said = weighted(_by_sentence(tagged(gold, predicted), of, None), weights)
        return ratio(right, said)

    return rule


def entity_recall(tags: Sequence[str]) -> Rule:
    """Share of gold's chunks that are predicted, pooled over sentences; 0 where gold has none."""
    of = scheme(tags)

    def rule(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
        right, true, _ = weighted(_by_sentence(tagged(gold, predicted), of, None), weights)
        return ratio(right, true)

    return rule


def token_accuracy(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Share of words with the right tag, pooled over sentences."""
    pairs = tagged(gold, predicted)
    right = np.array([np.count_nonzero(true == said) for true, said in zip(*pairs, strict=True)], dtype=np.float64)
    sums = weighted(np.stack([right, [float(len(true)) for true in pairs[0]]]), weights)
    return ratio(sums[0], sums[1])


def missed(gold: Gold, predicted: Predicted, tags: Sequence[str]) -> tuple[Chunks, Floats]:
    """The chunks of gold and, float64 [chunks], 1 where the prediction lacks the very same chunk: errors by entity."""
    true, said = (chunks(side, scheme(tags)) for side in tagged(gold, predicted))
    return true, floats(~found(true, said))


def mistagged(gold: Gold, predicted: Predicted) -> tuple[Integers, Floats]:
    """Errors by word, all sentences end to end: int64 [words], each word's sentence; float64 [words], 1 if wrong."""
    true, said = tagged(gold, predicted)
    sentence = np.repeat(np.arange(len(true)), [len(one) for one in true])
    empty = np.zeros(0, dtype=np.int64)
    return sentence, floats(np.concatenate([empty, *true]) != np.concatenate([empty, *said]))


def tagged(gold: Gold, predicted: Predicted) -> tuple[Sequence[Integers], Sequence[Integers]]:
    """Both sides as one array of tags a sentence.

    Raises:
        ValueError: a sentence has more or fewer predicted tags than words.
    """
    for row, (true, said) in enumerate(zip(gold, predicted, strict=True)):
        if len(true) != len(said):
            raise ValueError(f"sentence {row} has {len(true)} words and {len(said)} predicted tags")
    return tuple(gold), tuple(predicted)


def _by_sentence(pairs: tuple[Sequence[Integers], Sequence[Integers]], of: Scheme, only: str | None) -> Floats:
    """float64 [3, sentences]: chunks found, chunks in gold, chunks predicted."""
    true, said = (chunks(side, of) for side in pairs)
    right = found(true, said)
    mine, theirs = _of_type(true, of, only), _of_type(said, of, only)
    sentences = len(pairs[0])
    return np.stack(
        [
            np.bincount(true.sentence[right & mine], minlength=sentences),
            np.bincount(true.sentence[mine], minlength=sentences),
            np.bincount(said.sentence[theirs], minlength=sentences),
        ]
    ).astype(np.float64)


def _of_type(of: Chunks, names: Scheme, only: str | None) -> Flags:
    return np.ones(len(of.kind), dtype=np.bool_) if only is None else of.kind == names.types.index(only)
