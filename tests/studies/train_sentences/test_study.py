"""`train_sentences` writes a model with its record; what was stopped goes on; other folders are left alone."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.models.tiny import write_prompts
from tests.representations.tiny_encoder import write_tiny_encoder

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.training.checkpointed_run import CheckpointedRun

WEIGHTS, RECORD = "model.safetensors", "record.json"


def trained(files, out, **choices):
    usual = {"model": str(files / "tiny"), "dev": files / "sts.csv", "epochs": 2, "max_length": 64, "batch_size": 32}
    return ww.train_sentences(files / "nli.csv", out, **{**usual, **choices})


def test_the_folder_is_a_model_with_its_record_and_page(files, tmp_path):
    record = trained(files, tmp_path / "sbert", pooling="max")
    encoder = ww.load(tmp_path / "sbert")
    assert encoder.head.modes == ("max",)
    assert encoder.encode(["a good film"]).shape == (1, 32)
    assert not np.allclose(encoder.encode("a good film"), ww.load(files / "tiny").encode("a good film"))
    assert ww.read_record(tmp_path / "sbert") == record
    assert "<html" in (tmp_path / "sbert" / "report.html").read_text()
    assert record.settings["batch_size"] == 32
    assert not list((tmp_path / "sbert" / "training").glob("checkpoints"))
    ww.embed(files / "sts.csv", tmp_path / "vectors.npy", text="sentence1", model=str(tmp_path / "sbert"))
    assert np.load(tmp_path / "vectors.npy").shape == (90, 32)


def test_a_prompt_stands_before_every_text_in_training_and_after(files, tmp_path):
    prompted = trained(files, tmp_path / "prompted", prompt="the ")
    encoder = ww.load(tmp_path / "prompted")
    assert encoder.prompt == "the "
    assert prompted.settings["prompt"] == "the "
    assert not np.allclose(encoder.encode("a good film"), replace(encoder, prompt="").encode("a good film"))
    losses = [record.tables["losses"].rows() for record in (prompted, trained(files, tmp_path / "plain"))]
    assert losses[0] != losses[1]


def test_a_training_that_has_ended_is_only_read(files, tmp_path, heard):
    record = trained(files, tmp_path / "sbert")
    before = (tmp_path / "sbert" / WEIGHTS).stat().st_mtime_ns
    assert trained(files, tmp_path / "sbert", progress=heard) == record
    assert (tmp_path / "sbert" / WEIGHTS).stat().st_mtime_ns == before
    assert "has ended already" in heard.notes[-1]


@pytest.mark.parametrize("stopped_at", ["a step", "the model"])
def test_a_killed_training_goes_on_to_the_same_bytes(files, tmp_path, monkeypatch, stopped_at):
    trained(files, tmp_path / "straight")
    own = CheckpointedRun.advance

    def killed_at_a_step(run, _, step):
        own(run, 3, step)
        run.save()
        raise SystemError

    with monkeypatch.context() as patch:
        if stopped_at == "a step":
            patch.setattr(CheckpointedRun, "advance", killed_at_a_step)
        else:
            patch.setattr("wordworth.studies.train_sentences.study.filling_folder", killed_at_the_model)
        with pytest.raises(SystemError):
            trained(files, tmp_path / "stopped")
    assert not (tmp_path / "stopped" / WEIGHTS).exists()
    trained(files, tmp_path / "stopped")
    for name in (WEIGHTS, "config.json", "tokenizer.json", "modules.json"):
        assert (tmp_path / "straight" / name).read_bytes() == (tmp_path / "stopped" / name).read_bytes()
    one, other = (json.loads((tmp_path / each / RECORD).read_text()) for each in ("straight", "stopped"))
    assert all(one[part] == other[part] for part in ("settings", "data", "tables", "findings"))


def killed_at_the_model(folder):
    raise SystemError(folder)


def test_a_folder_of_something_else_or_of_another_training_is_refused(files, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(BadInput, match="holds something else already"):
        trained(files, tmp_path / "mine")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput):
        trained(files, tmp_path / "file")
    trained(files, tmp_path / "sbert")
    with pytest.raises(BadInput, match="a run with another epochs is here: 2, not 3"):
        trained(files, tmp_path / "sbert", epochs=3)
    with pytest.raises(BadInput, match="a run with another epochs is here: 2, not the default"):
        trained(files, tmp_path / "sbert", epochs=None)
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


def test_tables_in_memory_are_read_and_a_static_table_is_refused(files, tmp_path):
    rows = [{"text_a": f"a good film {word}", "text_b": f"the film {word}"} for word in ("there", "really", "quite")]
    record = ww.train_sentences(rows, tmp_path / "sbert", model=str(files / "tiny"), dev=0, max_length=64)
    assert record.finding("warning.no_dev")
    assert record.data["rows"] == 3
    with pytest.raises(BadInput, match="cannot be trained"):
        ww.train_sentences(rows, tmp_path / "other", model="glove")


def test_queries_and_documents_have_a_prompt_each_in_training_and_after(files, tmp_path):
    record = trained(files, tmp_path / "two", query_prompt="the ", document_prompt="really ")
    encoder = ww.load(tmp_path / "two")
    assert (encoder.prompt, dict(encoder.prompts)) == ("", {"query": "the ", "document": "really "})
    assert record.settings["query_prompt"] == "the "
    said = next(finding for finding in record.findings if finding.name == "method.prompts")
    assert said.text == "First texts were read behind 'the ', second and third texts behind 'really '."
    plain = trained(files, tmp_path / "plain")
    assert plain.tables["losses"].rows() != record.tables["losses"].rows()
    assert plain.tables["evaluations"].rows()[0] != record.tables["evaluations"].rows()[0]  # before the first step
    again = trained(files, tmp_path / "again", model=str(tmp_path / "two"))
    assert dict(ww.load(tmp_path / "again").prompts) == dict(encoder.prompts)
    assert any(finding.name == "method.prompts" for finding in again.findings)
    trained(files, tmp_path / "one", model=str(tmp_path / "two"), prompt="the ")
    assert dict(ww.load(tmp_path / "one").prompts) == {"default": "the "}


def test_a_student_keeps_the_prompts_of_its_encoder_and_learns_behind_the_default_one(files, tmp_path):
    write_prompts(write_tiny_encoder(tmp_path / "two"), {"query": "the ", "document": "really "})
    options = {"loss": "mse", "layers": 1, "text": "premise"}
    record = trained(files, tmp_path / "small", model=str(tmp_path / "two"), **options)
    plain = trained(files, tmp_path / "plain", **options)
    assert record.tables["losses"].rows() == plain.tables["losses"].rows()
    assert dict(ww.load(tmp_path / "small").prompts) == {"query": "the ", "document": "really "}
