"""Rows whose labels only their entities tell, and a study of them by a tiny model."""

import csv

import pytest
from tests.models.entity_fusion.fused import ENTITIES, write_fused

from wordworth.studies.entities import entities

FAST = {"runs": 2, "epochs": 30, "draws": 100, "learning_rate": 1e-2, "processes": 1}


QUICK = {"runs": 1, "epochs": 1, "draws": 100, "processes": 1}
"""Settings of a study that learns nothing, for what is asked of any."""


def linked_rows(number=80):
    return [
        {
            "text": f"{chr(97 + n // 9)} {chr(97 + n % 9)} [[HD:{ENTITIES[n % 2]}|cab]] was",
            "label": ["no", "yes"][n % 2],
        }
        for n in range(number)
    ]


def write_inputs(folder):
    """`rows.csv`, `fused/` and `encoder/` in a folder."""
    with (folder / "rows.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["text", "label"])
        writer.writeheader()
        writer.writerows(linked_rows())
    write_fused(folder)
    return folder


@pytest.fixture(scope="session")
def entities_study(tmp_path_factory):
    """The folder of rows and models, and the record of a study of them with a control."""
    folder = write_inputs(tmp_path_factory.mktemp("entities"))
    model = str(folder / "fused")
    return folder, entities(folder / "rows.csv", folder / "run", model=model, control=model, **FAST)
