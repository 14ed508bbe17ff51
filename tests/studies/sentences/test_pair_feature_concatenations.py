"""What a classifier of pairs reads of two frozen vectors: known answers on made vectors."""

import numpy as np
import pytest
from tests.studies.sentences.pairs import labelled, made_pairs, study

from wordworth.progress import SILENT
from wordworth.studies.sentences.pair_feature_concatenations import concatenations_findings, concatenations_table


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


def test_random_classes_are_told_by_no_concatenation():
    rng = np.random.default_rng(3)  # a falsely sure comparison comes in one of 20 draws
    u, v = (rng.normal(size=(240, 6)).astype(np.float32) for _ in range(2))
    table = concatenations_table(made_pairs(rng.integers(2, size=240)), u, v, 200, 0, SILENT)
    assert not any(row["sure"] for row in table.rows())
    assert all(row["low"] < 0.5 < row["high"] + 0.05 for row in table.rows())


def test_the_study_adds_the_table_its_finding_and_a_figure(files, tmp_path):
    record = study(files, labelled(90), limit=80, out=tmp_path / "run")
    assert len(record.table("concatenations")) == 7
    assert "80 of 90 drawn at random" in record.finding("method.concatenations").text
    page = (tmp_path / "run" / "report.html").read_text()
    assert "What a classifier of pairs reads" in page
    assert record.finding("verdict").text.endswith(record.finding("concatenations").text)
    assert "concatenations" not in study(files, None).tables
