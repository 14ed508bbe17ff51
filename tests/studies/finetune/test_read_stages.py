"""The tasks that stages name: named ones, files, and tasks in memory."""

import json

import pytest

from wordworth.errors import BadInput
from wordworth.studies.finetune.read_stages import as_stages, read_stage
from wordworth.testing.sample_tasks import sample_task


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_one_stage_or_several_are_a_tuple(tmp_path):
    task, file = sample_task("classification"), write(tmp_path / "my.jsonl", [{"text": "a", "label": "b"}])
    assert as_stages("codah") == ("codah",)
    assert as_stages(["codah", file, task])[:2] == ("codah", file)
    with pytest.raises(BadInput, match="missing"):
        as_stages(str(tmp_path / "missing.jsonl"))


@pytest.mark.parametrize(("row", "kind"), [
    ({"context": "He sat {}.", "options": ["down", "up"], "label": 1}, "multiple_choice"),
    ({"context": "He sat on chair {}.", "question": "Who?",
      "answers": [{"text": "He", "answer_start": 0}]}, "question_answering"),
])  # fmt: skip
def test_the_kind_of_a_file_of_questions_is_that_of_its_columns(tmp_path, row, kind):
    rows = [row | {"context": row["context"].format(number)} for number in range(30)]
    assert read_stage(write(tmp_path / "my.jsonl", rows), None, 0).kind == kind


def test_other_files_are_read_as_labelled_texts(tmp_path):
    rows = [{"text": f"text {number}", "label": "ab"[number % 2]} for number in range(40)]
    assert read_stage(str(write(tmp_path / "my.jsonl", rows)), None, 0).kind == "classification"


def test_a_task_is_taken_as_it_is_and_a_name_looked_up(tmp_path):
    task = sample_task("classification")
    assert read_stage(task, None, 0) is task
    with pytest.raises(BadInput, match="the train and dev parts of codah are not on this machine") as error:
        read_stage("codah", tmp_path, 0)
    assert "learn from" not in str(error.value)
