"""Figures about languages in the findings and the five readings are those of their records."""

from collections import Counter
from statistics import fmean

import pytest
from tests.docs.record_figures import change_with_interval, finding, page_text, points, record, row, rows, unwrapped

from wordworth.sentence_formatting import signed

PAGE, READINGS = unwrapped("languages-findings.md"), unwrapped("seeds.md")
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
ENDS = ("", "_low", "_high")
"""What the name of a column ends with: the value, and the ends of its interval."""


def numbers(name, title):
    return finding(name, title)["numbers"]


def percent(value):
    return f"{100 * value:.1f}"


def change(scores, name):
    return change_with_interval(*(scores[name + end] for end in ENDS))


def score_with_interval(scores, name):
    return points(*(scores[name + end] for end in ENDS))


def cost(scores, name):
    """A loss in points and its interval, as pages write it: without signs, the smaller end first."""
    return percent(-scores[name]), f"({percent(-scores[f'{name}_high'])} to {percent(-scores[f'{name}_low'])})"


def by_language(table):
    return {scores["language"]: scores for scores in rows(MINILM, table) if scores.get("system", "model") == "model"}


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
    languages, verdict = rows(MINILM, "languages"), numbers(MINILM, "verdict")
    assert Counter(scores["served"] for scores in languages) == {"yes": 1, "cannot tell": 8, "no": 30}
    behind = [-scores["ahead"] for scores in languages if scores["served"] == "no"]
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
    ours, theirs, pairs = numbers(MINILM, "related"), numbers(MULTILINGUAL, "related"), rows(MINILM, "related")
    both = ", ".join(percent(fmean(pair[name] for pair in pairs)) for name in ("related", "distant"))
    cells = [both, f"**{change(ours, 'change')}**", change(ours, "random"), change(theirs, "change")]
    cells += [change(theirs, "random"), change(ours, "characters")]
    assert f"| **all** | {len(pairs)} | {' | '.join(cells)} |" in PAGE
    cells = [f"**{change(ours, 'fitted')}**", "", change(theirs, "fitted"), "", change(ours, "fitted_characters")]
    line = f"| in a fit with levels | {len(pairs)} | | {' | '.join(cells)} |"
    assert line.replace("|  |", "| |") in PAGE
    assert f"MiniLM's gain less theirs is {change(ours, 'above_characters')}" in PAGE
    assert f"MiniLM {change(ours, 'change').replace('(+', 'points (').replace('to +', 'to ')}" in READINGS


def test_the_related_and_distant_languages_of_each_genus():
    genera = Counter(pair["genus"] for pair in rows(MINILM, "related"))
    for genus, number in genera.items():
        mean = {
            (study, name): fmean(pair[name] for pair in rows(study, "related") if pair["genus"] == genus)
            for study in (MINILM, MULTILINGUAL)
            for name in ("related", "distant", "change", "random", "characters")
        }
        both = ", ".join(percent(mean[MINILM, name]) for name in ("related", "distant"))
        changes = [signed(mean[study, name]) for study in (MINILM, MULTILINGUAL) for name in ("change", "random")]
        cells = [genus, str(number), both, *changes, signed(mean[MINILM, "characters"])]
        assert f"| {' | '.join(cells)} |" in PAGE


@pytest.mark.parametrize("kind", ["ladder", "quick"])
def test_the_tables_of_worth_in_other_languages_are_those_of_the_record(kind):
    for study in record("worth_languages")[kind]:
        if kind == "ladder":
            (tfidf,) = (rung for rung in study["rungs"] if rung["rung"] == "tfidf")
            cells = [points(tfidf["score"], tfidf["low"], tfidf["high"])]
        else:
            best = (best_of(study["rungs"], contextual=contextual) for contextual in (False, True))
            cells = [study["answer"], *best, percent(study["unknown"]["minilm"])]
        cells = [study["set"], f"{study['rows']:,}", *cells, f"{study['seconds']}"]
        assert f"| {' | '.join(cells)} |" in PAGE


def best_of(rungs, *, contextual):
    """The rung with the highest score, as a cell of a table."""
    best = max((rung for rung in rungs if rung["contextual"] == contextual), key=lambda rung: rung["score"] or 0)
    return f"`{best['rung']}` {points(best['score'], best['low'], best['high'])}"


def test_languages_of_tags_and_of_translations():
    """The lines of both tables, from their records."""
    tags, translations = "languages_tags_minilm", "languages_translations_minilm"
    for language, name in {"fra": "French", "deu": "German", "fin": "Finnish", "jpn": "Japanese"}.items():
        retrievals = (
            row(translations, "retrieval", language=language, system=system)
            for system in ("sentence vectors", "chosen layer", "input layer", "random weights", "character n-grams")
        )
        cells = " | ".join(f"{percent(scores['forward'])}, {percent(scores['backward'])}" for scores in retrievals)
        ahead = change(row(translations, "languages", language=language), "above_characters")
        assert f"| {name} | {cells} | {ahead} |" in PAGE
    for language, name in {"en": "English", "pt": "Portuguese", "sv": "Swedish", "zh": "Chinese"}.items():
        scores = row(tags, "languages", language=f"{language}_pud")
        own, spellings, german = (percent(scores[column]) for column in ("own", "characters", "zero_shot"))
        cells = f"{own} | {spellings} | {change(scores, 'ahead')} | {german} | {change(scores, 'gap')}"
        assert f"| {name} | {cells} |" in PAGE


def test_the_pieces_of_questions_are_those_of_the_record():
    lines = page_text("languages-findings.md").splitlines()
    names = {"en": "English", "de": "German", "es": "Spanish", "ru": "Russian", "ar": "Arabic", "zh": "Chinese"}
    for scores in rows("languages_questions_minilm", "languages"):
        pieces = row("languages_questions_minilm", "pieces", language=scores["language"])
        own, characters = (score_with_interval(scores, name) for name in ("own", "characters"))
        opening = f"| {names[scores['language']]} | {scores['served']} | {own} | "
        (line,) = (line for line in lines if line.startswith(opening))
        assert f" | {characters} | " in line
        assert line.endswith(f" | {pieces['per_word']:.2f} | {percent(pieces['unknown'])} |")
