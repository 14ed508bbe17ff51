"""The settings of a training on words and codes."""

import pytest

from wordworth.errors import BadInput
from wordworth.training.crossmodal.settings import CrossmodalTrainingSettings


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"width": 10}, "cannot be shared by 4 heads"),
        ({"words_share": 0.6, "codes_share": 0.4}, "leave no pairs"),
        ({"max_length": 4}, "out of range"),
        ({"subsampling": 0}, "out of range"),
    ],
)
def test_what_cannot_be_trained_is_refused(chosen, message):
    with pytest.raises(BadInput, match=message):
        CrossmodalTrainingSettings(**chosen)
