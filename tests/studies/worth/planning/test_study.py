"""A plan from end to end: rungs that learn from the labels so far, and how often they disagree on other texts."""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from tests.cli.terminal import reviews
from tests.models.tiny import write_tiny
from tests.studies.fake_ladder import MAJORITY, FakeLearner, FakePredictor, FakeRung, constant

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.worth.planning import study as module
from wordworth.text.file_formats.read import read_rows

SIZE = 1_600


@dataclass(frozen=True)
class Periodic(FakeRung):
    """Predicts the same class for every new text, but for each `every`th of them the other one."""

    every: int = 1_000

    def prepare(self, task, run_context):  # noqa: ARG002 - a Rung
        return PeriodicLearner(self, task)


class PeriodicLearner(FakeLearner):
    def fit(self, rows, rng):
        usual = super().fit(rows, rng)
        return PeriodicPredictor(usual.task, usual.accuracy, usual.seed, {"every": self.rung.every})


class PeriodicPredictor(FakePredictor):
    def predict_texts(self, examples):
        numbers = np.array([int(text.split()[1]) for text in examples.first])
        return np.eye(2)[np.where(numbers % int(self.chosen["every"]) == 0, 1, 0)]


CHEAP = Periodic("tfidf", "counts", constant(0.85))
WEAK = Periodic("glove", "static", constant(0.6), every=2)
CONTEXTUAL = Periodic("minilm", "frozen", constant(0.85), every=5)


@pytest.fixture
def files(tmp_path):
    """A file of 400 texts, and one of labels of the first 80 of them."""
    texts = [f"text {number} about word{number % 40}" for number in range(400)]
    for name, rows in (("texts", texts), ("some", texts[:80])):
        with (tmp_path / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("text", "label"), *((text, "ab"[len(text) % 2]) for text in rows)])
    return tmp_path


def planned(files, monkeypatch, *rungs, **choices):
    monkeypatch.setattr(module, "rungs_of", lambda *_: [MAJORITY, *rungs])
    some = {"labels_so_far": files / "some.csv", "label": "label", "kind": "classification"}
    return ww.worth(files / "texts.csv", plan=True, text="text", draws=200, threads=1, **{**some, **choices})


def test_the_two_rungs_that_a_study_would_compare_disagree_as_often_as_they_truly_do(files, monkeypatch):
    record = planned(files, monkeypatch, CHEAP, WEAK, CONTEXTUAL)
    numbers = record.finding("verdict").numbers
    assert (record.kind, numbers["cheap"], numbers["contextual"]) == ("plan", "tfidf", "minilm")
    assert numbers["disagreement"] == pytest.approx(0.2)  # of texts 80 to 399
    assert "(95 %: 15.8 to 24.8): surely neither leads by more than 24.8 points." in record.finding("verdict").text
    assert (record.data["texts"], record.data["rows"], numbers["labels_so_far"]) == (320, 80, 80)


def test_every_pair_of_a_cheap_and_a_contextual_rung_is_in_the_table(files, monkeypatch):
    pairs = planned(files, monkeypatch, CHEAP, WEAK, CONTEXTUAL).table("pairs")
    assert pairs[["cheap", "contextual"]].to_numpy().tolist() == [["tfidf", "minilm"], ["glove", "minilm"]]
    np.testing.assert_allclose(pairs["disagreement"], [0.2, 0.5])
    assert pairs["labels_for_margin"].is_monotonic_increasing


def test_more_labels_show_less_and_cost_more(files, monkeypatch):
    table = planned(files, monkeypatch, CHEAP, CONTEXTUAL, label_price=0.5).table("plan")
    np.testing.assert_allclose(table["price"], table["labels"] * 0.5)
    for column in ("difference", "half_width", "least", "most"):
        assert table[column].is_monotonic_decreasing
    floor = 2.8016 * np.sqrt(0.2 / SIZE)  # of the test texts alone
    assert floor < table.loc[table["labels"] == SIZE, "difference"].item() < 1.6 * floor


def test_the_same_seed_gives_the_same_plan(files, monkeypatch):
    one, two = (planned(files, monkeypatch, CHEAP, CONTEXTUAL, seed=1) for _ in range(2))
    assert (one.tables, one.findings, one.data) == (two.tables, two.findings, two.data)


