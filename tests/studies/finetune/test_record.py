import json
from dataclasses import replace

import numpy as np
import pytest
from tests.studies.finetune.cases import BRIEF

from wordworth.files import sha256
from wordworth.studies.finetune import finetune
from wordworth.studies.finetune.record import prediction_rows
from wordworth.testing.sample_tasks import sample_task


def test_predictions_of_the_test_part_stand_beside_the_record_which_names_them(run):
    out, record = run
    task = sample_task("single", 180)
    file = record.data["predictions"]
    predictions = [json.loads(line) for line in (out / file["file"]).read_text().splitlines()]
    assert (file["sha256"], file["rows"]) == (sha256(out / file["file"]), len(predictions))
    assert [run_record["gold"] for run_record in predictions] == [task.classes[gold] for gold in task.gold(task.test)]
    right = np.mean([run_record["gold"] == run_record["prediction"] for run_record in predictions])
    assert right == pytest.approx(record.table("scores")["best"][0])
    assert all(
        max(run_record["probabilities"], key=run_record["probabilities"].get) == run_record["prediction"]
        for run_record in predictions
    )


@pytest.mark.parametrize("kind", ["regression", "multilabel", "choice", "tags", "span"])
def test_predictions_of_every_kind_are_kept_as_a_file_of_labels_has_them(encoder, tmp_path, kind):
    task = sample_task(kind)
    finetune(task, model=encoder, out=tmp_path, **{**BRIEF, "restarts": 1, "epochs": 1})
    predictions = [json.loads(line) for line in (tmp_path / "predictions.jsonl").read_text().splitlines()]
    assert len(predictions) == len(task.test)
    types = {"regression": float, "choice": int, "span": str}
    assert all(isinstance(run["prediction"], types.get(kind, list)) for run in predictions)
    assert all(isinstance(run["gold"], {**types, "span": list}.get(kind, list)) for run in predictions)


def test_a_prediction_names_its_row_in_the_files_that_were_read_and_its_id_where_there_is_one():
    task = sample_task("classification", 9)
    scores = np.log([[0.7, 0.2, 0.1]] * len(task.test))
    plain = list(prediction_rows(task, scores))
    assert [row["row"] for row in plain] == list(range(len(task.test)))
    ids = tuple(f"id {number}" for number in range(9))
    named = replace(task, examples=replace(task.examples, ids=ids), numbers=np.arange(9) + 100)
    rows = list(prediction_rows(named, scores))
    assert [row["row"] for row in rows] == [100 + row for row in task.test]
    assert [row["id"] for row in rows] == [f"id {row}" for row in task.test]
    assert [row["gold"] for row in rows] == [task.classes[gold] for gold in task.gold(task.test)]
    assert {row["prediction"] for row in rows} == {task.classes[0]}
    assert rows[0]["probabilities"] == pytest.approx(dict(zip(task.classes, (0.7, 0.2, 0.1), strict=True)))


def test_settings_that_decide_no_number_are_left_out_of_the_record(run):
    _, record = run
    assert not {"threads", "processes", "save_every", "device"} & set(record.settings)
    assert {"learning_rate", "batch_size", "epochs", "max_length", "pooling"} <= set(record.settings)


def test_each_evaluation_is_at_the_share_of_its_epochs_and_of_a_run_of_the_record(run):
    _, record = run
    runs = {row["run"]: row for row in record.tables["runs"].rows()}
    for row in record.tables["evaluations"].rows():
        run_record = runs[row["run"]]
        assert row["epoch"] == pytest.approx(row["step"] / run_record["steps"] * run_record["epochs"], abs=1e-3)
