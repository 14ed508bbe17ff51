"""A run: it learns, it is taken up where it was stopped, and what it leaves is a model."""

import dataclasses

import pytest
import torch
from tests.text.subwords.conftest import folders, scripts, trained  # noqa: F401 - fixtures
from tests.training.pretraining.small_run import CHANGES, Killing, curve, settings

from wordworth.errors import BadInput
from wordworth.folder_lock import alone_in
from wordworth.models.checkpoint import read_checkpoint
from wordworth.text.corpus.token_store import build_store
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.checkpoints import Checkpoints
from wordworth.training.loop import Diverged
from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain
from wordworth.training.pretraining.step_plan import Plan


@pytest.fixture(scope="module")
def whole(corpus, other, tmp_path_factory):
    """A run that nobody stopped, and its settings."""
    given = settings(corpus, tmp_path_factory.mktemp("whole"), held_out=other)
    pretrain(given)
    return given


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["byte-level", "unigram"])
def test_runs_on_other_vocabularies_with_whole_words_masked_go_on_exactly_too(
    folders,  # noqa: F811 - a fixture
    scripts,  # noqa: F811 - a fixture
    tmp_path,
    algorithm,
):
    store = tmp_path / "store"
    build_store(scripts, Tokenizer.read(folders[algorithm]), store)
    whole_words = recipe("modern", [*CHANGES, "sequences=packed", "masking_unit=word"])
    straight = settings(store, tmp_path / "straight", recipe=whole_words, steps=6)
    pretrain(straight)
    stopped = dataclasses.replace(straight, out=tmp_path / "stopped")
    with pytest.raises(KeyboardInterrupt):
        pretrain(stopped, Killing(3))
    pretrain(stopped)
    assert curve(stopped.out) == curve(straight.out)
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
    step, _ = Checkpoints(given.out / "training" / "checkpoints").latest()
    assert step == 4
    monkeypatch.undo()
    pretrain(given)
    assert curve(given.out) == curve(whole.out)


def test_a_finished_run_is_not_run_again(whole):
    before, heard = curve(whole.out), Killing()
    result = pretrain(whole, heard)
    assert result.steps == 12
    assert heard.notes == ["all 12 steps are done already"]
    assert curve(whole.out) == before


def test_the_log_has_a_row_a_step_and_a_row_a_look_with_the_unigram_baseline(whole):
    rows = read(whole.out / "training")
    assert [row["step"] for row in rows if row["kind"] == "step"] == list(range(1, 13))
    assert [row["step"] for row in rows if row["kind"] == "evaluation"] == [4, 8, 12]
    start = rows[0]
    assert [group["weight_decay"] for group in start["groups"]] == [0.01, 0.0]
    assert start["mlm_unigram"] > 1


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
