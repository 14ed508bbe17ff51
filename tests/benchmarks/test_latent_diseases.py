"""Simulated patients have the drugs of their diseases as often as the effect says, and none without one."""

import numpy as np
import pytest

from latent_diseases import DISEASES, Patients, events

SOME = Patients(single=1_500, train=0, valid=0, test=0)


@pytest.mark.parametrize("effect", [0.0, 0.5, 1.0])
def test_the_effect_is_the_share_of_drugs_that_follow_from_the_disease(effect):
    signs: dict[str, set[str]] = {}
    drugs: dict[str, list[str]] = {}
    for patient, _, _, kind, code in events(SOME, effect, np.random.default_rng(0)):
        of_disease = code[1:].split(".")[0]
        if kind == "condition":
            signs.setdefault(patient, set()).add(of_disease)
        else:
            drugs.setdefault(patient, []).append(of_disease)
    single = [patient for patient in drugs if len(drugs[patient]) == 1 and len(signs[patient]) == 1]
    share = np.mean([drugs[patient][0] in signs[patient] for patient in single])
    wanted = effect + (1 - effect) / DISEASES
    assert abs(share - wanted) < 4 * np.sqrt(wanted * (1 - wanted) / len(single)) + 1e-9


def test_a_patient_gets_the_same_drug_of_a_disease_at_every_visit():
    drugs: dict[tuple[str, str], set[str]] = {}
    for patient, _, _, kind, code in events(
        Patients(single=0, train=50, valid=0, test=0), 1.0, np.random.default_rng(0)
    ):
        if kind == "medication":
            drugs.setdefault((patient, code.split(".")[0]), set()).add(code)
    assert all(len(codes) == 1 for codes in drugs.values())
