"""Sums and samples over a stream of occurrences, in memory independent of the stream's length."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.measures.geometry.mean_cosine import from_sums
from wordworth.measures.weighted_sums import Floats, Integers, floats


@dataclass(frozen=True, slots=True)
class Membership:
    """The groups (words, for example) of the occurrences in a stream; an occurrence may be in several groups or none.

    An entry states that one occurrence is in one group.

    Attributes:
        occurrences: int64 [entries], the position in the stream of each entry's occurrence, ascending.
        groups: int64 [entries], the index of each entry's group.
        number: number of groups.
    """

    occurrences: Integers
    groups: Integers
    number: int

    @classmethod
    def of(cls, occurrences: NDArray[np.integer], groups: NDArray[np.integer], number: int) -> Membership:
        """Build the membership of occurrences in groups from its entries, given in any order.

        An entry states that one occurrence is in one group.

        Args:
            occurrences: int [entries], the position of each entry's occurrence in the stream.
            groups: int [entries], the index of each entry's group, from 0.
            number: number of groups.
        """
        order = np.argsort(occurrences, kind="stable")
        return cls(occurrences[order].astype(np.int64), groups[order].astype(np.int64), number)

    @classmethod
    def joined(cls, parts: Iterable[Membership]) -> Membership:
        """Join several memberships of one stream of occurrences into a single membership.

        The groups of each part are numbered after the groups of the part before.
        """
        memberships = list(parts)
        offsets = np.cumsum([0, *(part.number for part in memberships)])
        groups = [part.groups + first for part, first in zip(memberships, offsets, strict=False)]
        return cls.of(
            np.concatenate([part.occurrences for part in memberships]), np.concatenate(groups), int(offsets[-1])
        )

    @property
    def counts(self) -> Integers:
        """The number of occurrences in each group, int64 [groups]."""
        return np.bincount(self.groups, minlength=self.number).astype(np.int64)

    def between(self, start: int, stop: int) -> tuple[Integers, Integers]:
        """Return the entries (occurrence, group) whose occurrences lie in the block `start`..`stop` of the stream.

        Args:
            start: the first occurrence of the block.
            stop: the occurrence after the last of the block.

        Returns:
            Two arrays, int64 [entries]: the positions of the occurrences, counted from `start`, and the indices of
            their groups.
        """
        low, high = np.searchsorted(self.occurrences, (start, stop))
        return self.occurrences[low:high] - start, self.groups[low:high]


class GroupSums:
    """Sums of unit vectors by group and layer, from which the self-similarity of each group is computed.

    The occurrences arrive in blocks, and the sums take 4 bytes for each layer, group and dimension. A block's sum for a
    group is computed in float64 and added with one rounding to float32. After b blocks the error of a mean cosine is
    below b / 2^23 for any vectors. Where roundings go both ways it is about sqrt(b) / 2^23, which is 3e-6 after 700
    blocks.
    """

    def __init__(self, members: Membership, layers: int, width: int) -> None:
        self.members = members
        self._sums = np.zeros((layers, members.number, width), np.float32)

    def add(self, start: int, stop: int, units: Iterable[Floats]) -> None:
        """Add the vectors of the block `start`..`stop` of the stream of occurrences to the sums.

        Args:
            start: the position of the first occurrence of the block in the stream.
            stop: the position after the last occurrence.
            units: for each layer in turn, the unit vectors of the block, float64 [occurrences, d].
        """
        positions, groups = self.members.between(start, stop)
        present, rows = np.unique(groups, return_inverse=True)
        selector = csr_matrix((np.ones(len(positions)), (rows, positions)), shape=(len(present), stop - start))
        for sums, block in zip(self._sums, units, strict=True):
            sums[present] += selector @ block

    def self_similarity(self) -> Floats:
        """Return the mean cosine between the occurrences of each group, float64 [groups, layers].

        The mean is the self-similarity of Ethayarajh 2019, section 3.2; NaN for groups of fewer than two occurrences.
        """
        return np.stack([from_sums(floats(sums), self.members.counts) for sums in self._sums], axis=1)


class VectorSample:
    """The vectors of chosen occurrences of a stream, collected block by block.

    Attributes:
        vectors: float32 [layers, chosen, d], zeros for occurrences that have not been added yet.
    """

    def __init__(self, chosen: NDArray[np.integer], layers: int, width: int) -> None:
        self._order = np.argsort(chosen, kind="stable")
        self._chosen = np.asarray(chosen)[self._order]
        self.vectors: NDArray[np.float32] = np.zeros((layers, len(chosen), width), np.float32)

    def add(self, start: int, vectors: NDArray[np.float32]) -> None:
        """Store the vectors of those occurrences of a block that belong to the sample.

        Args:
            start: the position of the first occurrence of the block in the stream.
            vectors: float32 [layers, occurrences, d], the vectors of the block.
        """
        low, high = np.searchsorted(self._chosen, (start, start + vectors.shape[1]))
        self.vectors[:, self._order[low:high]] = vectors[:, self._chosen[low:high] - start]


class Lengths:
    """Means and standard deviations of the lengths of vectors, for each layer and each part of the occurrences.

    A part is a subset of the occurrences, such as the first words of sentences.
    """

    def __init__(self, layers: int, parts: int) -> None:
        self._moments = np.zeros((3, layers, parts))

    def add(self, lengths: Floats, part: Integers) -> None:
        """Add the lengths of the vectors of some occurrences.

        Args:
            lengths: float64 [layers, occurrences], the lengths of the vectors in each layer.
            part: int64 [occurrences], the index of the part to which each occurrence belongs, from 0.
        """
        for layer, row in enumerate(lengths):
            for power in range(3):
                self._moments[power, layer] += np.bincount(part, row**power, self._moments.shape[2])

    def counts(self) -> Floats:
        """The number of occurrences whose lengths were added, float64 [layers, parts]."""
        counts: Floats = self._moments[0]
        return counts

    def mean(self) -> Floats:
        """The mean length of the vectors, float64 [layers, parts]; NaN for a part without occurrences."""
        count, total, _ = self._moments
        return np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)

    def deviation(self) -> Floats:
        """The standard deviation of the lengths of the vectors, float64 [layers, parts]; NaN for an empty part."""
        count, _, squares = self._moments
        mean_square = np.divide(squares, count, out=np.full_like(squares, np.nan), where=count > 0)
        return np.sqrt(np.maximum(0.0, mean_square - self.mean() ** 2))


def units_and_lengths(vectors: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """Return the vectors of a block scaled to length 1, float64 [layers, occurrences, d], and their lengths.

    The lengths are float64 [layers, occurrences].

    Raises:
        ValueError: a vector is zero.
    """
    lengths = np.sqrt(np.einsum("...d,...d->...", vectors, vectors, dtype=np.float64))
    if not lengths.all():
        raise ValueError(f"{int((lengths == 0).sum())} of {lengths.size} vectors are zero and have no direction")
    return floats(vectors / lengths[..., None]), lengths
