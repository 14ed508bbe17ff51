"""Whether the teacher learned from test rows: known by its own predictions, and said where it is not known."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from wordworth.studies.distill.teacher_leakage_warning import learned_test_rows


def teacher_and_task(learned, tested):
    origin = SimpleNamespace(sha256="a")
    task = SimpleNamespace(origins=(origin,), sources_of=lambda _: ["a"], numbers=np.arange(20), test=np.array(tested))
    return SimpleNamespace(learned_from=frozenset(learned)), task


@pytest.fixture
def tested_run(answered, tmp_path):
    """A run that was tested on rows 3 and 4 of the file `a`."""
    record, _ = answered
    folder = tmp_path / "run"
    (folder / "model").mkdir(parents=True)
    content = json.loads(record.to_json())
    content["data"]["sources"] = [{"sha256": "a"}]
    (folder / "record.json").write_text(json.dumps(content))
    (folder / "predictions.jsonl").write_text("".join(json.dumps({"row": row}) + "\n" for row in (3, 4)))
    return folder


def test_rows_of_another_file_or_that_it_was_tested_on_are_no_cause_to_warn(tested_run):
    assert not learned_test_rows(*_order(*teacher_and_task(["b"], [1]), tested_run))
    assert not learned_test_rows(*_order(*teacher_and_task(["a"], [3, 4]), tested_run))
    assert not learned_test_rows(*_order(*teacher_and_task(["a"], [3]), tested_run / "model"))


def test_others_are(tested_run, tmp_path):
    assert learned_test_rows(*_order(*teacher_and_task(["a"], [3, 5]), tested_run))[0].name == "warning.learned_rows"
    assert learned_test_rows(*_order(*teacher_and_task(["a"], [3]), tmp_path / "elsewhere"))
    (tested_run / "predictions.jsonl").write_text("no json")
    assert learned_test_rows(*_order(*teacher_and_task(["a"], [3]), tested_run))


def _order(predictor, task, run):
    return predictor, run, task
