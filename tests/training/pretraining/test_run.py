"""A run: it learns, it is taken up where it was stopped, and what it leaves is a model."""

import dataclasses
import json
import signal
from contextlib import contextmanager

import pytest
import torch

from wordworth.errors import BadInput
from wordworth.folder_lock import alone_in
from wordworth.models.checkpoint import read_checkpoint
from wordworth.text.corpus.store import TokenStore, build_store
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.checkpoints import Checkpoints
from wordworth.training.loop import Diverged
from wordworth.training.pretraining import command
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.evaluation import HeldOut
from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain
from wordworth.training.pretraining.step_plan import Plan

CHANGES = ["batch_size=8", "lengths=16,32", "sequences=pairs", "dropout=0.1", "first_phase_fraction=0.7"]


def settings(corpus, out, **changes):
    usual = {"model_size": "1x32", "steps": 12, "recipe": recipe("modern", CHANGES), "evals": 3, "dtype": "float32"}
    return PretrainingConfig(stores=(corpus,), out=out, **{**usual, **changes})


def curve(out):
    """What the run decided, and not the clock."""
    return [{**row, "seconds": 0} for row in read(out / "training") if row["kind"] in {"step", "evaluation"}]


class Killing:
    """A `Progress` under which the process is asked to stop once so many steps are done; it hears notes."""

    def __init__(self, after=None):
        self.after, self.done, self.notes = after, 0, []

    @contextmanager
    def step(self, title, total=None):  # noqa: ARG002 - a Progress
        yield self

    def advance(self, amount=1):
        self.done += amount > 0
        if self.done == self.after:
            signal.raise_signal(signal.SIGTERM)

    def skip(self, amount):
        pass

    def note(self, message):
        self.notes.append(message)


@pytest.fixture(scope="module")
def whole(corpus, other, tmp_path_factory):
    """A run that nobody stopped, and its settings."""
    given = settings(corpus, tmp_path_factory.mktemp("whole"), held_out=other)
    pretrain(given)
    return given


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_run_stopped_again_and_again_makes_the_steps_of_one_never_stopped(corpus, other, tmp_path, dtype):
    straight = settings(corpus, tmp_path / "straight", held_out=other, dtype=dtype)
    pretrain(straight)
    stopped = dataclasses.replace(straight, out=tmp_path / "stopped")
    for steps in (1, 2, 5):
        with pytest.raises(KeyboardInterrupt):
            pretrain(stopped, Killing(steps + 1 if steps > 1 else steps))
    pretrain(stopped)
    assert curve(stopped.out) == curve(straight.out)
    assert len([row for row in curve(stopped.out) if row["kind"] == "step"]) == 12
    one, other_model = (read_checkpoint(each.out).model.state_dict() for each in (straight, stopped))
    assert all(torch.equal(one[name], other_model[name]) for name in one)


