"""The dialogue language model: a run judges real and fake dialogues, resumes to the bit, and refuses what is none."""

import numpy as np
import pytest
import torch
from tests.text.corpus.dialogue_files import dialogues, write
from tests.training.objectives.instances import instances
from torch.nn import functional

from wordworth.errors import BadInput
from wordworth.models.batch import Batch
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.transformer import init_weights
from wordworth.testing.objectives import check_objective
from wordworth.text.corpus.dialogue_store import build_dialogue_store
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.objectives.dialogue_consistency import RealDialogue
from wordworth.training.objectives.objective import ModelOutput
from wordworth.training.pretraining import adapt, pretrain
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.recipe import recipe

CHANGES = ["sequences=dialogues", "batch_size=16", "lengths=24,24"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Dialogues to learn from and others to be judged, with a tokenizer."""
    folder = tmp_path_factory.mktemp("dialogues")
    learned, other = write(folder / "a", dialogues(300)), write(folder / "b", dialogues(150, seed=1))
    build_dialogue_store(learned, Tokenizer.read(folder / "a" / "tok"), folder / "store")
    return learned, other, folder / "store"


def test_the_loss_is_the_cross_entropy_of_the_first_tokens_state():
    config = BertConfig(vocab_size=200, hidden_size=16, num_layers=1, num_heads=2, intermediate_size=32)
    model, objective = bert(config).eval(), RealDialogue()
    head = objective.head(model)
    generator = torch.Generator().manual_seed(0)
    init_weights(model, 0.1, generator)
    init_weights(head, 0.1, generator)
    made = instances([([7, 8], [9]), ([10], [11, 12]), ([13], [14])], labels=[1, 0, 1])
    read_as, targets = objective.prepare(made, np.random.default_rng(0))
    batch = Batch(*(torch.from_numpy(part) for part in (read_as.ids, read_as.segments, read_as.starts)))
    states = model(batch)
    loss = objective.loss(head, ModelOutput(model, batch, states), targets)
    logits = head(states[[0, 6, 12]])
    expected = functional.cross_entropy(logits, torch.tensor([1, 0, 1]), reduction="sum")
    assert loss.sum.item() == pytest.approx(expected.item(), rel=1e-5)
    assert (loss.count, targets.level) == (3, "sequences")


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_as_if_it_never_was(files, tmp_path):
    settings = PretrainingConfig(
        stores=(files[2],), out=tmp_path, model_size="1x16", steps=6, dtype="float32", device="cpu",
        micro_batch_tokens=100, recipe=recipe("modern", CHANGES), held_out=files[2],
    )  # fmt: skip
    check_objective(settings)


def test_a_model_learns_masks_and_judges_and_another_goes_on_with_dialogues(files, tmp_path):
    learned, other, _ = files
    options = {"held_out": other, "override": [*CHANGES, "batch_size=32", "learning_rate=0.005"], "device": "cpu"}
    tokenizer = learned.parent / "tok"
    pretrain(learned, tokenizer=tokenizer, out=tmp_path / "one", model_size="2x32", steps=5, **options)
    (last,) = [row for row in read(tmp_path / "one" / "training") if row["kind"] == "evaluation"][-1:]
    assert {"mlm", "dialogue", "dialogue_right", "mlm_shuffled"} <= set(last)
    pretrain(learned, tokenizer=tokenizer, out=tmp_path / "text", model_size="1x16", steps=1, device="cpu",
             override=["sequences=dialogues", "pair_objective=no", "lengths=24,24"])  # fmt: skip
    adapted = adapt(tmp_path / "text", learned, out=tmp_path / "on", steps=1, override=CHANGES, device="cpu")
    assert (adapted.folder / "objective_heads" / "weights.safetensors").is_file()


@pytest.mark.slow
def test_it_learns_which_dialogues_are_real(files, tmp_path):
    learned, other, _ = files
    changes = [*CHANGES, "batch_size=32", "learning_rate=0.003", "mlm_probability=0.05"]
    pretrain(learned, tokenizer=learned.parent / "tok", out=tmp_path, model_size="2x32", steps=400, held_out=other,
             override=changes, evals=2, device="cpu")  # fmt: skip
    (last,) = [row for row in read(tmp_path / "training") if row["kind"] == "evaluation"][-1:]
    assert last["dialogue_right"] > 0.7


def test_what_holds_no_dialogues_is_refused(files, tmp_path):
    learned, _, _ = files
    tokenizer = learned.parent / "tok"
    with pytest.raises(BadInput, match="sequences=packed are no dialogues to judge"):
        pretrain(learned, tokenizer=tokenizer, out=tmp_path / "a", steps=1, text="turns",
                 override=["objectives=mlm,dialogue"])  # fmt: skip
    single = tmp_path / "single.jsonl"
    single.write_text('{"turns": ["A: q1"]}\n')
    with pytest.raises(BadInput, match="of 1 dialogue none has two turns or more"):
        pretrain(single, tokenizer=tokenizer, out=tmp_path / "b", steps=1, override=CHANGES)
    assert not (tmp_path / "b").exists()
