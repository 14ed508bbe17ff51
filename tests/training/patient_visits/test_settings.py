"""What cannot be trained is refused with the name of its flag."""

import pytest

from wordworth.errors import BadInput
from wordworth.training.patient_visits.settings import VisitTrainingSettings


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"width": 10, "heads": 4}, "--width 10 cannot be shared by 4 heads"),
        ({"dropout": 1.0}, "--dropout 1.0 is out of range"),
        ({"rounds": 0}, "--rounds 0 is out of range"),
        ({"learning_rate": 1.5}, "--learning-rate 1.5 is out of range"),
    ],
)
def test_impossible_settings_are_refused(choices, message):
    with pytest.raises(BadInput) as error:
        VisitTrainingSettings(**choices)
    assert message in error.value.in_flags
