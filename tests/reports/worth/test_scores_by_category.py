"""The lead of context by category on the page: drawn, tabled with every rung's score, or said not to be there."""

from __future__ import annotations

import dataclasses

from example_record import example

from wordworth.records import Finding, Record, Table
from wordworth.reports import render
from wordworth.reports.worth.record_view import WorthView
from wordworth.reports.worth.scores_by_category import categories_caption
from wordworth.studies.worth.scores_by_category import CATEGORIES, CATEGORY_GAPS

SENTENCE = "By category, the lead is told here."
OF = {"column": "kind", "rows": 40}
SCORED = OF | {"cheap": "tfidf", "contextual": "minilm", "level": 0.975, "left_out": ""}
HELPS = SCORED | {"category": "negation", "gap": 0.1, "low": 0.02, "high": 0.2, "answer": "context helps"}
OPEN = SCORED | {"category": "numbers", "gap": -0.01, "low": -0.1, "high": 0.08, "answer": "cannot tell"}
FEW = dict.fromkeys(CATEGORY_GAPS) | SCORED | {"category": "rare", "left_out": "3 test rows, and 30 are needed"}


def record_of(*gaps: dict[str, object]) -> Record:
    """The example's record with these rows of gaps, and a score of two rungs on the category of negation."""
    scores = [
        OF | {"category": "negation", "rung": "tfidf", "predicted": 40, "score": 0.512, "low": 0.4, "high": 0.6},
        dict.fromkeys(CATEGORIES) | OF | {"category": "negation", "rung": "minilm", "predicted": 9},
    ]
    record = example()
    tables = {"categories": Table.of(scores, CATEGORIES), "category_gaps": Table.of(gaps, CATEGORY_GAPS)}
    findings = [finding for finding in record.findings if not finding.name.startswith("caption.")]
    return dataclasses.replace(
        record, tables={**record.tables, **tables}, findings=[*findings, Finding("categories", SENTENCE)]
    )


def title_of(*gaps: dict[str, object]) -> str:
    caption = categories_caption(WorthView.of(record_of(*gaps)))
    assert caption is not None
    return caption.title


def test_the_title_counts_where_context_surely_helps_or_hurts() -> None:
    assert title_of(HELPS, OPEN, FEW) == "Context surely helps in 1 of 2 categories"
    hurts = HELPS | {"answer": "context hurts"}
    assert title_of(hurts, OPEN) == "Context surely helps in 0 of 2 categories, and surely hurts in 1"


def test_the_page_has_the_leads_and_the_score_of_every_rung() -> None:
    page = render(record_of(HELPS, OPEN, FEW))
    assert "97.5 % interval" in page.replace("\u00a0", " ")
    assert "3 test rows, and 30 are needed" in page
    assert "The score of every rung by category" in page
    assert "51.2" in page
    assert SENTENCE in page


def test_where_no_category_is_scored_the_page_says_so() -> None:
    assert "No category has test texts enough to be scored." in render(record_of(FEW))


def test_without_a_comparison_the_sentence_stands_above_the_scores() -> None:
    page = render(record_of())
    assert SENTENCE in page
    assert "Context surely helps in" not in page


def test_a_record_without_categories_has_neither() -> None:
    assert "by category" not in render(example())
