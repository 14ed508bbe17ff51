"""A few visits made by hand, which the tests of training share."""

import numpy as np

from wordworth.text.patient_visits import CodeSets, FilterStep, Visits
from wordworth.training.patient_visits.alternating_training import PatientSplit
from wordworth.training.patient_visits.settings import VisitTrainingSettings

SMALL = {"width": 8, "heads": 2, "layers": 1, "dropout": 0.0, "rounds": 2, "epochs": 1, "batch_size": 8}
PATIENTS = 30
SPLIT = PatientSplit(np.arange(20), np.arange(16), np.arange(20, 25), np.arange(25, 30))
"""Patients 16 to 19 have one visit, all others three."""


def settings(**choices):
    return VisitTrainingSettings(**{**SMALL, **choices})


def made_up_visits(seed=0):
    """Visits at which the first input is the first target of the visit, and the second that of the visit before."""
    rng = np.random.default_rng(seed)
    counts = np.where((np.arange(PATIENTS) >= 16) & (np.arange(PATIENTS) < 20), 1, 3)
    patient = np.repeat(np.arange(PATIENTS), counts)
    inputs = rng.random((len(patient), 4)) < 0.5
    inputs[~inputs.any(1), 3] = True
    targets = np.stack([inputs[:, 0], np.roll(inputs[:, 1], 1), rng.random(len(patient)) < 0.3], axis=1)
    targets[~targets.any(1), 2] = True
    return Visits(
        "made up",
        "0",
        tuple(f"p{number:02}" for number in range(PATIENTS)),
        patient,
        CodeSets("condition", tuple("abcd"), inputs),
        CodeSets("medication", tuple("xyz"), targets),
        None,
        (FilterStep("in the file", 1, 1, 1),),
    )
