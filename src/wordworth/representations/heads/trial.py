"""Candidates of the linear head on trial: every item is held out once, the models of all folds solved together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.representations import selection
from wordworth.representations.blocks import Blocks, Features, Part, gram
from wordworth.representations.heads.head import Target
from wordworth.representations.heads.losses import Block, Loss
from wordworth.representations.heads.questions import Question, question, said
from wordworth.representations.heads.scaling import Scaling
from wordworth.representations.heads.solver import Dual, Precision, Primal, Solution, Space, solve
from wordworth.tasks.task import Rows

_MOST_DUAL = 2048


class Candidate(Protocol):
    """What a linear head may choose."""

    @property
    def view(self) -> str:
        """The view it reads."""
        ...

    @property
    def strength(self) -> float:
        """C."""
        ...

    @property
    def balanced(self) -> bool:
        """Whether rare classes weigh as much as common ones."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A trial on some items.

    Attributes:
        folds: int64 [items], the fold in which each item is held out.
        precision: of the solver; less than what is learned has, for only held-out answers are compared.
        known: spaces by view and Gram matrices by part, filled as they are asked for.
    """

    views: Mapping[str, Features]
    target: Target
    folds: Rows
    precision: Precision = field(default_factory=lambda: Precision(tolerance=3e-2, steps=30))
    known: _Known = field(default_factory=lambda: _Known())  # noqa: PLW0108 - the class stands below

    def screen(self, candidates: Sequence[Candidate]) -> list[float]:
        """The task's metric of each candidate on the held-out items, squares in place of the loss."""
        return [self._tried(one, _squares)[0] for one in candidates]

    def judge(self, candidates: Sequence[Candidate]) -> list[float]:
        """The task's metric of each candidate on the held-out items; the weaker go first and lead the way."""
        found: dict[int, float] = {}
        near: dict[tuple[str, bool], Solution | None] = {}
        for place in sorted(range(len(candidates)), key=lambda place: candidates[place].strength):
            one = candidates[place]
            alike = one.view, one.balanced
            found[place], near[alike] = self._tried(one, _loss, near.get(alike))
        return [found[place] for place in range(len(candidates))]

    def _tried(
        self, candidate: Candidate, loss: Callable[[Question, Block, Candidate], Loss], near: Solution | None = None
    ) -> tuple[float, Solution | None]:
        """The score of one candidate, and its models, one a fold."""
        asked = question(self.target)
        folds = self.folds if self.target.lengths is None else np.repeat(self.folds, self.target.lengths)
        if asked.settled:
            return self._score(np.broadcast_to(asked.constant(), (len(folds), asked.width))), None
        learned = (folds[:, None] != np.arange(folds.max() + 1)).astype(np.float32)
        found = solve(self._space(candidate.view), loss(asked, learned, candidate), self.precision, near)
        scores = found.scores.reshape(len(folds), learned.shape[1], -1)
        return self._score(_wide(asked, scores[np.arange(len(folds)), folds])), found

    def _score(self, scores: NDArray[np.float64]) -> float:
        return selection.score(self.target, said(scores, self.target.kind, self.target.lengths))

    def _space(self, view: str) -> Space:
        """Sparse features of a few items as a Gram matrix, which views that share a part also share."""
        if view not in self.known.spaces:
            features = self.views[view]
            scaled = Scaling.of(features)(features)
            few = scaled.shape[0] <= _MOST_DUAL
            dual = few and any(isinstance(part, csr_matrix) for part in scaled.parts)
            self.known.spaces[view] = Dual(self.known.gram(scaled)) if dual else Primal(scaled.compact()[0])
        return self.known.spaces[view]


@dataclass(frozen=True, slots=True)
class _Known:
    """What has been computed in a trial."""

    spaces: dict[str, Space] = field(default_factory=dict)
    grams: dict[int, tuple[Part, NDArray[np.float32]]] = field(default_factory=dict)

    def gram(self, features: Blocks) -> NDArray[np.float32]:
        """The Gram matrix of blocks: the sum of their parts', each computed once."""
        total = np.zeros((features.shape[0],) * 2, np.float32)
        for part, share in zip(features.parts, features.shares, strict=True):
            if id(part) not in self.grams:
                self.grams[id(part)] = part, gram(part)  # the part is kept, so that its id stays its own
            total += np.float32(share**2) * self.grams[id(part)][1]
        return total


def _wide(asked: Question, scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """The solver's scores [rows, k] as scores of every class."""
    wide, offsets = asked.spread(scores, np.zeros(scores.shape[1], np.float32))
    return np.asarray(wide + offsets, dtype=np.float64)


def _loss(asked: Question, rows: Block, candidate: Candidate) -> Loss:
    return asked.loss(rows, candidate.strength, balanced=candidate.balanced)


def _squares(asked: Question, rows: Block, candidate: Candidate) -> Loss:
    return asked.likeness(rows, candidate.strength)
