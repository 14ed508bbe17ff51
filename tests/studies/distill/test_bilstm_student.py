"""A BiLSTM learns the answers of a fine-tuned model; states are not compared; every reader reads its folder."""

import json

import numpy as np
import pytest
from tests.inference.tuned_model import write_tuned

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference.finetuned_run import read_run
from wordworth.studies.distill import distill, train_students
from wordworth.training.distillation import bilstm
from wordworth.training.finetuning.run_folder import METADATA

CHOICES = {"start": "bilstm", "method": "kd", "processes": 1}


@pytest.fixture(scope="module", autouse=True)
def few_cells():
    """A BiLSTM that is smaller than the small teachers of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bilstm, "_CELLS", 4)
        yield


@pytest.fixture(scope="module")
def student(run, rows, tmp_path_factory):
    out = tmp_path_factory.mktemp("bilstm") / "small"
    return distill(run, out, data=rows, seeds=2, epochs=3, **CHOICES), out


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


@pytest.mark.parametrize(("pooling", "embeddings"), [("mean", True), ("pooler", True), ("mean", False)])
def test_its_folder_has_the_logits_that_were_measured(pooling, embeddings, rows, tmp_path, monkeypatch):
    """Whatever the teacher pools and had trained, the student takes the maximum, in the study and from its folder."""
    written, real = [], train_students.write_student
    monkeypatch.setattr(train_students, "write_student", lambda *parts: (written.append(parts), real(*parts)))
    teacher = write_tuned(tmp_path / "run", pooling=pooling, steps=5)
    facts = json.loads((teacher / METADATA).read_text(encoding="utf-8")) | {"embeddings": embeddings}
    (teacher / METADATA).write_text(json.dumps(facts), encoding="utf-8")
    out = tmp_path / "small"
    distill(teacher, out, data=rows, seeds=1, epochs=1, compare="", **CHOICES)
    experiment, measured, *_ = written[0]
    read = read_run(out)
    assert read.predictor.facts["pooling"] == "max"
    assert read.predictor.facts["embeddings"]
    assert "start" not in read.predictor.facts
    expected, answered = (
        np.concatenate(network.exact.scores(experiment.inputs)) for network in (measured, read.network.tuned)
    )
    assert len(expected) == 90
    assert answered == pytest.approx(expected, abs=1e-5)
    assert len(ww.predict(out, rows, dtype="float32"))


@pytest.mark.parametrize(
    ("layers", "words"),
    [(3, "of 3 layers has more layers than its teacher, which has 2"), (2, "parameters, and its teacher")],
)
def test_a_student_that_is_not_smaller_is_refused(run, rows, tmp_path, monkeypatch, layers, words):
    monkeypatch.setattr(bilstm, "_CELLS", 64)
    with pytest.raises(BadInput, match=words) as error:
        distill(run, tmp_path / "out", data=rows, layers=layers, **CHOICES)
    assert "a BiLSTM of one layer" in str(error.value)
    assert not (tmp_path / "out").exists()


def test_states_that_are_not_shared_are_not_compared(run, rows, tmp_path):
    with pytest.raises(BadInput, match="pkd-skip compares states of layers"):
        distill(run, tmp_path / "out", data=rows, start="bilstm", method="pkd-skip")


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
