"""Which sets and methods of a `commonsense` record have a chart, and what of them is significant."""

import pytest
from tests.studies.commonsense.test_tables import pairs, pronouns

from wordworth.records import Record
from wordworth.reports.commonsense.record_view import (
    chart_of_phenomena,
    chart_of_scores,
    compared_methods,
    is_above_guessing,
    is_sure,
    kinds_of_sets,
    rows_of_first_method,
    sets_with_phenomena,
)
from wordworth.reports.record_view import RecordView
from wordworth.studies.commonsense.tables import tables_of

VIEW = RecordView.of(Record("commonsense", {}, {}, tables_of([pronouns(), pairs()], 0), []))


def test_sets_have_a_kind_and_those_of_minimal_pairs_have_phenomena():
    assert set(kinds_of_sets(VIEW).values()) == {"pronouns", "pairs"}
    assert sets_with_phenomena(VIEW) == ["blimp"]
    assert (chart_of_scores("pairs"), chart_of_phenomena("blimp")) == ("scores-pairs", "phenomena-blimp")


def test_phenomena_are_those_of_the_first_method():
    rows = rows_of_first_method(VIEW, "blimp")
    assert {row["method"] for row in rows} == {VIEW.rows("phenomena")[0]["method"]}
    assert "all" in [row["name"] for row in rows]


@pytest.mark.parametrize(
    ("control", "corrected", "above"), [(False, 0.01, True), (True, 0.01, False), (False, 0.1, False)]
)
def test_a_method_is_above_guessing_if_it_is_sure_and_no_control(control, corrected, above):
    row = {"control": control, "corrected": corrected}
    assert is_above_guessing(row) is above
    assert is_sure(row) is (corrected < 0.05)


def test_comparisons_are_those_that_have_a_difference():
    assert all(row["difference"] is not None for row in compared_methods(VIEW))
