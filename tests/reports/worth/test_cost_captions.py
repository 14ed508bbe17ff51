"""What the charts of costs show: break-even is said as far as it is known."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from tests.reports.example_record import example

from wordworth.records import Table
from wordworth.reports import render
from wordworth.reports.worth.cost_captions import break_even_notes, decision_caption
from wordworth.reports.worth.record_view import WorthView

FOUND = {"rung": "tfidf", "against": "minilm", "labels": 973, "multiple": 2.3, "state": "exact", "once_more": 51.0,
         "text_less": 3.9e-7, "texts": 1.3456e8, "low": 4e7, "high": math.inf}  # fmt: skip
FOUND = FOUND | {"multiple_low": 1.4, "multiple_high": 4.9}


NEVER = {"state": "never", "multiple": math.inf, "texts": math.inf}


def said(**changes: Any) -> str:
    record = example()
    (sentence,) = break_even_notes(
        WorthView.of(dataclasses.replace(record, timings={**record.timings, "break_even": {**FOUND, **changes}}))
    )
    return sentence


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {},
            "To reach what MiniLM (frozen) scores with 973 labels, TF-IDF + linear needs about 2.3 times as many",
        ),
        ({}, "2.3 times as many (95 %: 1.4 to 4.9). Its labels and training then cost $51 more,"),
        ({"multiple_high": math.inf}, "2.3 times as many (95 %: 1.4 or more)."),
        (
            {"multiple": 0.62, "multiple_low": 0.31},
            "needs about 0.62 times as many (95 %: 0.31 to 4.9, so it may need fewer or more).",
        ),
        (
            {"multiple": 0.62, "multiple_low": 0.31, "multiple_high": 0.9},
            "needs fewer: about 0.62 times as many (95 %: 0.31 to 0.90).",
        ),
        ({"multiple_low": 0.0, "multiple_high": 1.03}, "(95 %: up to 1.0, so it may need fewer or more)."),
        (
            {"multiple_low": None, "multiple_high": None},
            "needs about 2.3 times as many. Its labels and training then cost $51 more,",
        ),
        (
            {},
            "$51 more, but a million texts cost $0.39 less: it is the cheaper of the two from about 130 M texts on",
        ),
        ({}, "from about 130 M texts on (95 %: 40 M to never)."),
        ({"state": "more than"}, "needs more than 2.3 times as many. Its labels and training then cost $51 more,"),
        ({"state": "more than"}, "cheaper of the two from more than 130 M texts on."),
        (
            {"state": "more than", "texts": 0.0},
            "times as many. If that many are enough, its labels and training cost no more, and a million texts cost",
        ),
        (
            {"state": "at most", "texts": 0.0},
            "Its labels and training then cost no more, and a million texts cost $0.39 less: it is the cheaper of",
        ),
        (
            {"texts": 0.0, "low": 0.0, "high": math.inf},
            "it is the cheaper of the two from the first text on (95 %: 0 to never).",
        ),
        (
            {"state": "more than", "multiple": 1.03, "texts": 0.0},
            "does not reach what MiniLM (frozen) scores with 973 labels: how many more it needs, and what they cost,",
        ),
        (
            {"multiple": 0.36, "multiple_low": 0.0, "multiple_high": math.inf, "texts": 0.0},
            "scores with 973 labels cannot be estimated. A million texts cost $0.39 less with TF-IDF + linear.",
        ),
        (
            {"multiple_low": 0.05, "multiple_high": math.inf, "text_less": -1e-6, "texts": math.inf},
            "scores with 973 labels cannot be estimated.",
        ),
        (NEVER, "TF-IDF + linear never reaches what MiniLM (frozen) scores with 973 labels: no number of texts pays"),
        ({"text_less": -1e-6, "texts": math.inf}, "answering a text costs no less, so that no number of texts pays"),
    ],
)
def test_break_even_is_said_as_far_as_it_is_known(changes: dict[str, Any], words: str) -> None:
    assert words in said(**changes)


def test_break_even_stands_under_the_costs() -> None:
    record = example()
    html = render(dataclasses.replace(record, timings={**record.timings, "break_even": FOUND}))
    assert (
        html.index("Whiskers are 95\u00a0% intervals")
        < html.index("To reach what MiniLM (frozen)")
        < html.index('<h2 id="doubt')
    )


def test_a_record_without_break_even_says_nothing_of_it() -> None:
    assert "To reach what" not in render(example())


def test_rungs_that_were_measured_with_the_same_numbers_of_labels_share_a_note() -> None:
    record = example()
    few = {"glove", "wordllama"}
    rows = [row for row in record.tables["curve"].rows() if row["rung"] not in few or row["labels"] == 3_893]
    made = dataclasses.replace(record, tables={**record.tables, "curve": Table.of(rows, dict.fromkeys(rows[0], ""))})
    caption = decision_caption(WorthView.of(made))
    assert caption is not None
    notes = [note for note in caption.notes if note.endswith("; the other columns choose among the rest.")]
    assert "GloVe 6B 50d and WordLlama 256 were measured with 3,893 labels only" in notes[0]
    assert sum("with 3,893 labels only" in note for note in notes) == 1
