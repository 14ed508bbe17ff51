"""The page of a fine-tuning says what its record says, escapes what it is given, and leaves out what there is not."""

from itertools import pairwise

import pytest
from elements import elements
from tests.reports.finetune_record import record, run, table

from wordworth.records import Finding
from wordworth.reports import render


def test_the_page_says_the_score_its_interval_and_every_run():
    page = render(record())
    for words in ("Accuracy 70.5", "66.0–74.0", "Seeds differ by up to 1.0 point", "seed 1", "2 of 2"):
        assert words in page


def test_strings_of_the_data_are_escaped():
    page = render(record())
    assert "&lt;b&gt;Paris&lt;/b&gt; &amp; Rome" in page
    assert "<b>Paris" not in page


def test_a_record_in_which_every_run_failed_has_a_page():
    nothing = {name: table() for name in ("confusion", "classes", "examples", "evaluations")}
    none = {"metric": "accuracy", "title": "accuracy", "runs": 0}
    scores = table(none | dict.fromkeys(("mean", "deviation", "least", "most", "low", "high", "best")))
    runs = table(run(0, "failed", test=None, dev=None, best=False, reason="loss nan"))
    failed = [Finding("verdict", "All 1 runs failed.", {"headline": "No run ended."})]
    page = render(record(tables={**nothing, "scores": scores, "runs": runs}, findings=failed))
    assert "No run ended" in page
    assert "Every run failed" in page


def test_the_document_is_whole_and_its_headings_descend():
    found = [int(one.name[1]) for one in elements(render(record())) if one.name in {"h1", "h2", "h3"}]
    assert found[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(found))


@pytest.mark.parametrize(
    ("floor", "said"), [(0.6, "none says the same of all"), (0.72, "yet the same of all scores 72.0")]
)
def test_runs_that_did_not_collapse_stand_beside_saying_the_same_of_all(floor, said):
    numbers = {"headline": "Accuracy 70.5", "ended": 2, "baseline": floor, "mean": 0.705}
    assert said in render(record(findings=[Finding("verdict", "MiniLM scores 70.5.", numbers)]))


def test_warnings_stand_beside_the_answer_and_under_what_could_be_wrong():
    verdict = record().findings[0]
    page = render(record(findings=[verdict, Finding("warning.collapsed", "1 of 2 runs collapsed.")]))
    assert page.count("1 of 2 runs collapsed.") == 2
    assert page.index("1 of 2 runs collapsed.") < page.index('id="evidence"')
    assert "Before you trust it" not in render(record())
