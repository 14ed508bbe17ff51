"""Settings of a plan: what is out of range is refused before anything is read."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.adaptation.settings import AdaptationSettings


@pytest.mark.parametrize(("name", "value"), [("steps", 0), ("vocabulary", "replace")])
def test_a_setting_that_cannot_be_used_is_named(name, value):
    with pytest.raises(BadInput, match=name):
        AdaptationSettings(task="task.csv", **{name: value})
