"""The tables of a staged transfer on a page."""

from wordworth.records import Finding, Record, Table
from wordworth.reports.finetune.record_view import FinetuneView
from wordworth.reports.finetune.staged_transfer_tables import controls, stages

STAGE = {
    "arm": "staged",
    "stage": 1,
    "task": "snli",
    "train": 800,
    "steps": 50,
    "learning_rate": 1e-4,
    "output": "new",
    "metric": "accuracy",
    "mean": 0.5,
    "low": 0.4,
    "high": 0.6,
}
CONTROL = {
    "arm": "target alone",
    "runs": 3,
    "mean": 0.5,
    "low": 0.4,
    "high": 0.6,
    "gain": 0.03,
    "gain_low": -0.01,
    "gain_high": 0.07,
}


def view(**tables):
    made = {name: Table.of(rows, dict.fromkeys(rows[0], "a column")) for name, rows in tables.items()}
    data = {"metric": "accuracy", "metric_title": "accuracy"}
    return FinetuneView.of(Record("finetune", {}, data, made, [Finding("verdict", "so")]))


def test_the_gain_over_a_control_stands_with_its_interval():
    grid = controls(view(controls=[CONTROL]))
    assert [cell.text for cell in grid.rows[0]] == ["target alone", "50.0", "+3.0", "3"]
    assert grid.rows[0][2].detail


def test_a_stage_has_its_task_and_what_it_starts_with():
    grid = stages(view(stages=[STAGE]))
    assert [cell.text for cell in grid.rows[0]] == ["staged", "1", "snli", "50.0", "800", "50", "0.0001", "new"]


def test_a_record_of_one_fine_tuning_has_neither():
    assert controls(view()) is None
    assert stages(view()) is None
