"""A fine-tuned network goes into a folder and comes out the same."""

import json

import numpy as np
import pytest
import torch
from tests.models.language_models import write_language_model
from tests.training.finetuning.made_pronouns import made_pronouns
from tests.training.finetuning.test_trainer import begun

from wordworth.errors import BadInput
from wordworth.models.read_encoder import read_encoder
from wordworth.models.weight_files import read_safetensors, write_safetensors
from wordworth.tasks.task_types import todays_name
from wordworth.training.finetuning.checkpoint import load_finetuned, save_finetuned
from wordworth.training.finetuning.checkpoint_metadata import read_metadata
from wordworth.training.finetuning.trainer import FineTuningConfig, FineTuningRun
from wordworth.training.mixed_precision import supports_bf16
from wordworth.training.task_heads import MaskedCandidateHead, head_of
from wordworth.training.task_heads.base import InputReader

HOW = {"steps": 6, "batch_size": 8, "learning_rate": 3e-3}


def facts_of(task, pooling="mean", **more):
    read = {"tokens": 48, "cut": "end", "second": task.examples.second is not None}
    return {"kind": task.kind, "classes": list(task.classes), "pooling": pooling, **read, **more}


@pytest.mark.parametrize("pooling", ["mean", "pooler"])
@pytest.mark.parametrize("kind", ["single", "regression", "multilabel", "choice", "tags", "span"])
def test_what_is_written_says_the_same_when_read(tiny, tmp_path, kind, pooling):
    about = {"crf": True} if kind == "tags" else {}
    task, inputs, tuning = begun(tiny, kind, config=FineTuningConfig(**HOW, pooling=pooling), **about)
    tuning.loop.train(6)
    save_finetuned(tmp_path / "model", tiny, tuning.tuned, facts_of(task, pooling))
    head = head_of(task, **about)
    _, read = load_finetuned(
        tmp_path / "model", head, read_metadata(tmp_path / "model"), torch.device("cpu"), bf16=supports_bf16()
    )
    before, after = tuning.tuned.predict(inputs), read.predict(inputs)
    if isinstance(before, tuple):
        assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))
    else:
        np.testing.assert_allclose(before, after, rtol=1e-5, atol=1e-5)


def test_writing_again_replaces_and_leaves_nothing_behind(tiny, tmp_path):
    task, _, tuning = begun(tiny, config=FineTuningConfig(**HOW))
    for _ in range(2):
        save_finetuned(tmp_path / "model", tiny, tuning.tuned, facts_of(task))
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_a_folder_that_is_no_fine_tuned_model_is_told_in_one_line(tiny, tmp_path):
    with pytest.raises(BadInput, match="not the folder of a fine-tuned model"):
        read_metadata(tmp_path)
    (tmp_path / "wordworth.json").write_text(json.dumps({"version": 99}))
    with pytest.raises(BadInput, match="version 99"):
        read_metadata(tmp_path)
    task, _, tuning = begun(tiny, config=FineTuningConfig(**HOW))
    save_finetuned(tmp_path / "model", tiny, tuning.tuned, facts_of(task))
    (tmp_path / "model" / "head.safetensors").write_bytes(b"no")
    with pytest.raises(BadInput, match=r"head.safetensors: truncated"):
        load_finetuned(
            tmp_path / "model", head_of(task), read_metadata(tmp_path / "model"), torch.device("cpu"), bf16=False
        )


def test_a_head_without_all_its_weights_is_refused_by_name(tiny, tmp_path):
    task, _, tuning = begun(tiny, config=FineTuningConfig(**HOW))
    save_finetuned(tmp_path / "model", tiny, tuning.tuned, facts_of(task))
    facts, path = read_metadata(tmp_path / "model"), tmp_path / "model" / "head.safetensors"
    whole = read_safetensors(path)
    write_safetensors({name: value for name, value in whole.items() if name != "output.weight"}, path)
    with pytest.raises(BadInput, match=r"head.safetensors: missing or unexpected weights: output.weight"):
        load_finetuned(tmp_path / "model", head_of(task), facts, torch.device("cpu"), bf16=False)
    write_safetensors(whole | {"output.weight": whole["output.weight"][:, 1:].contiguous()}, path)
    with pytest.raises(BadInput, match=r"head.safetensors: these weights do not fit the model"):
        load_finetuned(tmp_path / "model", head_of(task), facts, torch.device("cpu"), bf16=False)


