"""Freed memory kept between the steps of pretraining, beside the C library as it comes: seconds and peak memory.

    python benchmarks/freed_memory.py --sequences 64 --width 256 --rounds 5

Each way runs masked-LM steps in bfloat16 in a process of its own: once the C library's settings were changed, it no
longer adapts them, so that a second way in the same process would not be the library as it comes.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

import measure
from wordworth.cli.scripts import run_script

_KEPT, _RETURNED = "freed memory kept", "as it comes"
_LAYERS, _LENGTH, _VOCABULARY, _MASKED, _STEPS = 4, 128, 30_522, 0.15, 5


def main() -> None:
    """Run both ways in turns and report seconds by both clocks, peak memory and their ratios."""
    options = measure.arguments(__doc__, sequences=64, width=256, rounds=5)
    values = options.sequences, options.width, options.threads
    runs = measure.in_processes(Path(__file__), (_KEPT, _RETURNED), values, options.rounds)
    named = {"tokens of a step": options.sequences * _LENGTH, "width": options.width, "steps": _STEPS}
    spreads = measure.compared(runs, _RETURNED)
    measure.report({**named, "rounds": options.rounds, "threads": options.threads, **spreads}, options.out)


def train(sequences: int, width: int, *, keep: bool) -> float:
    """Run a few masked-LM steps, without an optimiser; return the last loss.

    Args:
        sequences: number of sequences of a step, of 128 tokens each.
        width: width of the encoder of four layers.
        keep: whether freed memory is kept between steps.
    """
    import torch

    from wordworth.models.batch import pack
    from wordworth.models.families.bert import BertConfig, bert
    from wordworth.text.tokens import ids_only
    from wordworth.training.malloc import retain_freed_memory

    torch.manual_seed(0)
    config = BertConfig(hidden_size=width, num_layers=_LAYERS, num_heads=width // 64, intermediate_size=4 * width)
    encoder, head = bert(config), torch.nn.Linear(width, _VOCABULARY)
    for parameter in encoder.parameters():
        torch.nn.init.normal_(parameter, std=0.02)
    ids = torch.randint(5, _VOCABULARY, (_STEPS, sequences, _LENGTH)).numpy()
    words = torch.randint(0, _VOCABULARY, (int(_MASKED * sequences * _LENGTH),))
    with retain_freed_memory() if keep else nullcontext():
        for step in ids:
            with torch.autocast("cpu", torch.bfloat16):
                states = encoder(pack([ids_only(sequence) for sequence in step])).flatten(0, -2)
                loss = torch.nn.functional.cross_entropy(head(states[: len(words)]).float(), words)
            loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
            encoder.zero_grad()
            head.zero_grad()
    return loss.item()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        number, wide, threads = map(int, sys.argv[3:6])
        import torch

        torch.set_num_threads(threads)
        run_script(lambda: measure.report_way(lambda: train(number, wide, keep=sys.argv[2] == _KEPT)))
    else:
        run_script(main)
