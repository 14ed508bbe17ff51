"""`VisitRecommendation`: the targets of a visit are predicted from its inputs and from the patient's earlier visits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from wordworth.measures.weighted_sums import Floats
from wordworth.models.dropout import draw_from
from wordworth.text.patient_visits import Numbers, Visits
from wordworth.training.patient_visits.visit_model import VisitModel, encoded

_AT_ONCE = 64
"""Patients whose visits are encoded together where nothing is trained."""


@dataclass(frozen=True, slots=True)
class VisitRecommendation:
    """The loss of recommending the target codes of a visit: binary cross-entropy (Shang et al. 2019, equation 10).

    The target codes of every visit but a patient's first are predicted.

    Attributes:
        model: the model that is trained.
        visits: all visits.
        patients: int64 [n], the indices of the training patients, each of whom has two visits or more.
    """

    model: VisitModel
    visits: Visits
    patients: Numbers

    def __call__(self, numbers: Numbers, generator: torch.Generator) -> Iterator[Tensor]:
        """Yield the mean loss over the predicted visits of some training patients.

        Args:
            numbers: int64 [n], positions in `patients`, that is, indices among the training patients.
            generator: draws the dropout.
        """
        draw_from(self.model, np.random.default_rng(generator.initial_seed()))
        rows = rows_of(self.visits, self.patients[numbers])
        scores = recommended(self.model, self.visits, rows)
        gold = self.visits.targets.flags[rows[self.visits.predicted[rows]]]
        yield binary_cross_entropy_with_logits(scores, torch.from_numpy(gold).to(scores))


def rows_of(visits: Visits, patients: Numbers) -> Numbers:
    """Return the indices of all visits of some patients, int64 [n], ascending.

    Args:
        visits: the visits of all patients.
        patients: int64 [patients], the indices of the patients.
    """
    return np.flatnonzero(np.isin(visits.patient, patients))


def recommended(model: VisitModel, visits: Visits, rows: Numbers) -> Tensor:
    """Return the score of each target code for visits, float32 [predicted visits, codes].

    The first visit of each patient is not predicted.

    Args:
        model: the model.
        visits: all visits.
        rows: int64 [n], the indices of the visits, ascending; they must include all visits of each patient.
    """
    first = torch.from_numpy(np.searchsorted(rows, visits.first[rows]))
    vectors = encoded(model, visits, rows)
    scores = model.recommended(vectors, first.to(vectors[0].device))
    return scores[torch.from_numpy(visits.predicted[rows]).to(scores.device)]


@torch.inference_mode()
def probabilities(model: VisitModel, visits: Visits, patients: Numbers) -> Floats:
    """Return the probability of each target code for the visits of patients, float64 [predicted visits, codes].

    The first visit of each patient is not predicted.

    Args:
        model: the model; it is left in training mode.
        visits: all visits.
        patients: int64 [n], the indices of the patients, ascending.
    """
    model.eval()
    parts = [np.zeros((0, len(visits.targets.codes)))]
    for start in range(0, len(patients), _AT_ONCE):
        rows = rows_of(visits, patients[start : start + _AT_ONCE])
        parts.append(recommended(model, visits, rows).double().sigmoid().cpu().numpy())
    model.train()
    return np.concatenate(parts)
