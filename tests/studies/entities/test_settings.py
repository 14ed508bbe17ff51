"""Settings of the study reach the readers of rows and the fine-tuning."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.entities.settings import EntitiesSettings


def test_they_are_shared_with_reading_and_fine_tuning():
    settings = EntitiesSettings(model="fused/", text="sentence", limit=500, runs=4, epochs=2)
    assert (settings.read.text, settings.read.limit) == ("sentence", 500)
    tuning = settings.finetuning("other/")
    assert (tuning.model, tuning.restarts, tuning.epochs, tuning.embeddings) == ("other/", 4, 2, False)


def test_values_out_of_range_are_refused():
    with pytest.raises(BadInput, match="runs"):
        EntitiesSettings(model="fused/", runs=0)


def test_a_kind_that_is_not_measured_is_refused_with_those_that_are():
    with pytest.raises(BadInput, match="give one of classification, pair_classification, multilabel"):
        EntitiesSettings(model="fused/", kind="tagging")