def test_without_a_contextual_rung_there_is_nothing_to_plan_for(files, monkeypatch):
    with pytest.raises(BadInput, match="there is no contextual rung to plan for; give an encoder with `models`"):
        planned(files, monkeypatch, CHEAP)


def test_where_every_contextual_rung_fails_the_reason_is_given(files, monkeypatch):
    with pytest.raises(BadInput, match=r"no contextual rung to plan for \(it did not converge\)"):
        planned(files, monkeypatch, CHEAP, replace(CONTEXTUAL, fails=True))


def test_no_rung_is_fine_tuned(files, monkeypatch):
    finetune = []
    monkeypatch.setattr(module, "rungs_of", lambda _, settings: finetune.append(settings.finetune) or [MAJORITY])
    with pytest.raises(BadInput, match="no contextual rung"):
        ww.worth(files / "texts.csv", plan=True, labels_so_far=files / "some.csv", kind="classification")
    assert finetune == [False]


def test_labels_that_a_study_measures_by_another_metric_are_said_to_be_so(files, monkeypatch):
    lines = (files / "some.csv").read_text(encoding="utf-8").splitlines()
    rare = [f"{line.rpartition(',')[0]},{'rare' if row % 16 == 0 else 'usual'}" for row, line in enumerate(lines[1:])]
    (files / "some.csv").write_text("\n".join([lines[0], *rare]), encoding="utf-8")
    record = planned(files, monkeypatch, CHEAP, CONTEXTUAL)
    assert "measured by macro F1" in record.finding("warning.metric").text
    assert record.data["metric"] == "accuracy"
    assert not [finding for finding in record.findings if finding.name == "method.metric"]


def test_without_labels_the_plan_is_one_of_published_sets_and_says_so(files):
    record = ww.worth(files / "texts.csv", plan=True, text="text")
    verdict = record.finding("verdict")
    assert verdict.text.startswith("These are not figures of your texts")
    assert "12,000 to 32,000 test labels" in verdict.numbers["headline"]
    assert "pairs" not in record.tables
    assert record.data["texts"] == 400


def test_a_table_in_memory_will_do_and_real_rungs_disagree_on_some_texts(tmp_path):
    cells = read_rows(reviews(tmp_path / "reviews.csv", 300)).columns
    some = {name: values[:100] for name, values in cells.items()}
    model = write_tiny(tmp_path / "tiny", modules=False)
    record = ww.worth(
        cells["text"], plan=True, labels_so_far=some, models=[str(model)], rungs=["tfidf", "tiny"], seeds=2, quick=True
    )
    assert record.data["texts"] == 200
    assert [source["path"] for source in record.data["sources"]] == ["the table of labels so far", "the table"]
    assert 0 < record.finding("verdict").numbers["disagreement"] < 0.7  # an untrained encoder is right by chance


@pytest.mark.slow
def test_real_data_have_intervals_about_as_wide_as_planned():
    """Planned with 200 labels; the interval on 1,600 others between the same rungs."""
    file = Path(os.environ.get("WORDWORTH_DATA", Path(__file__).parents[5] / "shared" / "data")) / "mr" / "all.csv.xz"
    if not file.exists():
        pytest.skip("no mr in the folder of data sets (WORDWORTH_DATA)")
    cells = read_rows(file).columns
    order = np.random.default_rng(1).permutation(len(cells["text"]))[: 200 + SIZE]
    some, rest = (
        {name: [cells[name][row] for row in rows] for name in ("text", "label")} for rows in (order[:200], order[200:])
    )
    rungs = {"rungs": ["tfidf", "glove", "wordllama"], "models": ["minilm"]}
    rungs["rungs"] = [*rungs["rungs"], "minilm"]
    plan = ww.worth({"text": rest["text"]}, plan=True, labels_so_far=some, **rungs)
    study = ww.worth(rest, metric="accuracy", finetune=False, **rungs)
    numbers, gaps, table = plan.finding("verdict").numbers, study.table("gaps"), plan.table("plan")
    pair = gaps[(gaps["rung"] == numbers["cheap"]) & (gaps["against"] == numbers["contextual"])]
    widest = pair.loc[pair["labels"].idxmax()]
    wanted = table.loc[table["labels"] == SIZE, "half_width"].item()
    assert 0.6 < (widest["high"] - widest["low"]) / 2 / wanted < 1.2
