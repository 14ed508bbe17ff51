import pytest
import torch
from tests.training.test_chunked_adamw import TEXTS, learner
from torch import nn
from torch.nn import functional

from wordworth.training.chunked_adamw import ChunkedAdamW
from wordworth.training.optimizer_step import PlainStep, update_of
from wordworth.training.optimizers import AdamW
from wordworth.training.process_groups import ALONE, SingleProcess


def test_pieces_are_for_one_process_with_a_twin():
    pieces = learner(ChunkedAdamW)
    several = SingleProcess()
    several.count = 2
    assert isinstance(update_of(pieces.optimiser, pieces.replica, ALONE), ChunkedAdamW)
    assert isinstance(update_of(pieces.optimiser, None, ALONE), PlainStep)
    assert isinstance(update_of(pieces.optimiser, pieces.replica, several), PlainStep)
    plain = torch.optim.SGD(pieces.network.parameters(), lr=0.1)
    assert isinstance(update_of(plain, pieces.replica, ALONE), PlainStep)


def a_network():
    torch.manual_seed(0)
    network = nn.Linear(7, 3)
    return network, AdamW().build({network: 0.01})


def loss(network, texts):
    return functional.cross_entropy(network(texts), texts.argmax(1) % 3, reduction="sum")


@pytest.mark.parametrize("passes", [1, 2])
def test_a_plain_step_is_torchs_own_after_its_own_clip(passes):
    """Against torch's functions, one after the other, on the whole batch."""
    (ours, optimiser), (theirs, plain_optimiser) = a_network(), a_network()
    update = PlainStep(optimiser, None, ALONE)
    for texts in TEXTS:
        update.clear()
        for part in texts.chunk(passes):
            update.before_backward()
            loss(ours, part).backward()
        norm = update.gradient_norm()
        update.step(norm, 0.5)
        plain_optimiser.zero_grad()
        loss(theirs, texts).backward()
        torch.testing.assert_close(norm, nn.utils.clip_grad_norm_(theirs.parameters(), 0.5))
        plain_optimiser.step()
    for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(one, other)


class Twins(SingleProcess):
    """Two processes that read the same texts."""

    def reduce_gradients(self, gradients):
        for gradient in gradients:
            gradient.mul_(2)


def test_the_gradients_of_all_processes_are_summed_before_their_norm_is_taken():
    norms = []
    for processes in (ALONE, Twins()):
        network, optimiser = a_network()
        update = PlainStep(optimiser, None, processes)
        update.clear()
        update.before_backward()
        loss(network, TEXTS[0]).backward()
        norms.append(update.gradient_norm())
    torch.testing.assert_close(norms[1], 2 * norms[0])
