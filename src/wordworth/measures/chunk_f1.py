"""F1 of tagged chunks (entities), by the rules of the CoNLL scorer.

A chunk starts at every tag B or S. It also starts at another tag (not O) if the tag before is O, of another type, or an
end (E, S). A chunk ends before O, another type, B or S, and after E or S. IOB1, IOB2, IOBES and BILOU are all handled
correctly, and an orphan I- opens a chunk. A chunk is found where start, end and type agree (conlleval; Tjong Kim Sang
and De Meulder, CoNLL 2003).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Flags, Floats, Gold, Integers, Predicted, Rule, floats, ratio, weighted

_OUTSIDE = -1


@dataclass(frozen=True, slots=True)
class Scheme:
    """The meaning of each tag of a tag set: the entity type, and whether a chunk begins or ends at it.

    Attributes:
        types: names of the entity types.
        kind: int64 [tags], the entity type of each tag, an index into `types`; -1 for O.
        opens: bool [tags], whether a chunk always begins at the tag (B, S).
        closes: bool [tags], whether a chunk always ends at the tag (E, S).
    """

    types: tuple[str, ...]
    kind: Integers
    opens: Flags
    closes: Flags


@dataclass(frozen=True, slots=True)
class Chunks:
    """The chunks (entities) of a set of tagged sentences, in reading order.

    Attributes:
        sentence: int64 [chunks], the index of each chunk's sentence.
        start: int64 [chunks], the index of the first word of each chunk, counted from 0 through all sentences.
        end: int64 [chunks], the index of the last word of each chunk, plus one.
        kind: int64 [chunks], the entity type of each chunk, an index into `Scheme.types`.
    """

    sentence: Integers
    start: Integers
    end: Integers
    kind: Integers

    @property
    def lengths(self) -> Integers:
        """The number of words in each chunk, int64 [chunks]."""
        return self.end - self.start


def stripped(tag: str) -> tuple[str, str]:
    """Split a tag into (prefix, type); both are empty for O, and a tag without a prefix gets the prefix I.

    >>> stripped("B-PER"), stripped("O"), stripped("NOUN")
    (('B', 'PER'), ('', ''), ('I', 'NOUN'))
    """
    prefix, dash, kind = tag.partition("-")
    if dash and prefix in {"B", "I", "E", "S", "L", "U", "M"}:
        return prefix, kind
    return ("", "") if tag == "O" else ("I", tag)


def scheme(tags: Sequence[str]) -> Scheme:
    """Parse the names of tags, in IOB1, IOB2, IOBES or BILOU, into entity types and beginnings and ends of chunks."""
    parts = [stripped(tag) for tag in tags]
    types = tuple(sorted({kind for prefix, kind in parts if prefix}))
    return Scheme(
        types=types,
        kind=np.array([types.index(kind) if prefix else _OUTSIDE for prefix, kind in parts], dtype=np.int64),
        opens=np.array([prefix in {"B", "S", "U"} for prefix, _ in parts], dtype=np.bool_),
        closes=np.array([prefix in {"E", "S", "L", "U"} for prefix, _ in parts], dtype=np.bool_),
    )


def chunks(tags: Sequence[Integers], scheme: Scheme) -> Chunks:
    """Find the chunks (entities) in tagged sentences.

    Args:
        tags: for each sentence, int64 [words], the index of each word's tag.
        scheme: what each tag means: the entity type, and whether a chunk always begins or ends at the tag.

    Returns:
        The chunks; their words are numbered through all sentences.
    """
    lengths = np.array([len(sentence) for sentence in tags], dtype=np.int64)
    flat = np.concatenate([np.zeros(0, dtype=np.int64), *tags])
    sentence = np.repeat(np.arange(len(tags)), lengths)
    kind = scheme.kind[flat]
    same = (
        (kind[1:] == kind[:-1]) & (sentence[1:] == sentence[:-1]) & ~scheme.closes[flat][:-1] & ~scheme.opens[flat][1:]
    )
    goes_on = np.concatenate([np.zeros(min(len(flat), 1), dtype=np.bool_), same]) & (kind != _OUTSIDE)
    start = np.flatnonzero(~goes_on & (kind != _OUTSIDE))
    stops = np.append(np.flatnonzero(~goes_on), len(flat))
    return Chunks(sentence[start], start, stops[np.searchsorted(stops, start, side="right")], kind[start])


def is_matched(gold: Chunks, predicted: Chunks) -> Flags:
    """Return whether a predicted chunk has the same start, end and type as each gold chunk, bool [gold chunks].

    Args:
        gold: the chunks of the gold tags.
        predicted: the chunks of the predicted tags.
    """
    ends = dict(
        zip(predicted.start.tolist(), zip(predicted.end.tolist(), predicted.kind.tolist(), strict=True), strict=True)
    )
    gold_chunks = zip(gold.start.tolist(), gold.end.tolist(), gold.kind.tolist(), strict=True)
    return np.array([ends.get(start) == (end, kind) for start, end, kind in gold_chunks], dtype=np.bool_)


def entity_f1(tags: Sequence[str], only: str | None = None) -> Rule:
    """Return the scoring function of F1 over chunks (entities), counted over all sentences together (micro).

    F1 is 0 if neither the gold labels nor the predictions have a chunk.

    Args:
        tags: the names of the tags.
        only: the entity type to score alone; None scores all types.
    """
    meaning = scheme(tags)

    def rule(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
        right, num_gold, num_predicted = weighted(_by_sentence(tagged(gold, predicted), meaning, only), weights)
        return ratio(2 * right, num_gold + num_predicted)

    return rule


def entity_precision(tags: Sequence[str]) -> Rule:
    """Return the scoring function of precision: the share of predicted chunks (entities) that are right.

    Precision is 0 if no chunk is predicted.

    Args:
        tags: the names of the tags.
    """
    meaning = scheme(tags)

    def rule(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
        right, _, num_predicted = weighted(_by_sentence(tagged(gold, predicted), meaning, None), weights)
        return ratio(right, num_predicted)

    return rule


def entity_recall(tags: Sequence[str]) -> Rule:
    """Return the scoring function of recall: the share of gold chunks (entities) that are predicted.

    Recall is 0 if there is no gold chunk.

    Args:
        tags: the names of the tags.
    """
    meaning = scheme(tags)

    def rule(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
        right, num_gold, _ = weighted(_by_sentence(tagged(gold, predicted), meaning, None), weights)
        return ratio(right, num_gold)

    return rule


def token_accuracy(gold: Gold, predicted: Predicted, weights: Floats) -> Floats:
    """Return the share of words with the right tag over all sentences, float64 [draws].

    Args:
        gold: for each sentence, int64 [words], the indices of the true tags.
        predicted: for each sentence, int64 [words], the indices of the predicted tags.
        weights: float64 [draws, sentences], how often each sentence is in each bootstrap resample (draw).
    """
    pairs = tagged(gold, predicted)
    right = np.array(
        [np.count_nonzero(gold_tags == predicted_tags) for gold_tags, predicted_tags in zip(*pairs, strict=True)],
        dtype=np.float64,
    )
    sums = weighted(np.stack([right, [float(len(gold_tags)) for gold_tags in pairs[0]]]), weights)
    return ratio(sums[0], sums[1])


def missed(gold: Gold, predicted: Predicted, tags: Sequence[str]) -> tuple[Chunks, Floats]:
    """Return (the gold chunks; float64 [chunks], 1 for a gold chunk that is not predicted, else 0).

    A chunk is predicted if a predicted chunk has the same start, end and type.

    Args:
        gold: for each sentence, int64 [words], the indices of the true tags.
        predicted: for each sentence, int64 [words], the indices of the predicted tags.
        tags: the names of the tags.
    """
    gold_chunks, predicted_chunks = (chunks(side, scheme(tags)) for side in tagged(gold, predicted))
    return gold_chunks, floats(~is_matched(gold_chunks, predicted_chunks))


def mistagged(gold: Gold, predicted: Predicted) -> tuple[Integers, Floats]:
    """Return for each word the index of its sentence, and whether its tag is predicted wrongly.

    Args:
        gold: for each sentence int64 [words], the index of each word's tag.
        predicted: for each sentence int64 [words], the index of the tag predicted for each word.

    Returns:
        int64 [words], the words of all sentences in order; and float64 [words], 1 for a word with a wrong tag, else 0.
    """
    gold_tags, predicted_tags = tagged(gold, predicted)
    sentence = np.repeat(np.arange(len(gold_tags)), [len(tags) for tags in gold_tags])
    empty = np.zeros(0, dtype=np.int64)
    return sentence, floats(np.concatenate([empty, *gold_tags]) != np.concatenate([empty, *predicted_tags]))


def tagged(gold: Gold, predicted: Predicted) -> tuple[Sequence[Integers], Sequence[Integers]]:
    """Return gold labels and predictions, each as one array of tags per sentence, after checking their lengths.

    Args:
        gold: for each sentence int64 [words], the index of each word's tag.
        predicted: for each sentence int64 [words], the index of the tag predicted for each word.

    Raises:
        ValueError: a sentence has more or fewer predicted tags than words.
    """
    for row, (gold_tags, predicted_tags) in enumerate(zip(gold, predicted, strict=True)):
        if len(gold_tags) != len(predicted_tags):
            raise ValueError(f"sentence {row} has {len(gold_tags)} words and {len(predicted_tags)} predicted tags")
    return tuple(gold), tuple(predicted)


def _by_sentence(pairs: tuple[Sequence[Integers], Sequence[Integers]], meaning: Scheme, only: str | None) -> Floats:
    """Return three counts of each sentence, float64 [3, sentences]: rightly predicted, gold and predicted chunks.

    Args:
        pairs: (gold tags, predicted tags), each an int64 [words] array for each sentence.
        meaning: what each tag means.
        only: the entity type to count alone; None counts all types.
    """
    gold, predicted = (chunks(side, meaning) for side in pairs)
    right = is_matched(gold, predicted)
    of_gold, of_predicted = _of_type(gold, meaning, only), _of_type(predicted, meaning, only)
    sentences = len(pairs[0])
    return np.stack(
        [
            np.bincount(gold.sentence[right & of_gold], minlength=sentences),
            np.bincount(gold.sentence[of_gold], minlength=sentences),
            np.bincount(predicted.sentence[of_predicted], minlength=sentences),
        ]
    ).astype(np.float64)


def _of_type(entities: Chunks, meaning: Scheme, only: str | None) -> Flags:
    """Return whether each chunk is of the entity type `only`, bool [chunks]; all are true if `only` is None."""
    return np.ones(len(entities.kind), dtype=np.bool_) if only is None else entities.kind == meaning.types.index(only)
