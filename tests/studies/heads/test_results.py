"""The results of a study: measured with the same network, whatever the order, and compared with a second run."""

import shutil

import pytest
from tests.inference.tuned_model import write_tuned

from wordworth.errors import BadInput
from wordworth.inference.finetuned_run import read_run
from wordworth.inference.labelled_inputs import read_halves
from wordworth.progress import SILENT
from wordworth.studies.heads.results import compute
from wordworth.studies.heads.settings import HeadsSettings


def results_of(run, rows, **choices):
    settings = HeadsSettings(limit=60, draws=100, **choices)
    tuned = read_run(run)
    task = read_halves(tuned.predictor, rows, settings.read)
    return compute(tuned.network, tuned.encoder.model, task, settings, SILENT)


def test_a_run_is_no_second_run_beside_itself(run, rows, tmp_path):
    shutil.copytree(run, tmp_path / "copy")
    with pytest.raises(BadInput, match="the second run is the first one again; fine-tune with another `seed`"):
        results_of(run, rows, second_run=tmp_path / "copy")


@pytest.mark.slow
def test_a_second_run_is_compared(run, rows, tmp_path):
    results = results_of(run, rows, second_run=write_tuned(tmp_path, steps=20))
    assert results.second.interval.low <= results.second.value <= results.second.interval.high
    assert results.variants[0].name == "whole"
    assert results.importance.by_example.shape == (2, 4)


@pytest.mark.slow
def test_a_wide_margin_lets_every_head_go_that_can(run, rows):
    results = results_of(run, rows, margin=100.0)
    assert results.measured.num_within_margin == 6
    assert results.difference < 1e-5


def test_a_second_run_on_other_classes_is_refused(run, rows, tmp_path):
    from tests.inference.tuned_model import write_tuned

    with pytest.raises(BadInput, match="was not fine-tuned on the same classes"):
        results_of(run, rows, second_run=write_tuned(tmp_path, kind="tags"))


def test_a_second_run_that_is_missing_is_refused_before_anything_is_measured(run, rows, tmp_path, monkeypatch):
    monkeypatch.setattr("wordworth.studies.heads.results.head_importance", None)
    with pytest.raises(BadInput, match="no such folder"):
        results_of(run, rows, second_run=tmp_path / "missing")
