"""Cells of several labels, gold and predicted ones written each in its own way."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score
from sklearn.preprocessing import MultiLabelBinarizer
from tests.tasks.reading.test_question_files import lines

from wordworth.studies.evaluate import evaluate
from wordworth.studies.evaluate.multi_label_cells import gold_labels, predicted_labels

NAMES = ["joy", "anger", "caring", "fear"]
_RNG = np.random.default_rng(0)
GOLD = [[name for name in NAMES if _RNG.random() < 0.4] or ["joy"] for _ in range(60)]
SAID = [[name for name in NAMES if (name in row) != (_RNG.random() < 0.2)] or ["fear"] for row in GOLD]
WRITTEN = {
    "json": json.dumps,
    "python": str,
    "bar": "|".join,
    "comma": ", ".join,
    "semicolon": ";".join,
    "space": " ".join,
}


@pytest.mark.parametrize("gold", ["json", "bar", "comma", "space"])
@pytest.mark.parametrize("said", WRITTEN)
@pytest.mark.parametrize("kind", [None, "multilabel"])
def test_scores_do_not_hang_on_how_either_side_writes_its_labels(tmp_path, gold, said, kind):
    rows = [
        {"labels": WRITTEN[gold](a), "prediction": WRITTEN[said](b), "right": WRITTEN[said](a)}
        for a, b in zip(GOLD, SAID, strict=True)
    ]
    data = lines(tmp_path / "both.jsonl", rows)
    binary = MultiLabelBinarizer().fit(GOLD)
    true, predicted = binary.transform(GOLD), binary.transform(SAID)
    table = evaluate(data, kind=kind, draws=100).tables["scores"].rows()
    for row in table:
        if row["metric"].endswith("_f1"):
            average = row["metric"].removesuffix("_f1")
            assert row["score"] == pytest.approx(100 * f1_score(true, predicted, average=average))
    perfect = evaluate(data, kind=kind, prediction="right", draws=100).tables["scores"].rows()
    assert [row["score"] for row in perfect] == [100, 100, 100]
    assert [row["metric"] for row in perfect] == ["micro_f1", "macro_f1", "accuracy"]


def test_a_space_separates_gold_labels_only_where_the_column_s_name_is_a_plural():
    cells = ["joy fear", "fear", "joy", "joy fear", "fear joy"]
    assert gold_labels(cells, "labels")[0] == ["joy", "fear"]
    assert gold_labels(cells, "label")[0] == ["joy fear"]


def test_predictions_are_split_so_that_the_fewest_labels_are_unknown():
    assert predicted_labels(["joy|fear", "joy", ""], {"joy", "fear"}) == [["joy", "fear"], ["joy"], []]
    assert predicted_labels(["New York, USA"], {"New York, USA", "USA"}) == [["New York, USA"]]
    assert predicted_labels(["[]", "['joy', 'fear']", "[broken"], {"joy", "fear"})[:2] == [[], ["joy", "fear"]]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_perfect_answers_score_100_in_every_form_that_predict_writes(tmp_path, suffix):
    gold, out = tmp_path / "gold.csv", tmp_path / f"answers.{suffix}"
    pd.DataFrame({"text": ["a"] * len(GOLD), "labels": [" ".join(row) for row in GOLD]}).to_csv(gold, index=False)
    if suffix == "jsonl":
        lines(out, [{"id": number, "labels": row} for number, row in enumerate(GOLD)])
    elif suffix == "csv":
        pd.DataFrame({"prediction": [json.dumps(row) for row in GOLD]}).to_csv(out, index=False)
    else:
        pd.DataFrame({"prediction": GOLD}).to_parquet(out)
    assert [row["score"] for row in evaluate(gold, out, draws=100).tables["scores"].rows()] == [100, 100, 100]
