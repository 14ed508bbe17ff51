"""Students of a fine-tuned model: a folder that every command reads, resumable, with what cannot be done refused."""

import csv
import shutil

import numpy as np
import pytest
from tests.inference.tuned_model import labelled_rows, write_tuned
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput, MissingExtra
from wordworth.inference.finetuned_run import read_run
from wordworth.records import read
from wordworth.sources import resolve
from wordworth.studies.distill import distill
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.run import _Session


def test_the_record_has_teacher_start_and_students(answered):
    record, out = answered
    rows = {row["model"]: row for row in record.tables["models"].rows()}
    assert list(rows) == ["teacher", "first layers", "finetune", "distilbert", "kd"]
    assert (rows["teacher"]["layers"], rows["kd"]["layers"]) == (2, 1)
    assert rows["kd"]["parameters"] < rows["teacher"]["parameters"]
    assert rows["kd"]["bytes"] < rows["teacher"]["bytes"]
    for name in ("finetune", "distilbert", "kd"):
        assert rows[name]["loss"] == pytest.approx(rows[name]["score"] - rows["teacher"]["score"])
        assert rows[name]["loss_low"] <= rows[name]["loss"] <= rows[name]["loss_high"]
    assert rows["finetune"]["gain"] is None
    assert rows["kd"]["gain"] == pytest.approx(rows["kd"]["score"] - rows["finetune"]["score"])
    runs = record.tables["runs"].rows()
    assert [(row["method"], row["seed"]) for row in runs] == [
        (m, s) for m in ("finetune", "distilbert", "kd") for s in (0, 1)
    ]
    assert [row["method"] for row in runs if row["written"]] == ["kd"]
    assert {row["model"] for row in record.timings["speed"].rows()} == {"teacher", "student"}
    assert read(out / "record.json").verdict == record.verdict


def test_an_encoder_that_was_not_fine_tuned_is_refused_with_the_ways_to_a_smaller_model(rows, tmp_path):
    folder = write_tiny(tmp_path / "encoder", "bert")
    for name in ("minilm", str(folder)):
        with pytest.raises(BadInput, match=r"was not fine-tuned.*wordworth finetune .*--loss mse") as error:
            distill(name, tmp_path / "out", data=rows)
        assert f"finetune --model {name} " in error.value.in_flags
    with pytest.raises(BadInput, match="no such folder"):
        distill("nowhere", tmp_path / "out", data=rows)


