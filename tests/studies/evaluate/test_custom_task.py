"""Scores of labels and predictions of one's own."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, f1_score
from tests.cli.terminal import wordworth
from tests.tasks.datasets.data_folder import write
from tests.tasks.reading.test_question_files import lines

from wordworth.errors import BadInput
from wordworth.studies.evaluate import evaluate
from wordworth.tasks import task_types
from wordworth.tasks.task_types.classification import PairClassification

GOLD = ["a", "b", "a", "c", "a", "b"] * 5
SAID = ["a", "b", "b", "c", "a", "a"] * 5


def scores(record):
    return {row["metric"]: row["score"] for row in record.tables["scores"].rows()}


def test_one_file_of_labels_and_predictions_is_scored(tmp_path):
    data = lines(tmp_path / "both.jsonl", [{"gold": g, "prediction": s} for g, s in zip(GOLD, SAID, strict=True)])
    record = evaluate(data, draws=100)
    assert scores(record)["accuracy"] == pytest.approx(100 * accuracy_score(GOLD, SAID))
    assert scores(record)["macro_f1"] == pytest.approx(100 * f1_score(GOLD, SAID, average="macro"))
    assert all(row["low"] < row["score"] < row["high"] for row in record.tables["scores"].rows())
    done = wordworth("evaluate", data, "--metric", "f1:a")
    assert done.code == 0
    assert done.out.startswith(f"f1:a  {100 * f1_score(GOLD, SAID, average=None)[0]:>9.2f}")


def perfect(record):
    return [finding.text for finding in record.warnings if finding.name == "warning.perfect_score"]


def test_a_perfect_score_has_an_interval_of_no_width_and_a_warning_of_what_may_be_wrong_elsewhere(tmp_path):
    rows = [{"gold": gold, "prediction": gold, "said": said} for gold, said in zip(GOLD, SAID, strict=True)]
    data = lines(tmp_path / "both.jsonl", rows)
    (warning,) = perfect(evaluate(data, draws=100))
    assert warning.startswith("All 30 rows of both.jsonl are right")
    assert "up to 12 % may be wrong" in warning  # 1 - 0.025 ** (1 / 30)
    (many,) = perfect(evaluate(GOLD * 100, GOLD * 100, draws=100))
    assert "up to 0.12 % may be wrong" in many
    assert not perfect(evaluate(data, gold="gold", prediction="said", draws=100))


def test_labels_given_where_a_column_is_named_are_refused_with_the_way_to_give_them():
    with pytest.raises(BadInput, match=r"^gold is of type list, but names a column; give labels and predictions as"):
        evaluate(GOLD, gold=GOLD, prediction=SAID)


def test_two_files_are_matched_by_their_ids_else_row_by_row(tmp_path):
    rows = [{"id": f"r{at}", "mark": gold} for at, gold in enumerate(GOLD)]
    said = [{"id": f"r{at}", "label": one} for at, one in enumerate(SAID)]
    gold = lines(tmp_path / "gold.jsonl", rows)
    for some in (said, said[::-1], [{"label": one["label"]} for one in said]):
        record = evaluate(gold, lines(tmp_path / "said.jsonl", some), gold="mark", draws=100)
        assert scores(record)["accuracy"] == pytest.approx(100 * accuracy_score(GOLD, SAID))
    with pytest.raises(BadInput, match=r"1 of 30 rows of .*gold\.jsonl has no prediction here, such as 'r29'"):
        evaluate(gold, lines(tmp_path / "said.jsonl", said[:-1]), gold="mark")
    with pytest.raises(BadInput, match="29 predictions for the 30 rows"):
        evaluate(gold, lines(tmp_path / "said.jsonl", [{"label": one} for one in SAID[1:]]), gold="mark")


def test_labels_are_not_taken_for_predictions_where_files_are_given_in_the_wrong_order(tmp_path):
    labels = lines(tmp_path / "labels.jsonl", [{"label": gold} for gold in GOLD])
    answers = lines(
        tmp_path / "answers.jsonl", [{"label": g, "prediction": s} for g, s in zip(GOLD, SAID, strict=True)]
    )
    with pytest.raises(BadInput, match=r"may hold labels, not predictions: .*answers\.jsonl has predictions"):
        evaluate(answers, labels)
    with pytest.raises(BadInput, match="this is the file of the labels too"):
        evaluate(labels, labels)
    assert scores(evaluate(labels, answers, draws=100))["accuracy"] == pytest.approx(100 * accuracy_score(GOLD, SAID))
    assert scores(evaluate(answers, labels, prediction="label", draws=100))["accuracy"] == 100


@pytest.mark.parametrize(("kind", "rows", "wanted"), [
    (None, [{"gold": at / 2, "prediction": at / 2 + at % 3} for at in range(30)], {"spearman", "pearson", "r2"}),
    (None, [{"gold": ["a", "b"][: at % 3], "prediction": ["a"]} for at in range(30)], {"micro_f1"}),
    (None, [{"gold": ["B-X", "O"], "prediction": ["B-X", "OB"[at % 2] + "-X" * (at % 2)]} for at in range(30)],
     {"entity_f1", "entity_precision", "f1:X"}),
    ("tags", [{"gold": ["N", "V"], "prediction": ["N", "NV"[at % 2]]} for at in range(30)], {"token_accuracy"}),
    ("choice", [{"gold": at % 3, "prediction": 1} for at in range(30)], {"accuracy"}),
    ("span", [{"gold": ["the film"], "prediction": "film"} for _ in range(30)], {"exact_match", "f1"}),
    ("span", [{"gold": [{"text": "a film"}][: at % 2], "prediction": ""} for at in range(30)], {"NoAns_exact"}),
])  # fmt: skip
def test_labels_of_every_kind_are_scored(tmp_path, kind, rows, wanted):
    record = evaluate(lines(tmp_path / "both.jsonl", rows), kind=kind, draws=100)
    assert wanted <= scores(record).keys()
    assert np.isfinite(list(scores(record).values())).all()


def test_answers_of_predict_are_not_scored_by_themselves(tmp_path):
    rows = [
        {"id": n, "label": "ab"[n % 2], "prediction": "ab"[n % 2], "input": {"text": "x", "label": "a"}}
        for n in range(30)
    ]
    with pytest.raises(BadInput, match="column 'label' holds the model's answers, as 'prediction' does; give the file"):
        evaluate(lines(tmp_path / "answers.jsonl", rows))
    labels = lines(tmp_path / "labels.jsonl", [{"id": n, "label": "a" if n else "b"} for n in range(30)])
    assert 0 < scores(evaluate(labels, tmp_path / "answers.jsonl", draws=100))["accuracy"] < 100


def test_what_cannot_be_scored_is_told_in_one_line(tmp_path):
    files = {"lacks.csv": "gold,prediction\n" + "a,b\n" * 20 + "a,\n", "one.csv": "label\n" + "a\n" * 20}
    write(tmp_path, files)
    with pytest.raises(BadInput, match=r"1 of 21 rows has no prediction \(line 22\)"):
        evaluate(tmp_path / "lacks.csv")
    with pytest.raises(BadInput, match="column 'label' cannot be both"):
        evaluate(tmp_path / "one.csv")
    with pytest.raises(BadInput, match="metric 'spearman' does not measure a task of kind classification"):
        evaluate(lines(tmp_path / "b.jsonl", [{"gold": g, "prediction": g} for g in GOLD]), metric="spearman")
    with pytest.raises(BadInput, match="`kind`: this option is only for a file of your own"):
        evaluate("rte", tmp_path / "one.csv", kind="single")
    done = wordworth("evaluate", "rte")
    assert done.code == 2
    assert "no file of predictions was given for 'rte'" in done.err


def test_the_answers_of_predict_and_the_predictions_of_a_run_are_scored_as_they_are(tmp_path):
    rows = [
        {"text": "x", "label": g, "row": at, "prediction": s} for at, (g, s) in enumerate(zip(GOLD, SAID, strict=True))
    ]
    text = "text,label,row,prediction\n" + "".join(",".join(map(str, row.values())) + "\n" for row in rows)
    write(tmp_path, {"answers.csv": text})
    found = scores(evaluate(tmp_path / "answers.csv", draws=100))
    assert found["accuracy"] == pytest.approx(100 * accuracy_score(GOLD, SAID))
    kept = [{"row": row["row"], "gold": row["label"], "prediction": row["prediction"]} for row in rows]
    assert scores(evaluate(lines(tmp_path / "predictions.jsonl", kept), draws=100)) == found
    assert json.loads((tmp_path / "predictions.jsonl").read_text().splitlines()[0])["row"] == 0


def test_a_kind_of_pairs_from_another_package_is_scored_as_classes(tmp_path, monkeypatch):
    """Its texts are not in the file, and are not needed."""

    class Paraphrase(PairClassification):
        name = "paraphrase"

    monkeypatch.setitem(task_types._TYPES._loaded, "paraphrase", Paraphrase())
    data = lines(tmp_path / "both.jsonl", [{"gold": g, "prediction": s} for g, s in zip(GOLD, SAID, strict=True)])
    for kind in ("pair_classification", "paraphrase"):
        record = evaluate(data, draws=100, kind=kind)
        assert record.data["kind"] == kind
        assert scores(record)["accuracy"] == pytest.approx(100 * accuracy_score(GOLD, SAID))


def test_lists_series_and_a_column_called_score_are_taken():
    for kind in (list, pd.Series, np.array):
        record = evaluate(kind(GOLD), kind(SAID), draws=100)
        assert scores(record)["accuracy"] == pytest.approx(100 * accuracy_score(GOLD, SAID))
    amounts = pd.DataFrame({"score": [at / 7 for at in range(30)], "prediction": [at / 6 for at in range(30)]})
    assert scores(evaluate(amounts, draws=100))["spearman"] == pytest.approx(100)


def test_a_line_says_whether_numbers_were_read_as_classes_or_amounts(tmp_path):
    codes = [str(100 + at % 40) for at in range(400)]
    data = lines(tmp_path / "codes.jsonl", [{"gold": g, "prediction": codes[at // 2]} for at, g in enumerate(codes)])
    read_as = "Read as classification, 40 classes: every row has one label, a number that counts as a class (the kind "
    assert f"\n{read_as}regression reads it as an amount).\n" in wordworth("evaluate", data).out
    assert "Read as" not in wordworth("evaluate", data, "--kind", "regression").out
    grades = [{"gold": at % 5, "prediction": at % 5 + at / 100} for at in range(40)]
    text = evaluate(lines(tmp_path / "grades.jsonl", grades), draws=100).finding("method.task").text
    assert text == "Read as regression: predictions are amounts (the kind classification reads labels as classes)."


def test_a_missing_label_is_counted_among_the_labels_alone():
    with pytest.raises(BadInput, match=r"1 of 3 rows has no label \(row 3\)"):
        evaluate([1.5, 2, float("nan")], [1, 2, 2])
