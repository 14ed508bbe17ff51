"""Find near duplicates: texts whose sets of five-character shingles overlap by at least four fifths (Jaccard).

The search is exact, by prefix filtering: two sets with such an overlap share at least one of their rarest shingles
(Chaudhuri et al. 2006; Bayardo et al. 2007), or several (Wang et al. 2012), so only texts that share them are compared.
If the texts have more than five million characters in all, only a share of the shingles is kept, chosen by their hash,
and the overlap is an estimate. Where texts are so similar (log lines) that the search would take over fifty million
steps, each text's most frequent shingles are skipped: near duplicates that differ in half of the rare shingles are then
missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.tasks.labels import Integers

LEAST_OVERLAP = 0.8
_WIDTH = 5
_SHARED, _SHARED_PART = 8, 0.25
_MOST_CHARACTERS = 5_000_000
_MOST_PAIRS, _MOST_STEPS = 200_000, 50_000_000
_PRIME, _MIX = np.uint64(1_000_003), np.uint64(0x9E3779B97F4A7C15)


def nearest_duplicates(texts: Sequence[str], among: Sequence[str], least: float = LEAST_OVERLAP) -> Integers:
    """Return the index in `among` of the nearest duplicate of each text, int64 [texts]; -1 for texts without one.

    The nearest duplicate is an equal text, else the text with the largest overlap. Texts under five characters have
    only exact duplicates.

    Args:
        texts: the texts to find duplicates of; the caller must normalise them by `duplicates.plain`.
        among: the texts to search, normalised likewise.
        least: the smallest overlap (Jaccard index of five-character shingles) of a near duplicate.
    """
    index_of = {text: number for number, text in reversed(list(enumerate(among)))}
    nearest = np.array([index_of.get(text, -1) for text in texts], dtype=np.int64)
    rest = np.flatnonzero(nearest < 0)
    others = list(index_of)
    sets = _shingle_sets([texts[row] for row in rest.tolist()] + others)
    near = _nearest(sets, len(rest), least)
    indices = np.array([index_of[text] for text in others], dtype=np.int64)
    nearest[rest[near >= 0]] = indices[near[near >= 0]]
    return nearest


@dataclass(frozen=True, slots=True)
class _Sets:
    """The sets of five-character shingles of some texts.

    Attributes:
        has: CSR matrix [texts, shingles], 1 where the text has the shingle; the rarest shingle is the first column.
        sizes: int64 [texts], the number of shingles of each text.
    """

    has: csr_matrix
    sizes: Integers


def _shingle_sets(texts: Sequence[str]) -> _Sets:
    rows, hashes = _shingles(texts)
    _, ids, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    rank = np.empty(len(counts), dtype=np.int64)
    rank[np.argsort(counts, kind="stable")] = np.arange(len(counts))
    rows, columns = np.divmod(_unique(rows * max(len(counts), 1) + rank[ids]), max(len(counts), 1))
    bounds = np.searchsorted(rows, np.arange(len(texts) + 1))
    has = csr_matrix((np.ones(len(rows), dtype=np.int32), columns, bounds), shape=(len(texts), len(counts)))
    return _Sets(has, np.diff(bounds))


def _unique(keys: Integers) -> Integers:
    """Return the sorted unique keys, and sort `keys` in place: `np.unique` takes ten times as long on millions."""
    keys.sort()
    first = np.ones(len(keys), dtype=np.bool_)
    first[1:] = keys[1:] != keys[:-1]
    return keys[first]


def _shingles(texts: Sequence[str]) -> tuple[Integers, NDArray[np.uint64]]:
    """Return (index of the text, hash) of each five consecutive characters of a text, [shingles] each.

    Of long inputs (see the module) only a share of the shingles is returned.
    """
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    owner = np.repeat(np.arange(len(texts)), lengths)
    starts = max(len(codes) - _WIDTH + 1, 0)
    whole = owner[:starts] == owner[len(codes) - starts :]
    hashes = np.zeros(starts, dtype=np.uint64)
    for shift in range(_WIDTH):
        hashes = hashes * _PRIME + codes[shift : shift + starts]
    hashes = (hashes ^ (hashes >> np.uint64(29))) * _MIX
    thin = -(-len(codes) // _MOST_CHARACTERS)
    if thin > 1:
        whole &= (hashes >> np.uint64(40)) % np.uint64(thin) == 0
    return owner[:starts][whole], hashes[whole]


def _nearest(sets: _Sets, left: int, least: float) -> Integers:
    """Return, for each of the first `left` sets, the index of its nearest near duplicate, or -1; int64 [left].

    Args:
        sets: the sets of all texts: first the texts to find duplicates of, then the texts to search.
        left: number of texts to find duplicates of.
        least: the smallest overlap of a near duplicate.

    Returns:
        Indices into the sets after the first `left`.
    """
    prefixes = _prefixes(sets, least)
    others = prefixes[left:].T.tocsr()
    steps = np.asarray(others.sum(axis=1), dtype=np.int64).ravel()
    own_prefixes, passed_over = _affordable(prefixes[:left], steps)
    sizes = sets.sizes[:left]
    smallest_twin = np.ceil(least * sizes - 1e-9).astype(np.int64)
    half = np.where(passed_over > 0, np.diff(own_prefixes.indptr) // 2, 0)
    required = np.maximum(_shared(smallest_twin, least) - passed_over, np.maximum(half, 1))
    best = np.full(left, -1, dtype=np.int64)
    for first, last in _chunks(own_prefixes @ steps):
        i, j = _meetings(own_prefixes[first:last] @ others, required[first:last])
        i, j = i + first, j + left
        alike = np.minimum(sets.sizes[i], sets.sizes[j]) >= least * np.maximum(sets.sizes[i], sets.sizes[j]) - 1e-9
        i, j = i[alike], j[alike]
        _keep_best(best, i, j - left, _overlap(sets, i, j), least)
    return best


def _meetings(met: csr_matrix, required: Integers) -> tuple[Integers, Integers]:
    """Return (rows, columns) of the pairs of texts that share enough shingles, int64 [pairs] each.

    Args:
        met: CSR matrix [texts, other texts], the number of shared shingles.
        required: int64 [texts], the number of shingles that a text must share with another one.
    """
    lengths = np.diff(met.indptr)
    enough = met.data >= np.repeat(required, lengths)
    return np.repeat(np.arange(len(required)), lengths)[enough], met.indices[enough].astype(np.int64)


def _shared(sizes: Integers, least: float) -> Integers:
    """Return how many of the shingles in their prefixes near duplicates must share, int64 [n].

    Args:
        sizes: int64 [n], sizes of the smaller set of two near duplicates; the result grows with the size.
        least: the smallest overlap of a near duplicate.
    """
    needed = np.ceil(least * sizes - 1e-9).astype(np.int64)
    return np.asarray(np.minimum(np.maximum(_SHARED, (_SHARED_PART * sizes).astype(np.int64)), needed))


def _prefixes(sets: _Sets, least: float) -> csr_matrix:
    """Return the prefix of each set, its rarest shingles, as a CSR matrix [texts, shingles].

    A prefix is so long that the prefixes of two near duplicates share at least `_shared` shingles, as counted for the
    smaller set.
    """
    needed = np.ceil(least * sets.sizes - 1e-9).astype(np.int64)
    length = sets.sizes - needed + _shared(sets.sizes, least)
    position = np.arange(sets.has.nnz) - np.repeat(sets.has.indptr[:-1], sets.sizes)
    keep = position < np.repeat(length, sets.sizes)
    bounds = np.concatenate([[0], np.cumsum(length)])
    return csr_matrix((sets.has.data[keep], sets.has.indices[keep], bounds), shape=sets.has.shape)


def _affordable(prefixes: csr_matrix, steps: Integers) -> tuple[csr_matrix, Integers]:
    """Return (prefixes cut to the allowed number of comparisons, number of shingles cut from each, int64 [texts]).

    Each text is allowed an equal share of all comparisons. The rarest shingle of a prefix always stays.

    Args:
        prefixes: CSR matrix [texts, shingles].
        steps: int64 [shingles], the number of comparisons that each shingle causes.
    """
    lengths = np.diff(prefixes.indptr)
    spent = np.concatenate([[0], np.cumsum(steps[prefixes.indices])])
    begins = np.repeat(spent[prefixes.indptr[:-1]], lengths)
    keep = spent[1:] - begins <= _MOST_STEPS // max(len(lengths), 1)
    keep[prefixes.indptr[:-1][lengths > 0]] = True
    kept_bounds = np.concatenate([[0], np.cumsum(keep)])[prefixes.indptr]
    cut = csr_matrix((prefixes.data[keep], prefixes.indices[keep], kept_bounds), shape=prefixes.shape)
    return cut, lengths - np.diff(kept_bounds)


def _chunks(work: NDArray[np.int64], most: int = 20_000_000) -> list[tuple[int, int]]:
    """Return (first, past-the-last) of ranges of rows with about `most` steps in each, so that memory stays bounded.

    Args:
        work: int64 [rows], the number of steps of each row.
        most: number of steps in a range.
    """
    run = np.cumsum(work) // most
    cuts = [0, *(np.flatnonzero(np.diff(run)) + 1).tolist(), len(work)]
    return [(first, last) for first, last in pairwise(cuts) if last > first]


def _overlap(sets: _Sets, i: Integers, j: Integers) -> NDArray[np.float64]:
    """Return the Jaccard overlap of sets i[k] and j[k] for each k, float64 [pairs]."""
    common = [
        np.asarray(sets.has[i[at : at + _MOST_PAIRS]].multiply(sets.has[j[at : at + _MOST_PAIRS]]).sum(axis=1)).ravel()
        for at in range(0, len(i), _MOST_PAIRS)
    ]
    both = np.concatenate([np.zeros(0), *common])
    return np.asarray(both / np.maximum(sets.sizes[i] + sets.sizes[j] - both, 1))


def _keep_best(best: Integers, i: Integers, j: Integers, overlap: NDArray[np.float64], least: float) -> None:
    """Write into `best` the partner of each set with the largest overlap of at least `least`, the first of equals.

    Args:
        best: int64 [sets], the index of each set's partner; changed in place.
        i: int64 [pairs], the index of the set of each pair.
        j: int64 [pairs], the index of its possible partner.
        overlap: float64 [pairs], the overlap of each pair.
        least: the smallest overlap of a near duplicate.
    """
    enough = np.flatnonzero(overlap >= least - 1e-9)
    order = enough[np.lexsort((j[enough], -overlap[enough], i[enough]))]
    rows, first = np.unique(i[order], return_index=True)
    best[rows] = j[order][first]
