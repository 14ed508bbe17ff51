"""The settings of the study."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.crossmodal.settings import CrossmodalSettings


@pytest.mark.parametrize("chosen", [{"group_folds": 2}, {"candidates": 1}, {"k": 1}, {"width": 9}])
def test_what_cannot_be_studied_is_refused(chosen):
    with pytest.raises(BadInput):
        CrossmodalSettings(**chosen)
