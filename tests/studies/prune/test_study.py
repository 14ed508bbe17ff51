"""A pruned folder predicts what the masked model predicts, says what it is good for, and replaces nothing."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest
from tests.models.tiny import write_tiny
from tests.models.tiny_elmo import write_elmo

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.files import sha256
from wordworth.inference.finetuned_run import read_run
from wordworth.records import read
from wordworth.studies.prune import prune

SCORES = ("score", "change", "low", "high")


def probabilities(folder, rows):
    answers = ww.predict(folder, rows, dtype="float32")
    return answers[[name for name in answers.columns if name.startswith("probability")]].to_numpy()


def test_removed_heads_and_heads_set_to_zero_predict_alike(run, rows, tmp_path):
    removed = prune(run, tmp_path / "small", heads=0.5, data=rows, limit=60)
    zeros = prune(run, tmp_path / "zeros", heads=0.5, data=rows, limit=60, as_zeros=True)
    assert (removed.data["form"], zeros.data["form"]) == ("heads removed", "heads set to zero")
    (whole, small), (same, zeroed) = (each.tables["models"].rows() for each in (removed, zeros))
    assert whole == same
    assert small["heads"] == zeroed["heads"] == 4
    assert zeroed["parameters"] == whole["parameters"]
    assert whole["parameters"] - small["parameters"] == 4 * (4 * 32 * 8 + 3 * 8)
    assert whole["bytes"] - small["bytes"] == pytest.approx(4 * 4 * (4 * 32 * 8 + 3 * 8), abs=300)  # names and shapes
    assert np.allclose(probabilities(tmp_path / "small", rows), probabilities(tmp_path / "zeros", rows), atol=1e-5)
    assert {name: small[name] for name in SCORES} == {name: zeroed[name] for name in SCORES}
    assert small["low"] <= small["change"] <= small["high"]
    assert small["change"] == pytest.approx(small["score"] - whole["score"])
    assert "No other library loads it" in (tmp_path / "small" / "README.md").read_text()
    assert "The weights of 4 attention heads are 0" in (tmp_path / "zeros" / "README.md").read_text()


def test_the_least_important_heads_go_first(run, rows, tmp_path):
    one = prune(run, tmp_path / "one", heads=0.01, data=rows, limit=60)
    most = prune(run, tmp_path / "most", heads=0.99, data=rows, limit=60)
    configs = [json.loads((tmp_path / name / "config.json").read_text()) for name in ("one", "most")]
    first, second = (
        {(layer, head) for layer, heads in config["pruned_heads"].items() for head in heads} for config in configs
    )
    assert [each.tables["models"].rows()[1]["heads"] for each in (one, most)] == [7, 2]
    assert first < second
    ranked = sorted((row["rank"], row["importance"]) for row in most.tables["heads"].rows() if row["rank"])
    assert [rank for rank, _ in ranked] == list(range(1, 7))


def test_a_table_in_memory_ranks_heads_too(run, rows, tmp_path):
    report = prune(run, tmp_path / "small", heads=0.5, data=pd.read_csv(rows), limit=60)
    assert report.tables["models"].rows()[1]["heads"] == 4
    assert report.settings["data"] == "the table"


def test_fewer_layers_of_a_run_and_of_an_encoder(run, rows, tmp_path):
    report = prune(run, tmp_path / "short", layers=1)
    small = report.tables["models"].rows()[1]
    assert (report.data["form"], small["layers"], small["score"]) == ("layers dropped", 1, None)
    assert "not known" in report.finding("warning.not_scored").text
    assert "speed" not in report.timings
    assert np.isfinite(probabilities(tmp_path / "short", rows)).all()
    scored = prune(run, tmp_path / "scored", layers=1, data=rows, limit=60)
    assert None not in [row["score"] for row in scored.tables["models"].rows()]
    assert not any(each.name in {"random", "warning.not_scored"} for each in scored.findings)
    encoder = write_tiny(tmp_path / "tiny")
    of_encoder = prune(encoder, tmp_path / "shorter", layers=1)
    assert "warning.not_scored" in {each.name for each in of_encoder.findings}
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
    for out in (run, run / "small"):
        with pytest.raises(BadInput, match="the folder of the model that is read"):
            prune(run, out, layers=1)
    with pytest.raises(BadInput, match="this is a file"):
        prune(run, tmp_path / "own" / "notes.txt", layers=1)
    (tmp_path / "empty").mkdir()
    assert prune(run, tmp_path / "empty", layers=1).finding("verdict").numbers["layers"] == 1


def test_a_share_that_layers_do_not_allow_and_rows_learned_from_are_said(run, rows, tmp_path, heard):
    prune(run, tmp_path / "small", heads=0.99, data=rows, limit=60, progress=heard)
    assert heard.notes == ["6 heads go, not 8: every layer keeps one"]
    learned = copy_of_run(run, tmp_path / "learned", rows)
    record = prune(learned, tmp_path / "smaller", heads=0.5, data=rows, limit=60, progress=heard)
    assert heard.notes[1].startswith("The model learned from this very file")
    assert record.finding("warning.learned_rows").text == heard.notes[1]


def test_the_record_and_its_page_lie_beside_the_model_and_change_nothing_of_it(run, rows, tmp_path):
    record = prune(run, tmp_path / "small", heads=0.5, data=rows, limit=60)
    assert read(tmp_path / "small").tables == record.tables
    assert record.finding("verdict").numbers["headline"] in (tmp_path / "small" / "report.html").read_text()
    assert ww.load(tmp_path / "small").model.config.pruned_heads != ()
    assert set(record.timings["speed"].columns) >= {"milliseconds_1", "milliseconds_32", "speedup_32"}
    again = prune(run, tmp_path / "again", heads=0.5, data=rows, limit=60)
    assert again.tables == record.tables  # what the clock says stands in timings


def test_as_many_random_heads_stand_beside_the_least_important_ones(run, rows, tmp_path):
    numbers = prune(run, tmp_path / "small", heads=0.5, data=rows, limit=60).finding("random").numbers
    assert numbers["low"] <= numbers["change"] <= numbers["high"]
    assert numbers["gain_low"] <= numbers["gain"] <= numbers["gain_high"]


def test_layers_of_a_pruned_run_can_be_dropped_too(run, rows, tmp_path):
    prune(run, tmp_path / "small", heads=0.5, data=rows, limit=60)
    record = prune(tmp_path / "small", tmp_path / "short", layers=1)
    assert record.tables["models"].rows()[0]["heads"] == 4
    assert np.isfinite(probabilities(tmp_path / "short", rows)).all()


def copy_of_run(run, folder, rows):
    """The run, as if it had been fine-tuned on these rows."""
    shutil.copytree(run, folder)
    metadata = json.loads((folder / "wordworth.json").read_text())
    (folder / "wordworth.json").write_text(json.dumps({**metadata, "learned_from": [sha256(rows)]}))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("choices", [{"heads": 0.5, "limit": 60}, {"layers": 1}], ids=["heads", "layers"])
def test_a_smaller_folder_joins_the_ladder_of_worth_by_its_name(run, rows, tmp_path, monkeypatch, choices):
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    prune(run, tmp_path / "pruned", **choices, data=rows if "heads" in choices else None)
    ladder_choices, whole = {"seeds": 2, "draws": 100, "quick": True}, run.parent.name
    rungs = ["tfidf", whole, "pruned", "tfidf+pruned"]
    record = ww.worth(rows, models=[str(run), str(tmp_path / "pruned")], rungs=rungs, **ladder_choices)
    ladder = record.table("ladder").set_index("rung")
    assert set(ladder.loc[[whole, "pruned", "tfidf+pruned"], "state"]) == {"measured"}
    assert ladder.loc["pruned", "parameters"] < ladder.loc[whole, "parameters"]
    named = ww.worth(rows, models=[str(tmp_path / "pruned")], rungs=["tfidf+pruned"], **ladder_choices)
    assert list(named.table("ladder")["rung"]) == ["majority", "tfidf+pruned"]
