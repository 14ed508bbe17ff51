"""What does each ingredient of pretraining buy? One thing changed at a time, on the same number of tokens.

    python recipes/ablations.py STORE --held-out STORE --out runs/ [--tokens 4000000] [--seeds 3] [--only spans]

STORE is a folder that `wordworth pretrain` or `build_store` made. Every run goes on where it stopped, and the same
command started several times over shares them out (with `--stage work`, all but the report); the end is
`runs/ablations.json`, of the seeds that are there. All are asked the same held-out questions: 15 % of the tokens behind
[MASK], whatever they were trained on. Differences are paired by seed and have a 95 % interval from Student's t; with
few seeds and tokens only large effects can be told from none, and what small models show after a few million tokens
need not hold for large ones after billions.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np
import torch
from scipy import stats

from cells import Cell, keep_to, work
from wordworth.cli.bars import Bars
from wordworth.files import write_text
from wordworth.models.devices import device_of, name_of
from wordworth.models.language_model import language_model
from wordworth.text.corpus.generators.packed import Packed
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
    torch.set_num_threads(chosen.threads)
    store = TokenStore.open(chosen.store).fingerprint
    keep_to(chosen.out, {"tokens": chosen.tokens, "shape": chosen.shape, "base": BASE, "store": store})
    names = [name for name in CHANGES if name == "base" or not chosen.only or name in chosen.only]
    if chosen.stage != "report":
        work([cell(chosen, name, seed) for seed in range(chosen.seeds) for name in names], Bars())
    if chosen.stage != "work":
        report(chosen, names)


def cell(chosen: argparse.Namespace, name: str, seed: int) -> Cell:
    """One run, asked what it has learned."""
    done = folder(chosen.out, name, seed) / "scores.json"
    return Cell(f"{name}/seed-{seed}", done, partial(one, chosen, name, seed))


def folder(out: Path, name: str, seed: int) -> Path:
    return out / f"{name.replace(' ', '-').replace('%', 'percent')}-{seed}"


def one(chosen: argparse.Namespace, name: str, seed: int) -> None:
    """Train one run, or take it up, and ask it."""
    made, out = recipe("modern", (*BASE, *CHANGES[name])), folder(chosen.out, name, seed)
    settings = Pretraining(
        stores=(chosen.store,),
        out=out,
        shape=chosen.shape,
        recipe=made,
        steps=max(1, chosen.tokens // (made.batch * made.lengths[0])),
        seed=seed,
        device=chosen.device,
        compiled=False,  # it would take longer than so short a run
    )
    pretrain(settings, Bars())
    found = scores(out, chosen.held_out, device_of(chosen.device))
    write_text(out / "scores.json", json.dumps(asdict(found)) + "\n")


def report(chosen: argparse.Namespace, names: Sequence[str]) -> None:
    """Means and differences over the seeds that every one of the names has."""
    places = {seed: [folder(chosen.out, name, seed) / "scores.json" for name in names] for seed in range(chosen.seeds)}
    seeds = [seed for seed, paths in places.items() if all(path.exists() for path in paths)]
    found = {name: [read(places[seed][number]) for seed in seeds] for number, name in enumerate(names)}
    record = {"tokens": chosen.tokens, "shape": chosen.shape, "base": BASE, "seeds": seeds, "runs": found}
    record |= {"device": name_of(device_of(chosen.device)), "intervals": differences(found)}
    write_text(chosen.out / "ablations.json", json.dumps(record, indent=1) + "\n")
    print(f"{'change':20}{'loss':>8}{'right':>8}{'gap':>8}   loss minus base, 95 % interval")
    for name in names:
        print(line(name, found[name], record["intervals"].get(name)))


def read(path: Path) -> dict[str, float]:
    told: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))
    return {**told, "shuffle_gap": told["shuffled"] - told["loss"]}


def scores(trained: Path, store: Path, device: torch.device) -> HeldOutScores:
    """What a model says of four hundred sequences of held-out text."""
    text, model = TokenStore.open(store), language_model(trained).to(device)
    objective = MaskedLanguageModel(vocabulary=text.vocabulary, rates=Rates(share=0.15, mask=1.0, random=0.0))
    asked = InstanceStream(Packed(store=text, length=128, seed=0), batch_size=400).batch(0)
    return held_out(model.encoder, model.head, objective, asked)


def differences(found: Mapping[str, Sequence[dict[str, float]]]) -> dict[str, list[float]]:
    """For each change how much higher its loss is than the base's, paired by seed: mean, low, high of 95 %."""
    out, base = dict[str, list[float]](), found["base"]
    for name, runs in found.items():
        if name != "base" and len(runs) > 1:
            gaps = np.array([run["loss"] - other["loss"] for run, other in zip(runs, base, strict=True)])
            reach = stats.t.ppf(0.975, len(gaps) - 1) * gaps.std(ddof=1) / len(gaps) ** 0.5
            out[name] = [float(gaps.mean() + part * reach) for part in (0, -1, 1)]
    return out


def line(name: str, runs: Sequence[dict[str, float]], span: Sequence[float] | None) -> str:
    means = [np.mean([run[measure] for run in runs]) if runs else np.nan for measure in MEASURES]
    row = f"{name:20}" + "".join(f"{mean:8.3f}" for mean in means)
    return row if span is None else f"{row}   {span[0]:+.3f} ({span[1]:+.3f} to {span[2]:+.3f})"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--held-out", type=Path, required=True, help="a store that is never learned")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shape", default="mini")
    parser.add_argument("--tokens", type=int, default=4_000_000, help="of each run, about")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    parser.add_argument("--threads", type=int, default=1, help="of torch, in this process")
    parser.add_argument("--stage", choices=["work", "report", "all"], default="all")
    parser.add_argument("--only", nargs="*", choices=[name for name in CHANGES if name != "base"])
    return parser.parse_args()


if __name__ == "__main__":
    main()
