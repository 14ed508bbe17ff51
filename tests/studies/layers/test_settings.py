"""The settings of the study of layers and of a probe."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.layers.settings import LayersSettings, ProbeSettings


def test_a_probe_takes_what_the_study_takes_but_tasks():
    of_study, of_probe = ({*each.__dataclass_fields__} for each in (LayersSettings, ProbeSettings))
    assert of_study - of_probe == {"tasks"}


@pytest.mark.parametrize("choice", [{"limit": 8}, {"draws": 10}, {"limit": "many"}])
def test_numbers_out_of_range_are_refused(choice):
    with pytest.raises(BadInput, match=next(iter(choice))):
        LayersSettings(**choice)
