"""`MaskedVisits`: predict a visit's masked codes from its other codes of their kind, and each kind from the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from wordworth.models.dropout import draw_from
from wordworth.models.patient_visits.visit_encoder import MASK
from wordworth.text.patient_visits import Flags, Numbers, Visits
from wordworth.training.objectives.mlm import Rates
from wordworth.training.patient_visits.visit_model import VisitModel

RATES = Rates()
"""The usual rates of masking, of codes here: a random replacement is a code of the same kind."""


@dataclass(frozen=True, slots=True)
class MaskedVisits:
    """The pretraining loss of G-BERT: four binary cross-entropies (Shang et al. 2019, equations 5 to 8).

    A visit has codes of two kinds, inputs and targets. The codes of each kind are predicted from the visit's vector of
    the same kind and from its vector of the other kind. The loss of predictions from the same kind leaves out the
    visit's codes that were not chosen for masking, since the encoder reads them. Random replacements of codes are codes
    of the same kind, and token types are the same as for recommendation. The authors' code differs in all three points.

    Attributes:
        model: the model that is trained.
        visits: all visits.
        rows: int64 [n], the indices of the training visits in `visits`.
    """

    model: VisitModel
    visits: Visits
    rows: Numbers

    def __call__(self, numbers: Numbers, generator: torch.Generator) -> Iterator[Tensor]:
        """Yield the loss of some training visits: the sum of four means.

        Args:
            numbers: int64 [n], positions in `rows`, that is, indices among the training visits.
            generator: draws the masks and the dropout.
        """
        rng = np.random.default_rng(generator.initial_seed())
        draw_from(self.model, rng)
        flags = [each.flags[self.rows[numbers]] for each in (self.visits.inputs, self.visits.targets)]
        ids, masks = list[tuple[Numbers, Numbers]](), list[Flags]()
        for kind, own in enumerate(flags):
            visit, code = np.nonzero(own)
            corrupted, chosen = masked(code, own.shape[1], rng)
            offset = self.model.encoder.offsets[kind]
            ids.append((visit, np.where(corrupted < 0, MASK, corrupted + offset)))
            counts = ~own
            counts[visit, code] = chosen
            masks.append(counts)
        yield self._loss(self.model.encoder(ids, len(numbers)), flags, masks)

    def _loss(self, vectors: Sequence[Tensor], flags: Sequence[Flags], masks: Sequence[Flags]) -> Tensor:
        """Return the sum of the four losses: of the codes of each kind, predicted from the vectors of each kind.

        Args:
            vectors: for each kind, the visits' vectors of this kind, float32 [visits, width].
            flags: for each kind, whether a visit has a code, bool [visits, codes].
            masks: for each kind, whether a code counts in the loss of predictions from its own kind, bool [visits,
                codes].
        """
        losses = list[Tensor]()
        for source, own in enumerate(vectors):
            for kind, truth in enumerate(flags):
                scores = self.model.predicted(vectors, source, kind)
                counted = masks[kind] if source == kind else np.ones_like(truth)
                weight, gold = (torch.from_numpy(each).to(own) for each in (counted, truth))
                losses.append(binary_cross_entropy_with_logits(scores, gold, weight))
        return torch.stack(losses).sum()


def masked(codes: Numbers, size: int, rng: np.random.Generator) -> tuple[Numbers, Flags]:
    """Choose codes of visits to predict, and mask them.

    Return (codes as the encoder reads them, int64 [n], -1 for a mask; whether each code is predicted, bool [n]). Of the
    chosen codes 80 % are masked, 10 % become a random code of the kind, and 10 % are unchanged (Devlin et al. 2019).

    Args:
        codes: int64 [n], indices of codes of one kind.
        size: number of codes of the kind.
        rng: source of randomness.
    """
    chosen, fate = rng.random(len(codes)) < RATES.share, rng.random(len(codes))
    drawn = rng.integers(size, size=len(codes))
    return np.where(chosen, RATES.replacements(codes, fate, drawn, -1), codes), chosen
