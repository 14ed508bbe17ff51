"""The record of finished runs is what their logs say."""

import json

import pytest

from training_curves import record
from wordworth.errors import BadInput
from wordworth.records import read


def write_run(folder, right, steps=2):
    rows = [
        {"kind": "start", "step": 0, "steps": 2},
        {"kind": "evaluation", "step": 0, "mlm": 3.0, "mlm_right": 0.1},
        {"kind": "step", "step": 1, "tokens": 5, "seconds": 1.0},
        {"kind": "step", "step": steps, "tokens": 6, "seconds": 2.04},
        {"kind": "evaluation", "step": steps, "mlm": 2.0, "mlm_right": right, "dea": 1.0, "dea_right": 0.8},
    ]
    (folder / "training").mkdir(parents=True)
    (folder / "training" / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "training" / "run.json").write_text('{"seed": 0}')
    return folder


def test_the_record_has_every_evaluation_and_the_settings_tokens_and_seconds_of_each_run(tmp_path):
    folders = [write_run(tmp_path / name, right) for name, right in (("one", 0.2), ("two", 0.3))]
    made = record(folders)
    made.save(tmp_path / "curves.json")
    made = read(tmp_path / "curves.json")
    rows = made.tables["curves"].rows()
    assert [(row["run"], row["step"], row["mlm_right"], row["dea_right"]) for row in rows] == [
        ("one", 0, 0.1, None), ("one", 2, 0.2, 0.8), ("two", 0, 0.1, None), ("two", 2, 0.3, 0.8)
    ]  # fmt: skip
    assert made.settings == {"one": {"seed": 0}, "two": {"seed": 0}}
    assert made.data["tokens"] == {"one": 11, "two": 11}
    assert made.timings["seconds"] == {"one": 2.0, "two": 2.0}


def test_a_run_that_was_stopped_or_is_none_is_refused(tmp_path):
    with pytest.raises(BadInput, match="no run with an evaluation after its last update"):
        record([write_run(tmp_path / "stopped", 0.2, steps=1)])
    with pytest.raises(BadInput, match="no run with an evaluation"):
        record([tmp_path / "none"])
