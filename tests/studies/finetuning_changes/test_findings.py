"""The findings say what was measured, beside what, and what is missing."""


def test_the_verdict_has_a_headline_and_says_the_figures(record):
    verdict = record.finding("verdict")
    assert verdict.numbers["headline"].endswith("most.")
    for words in ("have a CKA of", "Two seeds of the same training", "changed more", "On the line", "from scratch"):
        assert words in verdict.text
    assert record.finding("plane").numbers["second"] == "other task"


def test_the_method_says_that_losses_are_those_of_the_models(record):
    losses = record.finding("method.losses")
    assert losses.numbers == {"difference": 0.0, "restored": True}
    assert "every weight was what it was" in losses.text
    assert record.finding("method.patterns").numbers["rules"] == 1


def test_few_rows_are_said_to_be_few(record):
    assert record.finding("warning.few_rows").numbers == {"rows": 30}
    assert not any(each.name in {"warning.scratch", "warning.second", "warning.path"} for each in record.findings)
