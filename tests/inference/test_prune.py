"""A pruned folder predicts what the masked model predicts, says what it is good for, and replaces nothing."""

import dataclasses
import json
import shutil

import numpy as np
import pandas as pd
import pytest
from tests.inference.tuned_model import write_rows, write_tuned
from tests.models.tiny import write_tiny
from tests.models.tiny_elmo import write_elmo

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.files import sha256
from wordworth.inference.prune import prune
from wordworth.inference.tuned_run import read_run
from wordworth.progress import NoProgress
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_tuned(tmp_path_factory.mktemp("run"), steps=60)


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    return write_rows(tmp_path_factory.mktemp("rows") / "dev.csv", sample_task("single"))


def probabilities(folder, rows):
    answers = ww.predict(folder, rows, dtype="float32")
    return answers[[name for name in answers.columns if name.startswith("probability")]].to_numpy()


def test_removed_heads_and_heads_set_to_zero_predict_alike(run, rows, tmp_path):
    removed = prune(run, tmp_path / "small", heads=0.5, data=rows, limit=60)
    zeros = prune(run, tmp_path / "zeros", heads=0.5, data=rows, limit=60, as_zeros=True)
    assert (removed.form, zeros.form) == ("heads removed", "heads set to zero")
    assert removed.heads == zeros.heads == 4
    assert zeros.parameters == zeros.parameters_before == removed.parameters_before
    assert removed.parameters_before - removed.parameters == 4 * (4 * 32 * 8 + 3 * 8)
    assert np.allclose(probabilities(tmp_path / "small", rows), probabilities(tmp_path / "zeros", rows), atol=1e-5)
    assert (removed.score, removed.score_before) == (zeros.score, zeros.score_before)
    assert "No other library loads it" in (tmp_path / "small" / "README.md").read_text()
    assert "The weights of 4 attention heads are 0" in (tmp_path / "zeros" / "README.md").read_text()


def test_the_least_important_heads_go_first(run, rows, tmp_path):
    one = prune(run, tmp_path / "one", heads=0.01, data=rows, limit=60)
    most = prune(run, tmp_path / "most", heads=0.99, data=rows, limit=60)
    configs = [json.loads((each.out / "config.json").read_text()) for each in (one, most)]
    first, second = (
        {(layer, head) for layer, heads in config["pruned_heads"].items() for head in heads} for config in configs
    )
    assert (one.heads, most.heads) == (7, 2)
    assert first < second


def test_a_table_in_memory_ranks_heads_too(run, rows, tmp_path):
    report = prune(run, tmp_path / "small", heads=0.5, data=pd.read_csv(rows), limit=60)
    assert report.heads == 4


def test_fewer_layers_of_a_run_and_of_an_encoder(run, rows, tmp_path):
    report = prune(run, tmp_path / "short", layers=1)
    assert (report.form, report.layers, report.score) == ("layers dropped", 1, None)
    assert np.isfinite(probabilities(tmp_path / "short", rows)).all()
    scored = prune(run, tmp_path / "scored", layers=1, data=rows, limit=60)
    assert None not in (scored.score, scored.score_before)
    encoder = write_tiny(tmp_path / "tiny")
    prune(encoder, tmp_path / "shorter", layers=1)
    whole, shorter = (ww.load(folder).states(["the cab"], layers=1) for folder in (encoder, tmp_path / "shorter"))
    assert np.allclose(np.array(shorter.values), np.array(whole.values), atol=1e-5)


def test_a_pruned_run_keeps_all_else_of_its_metadata(run, rows, tmp_path):
    prune(run, tmp_path / "small", heads=0.5, data=rows, limit=60)
    before, after = (read_run(folder).predictor.facts for folder in (run, tmp_path / "small"))
    assert after == before
    with pytest.raises(BadInput, match="pruned already"):
        prune(tmp_path / "small", tmp_path / "again", heads=0.5, data=rows, limit=60)


@pytest.mark.parametrize(
    ("choices", "what"),
    [
        ({}, "neither heads nor layers"),
        ({"heads": 0.4, "layers": 1}, "both heads and layers"),
        ({"heads": 0.4}, "none are given"),
        ({"heads": 1.5, "data": "rows"}, "heads. 1.5 is out of range"),
        ({"heads": "half", "data": "rows"}, "heads. is 'half'"),
        ({"layers": 0}, "layers. 0 is out of range"),
        ({"layers": 3}, "3 layers cannot be kept of 2"),
        ({"layers": 2}, "the model has 2 layers: none would be dropped; give a number from 1 to 1"),
        ({"layers": 1, "as_zeros": True}, "as_zeros. is for heads"),
        ({"heads": 0.4, "data": "missing.csv"}, "missing.csv"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_written(run, rows, tmp_path, choices, what):
    given = choices | ({"data": rows} if choices.get("data") == "rows" else {})
    with pytest.raises(BadInput, match=what):
        prune(run, tmp_path / "small", **given)
    assert not (tmp_path / "small").exists()


def test_models_without_heads_are_refused(rows, tmp_path):
    for model in (write_elmo(tmp_path / "elmo"), "glove"):
        with pytest.raises(BadInput, match="no attention heads"):
            prune(model, tmp_path / "small", layers=1)
    with pytest.raises(BadInput, match="labelled rows score a fine-tuned model"):
        prune(write_tiny(tmp_path / "other"), tmp_path / "small", layers=1, data=rows)
    with pytest.raises(BadInput, match="not the folder of a fine-tuned model"):
        prune(write_tiny(tmp_path / "tiny"), tmp_path / "small", heads=0.5, data=rows)


def test_a_folder_with_something_in_it_is_not_replaced(run, tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="is there already"):
        prune(run, tmp_path / "own", layers=1)
    with pytest.raises(BadInput, match="is there already"):
        prune(run, run, layers=1)
    with pytest.raises(BadInput, match="this is a file"):
        prune(run, tmp_path / "own" / "notes.txt", layers=1)
    (tmp_path / "empty").mkdir()
    assert dataclasses.asdict(prune(run, tmp_path / "empty", layers=1))["layers"] == 1


class Notes(NoProgress):
    def __init__(self):
        self.notes = []

    def note(self, message):
        self.notes.append(message)


def test_a_share_that_layers_do_not_allow_and_rows_learned_from_are_said(run, rows, tmp_path):
    notes = Notes()
    prune(run, tmp_path / "small", heads=0.99, data=rows, limit=60, progress=notes)
    assert notes.notes == ["6 heads go, not 8: every layer keeps one"]
    learned = copy_of_run(run, tmp_path / "learned", rows)
    notes = Notes()
    prune(learned, tmp_path / "smaller", heads=0.5, data=rows, limit=60, progress=notes)
    assert notes.notes[0].startswith("The model learned from this very file")


def copy_of_run(run, folder, rows):
    """The run, as if it had been fine-tuned on these rows."""
    shutil.copytree(run, folder)
    metadata = json.loads((folder / "wordworth.json").read_text())
    (folder / "wordworth.json").write_text(json.dumps({**metadata, "learned_from": [sha256(rows)]}))
    return folder
