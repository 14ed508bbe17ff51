"""Near twins: texts whose sets of five-character shingles overlap by at least four fifths (Jaccard).

Exact, by prefix filtering: two sets that overlap so far share some of each one's rarest shingles (Chaudhuri et al.
2006; Bayardo et al. 2007; several of them: Wang et al. 2012), so only texts that do are compared. Where all texts
together pass five million characters, a share of all shingles is kept, chosen by their hash: an estimate. Where texts
are so alike (log lines) that this takes over fifty million steps, each one's commonest shingles are passed over:
twins that differ in half of the rare ones are then missed.
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


def twins(texts: Sequence[str], among: Sequence[str], least: float = LEAST_OVERLAP) -> Integers:
    """int64 [texts]: the place in `among` of each text's nearest twin (the same text, else the largest overlap), or -1.

    Texts come as `duplicates.plain` gives them. Those under five characters are twins of the same text only.
    """
    place = {text: number for number, text in reversed(list(enumerate(among)))}
    found = np.array([place.get(text, -1) for text in texts], dtype=np.int64)
    rest = np.flatnonzero(found < 0)
    others = list(place)
    sets = _shingle_sets([texts[row] for row in rest.tolist()] + others)
    near = _nearest(sets, len(rest), least)
    places = np.array([place[text] for text in others], dtype=np.int64)
    found[rest[near >= 0]] = places[near[near >= 0]]
    return found


@dataclass(frozen=True, slots=True)
class _Sets:
    """Shingle sets: a CSR matrix of ones [texts, shingles], columns from the rarest shingle to the commonest."""

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
    """Each key once, ascending: numpy's own goes by hash and takes ten times as long on millions."""
    keys.sort()
    first = np.ones(len(keys), dtype=np.bool_)
    first[1:] = keys[1:] != keys[:-1]
    return keys[first]


def _shingles(texts: Sequence[str]) -> tuple[Integers, NDArray[np.uint64]]:
    """Text number and hash of every five characters in a row, none across two texts."""
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
    """For each of the first `left` sets the number of its nearest among the others, or -1."""
    prefixes = _prefixes(sets, least)
    others = prefixes[left:].T.tocsr()
    steps = np.asarray(others.sum(axis=1), dtype=np.int64).ravel()
    mine, passed_over = _affordable(prefixes[:left], steps)
    sizes = sets.sizes[:left]
    smallest_twin = np.ceil(least * sizes - 1e-9).astype(np.int64)
    half = np.where(passed_over > 0, np.diff(mine.indptr) // 2, 0)
    asked = np.maximum(_shared(smallest_twin, least) - passed_over, np.maximum(half, 1))
    best = np.full(left, -1, dtype=np.int64)
    for first, last in _chunks(mine @ steps):
        i, j = _meetings(mine[first:last] @ others, asked[first:last])
        i, j = i + first, j + left
        alike = np.minimum(sets.sizes[i], sets.sizes[j]) >= least * np.maximum(sets.sizes[i], sets.sizes[j]) - 1e-9
        i, j = i[alike], j[alike]
        _keep_best(best, i, j - left, _overlap(sets, i, j), least)
    return best


def _meetings(met: csr_matrix, asked: Integers) -> tuple[Integers, Integers]:
    """Rows and columns of the pairs that met in as many shingles as the row asks."""
    lengths = np.diff(met.indptr)
    enough = met.data >= np.repeat(asked, lengths)
    return np.repeat(np.arange(len(asked)), lengths)[enough], met.indices[enough].astype(np.int64)


def _shared(sizes: Integers, least: float) -> Integers:
    """How many of their rarest shingles twins must share, by size; it grows with size."""
    needed = np.ceil(least * sizes - 1e-9).astype(np.int64)
    return np.asarray(np.minimum(np.maximum(_SHARED, (_SHARED_PART * sizes).astype(np.int64)), needed))


def _prefixes(sets: _Sets, least: float) -> csr_matrix:
    """Each set's rarest shingles, enough that twins share `_shared` of them (of the smaller set)."""
    needed = np.ceil(least * sets.sizes - 1e-9).astype(np.int64)
    length = sets.sizes - needed + _shared(sets.sizes, least)
    position = np.arange(sets.has.nnz) - np.repeat(sets.has.indptr[:-1], sets.sizes)
    keep = position < np.repeat(length, sets.sizes)
    bounds = np.concatenate([[0], np.cumsum(length)])
    return csr_matrix((sets.has.data[keep], sets.has.indices[keep], bounds), shape=sets.has.shape)


def _affordable(prefixes: csr_matrix, steps: Integers) -> tuple[csr_matrix, Integers]:
    """The rarest shingles of each prefix that fit its share of all steps (the first always), and how many do not.

    `steps` int64 [shingles] is what meeting a shingle costs.
    """
    lengths = np.diff(prefixes.indptr)
    spent = np.concatenate([[0], np.cumsum(steps[prefixes.indices])])
    begins = np.repeat(spent[prefixes.indptr[:-1]], lengths)
    keep = spent[1:] - begins <= _MOST_STEPS // max(len(lengths), 1)
    keep[prefixes.indptr[:-1][lengths > 0]] = True
    kept = np.concatenate([[0], np.cumsum(keep)])[prefixes.indptr]
    cut = csr_matrix((prefixes.data[keep], prefixes.indices[keep], kept), shape=prefixes.shape)
    return cut, lengths - np.diff(kept)


def _chunks(work: NDArray[np.int64], most: int = 20_000_000) -> list[tuple[int, int]]:
    """Runs of rows whose products together stay under `most` steps, so that memory stays flat."""
    run = np.cumsum(work) // most
    cuts = [0, *(np.flatnonzero(np.diff(run)) + 1).tolist(), len(work)]
    return [(first, last) for first, last in pairwise(cuts) if last > first]


def _overlap(sets: _Sets, i: Integers, j: Integers) -> NDArray[np.float64]:
    """The Jaccard overlap of sets i[k] and j[k]."""
    common = [
        np.asarray(sets.has[i[at : at + _MOST_PAIRS]].multiply(sets.has[j[at : at + _MOST_PAIRS]]).sum(axis=1)).ravel()
        for at in range(0, len(i), _MOST_PAIRS)
    ]
    both = np.concatenate([np.zeros(0), *common])
    return np.asarray(both / np.maximum(sets.sizes[i] + sets.sizes[j] - both, 1))


def _keep_best(best: Integers, i: Integers, j: Integers, overlap: NDArray[np.float64], least: float) -> None:
    """Note each set's largest overlap of at least `least`, the first where several are equal."""
    enough = np.flatnonzero(overlap >= least - 1e-9)
    order = enough[np.lexsort((j[enough], -overlap[enough], i[enough]))]
    rows, first = np.unique(i[order], return_index=True)
    best[rows] = j[order][first]
