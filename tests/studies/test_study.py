"""What all studies have in common: inputs, settings, a record, a folder, and a place in the registry."""

from dataclasses import dataclass

import pytest

from wordworth.errors import BadInput
from wordworth.records import Finding, read
from wordworth.studies import STUDIES, register
from wordworth.studies.study import Study, file_name, make_record, timed


@dataclass(frozen=True, kw_only=True)
class Settings:
    factor: int = 2


def double(data, settings, progress):
    seconds = {}
    with timed(seconds, "all"), progress.step("doubling", 1) as step:
        value = settings.factor * data
        step.advance(1)
    verdict = Finding("verdict", f"It is {value}.")
    return make_record("doubled", settings, {"name": "n"}, tables={}, findings=[verdict], seconds=seconds)


DOUBLE = Study("doubled", "Double a number.", Settings, double, inputs={"data": "a number"})


def test_a_study_makes_a_record_of_its_settings_and_times_and_writes_it_with_a_page(tmp_path):
    record = DOUBLE(data=4, factor=3, out=tmp_path / "run")
    assert record.verdict == "It is 12."
    assert record.settings == {"factor": 3}
    assert list(record.timings["seconds"]) == ["all"]
    assert record.environment["threads"] == 1
    assert read(tmp_path / "run").verdict == record.verdict
    assert "There is no page for records of kind “doubled”" in (tmp_path / "run" / "report.html").read_text()


def test_a_record_holds_all_that_was_timed():
    timings = {"speed": 7}
    record = make_record("clocked", {}, {}, tables={}, findings=[], seconds={"all": 1.0}, timings=timings)
    assert (record.timings["seconds"], record.timings["speed"]) == ({"all": 1.0}, 7)


def test_a_file_is_recorded_by_its_name_alone(tmp_path):
    assert file_name(tmp_path / "texts.csv") == file_name("data/texts.csv") == "texts.csv"
    assert file_name(None) is None


def test_an_input_that_is_missing_is_named():
    with pytest.raises(BadInput, match="the study doubled needs data; give a number"):
        DOUBLE(factor=3)


def test_a_folder_of_another_study_is_not_written_over(tmp_path):
    DOUBLE(data=1, out=tmp_path)
    other = Study("tripled", "", Settings, double, inputs=DOUBLE.inputs)
    with pytest.raises(BadInput, match="the record of another study, of kind 'doubled'"):
        other(data=1, out=tmp_path)


def test_ours_are_registered_under_the_kind_of_their_records_and_the_names_are_taken():
    assert [STUDIES.get(name).kind for name in ("context", "words", "senses")] == ["context", "words", "senses"]
    with pytest.raises(BadInput, match="there is a study 'senses' already"):
        register(Study("senses", "", Settings, double, inputs={}))
