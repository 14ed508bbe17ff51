"""The study from files to a record: files and tables alike, the same bytes again, and one clear error for bad input."""

import pandas as pd
import pytest
from tests.studies.medical_codes.conftest import FAST

import wordworth as ww
from wordworth.errors import BadInput


def test_the_record_names_its_files_and_settings(codes_study):
    files, record = codes_study
    assert record.kind == "codes"
    assert record.settings["target_ontology"] == "target_ontology.csv"
    assert [each["path"] for each in record.data["sources"]] == [path.name for path in files.values()]
    assert (record.data["patients"], record.settings["synthetic"]) == (30, True)


def test_tables_in_memory_give_the_same_numbers(codes_study):
    files, record = codes_study
    tables = {name: pd.read_csv(path) for name, path in files.items()}
    again = ww.study_codes(**tables, **FAST, synthetic=True)
    assert again.tables == record.tables
    assert [each.text for each in again.findings] == [each.text for each in record.findings]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("visits", ",condition,D", ",condition,E", "of the visits"),
        ("target_ontology", "R0,R\n", "R0,R0.1\n", "its own ancestor"),
        ("visits", ",medication,", ",drug,", "no code is of the kind 'medication'"),
    ],
)
def test_bad_input_is_one_clear_error_and_writes_nothing(codes_study, tmp_path, name, old, new, message):
    files = dict(codes_study[0])
    broken = tmp_path / "broken.csv"
    broken.write_text(files[name].read_text().replace(old, new))
    with pytest.raises(BadInput) as error:
        ww.study_codes(**{**files, name: broken}, **FAST, out=tmp_path / "run")
    assert message in str(error.value)
    assert not (tmp_path / "run" / "record.json").exists()
