from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.studies.fake_ladder import task
from tests.studies.worth.made_up import (
    LABELS,
    scores,
    sentence,
)

from wordworth.records import Finding
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.rows_to_decide import rows_available
from wordworth.tasks.examples import Origin


def test_the_rows_that_may_tell_are_more_than_those_that_did_not():
    finding = sentence(scores(tfidf=(70, 1.0), minilm=(71.0, 1.0)))
    assert finding.numbers["more_labels"] == [400, 800, 2_000]
    assert " with 200" not in finding.text


def test_how_many_rows_would_tell_is_set_beside_how_many_the_file_holds():
    limited = replace(task(40), warnings=(Finding("warning.limit", "…", {"file_rows": 4_866}),))
    assert rows_available(task(40), 900, quick=False) == "your file holds 40"
    assert rows_available(limited, 2_000, quick=True) == (
        "40 were used, and your file holds 4,866: leave out the option quick, or raise the option limit"
    )
    assert rows_available(limited, 9_000, quick=False) == (
        "40 were used, and your file holds 4,866: raise the option limit, though even all of them may not be enough"
    )
    text = sentence(scores(tfidf=(84, 2), minilm=(84.3, 2))).text
    assert "By these labels alone, a definite answer has a probability of " in text
    assert re.search(r" of \d+ % with 400 labelled rows in all, \d+ % with 800", text)
    assert re.search(r" and \d+ % with 2,000; your file holds 200\.", text)


def test_with_a_test_file_it_is_the_rows_of_that_file_that_would_tell():
    apart = replace(task(200), origins=(Origin("train.csv", "0", 150), Origin("later.csv", "1", 50)))
    made = scores(tfidf=(84, 2), minilm=(84.3, 2))
    together, later = sentence(made), sentence(made, about=apart)
    assert "labelled rows" not in later.text
    assert re.search(r" % with \d+ test rows in all, ", later.text)
    assert f"; your test file holds {len(apart.test)}." in later.text
    share = len(apart.test) / 200
    assert later.numbers["more_labels"] == pytest.approx([share * rows for rows in together.numbers["more_labels"]])
    assert later.numbers["chances"] == together.numbers["chances"]
    sampled = replace(apart, warnings=(Finding("warning.test_rows", "…", {"used": 50, "file_rows": 30_000}),))
    assert rows_available(sampled, 40_000, quick=False).endswith(
        "the most there can be, of the 30,000 of your test file"
    )


@pytest.mark.parametrize(
    ("contextual", "quick", "seeds", "advice"),
    [
        ("tuned", True, 8, "and a quick study makes few: leave out the option quick."),
        ("tuned", False, 5, "and a fine-tuned rung has 3 at most."),
        ("tuned", False, 2, "make more (the option seeds)."),
        ("minilm", True, 5, "make more (the option seeds)."),
    ],
)
def test_where_runs_differ_too_much_the_verdict_advises_what_gives_more_of_them(contextual, quick, seeds, advice):
    rows = tuple(np.arange(LABELS) for _ in range(seeds))
    made = scores(assumed={contextual: 0.2}, runs=1, tfidf=(80, 0.5), **{contextual: (80, 0.5)})
    finding = sentence(made, LabelGrid((LABELS,), rows, quick=quick))
    assert finding.numbers["labels_to_tell"] == np.inf
    assert advice in finding.text
    assert ("option seeds" in finding.text) == ("option seeds" in advice)


def test_a_quick_study_of_some_rows_is_told_once_to_leave_out_quick():
    rows = tuple(np.arange(LABELS) for _ in range(5))
    made = scores(assumed={"tuned": 0.2}, runs=1, tfidf=(80, 0.5), tuned=(80, 0.5))
    limited = replace(task(200), warnings=(Finding("warning.limit", "…", {"file_rows": 4_866}),))
    text = sentence(made, LabelGrid((LABELS,), rows, quick=True), about=limited).text
    assert text.count("leave out the option quick") == 1
    assert text.endswith("make it likely, and a quick study makes few.")


def test_where_the_budget_of_time_left_a_fine_tuned_rung_one_run_the_advice_is_more_time():
    rows = tuple(np.arange(LABELS) for _ in range(5))
    made = scores(assumed={"tuned": 0.2}, runs=1, tfidf=(80, 0.5), tuned=(80, 0.5))
    assert "give more (the option budget)" in sentence(made, LabelGrid((LABELS,), rows, few_runs=True)).text
