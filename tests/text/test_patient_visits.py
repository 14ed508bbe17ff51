"""Visits are the codes of a patient at a date; what lacks one kind is left out and counted; bad rows are refused."""

import pandas as pd
import pytest

from wordworth.errors import BadInput
from wordworth.text.patient_visits import FilterStep, read_visits

ROWS = """patient,date,kind,code
b,2020-02-01,condition,d2
b,2020-02-01,medication,m1
a,2020-03-01,medication,m2
a,2020-03-01,condition,d1
a,2020-03-01,condition,d1
a,2020-01-05,condition,d2
a,2020-01-05,medication,m1
a,2020-01-05,medication,m3
a,2020-02-02,condition,d3
b,2020-02-02,vaccine,v1
"""


def read(tmp_path, text=ROWS, name="visits.csv", kinds=("condition", "medication")):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_visits(tmp_path / name, *kinds)


def test_visits_are_sets_of_codes_by_patient_and_date(tmp_path):
    visits = read(tmp_path)
    assert visits.patients == ("a", "b")
    assert visits.patient.tolist() == [0, 0, 1]
    assert (visits.inputs.codes, visits.targets.codes) == (("d1", "d2"), ("m1", "m2", "m3"))
    assert visits.inputs.flags.tolist() == [[False, True], [True, False], [False, True]]
    assert visits.targets.flags.tolist() == [[True, False, True], [False, True, False], [True, False, False]]


def test_each_code_has_the_place_of_its_first_row(tmp_path):
    visits, path = read(tmp_path), tmp_path / "visits.csv"
    assert visits.inputs.locations == (f"{path}, line 5", f"{path}, line 2")
    assert visits.targets.locations == (f"{path}, line 3", f"{path}, line 4", f"{path}, line 9")


def test_every_visit_but_the_first_of_a_patient_is_predicted(tmp_path):
    visits = read(tmp_path)
    assert visits.first.tolist() == [0, 0, 2]
    assert visits.predicted.tolist() == [False, True, False]


def test_each_filter_is_counted(tmp_path):
    assert read(tmp_path).filters == (
        FilterStep("in the file", 10, 5, 2),
        FilterStep("of kind condition or medication", 9, 4, 2),
        FilterStep("in visits with both kinds", 8, 3, 2),
    )


def test_dates_are_days_however_they_are_written(tmp_path):
    table = pd.DataFrame(
        {
            "patient": ["a", "a"],
            "date": pd.to_datetime(["2020-01-01 08:00", "2020-01-01 17:30"]),
            "kind": ["condition", "medication"],
            "code": ["d", "m"],
        }
    )
    table.to_parquet(tmp_path / "visits.parquet")
    assert len(read_visits(tmp_path / "visits.parquet", "condition", "medication").patient) == 1


def test_parts_of_the_file_are_read(tmp_path):
    text = "patient,date,kind,code,part\n"
    for patient, part in (("a", "train"), ("b", "test")):
        text += f"{patient},2020-01-01,condition,d,{part}\n{patient},2020-01-01,medication,m,{part}\n"
    assert read(tmp_path, text).parts == ("train", "test")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ROWS + "c,2020-01-01,condition,\n", "line 12: a visit without a code"),
        (ROWS + ",2020-01-01,condition,d1\n", "line 12: a row without a patient"),
        (ROWS + "c,01.02.2020,condition,d1\n", "'01.02.2020' is no date"),
        (ROWS.replace("medication", "drug"), "no code is of the kind 'medication'"),
        (ROWS.replace("kind", "type"), "'kind'"),
        ("patient,date,kind,code\na,2020-01-01,condition,d\na,2020-01-02,medication,m\n", "no visit has codes of both"),
        ("patient,date,kind,code,part\na,2020-01-01,condition,d,dev\n", "'medication'"),
        (
            "patient,date,kind,code,part\na,2020-01-01,condition,d,train\na,2020-01-02,medication,m,test\n",
            "line 3: patient 'a' stands in two parts, train and test",
        ),
        (
            "patient,date,kind,code,part\na,2020-01-01,condition,d,dev\na,2020-01-01,medication,m,dev\n",
            "line 2: no part 'dev'",
        ),
    ],
)
def test_bad_rows_are_one_clear_error(tmp_path, text, message):
    with pytest.raises(BadInput) as error:
        read(tmp_path, text)
    assert message in str(error.value)


def test_one_kind_cannot_be_both(tmp_path):
    with pytest.raises(BadInput, match="both known and predicted"):
        read(tmp_path, kinds=("condition", "condition"))
