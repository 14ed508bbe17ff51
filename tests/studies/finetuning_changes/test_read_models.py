"""The models that are compared: found by what the run kept, and refused where they do not fit."""

import json
import shutil

import pytest
from safetensors.torch import load_file, save_file
from tests.inference.tuned_model import write_rows, write_tuned
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.finetuning_changes.read_models import read_models, read_with_start
from wordworth.studies.finetuning_changes.settings import FinetuningChangesSettings
from wordworth.testing.sample_tasks import sample_task


def read(run, data=None, **choices):
    return read_models(run, data, FinetuningChangesSettings(**choices))


def test_a_run_that_kept_its_path_needs_nothing_else(run):
    models = read(run)
    assert models.base.verified
    assert models.second is not None
    assert len(models.unseen.used) == 30
    assert len(models.learned.used) <= 60
    assert models.scratch is None


def test_a_run_that_kept_nothing_says_what_is_missing(pairs):
    with pytest.raises(BadInput, match="kept no rows") as error:
        read(pairs)
    assert "--data" in error.value.mend
    base = read_with_start(pairs, None)
    assert base.verified


def test_another_start_is_known_by_its_fingerprint_and_by_its_shape(run, tmp_path):
    other = write_tiny(tmp_path / "other", "bert", max_position_embeddings=130)
    weights = load_file(other / "model.safetensors")
    save_file({name: value * 1.01 for name, value in weights.items()}, other / "model.safetensors")
    small = write_tiny(tmp_path / "small", "bert", max_position_embeddings=60)
    for folder, what in ((other, "weights differ"), (small, "another shape"), (tmp_path / "none", "is not here")):
        with pytest.raises(BadInput, match=what):
            read(run, start=str(folder))


def test_a_start_that_moved_is_given_by_hand(run, encoder, tmp_path):
    shutil.copytree(encoder, tmp_path / "moved")
    assert read(run, start=str(tmp_path / "moved")).base.verified


def test_a_run_of_an_earlier_version_has_its_start_in_the_record_alone(run, encoder, tmp_path):
    shutil.copytree(run, tmp_path / "old")
    file = tmp_path / "old" / "model" / "wordworth.json"
    facts = json.loads(file.read_text())
    del facts["start"]
    file.write_text(json.dumps(facts))
    models = read(tmp_path / "old", start=str(encoder))
    assert not models.base.verified
    (tmp_path / "old" / "record.json").unlink()
    with pytest.raises(BadInput, match="which model it began from"):
        read(tmp_path / "old")


def test_runs_that_do_not_fit_are_refused(run, scratch, pairs, tmp_path):
    gpt2 = write_tuned(tmp_path / "gpt2", family="gpt2")
    span = write_tuned(tmp_path / "span", kind="span")
    for choices, what in (
        ({"second_run": run}, "the first one again"),
        ({"second_run": pairs}, "same classes"),
        ({"second_run": scratch}, "began from another model"),
        ({"second_run": gpt2}, "another shape"),
        ({"other_task": gpt2}, "another shape"),
        ({"other_task": tmp_path / "none"}, "no such folder"),
        ({"scratch_run": run / "path" / "second"}, "began from a pretrained model"),
        ({"second_run": span}, "not supported here"),
    ):
        with pytest.raises(BadInput, match=what):
            read(run, **choices)


def test_a_pruned_model_and_what_is_no_run_are_refused(run, tmp_path):
    rows = write_rows(tmp_path / "rows.csv", sample_task("single"))
    ww.prune(run, tmp_path / "pruned", heads=0.5, data=rows, limit=60)
    with pytest.raises(BadInput, match="heads of this model were pruned"):
        read(tmp_path / "pruned")
    with pytest.raises(BadInput, match="not the folder of a fine-tuned model"):
        read(write_tiny(tmp_path / "tiny"))


def test_damage_to_the_path_is_one_clear_error(run, tmp_path):
    shutil.copytree(run, tmp_path / "copy")
    shutil.rmtree(next((tmp_path / "copy" / "runs").glob("*/*/path")))
    with pytest.raises(BadInput, match="on its way are gone"):
        read(tmp_path / "copy")
    (tmp_path / "copy" / "path" / "path.json").write_text('{"version": 1}')
    with pytest.raises(BadInput, match="damaged"):
        read(tmp_path / "copy")


def test_labelled_rows_of_a_file_take_the_place_of_those_kept(run, tmp_path):
    rows = write_rows(tmp_path / "dev.csv", sample_task("single", seed=3))
    models = read(run, rows)
    assert len(models.unseen.used) == 90
    with pytest.raises(BadInput, match="was not fine-tuned on class"):
        ww.study_finetuning(run, [{"text": f"cab {n}", "label": "no" if n % 2 else "yes"} for n in range(60)])
