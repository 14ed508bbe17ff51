"""The verdict says the model's score and each difference; warnings say what could mislead."""

import wordworth as ww
from wordworth.reports import render
from wordworth.sentence_formatting import signed_with_range


def study(files, data, **choices):
    usual = {"model": str(files / "tiny"), "other_models": (), "draws": 100}
    return ww.study_sentences(data=data, **{**usual, **choices})


def test_the_headline_has_the_score_and_each_difference_a_sentence(files):
    record = study(files, files / "pairs.csv")
    verdict = record.finding("verdict")
    assert verdict.numbers["headline"].startswith("tiny: Spearman × 100 on pairs.csv is ")
    assert verdict.numbers["low"] <= verdict.numbers["spearman"] <= verdict.numbers["high"]
    assert verdict.text.count(" less ") == len(record.tables["comparisons"].rows()) == 4
    assert "The model with its own pooling (mean) less the first token" in verdict.text


def test_the_interval_that_decides_is_the_one_that_is_shown(files):
    record = study(files, files / "pairs.csv")
    rows = record.tables["comparisons"].rows()
    sentences = [line for line in record.verdict.splitlines() if " less " in line]
    for row, sentence in zip(rows, sentences, strict=True):
        shown = signed_with_range(row["difference"], row["corrected_low"], row["corrected_high"], 1 - 0.05 / len(rows))
        assert shown in sentence
        assert row["corrected_low"] <= row["low"] < row["high"] <= row["corrected_high"]
        assert row["sure"] == (not row["corrected_low"] <= 0 <= row["corrected_high"])
        assert ("cannot be told" in sentence) == (not row["sure"])
    page = render(record).replace("\xa0", " ")
    assert "Intervals of 98.8 % over pairs, corrected for the number of differences" in page


def test_few_pairs_equal_texts_and_words_without_vectors_are_warned_of(files, tmp_path):
    table = tmp_path / "table.txt"
    table.write_text("film 1 0 0\nbook 0 1 0\n")
    rows = [{"text_a": "film", "text_b": word, "score": row} for row, word in enumerate(["film", "book", "zzz"] * 8)]
    record = study(files, rows, other_models=(str(table),))
    assert record.finding("warning.few_pairs").numbers == {"sets": ["the table"]}
    assert record.finding("warning.equal_texts").numbers == {"pairs": 8}
    assert record.finding("warning.no_vector").numbers["texts"] == 1
    assert "cannot be told" in record.verdict or all(row["sure"] for row in record.tables["comparisons"].rows())


def test_a_draw_of_pairs_is_said(files):
    assert "20 of 60 in pairs.csv" in study(files, files / "pairs.csv", limit=20).finding("method.limit").text