def test_a_damaged_newest_checkpoint_is_said_and_the_older_one_used(corpus, tmp_path, whole, other):
    given = settings(corpus, tmp_path / "run", checkpoint_steps=2, held_out=other)
    begun = Killing(7)
    with pytest.raises(KeyboardInterrupt):
        pretrain(given, begun)
    assert any("subword frequencies alone: mlm_unigram " in note for note in begun.notes)
    newest = max((given.out / "training" / "checkpoints").glob("*.pt"))
    content = bytearray(newest.read_bytes())
    content[len(content) // 2] ^= 1
    newest.write_bytes(content)
    heard = Killing()
    pretrain(given, heard)
    assert not any("mlm_unigram" in note for note in heard.notes)  # it was said when the run began
    assert any("damaged" in note for note in heard.notes)
    assert any("after step 6" in note for note in heard.notes)
    assert curve(given.out) == curve(whole.out)


def test_a_full_disk_is_one_clear_error_and_the_run_goes_on_once_there_is_room(
    corpus, tmp_path, whole, other, monkeypatch
):
    given = settings(corpus, tmp_path / "run", checkpoint_steps=4, held_out=other)
    true_save = torch.save

    def full(state, file):
        if len(state["losses"]) == 8:
            file.write(b"half")
            raise OSError(28, "No space left on device")
        true_save(state, file)

    monkeypatch.setattr("wordworth.training.checkpoints.torch.save", full)
    with pytest.raises(BadInput, match="the disk is full"):
        pretrain(given)
    assert [step for step, *_ in Checkpoints(given.out / "training" / "checkpoints")._newest_first()] == [4]
    monkeypatch.undo()
    pretrain(given)
    assert curve(given.out) == curve(whole.out)


def test_another_run_in_the_same_folder_is_refused_and_says_what_differs(whole):
    changed = dataclasses.replace(whole, recipe=recipe("modern", [*CHANGES, "learning_rate=0.5"]))
    with pytest.raises(BadInput, match=r"another recipe.*'learning_rate': None.*'learning_rate': 0.5"):
        pretrain(changed)


def test_checkpoints_of_a_run_that_nothing_is_known_of_are_not_gone_on_with(corpus, tmp_path):
    given = settings(corpus, tmp_path, steps=2)
    pretrain(given)
    told = tmp_path / "training" / "run.json"
    told.write_text(told.read_text()[:-20])
    with pytest.raises(BadInput, match=r"run\.json: not a whole JSON.*put the run's own run\.json back"):
        pretrain(given)
    told.unlink()
    with pytest.raises(BadInput, match=r"checkpoints of a run without its run\.json"):
        pretrain(given)


@pytest.mark.parametrize(
    ("name", "said"), [("config.json", "a model"), ("README.md", "a README.md"), ("vocab.txt", "a tokenizer")]
)
def test_what_no_run_made_is_not_written_over(corpus, tmp_path, name, said):
    (tmp_path / name).write_text("{}")
    with pytest.raises(BadInput, match=f"{said} is here already"):
        pretrain(settings(corpus, tmp_path))


def test_a_finished_run_is_not_run_again(whole):
    before, heard = curve(whole.out), Killing()
    result = pretrain(whole, heard)
    assert result.steps == 12
    assert heard.notes == ["all 12 steps are done already"]
    assert curve(whole.out) == before


def test_the_folder_holds_a_model_with_its_heads_a_tokenizer_and_a_card(whole):
    found = read_checkpoint(whole.out)
    assert {name.split(".")[1] for name in found.heads} == {"mlm", "nsp"}
    assert json.loads((whole.out / "config.json").read_text())["architectures"] == ["BertForPreTraining"]
    card = (whole.out / "README.md").read_text()
    for part in ("12 updates", "## Data", "document", "`modern`", "## Curve", "| mlm |", "## Limits", "mlm_unigram "):
        assert part in card
    assert "None" not in card


def test_the_log_has_a_row_a_step_and_a_row_a_look_with_the_unigram_baseline(whole):
    rows = read(whole.out / "training")
    assert [row["step"] for row in rows if row["kind"] == "step"] == list(range(1, 13))
    assert [row["step"] for row in rows if row["kind"] == "evaluation"] == [4, 8, 12]
    start = rows[0]
    assert [group["weight_decay"] for group in start["groups"]] == [0.01, 0.0]
    assert start["mlm_unigram"] > 1


@pytest.mark.parametrize("length", [{}, {"steps": 3, "epochs": 1.0}, {"steps": 0}, {"budget": -1.0, "steps": None}])
def test_a_run_needs_one_length(corpus, tmp_path, length):
    with pytest.raises(BadInput, match=r"steps|budget"):
        settings(corpus, tmp_path, **({"steps": None} | length))


@pytest.mark.parametrize("phases", ["0.7", "1", "0"])
def test_epochs_are_passes_over_the_corpus_in_tokens_whatever_the_length_of_its_sequences(corpus, tmp_path, phases):
    whole = ["batch_size=8", "lengths=16,64", "constant_tokens=no", f"first_phase_fraction={phases}"]
    result = pretrain(settings(corpus, tmp_path, steps=None, epochs=4.0, recipe=recipe("modern", whole)))
    marks = 2 * 8 * result.steps
    assert (result.tokens - marks) / len(TokenStore.open(corpus).ids) == pytest.approx(4.0, rel=0.05)


def test_a_model_with_norms_before_its_branches_is_read_back_as_that_and_nothing_takes_it_for_bert(corpus, tmp_path):
    pretrain(settings(corpus, tmp_path, recipe=recipe("modern", [*CHANGES, "norm=pre"]), steps=2))
    assert json.loads((tmp_path / "config.json").read_text())["model_type"] != "bert"
    found = read_checkpoint(tmp_path)
    assert found.model.config.norm == "pre"
    assert found.names.missing == found.names.unexpected == ()


def test_a_step_in_many_passes_is_the_step_in_one(corpus, tmp_path):
    one, many = (
        settings(corpus, tmp_path / name, micro_batch_tokens=size) for name, size in (("one", 10**6), ("many", 40))
    )
    plain = recipe("modern", [*CHANGES, "dropout=0"])
    for given in (one, many):
        pretrain(dataclasses.replace(given, recipe=plain))
    losses = [[row["loss"] for row in curve(given.out)] for given in (one, many)]
    assert losses[0] == pytest.approx(losses[1], abs=2e-5)


def test_a_loss_that_is_no_number_stops_the_run_and_keeps_its_checkpoints(corpus, tmp_path):
    given = settings(corpus, tmp_path, checkpoint_steps=1, recipe=recipe("modern", [*CHANGES, "learning_rate=1e30"]))
    with pytest.raises(Diverged, match="a lower learning rate"):
        pretrain(given)
    assert Checkpoints(tmp_path / "training" / "checkpoints").latest() is not None


def test_a_milestone_is_the_model_of_that_step(corpus, tmp_path):
    flat = recipe("modern", [*CHANGES, "lr_schedule=stable", "first_phase_fraction=1", "warmup=0.01"])
    pretrain(settings(corpus, tmp_path / "run", recipe=flat, milestones=(0.5,)))
    (kept,) = (tmp_path / "run" / "training" / "milestones").iterdir()
    read_until = sum(row["tokens"] for row in curve(tmp_path / "run") if row["kind"] == "step" and row["step"] <= 6)
    assert json.loads((kept / "milestone.json").read_text()) == {"step": 6, "tokens": read_until}
    given = settings(corpus, tmp_path / "stopped", recipe=flat, checkpoint_steps=6)
    with pytest.raises(KeyboardInterrupt):
        pretrain(given, Killing(after=6))
    weights = Checkpoints(given.out / "training" / "checkpoints").latest()[1]["model"]
    found = read_checkpoint(kept).model.state_dict()
    assert all(torch.equal(tensor, weights[f"encoder.{name}"]) for name, tensor in found.items())


def test_the_end_of_a_run_may_be_moved_while_it_goes_on(corpus, tmp_path):
    """With a rate that is held before it falls, what was trained serves runs of any length."""
    flat = recipe("modern", [*CHANGES, "lr_schedule=stable", "first_phase_fraction=1", "warmup=0.01"])
    given = settings(corpus, tmp_path / "run", recipe=flat, steps=20)
    with pytest.raises(KeyboardInterrupt):
        pretrain(given, Killing(after=6))
    before = [row for row in curve(given.out) if row["kind"] == "step"]
    assert pretrain(dataclasses.replace(given, steps=10)).steps == 10
    after = [row for row in curve(given.out) if row["kind"] == "step"]
    assert after[: len(before)] == before
    plan = Plan.read(given.out / "training" / "plan.json")
    assert plan.fraction(len(before)) == len(before) / 20
    assert plan.fraction(10) == 1.0
    with pytest.raises(BadInput, match="made 10 of 10 steps and cannot end after 30"):
        pretrain(dataclasses.replace(given, steps=30))


@pytest.mark.parametrize(
    "choice", [{"micro_batch_tokens": 0}, {"evals": -1}, {"sampling": -0.1}, {"checkpoint_minutes": -1.0}]
)
def test_a_number_out_of_its_range_is_refused(corpus, tmp_path, choice):
    with pytest.raises(BadInput, match=f"{min(choice).replace('_', '-')} .* is out of range"):
        settings(corpus, tmp_path, **choice)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5])
