"""Figures of the page on validity that come from the record of simulated metrics."""

import pytest
from tests.docs.record_figures import page_text, record

LINES = {
    "values, normal: Pearson, Spearman, R squared": ("values, normal",),
    "values, lognormal: Spearman": ("values, lognormal, spearman",),
    "values, lognormal: Pearson, R squared": ("values, lognormal, pearson", "values, lognormal, r2"),
    "macro F1, three classes, one of 2 %": ("macro F1, 3 classes",),
    "macro F1, 20 classes": ("macro F1, 20 classes",),
    "macro F1, 150 classes": ("macro F1, 150 classes",),
    "accuracy, 5, 10, 20, 40 equal groups": tuple(f"{groups} equal groups" for groups in (5, 10, 20, 40)),
    "accuracy, 5, 10, 20, 40 unequal groups": tuple(f"{groups} unequal groups" for groups in (5, 10, 20, 40)),
}
PROBABILITIES = {"log loss": "log_loss", "Brier score": "brier", "calibration error": "calibration_error"}


def cells(*beginnings):
    return [cell for name, cell in record("metric_coverage")["cells"].items() if name.startswith(beginnings)]


def span(shares):
    low, high = 100 * min(shares), 100 * max(shares)
    return f"{low:.1f} to {high:.1f}"


def line_of_scores(title):
    chosen = cells(*LINES[title])
    columns = (span([cell[f"{name} held"] for cell in chosen]) for name in ("mean score", "score", "gap"))
    return f"| {title} | {' | '.join(columns)} |"


def line_of_best(rungs):
    chosen = cells(f"best of {rungs} equal rungs")
    raised = ", ".join(f"{100 * cell['raised by']:.1f}" for cell in chosen)
    return f"| {rungs} | {span([cell['score held'] for cell in chosen])} | {raised} |"


def line_of_probabilities(title):
    columns = []
    for right in ("84.1", "98.6"):
        for rows in (60, 100, 300, 1_000):
            chosen = [cell for cell in record("metric_coverage")["cells"].items() if right in cell[0]]
            named = [cell["held"] for name, cell in chosen if name.endswith(f" {rows} rows")]
            columns.append(span([share for held in named for share in shares(held, title)]))
    return f"| {title} | {' | '.join(columns)} |"


def shares(held, title):
    if title in PROBABILITIES:
        return [held[PROBABILITIES[title]]]
    return [share for name, share in held.items() if name.startswith("surest")]


def line_of_multiples(key):
    return ", ".join(f"{100 * cell[f'{key} held']:.1f} % of {cell[f'{key} multiples']}" for cell in cells("label"))


@pytest.fixture(scope="module", name="page")
def read_page():
    return page_text("validity.md")


@pytest.mark.parametrize("title", LINES)
def test_the_coverage_of_scores_is_that_of_the_record(page, title):
    assert line_of_scores(title) in page


@pytest.mark.parametrize("rungs", [2, 4, 8])
def test_the_coverage_of_the_best_of_equal_rungs_is_that_of_the_record(page, rungs):
    assert line_of_best(rungs) in page


@pytest.mark.parametrize("title", [*PROBABILITIES, "score on the surest texts"])
def test_the_coverage_of_probabilities_is_that_of_the_record(page, title):
    assert line_of_probabilities(title) in page


@pytest.mark.parametrize("key", ["needed", "saved"])
def test_the_coverage_of_label_multiples_is_that_of_the_record(page, key):
    assert line_of_multiples(key) in page
