"""A layer of two LSTMs with projection, forward and gradient: ours beside torch's `nn.LSTM` with `proj_size`.

python benchmarks/bilm.py --rounds 5

torch's reads the sequences padded (`padded`) or packed (`packed`); ours has them end to end. Lengths are all alike or
drawn from 16 to the longest.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

import measure
from wordworth.cli.scripts import run_script
from wordworth.models.lstm import BidirectionalLSTM, Clips, PackedOrder

WIDTH, CELL = 128, 512


def main() -> None:
    """Time each layer by turns over the same tokens."""
    warnings.simplefilter("ignore")  # torch says that it has no fast kernel for projections
    options = measure.arguments(__doc__, rounds=5, sequences=32, longest=128, packed=0)
    torch.set_num_threads(options.threads)
    rng, results = np.random.default_rng(0), {}
    for name, lengths in {
        "alike": np.full(options.sequences, options.longest),
        "mixed": rng.integers(16, options.longest + 1, options.sequences),
    }.items():
        seconds = measure.in_turns(works(lengths, packed=bool(options.packed)), options.rounds)
        rates = {each: measure.Spread.of([lengths.sum() / time for time in times]) for each, times in seconds.items()}
        base = "torch, padded"
        results[name] = {"tokens per second": rates, f"times as fast as {base}": measure.ratios(seconds, base)}
    measure.report({"width": WIDTH, "cell": CELL, "lengths": results}, options.out)


def works(lengths: np.ndarray, *, packed: bool) -> dict[str, Callable[[], None]]:
    """Return one forward pass with its gradient, by implementation."""
    ours, theirs = (
        BidirectionalLSTM(WIDTH, CELL, WIDTH, Clips()),
        nn.LSTM(WIDTH, CELL, proj_size=WIDTH, bidirectional=True),
    )
    starts = torch.from_numpy(np.cumsum([0, *lengths]))
    x = torch.randn(int(lengths.sum()), WIDTH)
    parts = torch.split(x, lengths.tolist())

    def walk() -> None:
        order = PackedOrder.of(starts)
        back_propagate(ours(x[order.walk], order), ours)

    def pad() -> None:
        back_propagate(theirs(pad_sequence(list(parts)))[0], theirs)

    def pack() -> None:
        packed_pieces = pack_padded_sequence(pad_sequence(list(parts)), torch.from_numpy(lengths), enforce_sorted=False)
        back_propagate(theirs(packed_pieces)[0].data, theirs)

    return {"ours": walk, "torch, padded": pad} | ({"torch, packed": pack} if packed else {})


def back_propagate(states: Tensor, module: nn.Module) -> None:
    """Compute the gradient of a loss."""
    module.zero_grad()
    torch.autograd.backward(states.sum())


if __name__ == "__main__":
    run_script(main)
