"""Settings that the study cannot do anything with are refused."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.medical_codes.settings import CodesSettings


def test_a_study_needs_an_ontology():
    with pytest.raises(BadInput, match="there is no ontology"):
        CodesSettings()


def test_settings_of_training_are_checked_too():
    with pytest.raises(BadInput, match="cannot be shared by 4 heads"):
        CodesSettings(target_ontology="atc.csv", width=10)