def test_a_cluster_without_ray_is_refused_before_a_student_is_trained(run, rows, tmp_path, monkeypatch):
    monkeypatch.setattr("wordworth.errors.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="ray"):
        distill(run, tmp_path / "out", data=rows, method="kd", engine="ray")
    assert not (tmp_path / "out").exists()


def test_the_start_is_what_prune_writes(run, answered, tmp_path):
    record, _ = answered
    ww.prune(run, tmp_path / "short", layers=1)
    task_rows = [row for row in record.tables["models"].rows() if row["model"] == "first layers"]
    network = read_run(tmp_path / "short").network
    assert task_rows[0]["bytes"] == resolve(str(tmp_path / "short")).weight_bytes
    assert network.tuned.network.output.out_features == 3


@pytest.mark.slow
def test_every_reader_of_fine_tuned_models_reads_a_student(run, rows, answered, tmp_path):
    _, out = answered
    answers = ww.predict(out, rows, dtype="float32")
    assert len(answers)
    shares = answers[[name for name in answers.columns if name.startswith("probability")]].to_numpy()
    assert np.allclose(shares.sum(1), 1, atol=1e-4)
    facts, before = (read_run(folder).predictor.facts for folder in (out, run))
    assert facts["classes"] == before["classes"]
    assert facts["distilled"] == {"method": "kd", "teacher_layers": 2}
    ww.study_heads(out, rows, limit=40, out=tmp_path / "heads")
    ww.prune(out, tmp_path / "smaller", heads=0.3, data=rows, limit=60)
    with pytest.raises(BadInput, match="some heads of this model are pruned"):
        distill(tmp_path / "smaller", tmp_path / "again", data=rows, layers=1)
    assert ww.load(str(out)).encode(["the cab"]).shape[0] == 1


@pytest.mark.slow
def test_a_stopped_call_goes_on_and_gives_the_same_bytes(run, rows, tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    choices = {"layers": 1, "method": "kd", "compare": "finetune", "seeds": 2, "epochs": 2, "processes": 1}
    whole = distill(run, tmp_path / "whole", data=rows, **choices)
    real, made = _Session.train, list[str]()

    def stopped(self):
        if len(made) == 3:
            raise KeyboardInterrupt
        made.append(self.spec.name)
        return real(self)

    with monkeypatch.context() as patch:
        patch.setattr(_Session, "train", stopped)
        with pytest.raises(KeyboardInterrupt):
            distill(run, tmp_path / "parts", data=rows, **choices)
    assert not (tmp_path / "parts" / "model").exists()
    resumed = distill(run, tmp_path / "parts", data=rows, **choices)
    assert resumed.tables == whole.tables
    assert [each.text for each in resumed.findings] == [each.text for each in whole.findings]
    for name in ("model.safetensors", "head.safetensors", "wordworth.json"):
        assert (tmp_path / "parts/model" / name).read_bytes() == (tmp_path / "whole/model" / name).read_bytes()


def test_a_teacher_that_learned_from_the_test_rows_is_reported(rows, tmp_path):
    encoder = write_tiny(tmp_path / "tiny", max_position_embeddings=130)
    ww.finetune(data=rows, model=str(encoder), restarts=1, epochs=1, out=tmp_path / "run", processes=1)
    choices = {"layers": 1, "method": "kd", "compare": "", "seeds": 1, "epochs": 1, "processes": 1}
    same = distill(tmp_path / "run", tmp_path / "same", data=rows, **choices)
    other = distill(tmp_path / "run", tmp_path / "other", data=rows, seed=3, **choices)
    names = [{finding.name for finding in record.findings} for record in (same, other)]
    assert ["warning.learned_rows" in each for each in names] == [False, True]


@pytest.mark.parametrize(
    ("choices", "what"),
    [
        ({"layers": 2}, "a student of 2 layers is not smaller than its teacher of 2.*from 1 to 1"),
        ({"layers": 7}, "a student of 7 layers is not smaller than its teacher of 2"),
        ({"layers": 1, "method": "pkd-skip"}, "a student of 1 layer has none"),
        ({"layers": 1, "data": "missing.csv"}, "missing.csv"),
        ({"layers": 1, "text": "review"}, "review"),
    ],
)
def test_what_cannot_be_taught_is_refused_and_nothing_is_written(run, rows, tmp_path, choices, what):
    with pytest.raises(BadInput, match=what):
        distill(run, tmp_path / "small", **({"data": rows, "method": "kd"} | choices))
    assert not (tmp_path / "small").exists()


def test_a_device_that_is_not_here_is_refused_before_the_teacher_is_read(rows, tmp_path):
    with pytest.raises(BadInput, match="device 'cuda:99'"):
        distill(tmp_path / "no teacher", tmp_path / "small", data=rows, device="cuda:99")


def write(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["text", "label"], *rows])
    return path


def test_rows_that_do_not_fit_the_teacher_are_refused(run, tmp_path):
    cases = {
        "other labels": ([[f"the cab {n}", "yes" if n % 2 else "no"] for n in range(60)], "not fine-tuned on class"),
        "one class": ([[f"the cab {n}", "a"] for n in range(60)], "class"),
        "few": ([["the cab", "a"], ["a dog", "b"]], "too few"),
    }
    for name, (labelled, what) in cases.items():
        with pytest.raises(BadInput, match=what):
            distill(run, tmp_path / "small", data=write(tmp_path / f"{name}.csv", labelled), layers=1, method="kd")
    assert not (tmp_path / "small").exists()


def test_folders_that_hold_no_teacher_are_refused(run, rows, tmp_path):
    for folder, what in ((tmp_path, "not the folder of a fine-tuned model"), (tmp_path / "none", "no such folder")):
        with pytest.raises(BadInput, match=what):
            distill(folder, tmp_path / "small", data=rows)
    with pytest.raises(BadInput, match="this encoder was not fine-tuned"):
        distill(write_tiny(tmp_path / "tiny"), tmp_path / "small", data=rows)
    copied = shutil.copytree(run, tmp_path / "copied" / "model")
    for out in (copied, copied.parent, tmp_path, copied / "small"):
        with pytest.raises(BadInput, match=r"holds a model|(inside|contains) the folder of the model"):
            distill(copied, out, data=rows, layers=1, method="kd")


@pytest.mark.slow
def test_labels_of_which_a_text_may_have_several_are_distilled(tmp_path):
    run, task = write_tuned(tmp_path / "run", kind="multilabel", steps=40), sample_task("multilabel")
    labels = ["|".join(np.array(task.classes)[row]) for row in task.labels]
    data = [{"text": text, "label": label} for text, label in zip(task.examples.first, labels, strict=True)]
    choices = {"temperature": 1, "alpha": 0.5, "seeds": 2, "epochs": 2, "processes": 1}
    record = distill(run, tmp_path / "small", data=data, layers=1, method="kd", **choices)
    rows = {row["model"]: row for row in record.tables["models"].rows()}
    assert list(rows) == ["teacher", "first layers", "finetune", "kd"]
    assert rows["kd"]["score"] > 0
    assert ww.load_run(tmp_path / "small").classes == ww.load_run(run).classes


@pytest.mark.parametrize("kind", ["regression", "tags"])
def test_teachers_of_other_tasks_are_refused(tmp_path, kind):
    run = write_tuned(tmp_path, kind=kind, steps=2)
    with pytest.raises(BadInput, match="only classes are distilled"):
        distill(run, tmp_path / "small", data=labelled_rows(tmp_path, kind), layers=1, method="kd")
