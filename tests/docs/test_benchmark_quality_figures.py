"""Figures of the page on quality are those of its records: choices, specialists, offsets of classes, the tagger."""

from statistics import fmean

import pytest
from tests.docs.record_figures import record, unwrapped


def regret():
    """The line of all sets and sizes."""
    figures, of_other_draws = record("choice_regret"), "regret_beside_the_best_of_other_draws"
    names = [f"{kind}_{name}" for name in ("regret", of_other_draws) for kind in ("mean", "largest")]
    cells = [f"{figures['cells_of_sets_and_sizes']}", *(f"{figures[name]:.2f}" for name in names)]
    return [f"| all | {' | '.join(cells)} |"]


def specialists():
    """The beginning and the end of a line of the tables for each set and number of labels with TF-IDF."""
    comparisons = [row for name in ("specialists_tfidf", "specialists_tfidf_500") for row in record(name)["beside"]]
    ends = [f"| {row['score']:.1f} | {row['to_plain']:+.1f} | {row['difference']:+.1f} |" for row in comparisons]
    return [*("| {set} | {metric} | {draws} | {plain:.1f} |".format(**row) for row in comparisons), *ends]


def offsets():
    """A line of the table for each set and number of labels."""
    line = "| {set} | {metric} | {labels:,} | {draws} | {plain:.1f} | {gain:+.1f} |"
    return [line.format(**row) for row in record("specialists")["offsets"]]


def taggers():
    """A line of the table for each set and size, and what the page says of them together."""
    rows = record("taggers")["rows"]
    line = (
        "| `{set}` | {sentences:,} | {draws} | {ours:.1f} | {peer:.1f} | {ahead:+.1f} | {regret:.1f} "
        "| {our_seconds:.1f} | {peer_seconds:.1f} |"
    )
    other_sets = fmean(row["ahead"] for row in rows if row["set"] != "conll2003")
    return [
        *(line.format(**row) for row in rows),
        f"{other_sets:.1f} points ahead on average",
        f"of all rows is {fmean(row['regret'] for row in rows):.1f}",
    ]


FIGURES = {
    "regret of choices": regret,
    "beside a specialist": specialists,
    "offsets of classes": offsets,
    "taggers": taggers,
}


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_of_the_benchmarks_is_that_of_its_record(figure):
    page = unwrapped("benchmarks/quality.md")
    assert [text for text in FIGURES[figure]() if text not in page] == []
