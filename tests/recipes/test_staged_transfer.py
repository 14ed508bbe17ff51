"""The study of staged transfer: its tables out of the records of its targets."""

from staged_transfer import gain_rows, stage_rows, verdict
from wordworth.records import Finding, Record, Table


def record(low):
    control = {"arm": "target alone", "runs": 3, "mean": 0.5, "low": 0.4, "high": 0.6}
    control |= {"gain": 0.1, "gain_low": low, "gain_high": 0.2}
    scores = {"metric": "accuracy", "mean": 0.6, "low": 0.5, "high": 0.7}
    tables = {
        "scores": Table.of([scores], dict.fromkeys(scores, "a column")),
        "controls": Table.of(
            [control, control | {"arm": "options only", "gain_low": -0.1}], dict.fromkeys(control, "a")
        ),
        "stages": Table.of([{"arm": "staged", "stage": 1, "mean": 0.4}], dict.fromkeys(("arm", "stage", "mean"), "a")),
    }
    findings = [Finding("verdict", "so", {"baseline": 0.5})]
    return Record("finetune", {}, {"metric": "accuracy"}, tables, findings)


def test_a_row_for_each_control_names_target_and_transfer():
    rows = list(gain_rows("copa", "snli", record(0.01)))
    assert [(row["target"], row["transfer"], row["control"]) for row in rows] == [
        ("copa", "snli", "target alone"),
        ("copa", "snli", "options only"),
    ]
    assert (rows[0]["staged"], rows[0]["gain_low"], rows[0]["chance"]) == (0.6, 0.01, 0.5)
    assert next(stage_rows("copa", "snli", record(0.01)))["arm"] == "staged"


def test_the_options_without_contexts_do_not_decide_whether_a_transfer_gains():
    rows = [*gain_rows("copa", "snli", record(0.01)), *gain_rows("codah", "snli", record(-0.01))]
    finding = verdict(rows)
    assert finding.numbers == {"sure": 1, "of": 2}
    assert "snli before copa" in finding.text
