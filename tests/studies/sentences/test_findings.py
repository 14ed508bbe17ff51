"""The verdict says the model's score and each difference; warnings say what could mislead."""

import wordworth as ww


def study(files, data, **choices):
    usual = {"model": str(files / "tiny"), "other_models": (), "draws": 100}
    return ww.study_sentences(data=data, **{**usual, **choices})


def test_the_headline_has_the_score_and_each_difference_a_sentence(files):
    record = study(files, files / "pairs.csv")
    verdict = record.finding("verdict")
    assert verdict.numbers["headline"].startswith("tiny: Spearman × 100 on pairs.csv is ")
    assert verdict.numbers["low"] <= verdict.numbers["spearman"] <= verdict.numbers["high"]
    assert verdict.text.count(" less ") == len(record.tables["comparisons"].rows()) == 4
    assert "Mean pooling less the first token" in verdict.text


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
