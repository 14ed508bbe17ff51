"""Texts to label next: what the rungs answer to a pool is what a study of the drawn texts will find again."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from tests.cli.terminal import reviews
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.text.file_formats.read import read_rows


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """A folder with the labels so far, a pool of 200 texts, and the plan that drew 60 of them, filled in."""
    folder = tmp_path_factory.mktemp("pool")
    cells = read_rows(reviews(folder / "reviews.csv", 300)).columns
    rows = list(zip(cells["text"], cells["label"], strict=True))
    for name, part in (("some", rows[:100]), ("pool", rows[100:])):
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("text", "label"), *part])
    model = write_tiny(folder / "tiny", modules=False)
    rungs = {"models": [str(model)], "rungs": ["tfidf", "tiny"], "seeds": 2, "text": "text", "label": "label"}
    plan = ww.worth(
        folder / "pool.csv", plan=True, labels_so_far=folder / "some.csv", to_label=60, out=folder / "next", **rungs
    )
    labels = dict(rows)
    chosen = plan.table("to_label").assign(label=lambda table: [labels[text] for text in table["text"]])
    chosen.to_csv(folder / "filled.csv", index=False)
    return folder, rungs, plan


def test_the_file_has_the_texts_their_rows_and_their_weights_and_no_label(drawn):
    folder, _, plan = drawn
    cells = read_rows(folder / "next" / "to_label.csv").columns
    controls = [name for name in cells if name.startswith("sampling_weight_control_")]
    assert list(cells) == ["text", "label", "row", "sampling_weight", *controls]
    assert controls[:2] == ["sampling_weight_control_1", "sampling_weight_control_2"]
    assert set(cells["label"]) == {""}
    pool = read_rows(folder / "pool.csv").columns["text"]
    assert [pool[int(row) - 1] for row in cells["row"]] == cells["text"]
    assert len(set(cells["text"])) == 60
    assert sum(map(float, cells["sampling_weight"])) == pytest.approx(200, rel=0.35)
    assert plan.table("label_value")["labels"].tolist() == [60] * len(plan.table("label_value"))


def test_the_study_answers_the_drawn_texts_as_the_plan_foresaw(drawn):
    """Texts with the least weight are those on which the rungs disagree, in the study as in the plan."""
    folder, rungs, _ = drawn
    chosen = {"test": folder / "filled.csv", "test_weight": "sampling_weight"}
    study = ww.worth(folder / "some.csv", finetune=False, distil=False, metric="accuracy", **chosen, **rungs)
    assert study.data["test"] == 60
    weighted = study.finding("method.test_weight")
    assert weighted.numbers["rows"] == 60
    assert 1 <= weighted.numbers["controls"] <= 3
    assert "correct the weights for how far the test rows are from it" in weighted.text
    assert {"probabilities", "abstention", "prediction_sets", "slices"}.isdisjoint(study.tables)
    cells = read_rows(folder / "filled.csv").columns
    weights = dict(zip(cells["text"], cells["sampling_weight"], strict=True))
    disagreed = {row["text"] for row in study.tables["examples"].rows()}
    assert disagreed
    even = max(map(float, weights.values()))
    assert all(float(weights[text]) < even for text in disagreed)


def test_rows_without_a_label_are_left_out_and_the_rest_is_a_sample_too(drawn):
    folder, rungs, _ = drawn
    rows = read_rows(folder / "filled.csv").columns
    with (folder / "half.csv").open("w", newline="", encoding="utf-8") as file:
        cells = [
            (*row[:1], row[1] if number < 40 else "", *row[2:])
            for number, row in enumerate(zip(*rows.values(), strict=True))
        ]
        csv.writer(file).writerows([tuple(rows), *cells])
    chosen = {"test": folder / "half.csv", "test_weight": "sampling_weight", "skip_unusable": True}
    study = ww.worth(folder / "some.csv", finetune=False, distil=False, metric="accuracy", **chosen, **rungs)
    assert study.data["test"] == 40
    assert 1 <= study.finding("method.test_weight").numbers["controls"] <= 2


def test_a_plan_does_not_replace_labels(drawn):
    folder, rungs, _ = drawn
    with pytest.raises(BadInput, match=r"to_label\.csv: this file of texts to label is there already"):
        ww.worth(
            folder / "pool.csv", plan=True, labels_so_far=folder / "some.csv", to_label=9, out=folder / "next", **rungs
        )


def test_the_order_of_the_texts_is_random(drawn):
    rows = drawn[2].table("to_label")["row"].to_numpy()
    assert abs(np.corrcoef(rows, np.arange(60))[0, 1]) < 0.5
