"""Figures of the page on validity are those of its records: real data, few folds, the prior, plans."""

from itertools import product

import numpy as np
import pytest
from tests.docs.record_figures import page_text, record


@pytest.fixture(scope="module", name="page")
def read_page():
    return page_text("validity.md")


def coverage(summary, which):
    low, high = summary[f"coverage_{which}_between"]
    share, intervals = summary[f"coverage_{which}"], summary["intervals"][which]
    return f"{100 * share:.1f} % of {intervals} ({100 * low:.1f} to {100 * high:.1f})"


@pytest.mark.parametrize("name", ["validity", "validity_more", "validity_later"])
@pytest.mark.parametrize("which", ["top", "top_of_new_labels", "quarter"])
def test_coverage_on_real_data_is_that_of_the_record(page, name, which):
    assert coverage(record(name)["summary"], which) in page


@pytest.mark.parametrize("names", [["validity", "validity_more"], ["validity_later"]])
def test_the_table_of_all_results_counts_the_answers_of_the_records(page, names):
    summaries = [record(name)["summary"] for name in names]
    cannot_tell, studies = (sum(summary[key] for summary in summaries) for key in ("cannot_tell", "studies"))
    assert f"{'earlier' if len(names) > 1 else 'today'} {cannot_tell} of {studies}" in page
    for answer in ("cheap_suffices", "contextual_worth_it", "contextual_ahead"):
        wrong, answers = (sum(summary[answer + end] for summary in summaries) for end in ("_wrong", ""))
        assert f"{'earlier' if len(names) > 1 else 'today'} {wrong} of {answers}" in page


def test_what_any_rule_could_reach_is_that_of_the_record(page):
    summary = record("validity_later")["summary"]
    best, studies = summary["cannot_tell_at_best"], summary["studies"]
    fitted, fresh = best["rungs_as_fitted"], best["fresh_labels"]
    assert f"| rungs as fitted: chance of the test rows alone | {fitted:.1f} | |" in page
    assert f"| fresh labels: chance of test rows and labels | {fresh:.1f} | {summary['cannot_tell']} |" in page
    assert f"some {studies - fresh:.0f} of these {studies} studies" in page
    assert f"[at best {fresh:.0f}]" in page


def test_how_often_a_random_half_changes_an_answer_is_that_of_the_record(page):
    half, cells = "other by a random half", record("verdict_simulation")["cells"].values()
    cells = [cell for cell in cells if cell.get(half) is not None]
    definite = [round(cell["studies"] * (1 - cell["answers"]["cannot tell yet"])) for cell in cells]
    changed = sum(round(number * cell[half]) for number, cell in zip(definite, cells, strict=True))
    assert f"| {len(cells)} designs that have one | {changed} of {sum(definite):,}: " in page


@pytest.mark.parametrize("spread", ["0.5", "1.1", "2.0", "1.1, heavy tails"])
def test_intervals_of_few_folds_are_those_of_the_record(page, spread):
    cells, columns = record("few_fold_runs")["cells"], []
    for rows in (100, 300, 1_200):
        of_rows = [cells[f"{rows} rows, {folds} of 5 folds, runs {spread}"] for folds in (1, 3, 5)]
        columns.append(", ".join(f"{100 * held(of_rows, of):.1f}" for of in ("gap", "gap of these labels", "score")))
    assert " | ".join(columns) in page


def held(cells, of):
    """The share of intervals that hold the truth, over the studies of some cells and all true leads."""
    shares = [np.mean([lead[f"{of} covered"] for lead in cell["leads"].values()]) for cell in cells]
    return np.average(shares, weights=[cell["studies"] for cell in cells])


@pytest.mark.parametrize(
    "known", ["nothing", "the number of labels", "the score of the best cheap rung", "whether texts are pairs"]
)
def test_what_other_sets_say_of_a_lead_is_that_of_the_record(page, known):
    prior = record("other_data_sets")["left_out"][known]
    points = " | ".join(f"{100 * prior[name]:.1f}" for name in ("half_width", "root_mean_square_error"))
    assert f"| {known} | {100 * prior['held']:.1f} % ({round(prior['held'] * prior['studies'])}) | {points} |" in page


@pytest.mark.parametrize(("group", "rival"), list(product(["paper_sets", "all_sets"], ["random", "glove", "both"])))
def test_cells_of_arora_et_al_are_those_of_the_record(page, group, rival):
    counts = record("paper")["counts"][group][rival]
    row = f"| {counts['agree']} of {counts['cells']} | {counts['survive_null']} | {counts['survive_holm']} |"
    assert row in page


def plans():
    """A line of the table for each set, and the ratios of planned to actual widths that the text gives."""
    compared_sets = record("plan")["rows"]
    lines = [
        f"| `{row['set']}` | `{row['cheap']}`, `{row['contextual']}` | {100 * row['disagreement']:.1f} % "
        + "".join(f"| {100 * row[name]:.2f} " for name in ("planned", "actual", "actual_of_compared"))
        + "|"
        for row in compared_sets
    ]
    same, compared = (
        sorted(round(row["planned"] / row[name], 2) for row in compared_sets)
        for name in ("actual", "actual_of_compared")
    )
    return [
        *lines,
        f"{same[0]} to {same[2]} times as wide",
        f"{same[3]} and {same[4]} times",
        f"{compared[0]} to {compared[-1]} times as wide",
    ]


def test_what_was_planned_and_found_is_that_of_its_record(page):
    assert [text for text in plans() if text not in page] == []
