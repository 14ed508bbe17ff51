"""The verdict says who is surely ahead, and warnings what could mislead."""

from wordworth.studies.medical_codes.findings import _copied
from wordworth.text.patient_visits import read_visits


def test_the_verdict_names_the_best_baseline_and_what_graph_and_pretraining_add(codes_study):
    record = codes_study[1]
    numbers = record.finding("verdict").numbers
    scores = {
        row["system"]: row["value"]
        for row in record.tables["scores"].rows()
        if (row["codes"], row["measure"]) == ("all", "average_precision")
    }
    assert numbers["best_baseline"] in record.verdict
    assert scores[numbers["best_baseline"]] == max(scores[name] for name in scores if name in _baselines())
    assert abs(numbers["difference"] - (scores["G-BERT"] - scores["neither"])) < 1e-9
    assert "the model without both: " in record.verdict
    assert "neither" not in record.verdict


def _baselines():
    return {"most frequent", "last visit again", "nearest visits", "logistic regression"}


def test_made_up_and_few_patients_are_warned_of(codes_study):
    names = {finding.name for finding in codes_study[1].warnings}
    assert {"warning.synthetic", "warning.few_patients", "warning.few-runs"} <= names
    assert "round" not in " ".join(finding.text for finding in codes_study[1].warnings)


def test_targets_that_are_inputs_of_the_same_visit_are_counted(tmp_path):
    rows = [("01", "condition", "a"), ("01", "medication", "a"), ("02", "condition", "a"), ("02", "condition", "b")]
    rows += [("02", "medication", "a"), ("02", "medication", "c"), ("03", "condition", "b"), ("03", "medication", "a")]
    lines = [f"p,2020-01-{day},{kind},{code}" for day, kind, code in rows]
    (tmp_path / "visits.csv").write_text("\n".join(["patient,date,kind,code", *lines]))
    (warning,) = _copied(read_visits(tmp_path / "visits.csv", "condition", "medication"))
    assert warning.text.startswith("1 of 3 targets is an input of the same visit")  # a patient's first is not predicted
    assert warning.numbers == {"targets": 1}


def test_other_codes_of_the_same_visit_are_no_copies(codes_study):
    assert "warning.copied" not in {finding.name for finding in codes_study[1].warnings}
