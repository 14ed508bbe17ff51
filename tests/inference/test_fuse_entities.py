"""From a model and vectors to a model that reads links, adapts and fine-tunes, by commands alone."""

import json

import numpy as np
import pytest
from tests.models.entity_fusion.fused import ENTITIES, write_fused, write_table
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput


def test_a_fused_model_learns_what_only_its_entities_tell(tmp_path):
    folder = str(write_fused(tmp_path))
    rows = [
        {
            "text": f"{chr(97 + n // 9)} {chr(97 + n % 9)} [[HD:{ENTITIES[n % 2]}|cab]] was",
            "label": ["no", "yes"][n % 2],
        }
        for n in range(80)
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = {"epochs": 30, "restarts": 1, "processes": 1, "learning_rate": 1e-2}
    ww.finetune(data=tmp_path / "rows.jsonl", text="text", label="label", model=folder, out=tmp_path / "run", **options)
    ww.predict(tmp_path / "run", tmp_path / "rows.jsonl", tmp_path / "answers.jsonl")
    answers = [json.loads(line)["label"] for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    assert [answer == row["label"] for answer, row in zip(answers, rows, strict=True)].count(True) > 70
    (tmp_path / "unknown.jsonl").write_text('{"text": "a b"}\n{"text": "a [[Q99|cab]]"}\n')
    with pytest.raises(BadInput, match=r"unknown\.jsonl, line 2: the text 'a \[\[Q99\|cab\]\]' links to 'Q99'"):
        ww.predict(tmp_path / "run", tmp_path / "unknown.jsonl", tmp_path / "unknown_answers.jsonl")
    assert not (tmp_path / "unknown_answers.jsonl").exists()


def test_any_vectors_with_identifiers_are_fused_and_read_again_as_they_were(tmp_path):
    """A person's own .npy and .tsv, of another width than the model and in float64."""
    vectors = np.random.default_rng(1).normal(size=(3, 12))
    np.save(tmp_path / "mine.npy", vectors)
    (tmp_path / "mine.tsv").write_text("drug:1\ndrug:2\nthe third\n")
    write_tiny(tmp_path / "encoder")
    report = ww.fuse_entities(str(tmp_path / "encoder"), tmp_path / "mine.npy", tmp_path / "fused")
    assert (report.entities, report.width) == (3, 12)
    encoder = ww.load(str(tmp_path / "fused"))
    assert encoder.model.config.entities == ("drug:1", "drug:2", "the third")
    ratios = encoder.model.body.entities.numpy() / vectors
    assert np.allclose(ratios, ratios[0, 0], rtol=1e-5)
    encoder.save(tmp_path / "saved")
    again, texts = ww.load(str(tmp_path / "saved")), [f"a [[{entity}|cab]] was" for entity in ("drug:1", "the third")]
    assert np.array_equal(again.encode(texts), encoder.encode(texts))
    assert not np.allclose(*again.encode(texts), atol=1e-4)


def test_it_says_what_was_made_and_replaces_nothing(tmp_path):
    write_tiny(tmp_path / "encoder")
    table = write_table(tmp_path / "kg")
    report = ww.fuse_entities(str(tmp_path / "encoder"), table, tmp_path / "out", layers=2)
    assert (report.entities, report.width, report.layers) == (5, 8, 2)
    with pytest.raises(BadInput, match="this is there already"):
        ww.fuse_entities(str(tmp_path / "encoder"), table, tmp_path / "out")
    with pytest.raises(BadInput, match="lies inside the folder of the model"):
        ww.fuse_entities(str(tmp_path / "encoder"), table, tmp_path / "encoder" / "fused")


def test_vectors_that_are_all_zero_are_refused(tmp_path):
    write_tiny(tmp_path / "encoder")
    table = write_table(tmp_path / "kg")
    np.save(table / "entities.npy", np.zeros((len(ENTITIES), 8), np.float32))
    with pytest.raises(BadInput, match="every number of these vectors is 0"):
        ww.fuse_entities(str(tmp_path / "encoder"), table, tmp_path / "out")
    assert not (tmp_path / "out").exists()
