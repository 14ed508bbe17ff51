"""What a classifier of pairs reads of two frozen vectors: known answers on made vectors, and bad input."""

from types import SimpleNamespace

import numpy as np
import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.studies.sentences.concatenations import concatenations_findings, concatenations_table
from wordworth.studies.sentences.labelled_pairs import LabelledPairs


def made_pairs(labels):
    first = tuple(f"text {row // 2}" for row in range(len(labels)))
    origin = SimpleNamespace(path="pairs.csv")
    return LabelledPairs(first, first, labels, ("no", "yes"), origin, len(labels), "key", ())


def test_classes_that_the_distance_of_two_vectors_decides_are_read_from_their_difference_and_not_from_themselves():
    rng = np.random.default_rng(0)
    labels = np.arange(300) % 2
    u = rng.normal(size=(300, 8)).astype(np.float32)
    v = (u + np.where(labels, 0.2, 3.0)[:, None] * rng.choice([-1, 1], (300, 8))).astype(np.float32)
    table = concatenations_table(made_pairs(labels), u, v, 200, 0, SILENT)
    rows = {row["concatenation"]: row for row in table.rows()}
    assert rows["|u − v|"]["accuracy"] == 1
    assert rows["u, v"]["sure"]
    assert rows["u, v"]["change_high"] < -0.2
    assert rows["u, v"]["change"] == pytest.approx(rows["u, v"]["accuracy"] - rows["u, v, |u − v|"]["accuracy"])
    assert rows["u, v, |u − v|"]["change"] is None
    assert [rows[name]["numbers"] for name in ("u, v", "|u − v|", "u, v, |u − v|, u · v")] == [16, 8, 32]
    text = next(concatenations_findings(made_pairs(labels), table)).text
    assert "surely behind are" in text
    assert "“u, v”" in text


def test_pairs_of_one_first_text_are_in_one_fold_and_every_pair_in_one():
    pairs = made_pairs(np.arange(120) % 2)
    folds = pairs.folds(0)
    assert sorted(np.concatenate(folds)) == list(range(120))
    for rows in folds:
        assert set(pairs.groups[rows]).isdisjoint(np.delete(pairs.groups, rows))


def test_random_classes_are_told_by_no_concatenation():
    rng = np.random.default_rng(1)
    u, v = (rng.normal(size=(240, 6)).astype(np.float32) for _ in range(2))
    table = concatenations_table(made_pairs(rng.integers(2, size=240)), u, v, 200, 0, SILENT)
    assert not any(row["sure"] for row in table.rows())
    assert all(row["low"] < 0.5 < row["high"] + 0.05 for row in table.rows())


def labelled(number, classes=("yes", "no")):
    return [
        {"text_a": f"film {row}", "text_b": f"book {row}", "label": classes[row % len(classes)]}
        for row in range(number)
    ]


def study(files, rows, **choices):
    usual = {"model": str(files / "tiny"), "data": files / "pairs.csv", "other_models": (), "draws": 100}
    return ww.study_sentences(**{**usual, "labelled_pairs": rows, **choices})


def test_the_study_adds_the_table_its_finding_and_a_figure(files, tmp_path):
    record = study(files, labelled(90), limit=80, out=tmp_path / "run")
    assert len(record.table("concatenations")) == 7
    assert "80 of 90 drawn at random" in record.finding("method.concatenations").text
    page = (tmp_path / "run" / "report.html").read_text()
    assert "What a classifier of pairs reads" in page
    assert record.finding("verdict").text.endswith(record.finding("concatenations").text)
    assert "concatenations" not in study(files, None).tables


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (labelled(90, ("yes",)), "'label' has 1 different labels"),
        (labelled(90, tuple(map(str, range(60)))), "'label' has 60 different labels"),
        (labelled(30), "30 pairs, 15 of the rarest class, are too few"),
        ([{"text_a": "a", "text_b": "b"}] * 90, "a label or score is needed"),
    ],
)
def test_labels_that_are_no_classes_and_too_few_pairs_are_refused(files, rows, message):
    with pytest.raises(BadInput, match=message):
        study(files, rows)
