"""The recipe that chooses a codebook: by validation groups alone, tested by what was chosen in each fold."""

from dataclasses import replace

import pytest
from tests.studies.crossmodal.conftest import crossmodal_study  # noqa: F401 - a fixture

import codebooks
from wordworth.errors import BadInput
from wordworth.records import Table
from wordworth.studies.crossmodal.evaluation import COMPLETION
from wordworth.studies.crossmodal.systems import PAIRED, PRIOR

BY = "code from words, top 1"


def changed(record, table, depth, **values):
    """The record of a codebook of another depth, with other values of the system trained on pairs in a table."""
    rows = [
        {**row, "value": values.get(str(row[key]), row["value"])} if row["system"] == PAIRED else row
        for row in record.tables[table].rows()
        for key in ("fold" if table == "validation" else "group",)
    ]
    tables = {**record.tables, table: Table.of(rows, record.tables[table].describe)}
    return replace(record, tables=tables, settings={**record.settings, "depth": depth})


@pytest.fixture
def two(crossmodal_study):  # noqa: F811
    """Two records: the second is ahead on the validation groups of the second fold, and right of all test groups."""
    record = crossmodal_study[1]
    first = changed(record, "validation", 1, **{"1": 0.9, "2": 0.1, "3": 0.9})
    second = changed(record, "validation", 2, **{"1": 0.1, "2": 0.9, "3": 0.1})
    return [first, changed(second, "groups", 2, **{f"speaker{number}": 1.0 for number in range(6)})]


def test_each_fold_takes_the_codebook_that_is_ahead_on_its_validation_groups(two):
    made = codebooks.compared(two, BY)
    names = [codebooks.name_of(record) for record in two]
    assert [fold["codebook"] for fold in made["folds"]] == [names[0], names[1], names[0]]
    assert made["chosen_by"] == BY
    assert [row["codes"] for row in made["codebooks"]] == [4, 16]


def test_what_was_chosen_is_scored_on_the_test_groups_of_its_fold(two):
    made = codebooks.compared(two, BY)
    tables = [record.table("groups") for record in two]
    of_group = {group: number for number, fold in enumerate(made["folds"]) for group in fold["test"].split(", ")}
    for row in made["chosen"]:
        index = [(row["measure"], PAIRED, group) for group in of_group]
        own = [tables[of_group[each[2]] == 1].set_index(["measure", "system", "group"]).loc[each] for each in index]
        right = sum(float(each["value"] * each["answers"]) for each in own)
        assert row["value"] == pytest.approx(right / sum(float(each["answers"]) for each in own))
        assert row["low"] <= row["value"] <= row["high"]
        assert row[PRIOR]["difference"] == pytest.approx(row["value"] - row[PRIOR]["value"])
    assert [row["measure"] for row in made["chosen"]] == list(COMPLETION)


def test_the_best_test_scores_have_no_part_in_the_choice(two):
    blind = changed(two[1], "validation", 2, **{"1": 0.0, "2": 0.0, "3": 0.0})
    assert {fold["codebook"] for fold in codebooks.compared([two[0], blind], BY)["folds"]} == {"4 to the power of 1"}


def test_records_that_cannot_be_compared_are_refused(two):
    with pytest.raises(BadInput, match="one record is no choice"):
        codebooks.compared(two[:1], BY)
    with pytest.raises(BadInput, match="a record of the study 'codes'"):
        codebooks.compared([two[0], replace(two[1], kind="codes")], BY)
    folds = two[1].tables["folds"]
    rows = [{**row, "test": "somebody"} for row in folds.rows()]
    other = replace(two[1], tables={**two[1].tables, "folds": Table.of(rows, folds.describe)})
    with pytest.raises(BadInput, match="have other folds"):
        codebooks.compared([two[0], other], BY)
