"""Test whether a model tells a caption's codes from other codes, and finds codes by caption and caption by codes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from wordworth import seeds
from wordworth.measures.weighted_sums import Flags, Floats
from wordworth.studies.crossmodal.masked_prediction import TOP
from wordworth.text.corpus.pretraining_sequences import NO_SECOND
from wordworth.training.crossmodal.paired_stream import APART, TOGETHER, other_than
from wordworth.training.crossmodal.sequences import Numbers, Pairs, instances_of
from wordworth.training.pretraining.batches import packed
from wordworth.training.pretraining.model import PretrainingModel

_HEAD = "alignment"
_AT_ONCE = 256


def judgement_hits(model: PretrainingModel, pairs: Pairs, max_length: int, seed: int) -> tuple[Floats, Floats]:
    """Test for each pair whether a model accepts the caption with its own codes, and rejects it with other codes.

    The other codes are drawn from a pair with a different caption. If possible, that caption has the same number of
    words, so that the length gives no hint.

    Args:
        model: the model, in evaluation mode.
        pairs: the test pairs of words and codes.
        max_length: the largest number of tokens of a sequence.
        seed: seed of the draw of other codes.

    Returns:
        The number of right judgements of each pair, 0 to 2, and the number of judgements, always 2; float64 [pairs].
    """
    rng = seeds.child(seed, "crossmodal", "other codes")
    own = list(zip(pairs.words, pairs.codes, strict=True))
    others = [(pairs.words[row], pairs.codes[_other(pairs, row, rng)]) for row in range(len(pairs))]
    together, apart = (alignment_scores(model, sides, max_length) for sides in (own, others))
    return (together > 0).astype(np.float64) + (apart < 0), np.full(len(pairs), 2.0)


def _other(pairs: Pairs, row: int, rng: np.random.Generator) -> int:
    alike = np.array([n for n, ids in enumerate(pairs.words) if len(ids) == len(pairs.words[row])])
    same = pairs.take(alike)
    if all(np.array_equal(ids, pairs.words[row]) for ids in same.words):
        return other_than(pairs, row, rng)
    return int(alike[other_than(same, int(np.searchsorted(alike, row)), rng)])


def alignment_scores(model: PretrainingModel, pairs: Sequence[tuple[Numbers, Numbers]], max_length: int) -> Floats:
    """Return alignment scores: how confident a model is that a caption and codes belong together, float64 [pairs].

    The score is the logit of "belong together" minus the logit of "do not".

    Args:
        model: the model, in evaluation mode.
        pairs: for each pair int64 [words], the ids of its words, and int64 [codes], the ids of its codes.
        max_length: the largest number of tokens of a sequence.
    """
    scores = [np.zeros(0)]
    for start in range(0, len(pairs), _AT_ONCE):
        part = pairs[start : start + _AT_ONCE]
        instances = instances_of(part, np.full(len(part), NO_SECOND), max_length)
        with torch.inference_mode():
            batch = packed(instances).to(model.encoder.device)
            pooled = model.encoder.pool(model.encoder(batch), batch.starts)
            logits: Tensor = model.heads[_HEAD](pooled)
        scores.append((logits[:, TOGETHER] - logits[:, APART]).double().cpu().numpy())
    return np.concatenate(scores)


def search_hits(
    model: PretrainingModel, pairs: Pairs, max_length: int, candidates: int, seed: int
) -> list[tuple[Floats, Floats]]:
    """Test for each pair whether a search in a set of pairs finds the codes by the words, and the words by the codes.

    Finding another pair with the same words counts as right too.

    Args:
        model: the model, in evaluation mode.
        pairs: the test pairs of words and codes.
        max_length: the largest number of tokens of a sequence.
        candidates: the largest number of pairs in a set.
        seed: seed of the division of pairs into sets.

    Returns:
        Four tuples of two arrays, float64 [pairs], for codes by words (top 1, top 5) and words by codes (top 1, top 5).
        The first array of a tuple has 1 where the search of a pair succeeds, else 0; the second has the number of
        searches, always 1.
    """
    hits, single = np.zeros((len(pairs), 2 * len(TOP))), np.ones(len(pairs))
    for rows in search_sets(len(pairs), candidates, seed):
        scores = score_matrix(model, pairs.take(rows), max_length)
        same = _same_words(pairs.take(rows))
        for direction, matrix in enumerate((scores, scores.T)):
            best = np.where(same, matrix, -np.inf).max(1)
            above = ((matrix > best[:, None]) & ~same).sum(1)
            for column, top in enumerate(TOP):
                hits[rows, direction * len(TOP) + column] = above < top
    return [(hits[:, column], single) for column in range(hits.shape[1])]


def search_sets(number: int, candidates: int, seed: int) -> list[Numbers]:
    """Divide pairs at random into sets of about equal size.

    Args:
        number: number of pairs.
        candidates: the largest number of pairs in a set.
        seed: seed of the division.

    Returns:
        int64 [pairs of the set] for each set, the indices of its pairs.
    """
    order = seeds.child(seed, "crossmodal", "sets").permutation(number)
    return np.array_split(order, -(-number // candidates))


def score_matrix(model: PretrainingModel, pairs: Pairs, max_length: int) -> Floats:
    """Return how well the words of each pair fit the codes of each pair, as alignment scores, float64 [n, n].

    Row i and column j have the score of the words of pair i with the codes of pair j.

    Args:
        model: the model, in evaluation mode.
        pairs: n pairs of words and codes.
        max_length: the largest number of tokens of a sequence.
    """
    crossed = [(words, codes) for words in pairs.words for codes in pairs.codes]
    return alignment_scores(model, crossed, max_length).reshape(len(pairs), len(pairs))


def search_chances(pairs: Pairs, candidates: int, seed: int) -> list[Floats]:
    """Return for each pair the probability that a random ranking of its set has a right pair among the top 1 or top 5.

    The pairs are divided into sets; a search ranks the pairs of one set. Right pairs have the same words.

    Args:
        pairs: the test pairs of words and codes.
        candidates: the largest number of pairs in a set.
        seed: seed of the division into sets; give the seed that `search_hits` is given.

    Returns:
        The probabilities for top 1 and for top 5, float64 [pairs] each.
    """
    chances = np.zeros((len(pairs), len(TOP)))
    for rows in search_sets(len(pairs), candidates, seed):
        same, size = _same_words(pairs.take(rows)).sum(1), len(rows)
        for column, top in enumerate(TOP):
            missed = np.ones(len(rows))
            for drawn in range(min(top, size)):
                missed *= np.maximum(size - same - drawn, 0) / (size - drawn)
            chances[rows, column] = 1 - missed
    return [chances[:, column] for column in range(len(TOP))]


def _same_words(pairs: Pairs) -> Flags:
    numbers: dict[bytes, int] = {}
    own = np.array([numbers.setdefault(ids.tobytes(), len(numbers)) for ids in pairs.words])
    same: Flags = own[:, None] == own
    return same
