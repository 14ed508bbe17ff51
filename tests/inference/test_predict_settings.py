import pytest

from wordworth.errors import BadInput
from wordworth.inference.predict_settings import PredictSettings


@pytest.mark.parametrize("name", ["dtype", "long_texts"])
def test_a_value_that_is_none_of_the_choices_is_refused_with_its_name(name):
    with pytest.raises(BadInput, match="sideways"):
        PredictSettings(**{name: "sideways"})


def test_long_texts_are_cut_as_in_training_unless_another_way_is_chosen():
    assert PredictSettings().long_texts == "cut"
    assert PredictSettings(long_texts="vote").long_texts == "vote"
