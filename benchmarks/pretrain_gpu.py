"""Pretraining steps of BERT-base on a GPU beside transformers' `BertForPreTraining`, taking turns in one process.

    python benchmarks/pretrain_gpu.py --length 128 --batch 256 --rounds 5
    python benchmarks/pretrain_gpu.py --length 512 --batch 64 --rounds 5

Pairs of pieces in the lengths that the original's generator makes: three in four fill `--length`. Both sides learn
masked tokens and next sentences from the same ids under the same masks in bfloat16 with float32 weights (transformers
under autocast, with torch's scaled_dot_product_attention), drop at `--dropout-percent`, clip to 1 and step a fused
AdamW. Tokens are counted without padding; a share of peak is that of the best 8192 x 8192 x 8192 product of the same
run.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from itertools import cycle
from pathlib import Path

import torch
import transformers

import measure
from pretrain_throughput import MadeUp, Repeated, made_up_vocabulary, network, operations_a_token, padded
from wordworth.cli.scripts import run_script
from wordworth.models.checkpoint import Checkpoint
from wordworth.models.families.bert import BERT
from wordworth.models.save_encoder import write_checkpoint
from wordworth.models.weight_mapping import LoadReport
from wordworth.training.loop import Loop
from wordworth.training.mixed_precision import Bf16Replica
from wordworth.training.objectives.mlm import MaskedLanguageModel
from wordworth.training.objectives.objective import Objective
from wordworth.training.objectives.sentence_pairs import NextSentence
from wordworth.training.optimizers import AdamW
from wordworth.training.pretraining.batches import Phase, StepData, Steps
from wordworth.training.pretraining.model import PretrainingLoss, PretrainingModel
from wordworth.training.pretraining.run_logger import matmul_peak
from wordworth.training.pretraining.step_plan import Plan

DEVICE, RATE, STEPS = torch.device("cuda"), 1e-4, 10
PEER = "transformers bfloat16 autocast, sdpa"


def ours(model: PretrainingModel, steps: Steps, *, compiled: bool) -> Callable[[], float]:
    model = model.to(DEVICE)
    replica = Bf16Replica(model)
    if compiled:
        replica.module.compile_layers()
    objective = PretrainingLoss(replica.module, 0, micro_batch_tokens=1 << 30)
    running = Loop(model, AdamW().build({model: RATE}), lambda _: 1.0, steps, objective, replica=replica).run()
    return lambda: waited([next(running).loss for _ in range(STEPS)])


def theirs(source: PretrainingModel, steps: Sequence[StepData], length: int) -> Callable[[], float]:
    with tempfile.TemporaryDirectory() as folder:
        named = Checkpoint(source.encoder, BERT, LoadReport(), source.head_weights(), {})
        write_checkpoint(named, Path(folder), architecture="BertForPreTraining")
        model = transformers.BertForPreTraining.from_pretrained(folder, attn_implementation="sdpa").to(DEVICE).train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, fused=True)
    batches = cycle([padded(step, length) for step in steps])

    def update() -> float:
        optimiser.zero_grad()
        with torch.autocast("cuda", torch.bfloat16):
            loss = model(**{name: value.to(DEVICE) for name, value in next(batches).items()}).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        return float(loss.item())

    return lambda: waited([update() for _ in range(STEPS)])


def waited(losses: Sequence[float]) -> float:
    torch.cuda.synchronize()
    return losses[0]


def main() -> None:
    """Compare the first losses, take turns, report."""
    options = measure.arguments(__doc__, rounds=5, batch=256, length=128, **{"dropout-percent": 10})
    vocabulary, dropout = made_up_vocabulary(), options.dropout_percent / 100
    objectives: list[Objective] = [MaskedLanguageModel(vocabulary=vocabulary), NextSentence()]
    steps = Repeated([Phase(0.0, MadeUp(options.batch, options.length))], objectives, Plan.of(STEPS), 0)
    made = [steps.step(number) for number in range(STEPS)]
    first = {
        "wordworth": ours(network(vocabulary, 0.0, "base"), steps, compiled=False)(),
        "transformers": theirs(network(vocabulary, 0.0, "base"), made, options.length)(),
    }
    works = {
        PEER: theirs(network(vocabulary, dropout, "base"), made, options.length),
        "wordworth": ours(network(vocabulary, dropout, "base"), steps, compiled=False),
        "wordworth compiled": ours(network(vocabulary, dropout, "base"), steps, compiled=True),
        "wordworth compiled, dropout 0": ours(network(vocabulary, 0.0, "base"), steps, compiled=True),
    }
    for work in works.values():
        work()
    seconds = measure.in_turns(works, options.rounds)
    peak = matmul_peak(torch.bfloat16, DEVICE)
    tokens = sum(step.tokens for step in made)
    best = {name: tokens / min(times) for name, times in seconds.items()}
    each = operations_a_token(network(vocabulary, 0.0, "base").to(DEVICE), made[0])
    measure.report(
        {
            "gpu": torch.cuda.get_device_name(),
            "tokens": {"step": tokens / STEPS, "of_padded": tokens / STEPS / options.batch / options.length},
            "rounds": options.rounds,
            "dropout": dropout,
            "first_loss": first,
            "times_faster": measure.ratios(seconds, PEER),
            "tokens_per_second": best,
            "peak_tflops": peak / 1e12,
            "share_of_peak": {name: each * speed / peak for name, speed in best.items()},
            "memory_gb": torch.cuda.max_memory_allocated() / 1e9,
            "seconds": seconds,
        },
        options.out,
    )


if __name__ == "__main__":
    run_script(main)
