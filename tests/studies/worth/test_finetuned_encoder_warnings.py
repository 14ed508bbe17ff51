"""An encoder that was fine-tuned before is said to be, the more so where it learned from the study's own file."""

import json

import pytest
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.studies.worth.finetuned_encoder_warnings import finetuned_encoders
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_tuned(tmp_path_factory.mktemp("reviews"), steps=5)


def test_a_fine_tuned_encoder_is_named_by_its_run_and_warned_of(run, tmp_path):
    task = read_task(write_rows(tmp_path / "rows.csv", sample_task("single")), ReadSettings())
    (found,) = finetuned_encoders(["minilm", str(run)], task)
    assert found.text.startswith(f"{run.parent.name} was fine-tuned before")
    metadata = json.loads((run / "wordworth.json").read_text())
    learned = {**metadata, "learned_from": [task.origins[0].sha256]}
    (run / "wordworth.json").write_text(json.dumps(learned))
    (found,) = finetuned_encoders([str(run.parent)], task)
    assert "was fine-tuned on this very file" in found.text
