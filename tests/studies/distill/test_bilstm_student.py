"""A BiLSTM learns the answers of a fine-tuned model; states are not compared; every reader reads its folder."""

import numpy as np
import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.distill import distill


@pytest.fixture(scope="module")
def student(run, rows, tmp_path_factory):
    out = tmp_path_factory.mktemp("bilstm") / "small"
    choices = {"start": "bilstm", "method": "kd", "seeds": 2, "epochs": 3, "processes": 1}
    return distill(run, out, data=rows, **choices), out


def test_the_record_has_no_first_layers_and_says_what_the_student_is(student):
    record, _ = student
    rows = {row["model"]: row for row in record.tables["models"].rows()}
    assert list(rows) == ["teacher", "finetune", "kd"]
    assert rows["kd"]["layers"] == 1
    assert rows["kd"]["parameters"] != rows["teacher"]["parameters"]
    assert record.verdict.startswith(str(record.data["metric_title"])[:1].upper())
    assert "a BiLSTM of 1 layer" in record.verdict
    assert any("512 cells" in finding.text for finding in record.findings)
    assert "A BiLSTM of 1 layer" in (student[1] / "report.html").read_text(encoding="utf-8")


def test_it_answers_as_it_did_in_the_study(student, rows):
    record, out = student
    answers = ww.predict(out, rows, dtype="float32")
    shares = answers[[name for name in answers.columns if name.startswith("probability")]].to_numpy()
    assert np.allclose(shares.sum(1), 1, atol=1e-4)
    assert record.data["start"] == "bilstm"


def test_states_that_are_not_shared_are_not_compared(run, rows, tmp_path):
    with pytest.raises(BadInput, match="pkd-skip compares states of layers"):
        distill(run, tmp_path / "out", data=rows, start="bilstm")


def test_a_bilstm_is_no_teacher_of_layers(student, rows, tmp_path):
    with pytest.raises(BadInput, match="no attention heads"):
        distill(student[1], tmp_path / "out", data=rows, layers=1)


@pytest.mark.slow
def test_it_stands_beside_other_smaller_models_and_on_the_ladder(run, student, rows):
    folder = str(student[1])
    shrunk = ww.study_shrink(run, rows, also=(folder,))
    of_student = [row for row in shrunk.tables["models"].rows() if row["way"] == "another model"]
    assert [row["heads"] for row in of_student] == [0]
    ladder = ww.worth(rows, rungs=("tfidf", "small"), models=(folder,), quick=True)
    assert "small" in {row["rung"] for row in ladder.tables["ladder"].rows()}
