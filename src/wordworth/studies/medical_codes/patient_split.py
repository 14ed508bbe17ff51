"""Split patients into training, validation and test parts, by the file's column `part`, or 4/6, 1/6, 1/6 at random."""

from __future__ import annotations

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.sentence_formatting import count_of
from wordworth.text.patient_visits import PARTS, Numbers, Visits
from wordworth.training.patient_visits.alternating_training import PatientSplit

_HELD_OUT = 6
"""One in so many patients validates, and one tests (Shang et al. 2019, code)."""


def split_patients(visits: Visits, seed: int) -> PatientSplit:
    """Split the patients into training, validation and test parts.

    Patients with a single visit, at which nothing is predicted, are used for pretraining alone.

    Args:
        visits: the visits of all patients.
        seed: seed of a random split; not used if the file has a column of parts.

    Raises:
        BadInput: a part has no patient with two visits.
    """
    several = np.unique(visits.patient[visits.predicted])
    single = np.setdiff1d(np.arange(len(visits.patients)), several)
    if visits.parts is None:
        order, held_out = seeds.child(seed, "codes", "split").permutation(several), len(several) // _HELD_OUT
        parts = order[2 * held_out :], order[:held_out], order[held_out : 2 * held_out]
    else:
        part = np.array(visits.parts)
        parts = tuple(several[part[several] == name] for name in PARTS)
        single = single[part[single] == PARTS[0]]
    empty = next((name for name, part in zip(PARTS, parts, strict=True) if not len(part)), None)
    if empty is not None:
        several_visits = count_of(len(several), "patient")
        what = f"of {several_visits} with two visits or more none is left for the part {empty!r}"
        raise BadInput(what, where=visits.name, mend="give more patients with visits that have codes of both kinds")
    train, valid, test = (np.sort(part) for part in parts)
    return PatientSplit(np.sort(np.concatenate([single, train])), train, valid, test)


def predicted_rows(visits: Visits, patients: Numbers) -> Numbers:
    """Return the indices of all visits of some patients except each patient's first visit, ascending.

    Codes are predicted at these visits; at a patient's first visit nothing is predicted.

    Args:
        visits: the visits of all patients.
        patients: int64 [patients], indices of the patients.

    Returns:
        Indices of visits, int64 [n].
    """
    return np.flatnonzero(visits.predicted & np.isin(visits.patient, patients))
