"""The threshold of a cascade is chosen on half of the rows, and its loss is measured on the other half."""

from dataclasses import replace

import numpy as np
import pytest
from tests.inference.test_rung_predictor import in_folder
from tests.inference.tuned_model import write_rows, write_tuned

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import PairedChanges
from wordworth.studies.cascade import study
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cascade")
    return in_folder(folder / "rung"), write_tuned(folder, steps=20)


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    return write_rows(tmp_path_factory.mktemp("cascade") / "rows.csv", sample_task("classification", 200, seed=3))


@pytest.fixture(scope="module")
def made(runs, rows, tmp_path_factory):
    out = tmp_path_factory.mktemp("cascade") / "out"
    return out, ww.cascade(*runs, rows, out, draws=100, margin=5.0)


def test_the_least_share_that_is_surely_within_the_margin_is_chosen(made):
    shares = made[1].table("shares")
    chosen = shares[shares["chosen"]].index
    assert len(chosen) == 1
    assert (shares["choosing_low"][: chosen[0]] < -0.05).all()
    last = shares.iloc[-1]
    assert (last["threshold"], last["change"], last["measured_share"]) == (2.0, 0.0, 1.0)
    assert shares["share"].is_monotonic_increasing
    assert shares["share"][0] == 0


def test_what_is_written_does_what_was_measured(made, rows, runs):
    out, record = made
    row = record.table("shares").query("chosen").iloc[0]
    answers, second = (ww.predict(run, rows, dtype="float32") for run in (out, runs[1]))
    assert len(answers) == len(second) == 200
    assert ww.load_run(out).predictor.threshold == row["threshold"]
    assert record.finding("verdict").numbers["threshold"] == row["threshold"]
    speed = record.timings["speed"]
    assert speed["cascade"] == pytest.approx(speed["first"] + row["measured_share"] * speed["second"])


FEW = "So few rows allow none, even if both models answer alike: give about 700, or a wider margin."


@pytest.mark.parametrize(
    ("margin", "sentence"),
    [
        (1.0, "No cascade is surely within 1.0 point of"),
        (1.0, FEW),
        (4.0, "More rows, or a wider margin, may allow one."),
        (0.0, "More rows, or a wider margin, may allow one."),
    ],
)
def test_where_the_first_model_is_always_wrong_every_text_is_the_second_ones(
    margin, sentence, runs, rows, tmp_path, monkeypatch
):
    def all_wrong(half):
        return replace(
            half, first=np.roll(half.paired.gold[:, None] == np.arange(half.first.shape[1]), 1, axis=1) * 1.0
        )

    whole = study._half
    monkeypatch.setattr(study, "_half", lambda *arguments: all_wrong(whole(*arguments)))
    record = ww.cascade(*runs, rows, tmp_path / "out", draws=100, margin=margin)
    assert sentence in record.verdict
    assert ww.load_run(tmp_path / "out").predictor.threshold == 2.0


def test_as_many_rows_as_it_names_allow_a_cascade_of_two_models_that_answer_alike():
    def half(rows):
        gold = np.arange(rows) % 2
        paired = PairedChanges.of(metric("accuracy", ("a", "b")), gold, ("a", "b"), 1_000, np.random.default_rng(0))
        return study.Half(np.eye(2)[gold], np.eye(2)[gold], np.ones(rows), paired, (1.0, 1.0))

    needed = half(100).rows_needed(0.01)
    assert 500 <= needed <= 800
    assert half(needed // 2 + 50).rows_needed(0.01) == 0


def test_one_model_twice_is_no_cascade(runs, rows, tmp_path):
    with pytest.raises(BadInput, match="both models of the cascade are this one"):
        ww.cascade(runs[1], runs[1] / ".", rows, tmp_path / "out", draws=100)


def test_it_is_served_and_tells_what_it_costs(made):
    from tests.serving.served import ask, served

    with served(made[0], dtype="float32") as app:
        info = ask(app, "/info").json()
        answer = ask(app, "/predict", {"inputs": "a lovely film"}).json()
    assert {"threshold", "share", "change", "low", "high", "milliseconds"} <= info["cascade"].keys()
    assert sum(each["score"] for each in answer) == pytest.approx(1, abs=1e-3)


def test_rows_that_a_model_learned_from_are_warned_of(runs, rows, tmp_path, monkeypatch):
    from wordworth.inference.predictor_base import PredictorBase
    from wordworth.text.read_compressed_file import file_sha256

    monkeypatch.setattr(PredictorBase, "learned_from", frozenset([file_sha256(rows)]))
    record = ww.cascade(*runs, rows, tmp_path / "out", draws=100)
    assert [finding.name for finding in record.warnings].count("warning.learned_rows") == 1


def test_bad_input_is_one_clear_error_and_writes_nothing(runs, rows, tmp_path):
    with pytest.raises(BadInput, match="not the folder of a fine-tuned model"):
        ww.cascade(tmp_path, runs[1], rows, tmp_path / "out")
    with pytest.raises(BadInput, match="margin"):
        ww.cascade(*runs, rows, tmp_path / "out", margin=-1)
    assert not (tmp_path / "out").exists()
