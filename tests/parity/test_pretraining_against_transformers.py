"""The same batch costs the same in transformers, at the first step and after some, and it loads what a run leaves."""

import numpy as np
import pytest
import torch
from tests.training.pretraining.conftest import store

from wordworth.training.pretraining.build_components import open_stores
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain
from wordworth.training.pretraining.setup import assemble

transformers = pytest.importorskip("transformers")
CHANGES = ["batch_size=8", "lengths=24,24", "sequences=pairs", "learning_rate=0.003", "lr_schedule=stable", "warmup=0"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return store(tmp_path_factory.mktemp("corpus") / "learned", 0, 60)


def settings(corpus, out, **changes):
    given = {"model_size": "2x32", "steps": 6, "recipe": recipe("modern", CHANGES), "dtype": "float32", **changes}
    return PretrainingConfig(stores=(corpus,), out=out, **given)


def padded(step):
    """The step as transformers reads it."""
    lengths, targets = step.instances.lengths, step.targets["mlm"]
    rows = np.repeat(np.arange(len(lengths)), lengths)
    places = np.arange(len(rows)) - np.repeat(step.instances.starts[:-1], lengths)
    shape = (len(lengths), int(lengths.max()))
    ids, segments, seen, labels = (np.full(shape, fill) for fill in (0, 0, 0, -100))
    ids[rows, places], segments[rows, places], seen[rows, places] = step.instances.ids, step.instances.segments, 1
    labels[rows[targets.positions], places[targets.positions]] = targets.labels
    given = {"input_ids": ids, "token_type_ids": segments, "attention_mask": seen, "labels": labels}
    tensors = {name: torch.from_numpy(array) for name, array in given.items()}
    return {**tensors, "next_sentence_label": torch.from_numpy(step.targets["nsp"].labels)}


@pytest.mark.peers
def test_losses_of_the_first_steps_are_those_of_transformers_and_torchs_adamw(corpus, tmp_path):
    given = settings(corpus, tmp_path / "run")
    fresh = settings(corpus, tmp_path / "fresh", steps=1, recipe=recipe("modern", [*CHANGES, "learning_rate=1e-30"]))
    pretrain(fresh)
    pretrain(given)
    ours = [row["loss"] for row in read(given.out / "training") if row["kind"] == "step"]
    parts = assemble(given, open_stores([corpus]), None)
    model = transformers.BertForPreTraining.from_pretrained(fresh.out).train()
    decayed = [each for each in model.parameters() if each.ndim > 1]
    plain = [each for each in model.parameters() if each.ndim == 1]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
    optimiser, theirs = torch.optim.AdamW(groups, lr=0.003, betas=(0.9, 0.98), eps=1e-6), []
    for number in range(6):
        for group in optimiser.param_groups:
            group["lr"] = 0.003 * parts.loop.schedule(number)
        optimiser.zero_grad()
        loss = model(**padded(parts.steps.step(number))).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        theirs.append(loss.item())
    assert ours[0] == pytest.approx(theirs[0], abs=1e-5)
    assert ours == pytest.approx(theirs, abs=1e-4)


@pytest.mark.peers
@pytest.mark.parametrize(
    ("architecture", "changes", "loader"),
    [
        ("bert", ["sequences=pairs"], "BertForPreTraining"),
        ("bert", ["sequences=packed"], "BertForMaskedLM"),
        ("causal-bert", ["sequences=packed"], "BertLMHeadModel"),
        ("gpt", ["sequences=packed"], "GPT2LMHeadModel"),
    ],
)
def test_transformers_loads_what_a_run_leaves_with_every_weight(corpus, tmp_path, architecture, changes, loader):
    made = recipe("modern", ["batch_size=8", "lengths=24,24", *changes])
    pretrain(settings(corpus, tmp_path, architecture=architecture, recipe=made, steps=1))
    _, told = getattr(transformers, loader).from_pretrained(tmp_path, output_loading_info=True)
    assert not told["missing_keys"]
    assert not told["unexpected_keys"]
    assert not told["mismatched_keys"]
    read_back = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert read_back("the fox sees")["input_ids"][0] == read_back.cls_token_id


@pytest.mark.peers
@pytest.mark.parametrize(("architecture", "loader"), [("gpt", "GPT2LMHeadModel"), ("causal-bert", "BertLMHeadModel")])
def test_transformers_goes_on_from_a_prompt_and_not_from_its_end_mark(corpus, tmp_path, architecture, loader):
    made = recipe("modern", ["batch_size=8", "lengths=24,24", "sequences=packed"])
    pretrain(settings(corpus, tmp_path, architecture=architecture, recipe=made, steps=1))
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    model = getattr(transformers, loader).from_pretrained(tmp_path)
    prompt = tokenizer("the fox", return_tensors="pt")
    assert tokenizer.sep_token_id not in prompt["input_ids"]
    assert tokenizer.decode(prompt["input_ids"][0], skip_special_tokens=True) == "the fox"
    longer = model.generate(**prompt, max_new_tokens=3, do_sample=False, pad_token_id=tokenizer.pad_token_id)
    assert longer[0, : prompt["input_ids"].shape[1]].tolist() == prompt["input_ids"][0].tolist()
