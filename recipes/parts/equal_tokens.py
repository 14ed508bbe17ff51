"""Runs that read as many tokens as each other, counted and not planned: sequences are not all full."""

from __future__ import annotations

import argparse
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from parts.cells import Cell
from parts.matched import DONE, Variant, run_one, settings
from wordworth.cli.scripts import writable_path
from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.pretraining.batches import Steps
from wordworth.training.pretraining.build_components import open_stores, phases
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.step_plan import Plan


def cell(chosen: argparse.Namespace, variant: Variant, seed: int) -> Cell:
    """Return the run of a variant over `chosen.tokens` tokens."""
    config = settings(chosen, variant, seed)
    return Cell(f"train/{variant.name}/seed-{seed}", config.out / DONE, partial(run, chosen.tokens, variant, config))


def run(tokens: int, variant: Variant, config: PretrainingConfig) -> None:
    """Train a variant over `tokens` tokens, or resume it."""
    run_one(variant, replace(config, steps=steps_for(config, tokens)))


def steps_for(config: PretrainingConfig, tokens: int) -> int:
    """Return the number of steps after which the run has read closest to `tokens` tokens."""
    made = phases(config, open_stores(config.stores))

    @cache
    def read(steps: int) -> int:
        run = Steps(made, (), Plan.of(steps), config.seed)
        return sum(run.step(number).tokens for number in range(steps))

    most = next(steps for steps in (1 << power for power in range(40)) if read(steps) >= tokens)
    enough = bisect_left(range(most), tokens, lo=1, key=read)
    return enough if enough == 1 or read(enough) - tokens <= tokens - read(enough - 1) else enough - 1


def command(description: str | None, *, tokens: int, stages: Sequence[str]) -> argparse.ArgumentParser:
    """Return the options that all comparisons at equal tokens share."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--held-out", type=Path, required=True, help="a store that is never learned")
    parser.add_argument("--out", type=writable_path, required=True)
    parser.add_argument("--model-size", dest="shape", default="mini", help="of the base; `shape` in records")
    parser.add_argument("--tokens", type=int, default=tokens, help="that each model reads")
    parser.add_argument("--batch-size", dest="batch", type=int, default=32, help="sequences in a step")
    parser.add_argument("--sequences", type=int, default=400, help="of held-out text, 128 tokens each")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--micro-batch-tokens", type=int, default=8_192, help="tokens of one pass in pretraining")
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    parser.add_argument("--threads", type=int, default=1, help="of torch, in this process")
    parser.add_argument("--stage", choices=stages, default="all")
    parser.add_argument("--only", nargs="*", default=[], help="patterns of cells, such as 'train/*/seed-1'")
    parser.add_argument("--tiny", action="store_true", help="a smoke run of minutes, from which nothing can be told")
    parser.set_defaults(minutes=None, evals=1)
    return parser


def parsed(parser: argparse.ArgumentParser, tiny: Mapping[str, Any]) -> argparse.Namespace:
    """Parse the command line; with `--tiny`, the defaults are those of `tiny`."""
    if parser.parse_args().tiny:
        parser.set_defaults(**tiny)
    return parser.parse_args()


def deciding(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that decide every run, apart from its arm and seed."""
    stores = {name: TokenStore.open(getattr(options, name)).fingerprint for name in ("store", "held_out")}
    return {name: getattr(options, name) for name in ("tokens", "shape", "batch", "sequences")} | stores
