"""Every patient is in one part alone, those of one visit only pretrain, and parts of the file are followed."""

from dataclasses import replace

import numpy as np
import pytest
from tests.training.patient_visits.made_up import PATIENTS, made_up_visits

from wordworth.errors import BadInput
from wordworth.studies.medical_codes.patient_split import predicted_rows, split_patients

SINGLE = {16, 17, 18, 19}


def test_each_patient_is_in_one_part_and_single_visits_only_pretrain():
    split = split_patients(made_up_visits(), 0)
    parts = [set(part.tolist()) for part in (split.train, split.valid, split.test)]
    assert [len(part) for part in parts] == [18, 4, 4]
    assert set.union(*parts) == set(range(PATIENTS)) - SINGLE
    assert set(split.pretraining.tolist()) == parts[0] | SINGLE


def test_the_seed_decides_the_parts():
    first, same, other = (split_patients(made_up_visits(), seed).test for seed in (0, 0, 1))
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)


def test_parts_of_the_file_are_followed_by_patients_of_one_visit_too():
    parts = tuple("test" if number in {0, 16} else "valid" if number < 3 else "train" for number in range(PATIENTS))
    split = split_patients(replace(made_up_visits(), parts=parts), 0)
    assert (split.test.tolist(), split.valid.tolist()) == ([0], [1, 2])
    assert set(split.pretraining.tolist()) == set(range(3, PATIENTS)) - {16}


def test_a_part_without_patients_is_refused():
    with pytest.raises(BadInput, match="none is left for the part 'valid'"):
        split_patients(replace(made_up_visits(), parts=("train",) * PATIENTS), 0)


def test_predicted_visits_of_patients_are_all_but_their_first():
    assert predicted_rows(made_up_visits(), np.array([1, 16])).tolist() == [4, 5]
