"""The settings of a map."""

from dataclasses import fields
from pathlib import Path

import pytest

from wordworth.errors import BadInput
from wordworth.studies.corpus_map.settings import NUMBERS, MapSettings


@pytest.mark.parametrize("choice", [{"clusters": 1}, {"clusters": 101}, {"points": 9}, {"points": 3_001}, {"seed": -1}])
def test_numbers_out_of_range_are_refused(choice):
    with pytest.raises(BadInput, match="out of range"):
        MapSettings(**choice)


def test_the_number_of_clusters_is_left_open():
    assert MapSettings().clusters is None


def test_the_help_and_the_docs_name_the_numbers_that_are_tried():
    (help_text,) = (each.metadata["help"] for each in fields(MapSettings) if each.name == "clusters")
    assert f"{NUMBERS[0]} to {NUMBERS[-1]}," in help_text
    page = " ".join((Path(__file__).parents[3] / "docs" / "search.md").read_text(encoding="utf-8").split())
    assert f"the one of {', '.join(map(str, NUMBERS[:-1]))} and {NUMBERS[-1]} (" in page
