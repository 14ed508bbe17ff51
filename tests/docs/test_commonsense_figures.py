"""Figures of the page on commonsense are those of its records: CODAH, pronouns, adversarial filtering."""

import pytest
from tests.docs.record_figures import page_text, percent_of, points, record, row, rows, unwrapped

from wordworth.sentence_formatting import signed

CODAH = "commonsense_mini_codah"
ACCURACY = ("accuracy", "low", "high")


def test_all_of_codah_is_that_of_the_record():
    page, scores = unwrapped("commonsense.md"), {score["method"]: score for score in rows(CODAH, "scores")}
    whole, piece, alone = (scores[name] for name in ("likelihood", "likelihood a piece", "ending alone, a piece"))
    ends = [f"{100 * score['low']:.1f} to {100 * score['high']:.1f}" for score in (whole, piece)]
    opening = (
        f"Of all its {whole['items']:,} items, of four endings each, `mini` has {100 * whole['accuracy']:.1f} % right"
    )
    assert f"{opening} ({ends[0]}; a piece {100 * piece['accuracy']:.1f} %, {ends[1]}; guessing 25 %)" in page
    assert f"have {percent_of(*(alone[name] for name in ACCURACY))} a piece" in page
    gap = row(CODAH, "differences", method="likelihood", other="random weights")
    low, high = (f"{100 * gap[name]:.1f}" for name in ("low", "high"))
    assert f"{signed(gap['difference'])} points, {low} to {high}" in page


@pytest.mark.parametrize(
    ("title", "name"),
    [("DPR, test", "dpr_test"), ("WSC-273", "wsc273"), ("PDP-60", "pdp60"), ("Winogender", "winogender")],
)
def test_what_fine_tuning_on_dpr_gives_is_that_of_the_record(title, name):
    pronouns = record("pronouns")["sets"][name]
    runs = (pronouns["before"], *pronouns["after"])
    shares = [points(*(run[column] for column in ("share", "low", "high"))) for run in runs]
    changes = ", ".join(signed(run["change"]) for run in pronouns["changes"])
    least = min(run["p"] for run in pronouns["changes"])
    items, chance = f"{pronouns['before']['items']}", f"{100 * pronouns['chance']:.0f}"
    cells = [title, items, chance, *shares, changes, f"{least:.2f}"]
    assert f"| {' | '.join(cells)} |" in page_text("commonsense.md")


def test_what_adversarial_filtering_does_is_that_of_the_record():
    seeds = record("filtering")["seeds"]
    assert all(seed["human endings kept"] for seed in seeds)
    for page in ("commonsense.md", "inside-findings.md"):
        for which in (0, -1):
            shares = [percent_of(*(seed["rounds"][which][name] for name in ACCURACY)) for seed in seeds]
            assert f"{shares[0]}, {shares[1]} and {shares[2]}" in unwrapped(page)
