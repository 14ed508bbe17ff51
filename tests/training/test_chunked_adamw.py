"""The update a piece at a time: the same weights, moments and halves as one thing after the other for all weights."""

import copy
from dataclasses import dataclass

import pytest
import torch
from torch import nn
from torch.nn import functional

from wordworth.training.chunked_adamw import ChunkedAdamW
from wordworth.training.mixed_precision import Bf16Replica
from wordworth.training.optimizer_step import PlainStep
from wordworth.training.optimizers import AdamW, BertAdam
from wordworth.training.process_groups import ALONE

TEXTS = torch.randn(6, 20, 7, generator=torch.Generator().manual_seed(0))
USUAL = AdamW()


class Network(nn.Module):
    """Of weights smaller and larger than a chunk, one float32 in the replica too, and one that no loss need reach."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(7, 30), nn.GELU(), nn.Linear(30, 30))
        self.output, self.spare = nn.Linear(30, 3), nn.Linear(30, 3)

    def forward(self, texts, *, spare=False):
        states = self.body(texts.to(self.body[0].weight.dtype)).float()
        return self.output(states) + (self.spare(states.to(self.spare.weight.dtype)).float() if spare else 0)


@dataclass
class Learner:
    """A network, its replica, and an update of one kind."""

    network: Network
    last: nn.Linear
    replica: Bf16Replica
    optimiser: torch.optim.AdamW
    update: PlainStep | ChunkedAdamW

    def step(self, texts, passes=1, max_norm=1.0, *, spare=False, norm=None):
        """The norm found; where another is given, that one is clipped by, as Adam makes much of a last digit."""
        self.update.clear()
        for part in texts.chunk(passes):
            self.update.before_backward()
            scores = self.last(self.replica.module(part, spare=spare))
            functional.cross_entropy(scores, part.argmax(1) % 3, reduction="sum").backward()
        total_norm = self.update.gradient_norm()
        self.update.step(total_norm if norm is None else norm, max_norm)
        return total_norm

    def everything(self):
        """Weights, halves and all that the optimiser keeps, by name."""
        named = {
            f"own {name}": whole_state
            for name, whole_state in [*self.network.named_parameters(), *self.last.named_parameters()]
        }
        named |= {f"half {name}": whole_state for name, whole_state in self.replica.module.named_parameters()}
        for number, kept in self.optimiser.state_dict()["state"].items():
            named |= {f"{name} {number}": whole_state for name, whole_state in kept.items()}
        return named


def learner(kind, settings=USUAL):
    torch.manual_seed(1)
    network, extra = Network(), nn.Linear(3, 3)
    replica = Bf16Replica(network)
    replica.module.output.float()
    optimiser = settings.build({network: 0.01, extra: 0.1})
    update = ChunkedAdamW(optimiser, replica) if kind is ChunkedAdamW else PlainStep(optimiser, replica, ALONE)
    return Learner(network, extra, replica, optimiser, update)


def both(settings=USUAL):
    return learner(PlainStep, settings), learner(ChunkedAdamW, settings)


def same(whole, pieces):
    whole_state, chunked_state = whole.everything(), pieces.everything()
    assert whole_state.keys() == chunked_state.keys()
    for name, value in whole_state.items():
        assert value.dtype == chunked_state[name].dtype
        torch.testing.assert_close(chunked_state[name], value, rtol=1e-5, atol=1e-7, msg=name)


@pytest.fixture(autouse=True)
def pieces_smaller_than_a_matrix(monkeypatch):
    monkeypatch.setattr("wordworth.training.chunked_adamw._CHUNK", 250)


@pytest.mark.parametrize("settings", [AdamW(), BertAdam(), AdamW(weight_decay=0.3, betas=(0.5, 0.7))])
@pytest.mark.parametrize("passes", [1, 2, 3])
@pytest.mark.parametrize("max_norm", [0.01, 1e9])
def test_pieces_are_the_whole(settings, passes, max_norm):
    whole, pieces = both(settings)
    for texts in TEXTS:
        norm = whole.step(texts, passes, max_norm)
        torch.testing.assert_close(pieces.step(texts, passes, max_norm, norm=norm), norm)
    same(whole, pieces)


def test_gradients_past_the_clip_are_scaled_down_and_others_are_not():
    still, scaled = learner(ChunkedAdamW), learner(ChunkedAdamW)
    norm = still.step(TEXTS[0], max_norm=1e9)
    scaled.step(TEXTS[0], max_norm=norm / 10)
    name = "exp_avg 0"  # after one step a share of the gradient itself
    torch.testing.assert_close(10 * scaled.everything()[name], still.everything()[name])


def test_a_weight_without_a_gradient_keeps_its_value_and_joins_when_it_has_one():
    whole, pieces = both()
    before = pieces.network.spare.weight.clone()
    pieces.step(TEXTS[0], norm=whole.step(TEXTS[0]))
    assert torch.equal(pieces.network.spare.weight, before)
    for texts, spare in zip(TEXTS, (False, True, True, False, True, False), strict=True):
        pieces.step(texts, spare=spare, norm=whole.step(texts, spare=spare))
    assert not torch.equal(pieces.network.spare.weight, before)
    same(whole, pieces)


def test_a_rate_that_changes_between_steps_counts_at_once():
    whole, pieces = both()
    for texts, rate in zip(TEXTS, (0.01, 0.0, 0.02, 0.005, 0.0, 0.01), strict=True):
        for each in (whole, pieces):
            for group in each.optimiser.param_groups:
                group["lr"] = rate
        pieces.step(texts, norm=whole.step(texts))
    same(whole, pieces)


def test_gradients_of_a_step_that_was_given_up_do_not_count():
    once, twice = learner(ChunkedAdamW), learner(ChunkedAdamW)
    twice.update.clear()
    twice.update.before_backward()
    twice.replica.module(TEXTS[1]).sum().backward()
    for each in (once, twice):
        each.step(TEXTS[0])
    same(once, twice)


def test_weights_learn_in_float32_though_their_halves_round():
    pieces = learner(ChunkedAdamW)
    for group in pieces.optimiser.param_groups:
        group["lr"] = 1e-6
    before = copy.deepcopy(pieces.everything())
    for texts in TEXTS:
        pieces.step(texts)
    after = pieces.everything()
    name = "0.weight"
    assert not torch.equal(after[f"own body.{name}"], before[f"own body.{name}"])
    assert torch.equal(after[f"half body.{name}"], after[f"own body.{name}"].bfloat16())
