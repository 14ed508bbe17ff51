"""What does each ingredient of pretraining buy? One thing changed at a time, on the same number of tokens.

    python recipes/ablations.py STORE --held-out STORE --out runs/ [--tokens 4000000] [--seeds 3] [--only spans]

STORE is a folder that `wordworth pretrain` or `build_store` made. Every run goes on where it stopped. All are asked the
same held-out questions: 15 % of the tokens behind [MASK], whatever they were trained on. Differences are paired by seed
and have a 95 % interval from Student's t; with few seeds and tokens only large effects can be told from none, and what
small models show after a few million tokens need not hold for large ones after billions.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from wordworth.cli.bars import Bars
from wordworth.files import write_text
from wordworth.models.language_model import language_model
from wordworth.text.corpus.generators.packed import Packed
from wordworth.text.corpus.instances import Instances
from wordworth.text.corpus.store import TokenStore
from wordworth.text.corpus.stream import InstanceStream
from wordworth.training.held_out import HeldOutScores, held_out
from wordworth.training.objectives.mlm import MaskedLanguageModel, Rates
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain
from wordworth.training.pretraining.settings import Pretraining

BASE = ("batch=32", "phases=1", "rate=1e-3", "warmup=0.1")
CHANGES: dict[str, tuple[str, ...]] = {
    "base": (),
    "neighbours": ("neighbours=no",),
    "spread by width": ("by_width=no", "neighbours=no"),
    "pre-norm": ("norm=pre",),
    "masking 15 %": ("masking=0.15",),
    "masking 40 %": ("masking=0.4",),
    "all behind [MASK]": ("mask=1.0", "random=0.0"),
    "whole words": ("unit=word",),
    "spans": ("unit=span",),
    "next sentence": ("sequences=pairs",),
    "dropout": ("dropout=0.1",),
    "bias correction": ("corrected=no",),
    "half the rate": ("rate=5e-4",),
    "twice the rate": ("rate=2e-3",),
}
MEASURES = ("loss", "accuracy", "shuffle_gap")


def main() -> None:
    chosen = arguments()
    names = [name for name in CHANGES if name == "base" or not chosen.only or name in chosen.only]
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    asked = questions(chosen.held_out)
    for seed in range(chosen.seeds):
        for name in names:
            found[name].append(one(chosen, name, seed, asked))
            record = {"tokens": chosen.tokens, "shape": chosen.shape, "base": BASE, "runs": found}
            write_text(chosen.out / "ablations.json", json.dumps(record, indent=1) + "\n")
    print(f"{'change':20}{'loss':>8}{'right':>8}{'gap':>8}   loss minus base, 95 % interval")
    for name in names:
        print(line(name, found[name], found["base"]))


def one(chosen: argparse.Namespace, name: str, seed: int, asked: Instances) -> dict[str, float]:
    """Train (or take up, or find done) one run, and ask it."""
    out = chosen.out / f"{name.replace(' ', '-').replace('%', 'percent')}-{seed}"
    done = out / "scores.json"
    if not done.exists():
        made = recipe("modern", (*BASE, *CHANGES[name]))
        steps = max(1, chosen.tokens // (made.batch * made.lengths[0]))
        settings = Pretraining(stores=(chosen.store,), out=out, shape=chosen.shape, recipe=made, steps=steps, seed=seed)
        pretrain(settings, Bars())
        write_text(done, json.dumps(asdict(scores(out, chosen.held_out, asked))) + "\n")
    read: dict[str, Any] = json.loads(done.read_text(encoding="utf-8"))
    return {**read, "shuffle_gap": read["shuffled"] - read["loss"]}


def scores(folder: Path, store: Path, asked: Instances) -> HeldOutScores:
    model = language_model(folder)
    objective = MaskedLanguageModel(
        vocabulary=TokenStore.open(store).vocabulary, rates=Rates(share=0.15, mask=1.0, random=0.0)
    )
    return held_out(model.encoder, model.head, objective, asked)


def questions(store: Path) -> Instances:
    """Four hundred sequences of held-out text."""
    return InstanceStream(Packed(store=TokenStore.open(store), length=128, seed=0), batch_size=400).batch(0)


def line(name: str, runs: Sequence[dict[str, float]], base: Sequence[dict[str, float]]) -> str:
    means = [np.mean([run[measure] for run in runs]) for measure in MEASURES]
    row = f"{name:20}" + "".join(f"{mean:8.3f}" for mean in means)
    if runs is base or len(runs) < 2:
        return row
    gaps = [run["loss"] - other["loss"] for run, other in zip(runs, base, strict=True)]
    reach = stats.t.ppf(0.975, len(gaps) - 1) * np.std(gaps, ddof=1) / len(gaps) ** 0.5
    return f"{row}   {np.mean(gaps):+.3f} ({np.mean(gaps) - reach:+.3f} to {np.mean(gaps) + reach:+.3f})"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--held-out", type=Path, required=True, help="a store that is never learned")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shape", default="mini")
    parser.add_argument("--tokens", type=int, default=4_000_000, help="of each run, about")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=[name for name in CHANGES if name != "base"])
    return parser.parse_args()


if __name__ == "__main__":
    main()
