"""The page of a study of entities shows every system, every difference, and how many links there are."""

import pytest
from tests.studies.entities.conftest import QUICK, write_inputs

from wordworth.reports.entities import page
from wordworth.studies.entities import entities


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    folder = write_inputs(tmp_path_factory.mktemp("entities"))
    model = str(folder / "fused")
    return folder, entities(folder / "rows.csv", folder / "run", model=model, control=model, **QUICK)


def test_every_system_and_difference_is_on_the_page(quick):
    folder, record = quick
    text = page(record)
    for words in ("linked", "exchanged entities", "no entities", "control model", "linked − no entities", "Every run"):
        assert words in text
    assert (folder / "run" / "report.html").exists()


def test_it_says_how_many_rows_have_an_entity(quick):
    assert "rows with an entity" in page(quick[1])
