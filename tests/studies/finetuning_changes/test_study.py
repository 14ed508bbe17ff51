"""The study from a run's folder to a record: the same seed gives the same bytes; other kinds of task; tables."""

from functools import partial

import pandas as pd
import pytest
from tests.inference.tuned_model import labelled_rows, write_rows, write_tuned

import wordworth as ww
from wordworth.studies.finetuning_changes import results
from wordworth.studies.finetuning_changes.loss_surface import LossSurface
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(autouse=True)
def short_training(monkeypatch):
    monkeypatch.setattr(results, "STEPS", 2)
    monkeypatch.setattr(results, "train_network", partial(results.train_network, steps=2))


def bytes_of(record):
    return record.to_json().partition('"timings"')[0]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_also_where_the_study_was_stopped(run, monkeypatch, tmp_path):
    def study(cache):
        monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / cache))
        return bytes_of(ww.study_finetuning(run, points=3, draws=100))

    first = study("first")
    computed, losses = [0], LossSurface.losses

    def counted(surface):
        computed[0] += 1
        if computed[0] == 60:
            raise KeyboardInterrupt
        return losses(surface)

    monkeypatch.setattr(LossSurface, "losses", counted)
    with pytest.raises(KeyboardInterrupt):
        study("stopped")
    assert study("stopped") == first
    again = computed[0] - 60
    study("stopped")
    assert computed[0] - 60 - again < 10 < again  # the losses that check the ends are not kept


@pytest.mark.slow
def test_a_table_in_memory_and_a_run_that_kept_nothing(tmp_path):
    run = write_tuned(tmp_path)
    rows = pd.read_csv(write_rows(tmp_path / "dev.csv", sample_task("single")))
    record = ww.study_finetuning(run, rows, start=str(tmp_path / "encoder"), points=0, limit=60, draws=100)
    names = {each.name for each in record.warnings}
    assert {"warning.path", "warning.second", "warning.scratch", "warning.start"} <= names
    assert not record.tables["plane"].rows()
    assert not record.tables["way"].rows()
    assert {row["rows"] for row in record.tables["lines"].rows()} == {"unseen"}
    assert all(row["cka_seed"] is None and row["more"] is None for row in record.tables["layers"].rows())


@pytest.mark.slow
@pytest.mark.parametrize("family", ["roberta", "distilbert", "gpt2"])
def test_other_families_are_studied_too(tmp_path, family):
    run = write_tuned(tmp_path, family=family)
    rows = write_rows(tmp_path / "dev.csv", sample_task("single"))
    record = ww.study_finetuning(run, rows, start=str(tmp_path / "encoder"), points=3, limit=40, draws=100)
    assert record.finding("method.losses").numbers == {"difference": 0.0, "restored": True}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["regression", "tags"])
def test_values_and_tags_are_studied_too(tmp_path, kind):
    run, rows = write_tuned(tmp_path / "run", kind=kind), labelled_rows(tmp_path, kind)
    record = ww.study_finetuning(run, rows, start=str(tmp_path / "run" / "encoder"), points=3, limit=40, draws=100)
    assert record.finding("method.losses").numbers["difference"] == 0