def test_a_milestone_outside_the_run_is_refused(corpus, tmp_path, share):
    with pytest.raises(BadInput, match="fraction of the run"):
        settings(corpus, tmp_path, milestones=(share,))


@pytest.mark.slow  # a compiler runs for a quarter of a minute
@pytest.mark.filterwarnings("ignore")  # torch's compiler warns of itself
def test_layers_for_which_kernels_were_written_learn_what_the_others_learn(corpus, tmp_path):
    losses = []
    for compiled in (False, True):
        given = settings(corpus, tmp_path / str(compiled), compiled=compiled)
        pretrain(given)
        losses.append([row["loss"] for row in curve(given.out)])
    assert losses[1] == pytest.approx(losses[0], abs=1e-4)


def test_a_second_start_of_the_same_run_does_not_disturb_the_first(corpus, tmp_path):
    given = settings(corpus, tmp_path / "out", steps=3)
    with alone_in(tmp_path / "out" / "training"), pytest.raises(BadInput, match="another process is at work"):
        pretrain(given)
    assert not list((tmp_path / "out" / "training").iterdir())
    pretrain(given)


@pytest.mark.parametrize(("look", "said"), [
    (
        {"mlm": 2.0, "mlm_shuffled": 2.02},
        ["nothing of word order yet: with the visible words shuffled it loses 0.02 nats"],
    ),
    ({"mlm": 2.0, "mlm_shuffled": 2.5}, []),
    ({"mlm": 9.0, "mlm_shuffled": 9.5}, ["no better yet on held-out text than subword frequencies alone"]),
])  # fmt: skip
def test_a_run_and_its_card_say_where_little_was_learned(corpus, other, tmp_path, monkeypatch, look, said):
    monkeypatch.setattr(HeldOut, "evaluate", lambda *_: look)
    given, heard = settings(corpus, tmp_path / "out", held_out=other, steps=2), Killing()
    pretrain(given, heard)
    for told in ((given.out / "README.md").read_text(), "\n".join(heard.notes)):
        for sentence in ("nothing of word order yet", "no better yet on held-out text"):
            assert (sentence in told) == any(sentence in one for one in said)
        assert all(one in told for one in said)


