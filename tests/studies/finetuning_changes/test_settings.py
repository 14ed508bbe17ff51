"""The settings of the study: out of range is refused, and the rows are read by them."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.finetuning_changes.settings import FinetuningChangesSettings


@pytest.mark.parametrize(("name", "value"), [("limit", 10), ("points", -1), ("draws", 3)])
def test_a_number_out_of_range_is_refused(name, value):
    with pytest.raises(BadInput, match=f"{name}. {value} is out of range"):
        FinetuningChangesSettings(**{name: value})


def test_rows_are_read_by_the_same_columns():
    settings = FinetuningChangesSettings(text="review", label="stars", limit=50, seed=3)
    assert (settings.read.text, settings.read.label, settings.read.limit, settings.read.seed) == (
        "review",
        "stars",
        50,
        3,
    )