def test_a_crf_without_all_its_weights_is_refused_by_name(tiny, tmp_path):
    task, _, tuning = begun(tiny, "tags", config=FineTuningConfig(**HOW), crf=True)
    save_finetuned(tmp_path, tiny, tuning.tuned, facts_of(task))
    weights, head = read_safetensors(tmp_path / "head.safetensors"), head_of(task, crf=True)
    facts, cpu = read_metadata(tmp_path), torch.device("cpu")
    write_safetensors(
        {name: each for name, each in weights.items() if name != "extra.step"}, tmp_path / "head.safetensors"
    )
    with pytest.raises(BadInput, match=r"head.safetensors: missing or unexpected weights: step"):
        load_finetuned(tmp_path, head, facts, cpu, bf16=False)
    write_safetensors({**weights, "extra.step": torch.zeros(1, 1)}, tmp_path / "head.safetensors")
    with pytest.raises(BadInput, match=r"head.safetensors: these weights do not fit the model"):
        load_finetuned(tmp_path, head, facts, cpu, bf16=False)


def test_the_threads_that_torch_has_do_not_change_what_is_said(tiny):
    _, inputs, tuning = begun(tiny, config=FineTuningConfig(**HOW))
    before = torch.get_num_threads()
    try:
        said = []
        for threads in (1, 2):
            torch.set_num_threads(threads)
            said.append(tuning.tuned.predict(inputs))
    finally:
        torch.set_num_threads(before)
    assert np.array_equal(*said)


@pytest.mark.parametrize(
    ("kind", "about", "facts", "said"),
    [
        (
            "tags",
            {"crf": True},
            {"crf": True},
            ["as `BertForTokenClassification`", "the CRF over the scores is missing"],
        ),
        ("tags", {"context": 40}, {"context": 40}, ["neighbours in the document, 40 tokens in all"]),
        ("tags", {}, {"bilstm": True}, ["loads only the encoder", "the BiLSTM above it"]),
        ("span", {}, {"threshold": -1.5}, ["as `BertForQuestionAnswering`", "by more than -1.5"]),
        ("single", {}, {}, ["sentence-transformers loads it"]),
    ],
)
def test_the_card_says_what_other_libraries_leave_out(tiny, tmp_path, kind, about, facts, said):
    config = FineTuningConfig(**HOW, bilstm=facts.get("bilstm", False))
    task, _, tuning = begun(tiny, kind, config=config, **about)
    save_finetuned(tmp_path / "model", tiny, tuning.tuned, facts_of(task, **facts))
    card = (tmp_path / "model" / "README.md").read_text()
    assert all(part in card for part in [*said, "wordworth predict", f"Task kind: {todays_name(kind)}."])
    assert ("CRF" in card, "neighbours" in card, "threshold" in card) == tuple(
        name in facts for name in ("crf", "context", "threshold")
    )


@pytest.mark.parametrize("embeddings", [True, False])
def test_a_model_that_fills_masks_says_the_same_when_read(tmp_path, embeddings):
    encoder, task = read_encoder(write_language_model(tmp_path / "start", "bert")), made_pronouns(24)
    head = MaskedCandidateHead()
    head.attach(encoder)
    inputs = head.encode(InputReader(tokenizer=encoder.tokenizer, limit=24), task.examples)
    config = FineTuningConfig(**HOW, embeddings=embeddings, bf16=False)
    run = FineTuningRun(encoder.model, head, inputs, head.targets(task.labels, inputs), config, 0)
    run.loop.train(6)
    facts = facts_of(task, None, embeddings=embeddings)
    save_finetuned(tmp_path / "model", encoder, run.tuned, facts)
    _, read = load_finetuned(tmp_path / "model", MaskedCandidateHead(), facts, torch.device("cpu"), bf16=False)
    np.testing.assert_allclose(run.tuned.predict(inputs), read.predict(inputs), rtol=1e-5, atol=1e-5)
    card = (tmp_path / "model" / "README.md").read_text()
    assert "transformers loads it as `BertForMaskedLM`" in card
