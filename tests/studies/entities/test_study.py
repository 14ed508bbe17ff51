"""The study finds what only entities tell, resumes, and refuses what it cannot measure before anything takes long."""

import pytest
from tests.studies.entities.conftest import FAST, QUICK, linked_rows

from wordworth.errors import BadInput
from wordworth.studies.entities import entities


def test_entities_that_alone_tell_the_label_are_surely_ahead_of_none(entities_study):
    _, record = entities_study
    scores = {row["system"]: row["score"] for row in record.tables["scores"].rows()}
    assert scores["linked"] > 0.9
    assert scores["unlinked"] < 0.75
    sure = {row["second"]: row["sure"] for row in record.tables["differences"].rows()}
    assert sure["unlinked"]
    assert sure["control"]
    assert "surely ahead of no entities" in record.verdict


def test_two_exchanged_entities_tell_as_much_as_the_right_ones(entities_study):
    _, record = entities_study
    scores = {row["system"]: row["score"] for row in record.tables["scores"].rows()}
    assert scores["shuffled"] > 0.9


def test_the_same_call_reads_its_runs_and_gives_the_same_tables(entities_study, heard):
    folder, record = entities_study
    model = str(folder / "fused")
    again = entities(folder / "rows.csv", folder / "run", model=model, control=model, progress=heard, **FAST)
    assert again.tables == record.tables
    assert not list((folder / "run").rglob("weights.pt"))


@pytest.mark.parametrize(
    ("rows", "model", "message"),
    [
        ([{"text": f"a b {n}", "label": "xy"[n % 2]} for n in range(60)], "fused", "the texts link to 0 entities"),
        (linked_rows(), "encoder", "fuses no entities"),
        ([{**row, "text": row["text"].replace("Q1", "Q9")} for row in linked_rows()], "fused", "links to 'Q9'"),
    ],
)
def test_what_cannot_be_measured_is_one_clear_error(entities_study, tmp_path, rows, model, message):
    with pytest.raises(BadInput, match=message):
        entities(rows, tmp_path / "run", model=str(entities_study[0] / model), **FAST)
    assert not (tmp_path / "run" / "record.json").exists()


def test_a_record_of_other_data_or_settings_is_named_before_it_is_replaced(entities_study, tmp_path, heard):
    model = str(entities_study[0] / "fused")
    entities(linked_rows(), tmp_path, model=model, progress=heard, **QUICK)
    assert not any("holds a study" in note for note in heard.notes)
    entities(linked_rows(78), tmp_path, model=model, progress=heard, **{**QUICK, "draws": 110})
    (note,) = [note for note in heard.notes if "holds a study" in note]
    assert "of other data" in note
    assert "draws=100" in note
