"""Files that the commands wrote and that came to harm since: each says what it is, and how to go on."""

from __future__ import annotations

import json

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.inference.bulk_embedding_parts import PartsFolder
from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.finetuning.checkpoint_metadata import read_metadata, write_metadata
from wordworth.training.finetuning.run_result import Evaluation, HyperParameters, Result
from wordworth.training.pretraining.initial_model import recorded_origin
from wordworth.training.pretraining.run_identity import require_own
from wordworth.training.pretraining.step_plan import Plan

DEEP = "[" * 200_000
DAMAGED = (DEEP, "", "\0" * 40, "null", "3", "[]", '"x"', "{}", '{"a": 1')
FACTS = {"kind": "single", "classes": ["a", "b"], "tokens": 8, "cut": "middle", "second": False, "pooling": "mean"}
STORE = {"version": 1, "fingerprint": "x", "dtype": "<u2", "counts": {"tokens": 1, "sentences": 1, "documents": 1}}


@pytest.mark.parametrize("text", [*DAMAGED, "[[]]", "[[0, 0.0]]", '[[0, "x", 3]]', "[[0, 0.0, 1e400]]", "[[5, 0, 3]]"])
def test_a_damaged_plan(tmp_path, text):
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(BadInput, match=r"plan\.json: .*remove this file, and the remaining steps are planned anew"):
        Plan.read(tmp_path / "plan.json")


def test_a_sound_plan_is_read_as_it_was_written(tmp_path):
    plan = Plan.of(100)
    plan.revise(30, 20)
    plan.write(tmp_path / "plan.json")
    assert Plan.read(tmp_path / "plan.json") == plan


@pytest.mark.parametrize("text", [text for text in DAMAGED if text != "{}"])
def test_a_damaged_identity_of_a_run(tmp_path, text):
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(BadInput, match=r"run\.json: .*put the run's own run\.json back"):
        require_own(tmp_path, {"seed": 0})


@pytest.mark.parametrize("text", [text for text in DAMAGED if text != "{}"])
def test_a_damaged_note_of_what_a_start_was_made_of(tmp_path, text):
    (tmp_path / "made_of.json").write_text(text)
    with pytest.raises(BadInput, match=r"made_of\.json: .*remove the folder it is in"):
        recorded_origin(tmp_path / "made_of.json")


@pytest.mark.parametrize("text", [text for text in DAMAGED if text != "{}"])
def test_a_damaged_note_of_what_the_parts_of_vectors_were_made_of(tmp_path, text):
    parts = PartsFolder(tmp_path)
    parts.start_or_resume({"input": "a"})
    (parts.folder / "made-of.json").write_text(text)
    with pytest.raises(BadInput, match=r"made-of\.json: .*remove that folder to start again"):
        parts.start_or_resume({"input": "a"})


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04", b"\0" * 100, b"half", b"flipped", b"foreign"])
def test_a_damaged_result_of_a_run(tmp_path, damage):
    path = tmp_path / "result.npz"
    point = HyperParameters(learning_rate=1e-3, batch_size=8, epochs=1.0)
    Result(
        hyper_parameters=point,
        seed=0,
        state="finished",
        steps=3,
        evaluations=(Evaluation(1, 0.5, 0.5),),
        test=np.arange(9),
    ).save(path)
    sound = path.read_bytes()
    if damage == b"foreign":
        np.savez(path, about=np.array(DEEP))
    else:
        cut = {
            b"half": sound[: len(sound) // 2],
            b"flipped": sound.replace("finished".encode("utf-32-le"), "finishes".encode("utf-32-le")),
        }
        path.write_bytes(cut.get(damage, damage))
    with pytest.raises(BadInput, match=r"result\.npz: the result of a run is damaged; remove this file, and the same"):
        Result.read(path)


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_note_of_a_token_store(tmp_path, text):
    (tmp_path / "store.json").write_text(text)
    with pytest.raises(BadInput, match="build the store again"):
        TokenStore.open(tmp_path)


@pytest.mark.parametrize(
    ("field", "value"),
    [("counts", []), ("counts", {"tokens": "x"}), ("dtype", "O"), ("dtype", 3), ("dtype", "<f8"), ("fingerprint", None)]
    + [("counts", {**STORE["counts"], "tokens": number}) for number in (-1, 10**400, 1e400, None)],
)
def test_a_note_of_a_token_store_with_an_odd_value(tmp_path, field, value):
    (tmp_path / "store.json").write_text(json.dumps({**STORE, field: value}))
    with pytest.raises(BadInput, match="build the store again"):
        TokenStore.open(tmp_path)


@pytest.mark.parametrize("text", [text for text in DAMAGED if text != "{}"])
def test_a_damaged_note_of_a_tuned_model(tmp_path, text):
    (tmp_path / "wordworth.json").write_text(text)
    with pytest.raises(BadInput, match=r"wordworth\.json: .*run wordworth finetune again, or copy the folder again"):
        read_metadata(tmp_path)


@pytest.mark.parametrize("field", FACTS)
@pytest.mark.parametrize("value", [[1], {}, 10**400, float("inf"), -1, "\x1b[31m", True])
def test_a_note_of_a_tuned_model_with_an_odd_value(tmp_path, field, value):
    if field == "second" and value is True:
        pytest.skip("this is what may stand there")
    write_metadata(tmp_path, {**FACTS, field: value})
    with pytest.raises(BadInput, match=rf"wordworth\.json: this file is damaged: .*{field}.*copy the folder again"):
        read_metadata(tmp_path)


def test_a_sound_note_of_a_tuned_model_is_read(tmp_path):
    write_metadata(tmp_path, FACTS)
    assert read_metadata(tmp_path) == {"version": 1, **FACTS}
