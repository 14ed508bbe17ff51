"""What a plan says before there is any label is what the record of the validity study says."""

import json
from pathlib import Path

import numpy as np
import pytest

from wordworth.studies.worth.planning import variance_on_published_sets as usual

RECORD = Path(__file__).parents[4] / "docs" / "records" / "validity.json"


def studies():
    every = json.loads(RECORD.read_text(encoding="utf-8"))["studies"]
    return [study for study in every if study["metric"] == "accuracy"]


def test_the_constants_are_the_percentiles_of_the_record():
    widths = np.array([study["width"] for study in studies()]) / 100
    variances = usual.ROWS * (widths / 2 / 1.96) ** 2
    assert np.percentile(variances, [10, 50, 90]) == pytest.approx([usual.LEAST, usual.MEDIAN, usual.MOST], abs=5e-4)
    assert len({study["set"] for study in studies()}) == usual.SETS


def test_with_as_many_labels_the_interval_is_as_wide_as_in_the_record():
    half = usual.usual_pair(usual.MEDIAN).half_width([usual.ROWS])[0]
    assert 200 * half == pytest.approx(np.median([study["width"] for study in studies()]), abs=0.02)
