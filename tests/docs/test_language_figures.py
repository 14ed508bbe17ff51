"""Figures of MiniLM on SIB-200 in the findings about languages and the five readings are those of its record."""

from collections import Counter
from statistics import fmean

import pytest
from tests.docs.test_claims_of_records import RECORDS, rows

from wordworth.records import read
from wordworth.sentence_formatting import signed

PAGE, READINGS = (
    " ".join((RECORDS.parent / page).read_text(encoding="utf-8").split())
    for page in ("languages-findings.md", "seeds.md")
)  # without line breaks, so that a claim may be wrapped anywhere
MINILM, MULTILINGUAL = "languages_minilm", "languages_related_multilingual"
NAMES = {
    "eng_Latn": "English",
    "fra_Latn": "French",
    "spa_Latn": "Spanish",
    "deu_Latn": "German",
    "fin_Latn": "Finnish",
    "quy_Latn": "Quechua",
    "swh_Latn": "Swahili",
    "jpn_Jpan": "Japanese",
    "zho_Hans": "Chinese",
    "rus_Cyrl": "Russian",
    "hin_Deva": "Hindi",
    "tha_Thai": "Thai",
}


def numbers(record, finding):
    return read(RECORDS / f"{record}.json").finding(finding).numbers


def percent(value):
    return f"{100 * value:.1f}"


def change(found, name):
    return f"{signed(found[name])} ({signed(found[f'{name}_low'])} to {signed(found[f'{name}_high'])})"


def cost(found, name):
    """A loss in points and its interval, as pages write it: without signs, the smaller end first."""
    return percent(-found[name]), f"({percent(-found[f'{name}_high'])} to {percent(-found[f'{name}_low'])})"


def by_language(table):
    return {row["language"]: row for row in rows(MINILM, table) if row.get("system", "model") == "model"}


@pytest.mark.parametrize("language", NAMES)
def test_a_line_of_the_main_table(language):
    scores, pieces = by_language("languages")[language], by_language("pieces")[language]
    cells = [NAMES[language], percent(scores["own"]), percent(scores["characters"]), change(scores, "ahead")]
    cut = [f"{pieces['per_word']:.2f}", percent(pieces["unknown"])]
    if language == "eng_Latn":
        line = f"| {' | '.join(cells)} | | | | {' | '.join(cut)} | |"
    else:
        cells += [percent(scores["zero_shot"]), change(scores, "gap"), percent(scores["back"]), *cut]
        line = f"| {' | '.join(cells)} | {percent(by_language('retrieval')[language]['forward'])} |"
    assert line in PAGE


def test_how_many_languages_are_served_and_what_the_labels_of_english_cost():
    scores, verdict = rows(MINILM, "languages"), numbers(MINILM, "verdict")
    assert Counter(row["served"] for row in scores) == {"yes": 1, "cannot tell": 8, "no": 30}
    behind = [-row["ahead"] for row in scores if row["served"] == "no"]
    assert f"by {percent(min(behind))} points (Tagalog) to {percent(max(behind))} (Thai)" in PAGE
    average, ends = cost(verdict, "gap")
    assert f"**English labels cost {average} points on average** {ends}" in PAGE
    assert f"English labels cost {average} points {ends}" in READINGS
    assert f"on English texts {' '.join(cost(verdict, 'back_gap'))}" in PAGE


def test_the_rank_correlations_with_shared_pieces():
    ranks = numbers(MINILM, "relatedness")
    zero_shot, gap = (
        [f"{ranks[name + end]:.2f}".replace("-", "−") for end in ("", "_low", "_high")] for name in ("zero_shot", "gap")
    )
    assert "accuracy at {} ({} to {}, over languages)".format(*zero_shot) in PAGE
    assert "at all, it correlates at {} ({} to {})".format(*gap) in PAGE
    assert "{} ({} to {}) with zero-shot accuracy, ".format(*zero_shot) + "{} ({} to {}) with".format(*gap) in READINGS


def test_the_means_of_related_and_distant_languages():
    ours, theirs, every = numbers(MINILM, "related"), numbers(MULTILINGUAL, "related"), rows(MINILM, "related")
    both = ", ".join(percent(fmean(row[name] for row in every)) for name in ("related", "distant"))
    cells = [both, f"**{change(ours, 'change')}**", change(ours, "random"), change(theirs, "change")]
    cells += [change(theirs, "random"), change(ours, "characters")]
    assert f"| **all** | {len(every)} | {' | '.join(cells)} |" in PAGE
    cells = [f"**{change(ours, 'fitted')}**", "", change(theirs, "fitted"), "", change(ours, "fitted_characters")]
    line = f"| in a fit with levels | {len(every)} | | {' | '.join(cells)} |"
    assert line.replace("|  |", "| |") in PAGE
    assert f"MiniLM's gain less theirs is {change(ours, 'above_characters')}" in PAGE
    assert f"MiniLM {change(ours, 'change').replace('(+', 'points (').replace('to +', 'to ')}" in READINGS


def test_the_related_and_distant_languages_of_each_genus():
    genera = Counter(row["genus"] for row in rows(MINILM, "related"))
    for genus, number in genera.items():
        mean = {
            (record, name): fmean(row[name] for row in rows(record, "related") if row["genus"] == genus)
            for record in (MINILM, MULTILINGUAL)
            for name in ("related", "distant", "change", "random", "characters")
        }
        both = ", ".join(percent(mean[MINILM, name]) for name in ("related", "distant"))
        changes = [signed(mean[record, name]) for record in (MINILM, MULTILINGUAL) for name in ("change", "random")]
        cells = [genus, str(number), both, *changes, signed(mean[MINILM, "characters"])]
        assert f"| {' | '.join(cells)} |" in PAGE