@pytest.mark.parametrize(
    ("dtype", "has", "refused"), [("bfloat16", False, True), ("bfloat16", True, False), ("auto", False, False)]
)
def test_bfloat16_is_refused_where_there_are_no_instructions_for_it(tmp_path, monkeypatch, dtype, has, refused):
    monkeypatch.setattr(command, "supports_bf16", lambda _: has)
    chosen = {"steps": 1, "dtype": dtype, "device": "cpu"}
    if refused:
        with pytest.raises(BadInput, match="no instructions for bfloat16"):
            command.make_config(tmp_path, recipe("modern"), (), chosen)
    else:
        assert command.make_config(tmp_path, recipe("modern"), (), chosen).dtype == dtype


def test_a_held_out_store_of_another_tokenizer_is_refused(corpus, tmp_path):
    learned = TokenStore.open(corpus)
    (tmp_path / "vocab.txt").write_text("\n".join([*list(learned.tokenizer.vocabulary)[:5], "fox", "the", "."]) + "\n")
    (tmp_path / "text.txt").write_text("the fox.\n")
    build_store(tmp_path / "text.txt", Tokenizer.wordpiece(tmp_path / "vocab.txt"), tmp_path / "seen")
    with pytest.raises(BadInput, match="seen: this corpus was tokenized with another tokenizer"):
        pretrain(settings(corpus, tmp_path / "out", held_out=tmp_path / "seen"))
