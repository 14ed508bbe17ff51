"""A column with a usual name needs no setting, and it is the same names wherever a table is read."""

import pytest

from wordworth.inference.prediction_inputs import ColumnRoles, InputRow
from wordworth.tasks import task_types
from wordworth.tasks.reading.infer_columns import choose
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.tasks.usual_columns import FIRST_TEXTS, GOLD, LABELS, PAIRS, PREDICTIONS, SECOND_TEXTS, usual_column
from wordworth.text.file_formats.table import TextTable


def test_the_likeliest_name_is_taken_not_the_first_column():
    assert usual_column(["title", "text"], FIRST_TEXTS) == "text"


def test_upper_case_and_spaces_around_a_name_do_not_matter():
    assert usual_column(["No", " Label "], LABELS) == " Label "
    assert usual_column(["PairId", "pairid"], ("pairID",)) == "pairid"


def test_no_usual_name_is_no_column():
    assert usual_column(["a", "b"], LABELS) is None


def test_a_score_beside_a_prediction_is_not_taken_as_the_label():
    assert usual_column(["prediction", "score"], GOLD) is None
    assert usual_column(["prediction", "score"], LABELS) == "score"


def test_gold_and_prediction_are_two_columns_of_one_file():
    columns = ["label", "gold"]
    assert (usual_column(columns, GOLD), usual_column(columns, PREDICTIONS)) == ("gold", "label")


@pytest.mark.parametrize("name", FIRST_TEXTS)
def test_texts_that_a_task_is_read_from_are_found_when_predicting_too(name):
    roles = ColumnRoles(task_types.get("classification"), pairs=False)
    assert roles.cell(InputRow({"extra": "no", name: "yes"}, "row 1"), "text") == "yes"


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_both_texts_of_a_usual_pair_are_found_in_training_and_in_predicting(first, second):
    table = TextTable({first: ["a"], second: ["b"], "label": ["yes"]}, "pairs.csv", "", [2])
    columns, _ = choose(table, ReadSettings())
    assert columns.texts == (first, second)
    roles, row = ColumnRoles(task_types.get("pair_classification"), pairs=True), InputRow({first: "a", second: "b"}, "")
    assert [roles.cell(row, role) for role in ("text", "second")] == ["a", "b"]


def test_no_column_is_both_texts_of_a_pair():
    assert not set(FIRST_TEXTS) & set(SECOND_TEXTS)
