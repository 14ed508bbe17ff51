"""What a run says of itself while it goes on."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import torch

from wordworth.training.pretraining import run_logger
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain


class Pair:
    """Two processes that measure the same."""

    def all_reduce(self, tensors):
        for tensor in tensors:
            tensor.mul_(2)


def test_the_share_of_peak_is_of_what_all_processes_can_do_together(monkeypatch):
    monkeypatch.setattr(run_logger, "matmul_peak", lambda dtype, device: 3.0e11)  # noqa: ARG005 - as the real one
    parts = SimpleNamespace(
        dtype=torch.float32,
        network=SimpleNamespace(encoder=SimpleNamespace(device=torch.device("cpu"))),
        loop=SimpleNamespace(processes=Pair()),
    )
    assert run_logger.peak_flops(parts) == pytest.approx(6.0e11)


class Slow:
    """A `Progress` by whose clock a step takes 20 seconds; it hears notes."""

    def __init__(self):
        self.now, self.notes = 0.0, []

    @contextmanager
    def step(self, title, total=None):  # noqa: ARG002 - a Progress
        yield self

    def advance(self, amount=1):  # noqa: ARG002 - a Step
        self.now += 20

    def skip(self, amount):
        pass

    def note(self, message):
        self.notes.append(message)


@pytest.fixture
def told(corpus, tmp_path, monkeypatch):
    """Ten steps, each of 10^12 products, on a machine that makes 10^12 a second: the log, and what was heard."""
    heard = Slow()
    monkeypatch.setattr(run_logger, "time", SimpleNamespace(monotonic=lambda: heard.now))
    monkeypatch.setattr(run_logger, "matmul_peak", lambda *_: 1e12)
    monkeypatch.setattr(run_logger, "operations", lambda *_: 1e12)
    small = recipe("modern", ["batch_size=8", "lengths=16,16"])
    pretrain(PretrainingConfig(stores=(corpus,), out=tmp_path, model_size="1x32", steps=10, recipe=small), heard)
    return read(tmp_path / "training"), heard.notes


def test_every_half_a_minute_the_log_has_tokens_a_second_and_the_share_of_peak(told):
    rows, _ = told
    tokens = [row["tokens"] for row in rows if row["kind"] == "step"]
    paces = [row for row in rows if row["kind"] == "speed"]
    assert [row["step"] for row in paces] == [3, 5, 7, 9]
    assert paces[0]["tokens_a_second"] == round(sum(tokens[:3]) / 40)  # the clock began with the first step's end
    assert paces[1]["tokens_a_second"] == round(sum(tokens[3:5]) / 40)
    assert [row["of_peak"] for row in paces] == [3 / 40, 2 / 40, 2 / 40, 2 / 40]


def test_a_person_is_told_the_loss_and_the_pace_and_the_time_left_by_the_progress_bar_alone(told):
    rows, notes = told
    lines = [note for note in notes if note.startswith("step ")]
    assert len(lines) == 4
    loss, pace = (next(row for row in rows if row["kind"] == kind and row["step"] == 5) for kind in ("step", "speed"))
    expected = f"step 5 of 10: loss {loss['loss']:.3f}, {pace['tokens_a_second']:,} tokens/s, 5% of peak"
    assert lines[1] == expected


@pytest.mark.parametrize(("changes", "short"), [(["beta2=0.98"], True), (["beta2=0.9"], False)])
def test_a_run_that_ends_inside_its_warm_up_says_so_before_and_in_its_card(corpus, tmp_path, changes, short):
    heard, small = Slow(), recipe("modern", ["batch_size=2", "lengths=16,16", *changes])
    pretrain(
        PretrainingConfig(stores=(corpus,), out=tmp_path, model_size="1x32", steps=40, recipe=small, dtype="float32"),
        heard,
    )
    said = "only 40 updates: the learning rate reaches 29 % of its peak"
    assert heard.notes.count(said) == short
    card = (tmp_path / "README.md").read_text()
    assert ("**The run was too short for its learning rate**, of which it reached 29% (0.001)." in card) == short


CPU = torch.device("cpu")


@pytest.mark.parametrize(("rate", "sides"), [(1e9, [256, 512]), (1e12, [256, 512, 1024, 2048])])
def test_products_grow_until_one_takes_long(monkeypatch, rate, sides):
    asked = []

    def product(side, *_):
        asked.append(side)
        return 2 * side**3 / rate

    monkeypatch.setattr(run_logger, "_product", product)
    assert run_logger.matmul_peak(torch.bfloat16, CPU) == pytest.approx(rate)
    assert asked == sides


def test_the_peak_is_that_of_the_best_size(monkeypatch):
    rates = {256: 1e11, 512: 4e11, 1024: 3e11, 2048: 2e11}
    monkeypatch.setattr(run_logger, "_product", lambda side, *_: 2 * side**3 / rates[side])
    assert run_logger.matmul_peak(torch.float32, CPU) == pytest.approx(4e11)
