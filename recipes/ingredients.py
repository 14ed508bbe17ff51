"""What does each ingredient of the modern recipe buy? One thing changed at a time, on the same number of tokens.

    python recipes/ingredients.py STORE --held-out STORE --out runs/ [--tokens 4000000] [--seeds 3] [--arms spans]

STORE is a folder that `wordworth pretrain` or `build_store` made. All arms read as many tokens within half a step,
counted, and are asked the same held-out questions: 15 % of the tokens behind [MASK], whatever they were trained on.
An arm is held against the modern recipe (`base`); one that cannot start at neighbours, or would not show what it does
if it did, against that without this start. Differences are paired by seed, with intervals over seeds and documents;
with few seeds and tokens only large effects can be told from none, and what small models show after a few million
tokens need not hold for large ones after billions. What is learned per token is compared, not per second: what an
ingredient costs in time stands beside it.

Every run is a cell: what is done is kept, and the same command started several times over shares them out (with
`--stage work`, all but the report). The end is `runs/ingredients.json` and `runs/ingredients.md`, of the seeds that are
there. The paper's own ablations are `recipes/ablations.py`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

from parts import equal_tokens
from parts.cells import Cell, keep_to
from parts.effects import MARGIN, NATS, has_learned
from parts.held_out_bits import Answers, ask, nats_per_piece
from parts.matched import DONE, Variant
from parts.scored import Runs, Scored, difference, scored_of
from parts.stages import make_cells, write_report
from wordworth.checked_json import read_checked
from wordworth.cli.scripts import run_script
from wordworth.models.devices import device_of, name_of
from wordworth.records import Finding, Record, Table
from wordworth.studies.study import environment
from wordworth.text.corpus.token_store import TokenStore

BASE = "base"
_MODERN = ("mlm_probability=0.2", "init_neighbour_heads=yes")
CHANGES: dict[str, tuple[str, ...]] = {
    BASE: (),
    "no-neighbours": ("init_neighbour_heads=no",),
    "no-spread-by-width": ("scale_init_by_width=no", "init_neighbour_heads=no"),
    "pre-norm": ("norm=pre",),
    "rotary": ("positions=rotary", "init_neighbour_heads=no"),
    "no-biases": ("biases=no",),
    "gated": ("gated_mlp=yes",),
    "gelu-tanh": ("activation=gelu_tanh",),
    "relu": ("activation=relu",),
    "rows-as-they-are": ("pad_vocab_to_multiple=1",),
    "masking-15": ("mlm_probability=0.15",),
    "masking-40": ("mlm_probability=0.4",),
    "all-behind-mask": ("mask_replace_prob=1.0", "random_replace_prob=0.0"),
    "whole-words": ("masking_unit=word",),
    "spans": ("masking_unit=span",),
    "whole-sentences": ("sequences=sentences",),
    "pairs-unasked": ("sequences=pairs", "pair_objective=no"),
    "next-sentence": ("sequences=pairs",),
    "sentence-order": ("sequences=ordered",),
    "dropout": ("dropout=0.1",),
    "no-bias-correction": ("bias_correction=no",),
    "beta2-999": ("beta2=0.999",),
    "no-decay": ("weight_decay=0",),
    "ten-times-the-decay": ("weight_decay=0.1",),
    "no-clipping": ("max_grad_norm=0",),
    "half-the-rate": ("learning_rate=5e-4",),
    "twice-the-rate": ("learning_rate=2e-3",),
    "warm-up-1-percent": ("warmup=0.01",),
    "cosine": ("lr_schedule=cosine",),
    "one-cycle": ("lr_schedule=one-cycle",),
    "stable-then-decay": ("lr_schedule=stable",),
    "berts-curve": ("lr_schedule=original",),
    "growing-batch": ("batch_warmup=0.5",),
    "two-lengths": ("first_phase_fraction=0.9",),
    "two-lengths-uneven": ("first_phase_fraction=0.9", "constant_tokens=no"),
}
"""Name of an arm -> its changes of the modern recipe with sequences of one length."""
BATCHES = {"half-the-batch": 0.5, "twice-the-batch": 2.0}
"""Name of an arm -> its number of sequences in a step, as a multiple of the base's."""
ARMS = (*CHANGES, *BATCHES)
AGAINST = {"no-spread-by-width": "no-neighbours", "rotary": "no-neighbours", "two-lengths-uneven": "two-lengths"}
"""Name of an arm -> the arm that it is compared with, from which it differs in one thing; the base if not listed."""
TINY = {"shape": "1x32", "tokens": 4_000, "batch": 8, "seeds": 2, "sequences": 8, "arms": ["spans", "next-sentence"]}
Reply = Literal["pays", "costs", "no difference", "cannot be told"]
TOLD = {
    "arm": "the modern recipe with one change",
    "changes": "of ingredients",
    "against": "the arm that it is held against, from which it differs in one thing",
    "nats": f"{NATS} a masked piece, mean over seeds",
    "gain": "nats fewer than those of the arm that it is held against, paired by seed",
    "low": "lower end of its 95 % interval, over seeds and documents",
    "high": "upper end of it",
    "seeds": "runs of each",
    "answer": f"no difference: the interval lies within {MARGIN[NATS]} nats; pays: it lies above 0; costs: below; "
    "else, with one seed, or where neither knows more than how often each piece is, it cannot be told",
    "order": "nats that the order of words is worth: held-out loss with the words in sight shuffled, minus the plain",
    "tokens": "read, mean over seeds, counted",
    "seconds": "of pretraining, mean over seeds, on this machine as loaded as it was",
}


def main() -> None:
    options = arguments()
    torch.set_num_threads(options.threads)
    keep_to(options.out, equal_tokens.deciding(options))
    names = with_rivals(options.arms)
    every = [(name, seed) for seed in range(options.seeds) for name in names]
    make_cells(options, lambda: [cell for name, seed in every for cell in cells_of(name, seed, options)])
    write_report(options, "ingredients", lambda: report(names, options), ("arms",))


def with_rivals(arms: Sequence[str]) -> list[str]:
    """Return the arms and those that they are compared with: the base first, then the others compared with."""
    rivals = {AGAINST[name]: None for name in arms if name in AGAINST}
    return list({BASE: None, **rivals, **dict.fromkeys(arms)})


def cells_of(name: str, seed: int, options: argparse.Namespace) -> list[Cell]:
    """Return two cells: pretraining, and its evaluation on held-out text."""
    trained = equal_tokens.cell(options, Variant(name, "bert", (*_MODERN, *changes_of(name, options.batch))), seed)
    made = answers_file(name, seed, options.out)
    asking = partial(ask, trained.made.parent, options.held_out, made, options.device, options.sequences)
    return [trained, Cell(f"ask/{name}/seed-{seed}", made, asking, (trained.made,))]


def changes_of(name: str, batch: int) -> tuple[str, ...]:
    """Return the recipe changes of an arm; `batch` is the base's number of sequences in a step."""
    return (f"batch_size={max(1, round(batch * BATCHES[name]))}",) if name in BATCHES else CHANGES[name]


def answers_file(name: str, seed: int, out: Path) -> Path:
    return out / "ask" / name / f"seed-{seed}.npz"


def report(names: list[str], options: argparse.Namespace) -> Record:
    """Return the record of the finished runs."""
    runs = {name: runs_of(name, options) for name in names}
    rows = [row(name, runs, options) for name in names if runs[name]]
    return Record(
        kind="ingredients",
        settings={**equal_tokens.deciding(options), "seeds": options.seeds},
        data={"store": TokenStore.open(options.store).counts},
        tables={"arms": Table.of(rows, TOLD)},
        findings=[verdict(rows)],
        environment={**environment(options.threads), "device": name_of(device_of(options.device))},
    )


def runs_of(name: str, options: argparse.Namespace) -> Runs:
    """Return the nats of the finished runs, by seed."""
    paths = {seed: answers_file(name, seed, options.out) for seed in range(options.seeds)}
    return {seed: nats_per_piece(Answers.read(path), NATS) for seed, path in paths.items() if path.exists()}


def row(name: str, by_arm: Mapping[str, Runs], options: argparse.Namespace) -> dict[str, Any]:
    """Return an arm's row: its loss, beside that of the arm that it is compared with."""
    runs, rival = by_arm[name], None if name == BASE else AGAINST.get(name, BASE)
    facts = [read_checked(options.out / f"{name}-{seed}" / DONE) for seed in runs]
    gain = None if rival is None else difference(by_arm[rival], runs)
    floor = facts[0]["unigram"]["mlm_unigram"]
    learned = any(has_learned(NATS, by_arm[each], floor) for each in (name, rival) if each is not None)
    looks = [run["held_out"] for run in facts]
    return {
        "arm": name,
        "changes": " ".join(changes_of(name, options.batch)),
        "against": rival,
        "nats": scored_of(runs).mean,
        **gain_columns(gain, learned=learned),
        "order": float(np.mean([look["mlm_shuffled"] - look["mlm"] for look in looks])),
        "tokens": float(np.mean([run["tokens"] for run in facts])),
        "seconds": float(np.mean([run["seconds"] for run in facts])),
    }


def gain_columns(gain: Scored | None, *, learned: bool) -> dict[str, Any]:
    """Return the columns of a gain: its interval and the answer; all None for the base or without common seeds."""
    if gain is None:
        return dict.fromkeys(("gain", "low", "high", "seeds", "answer"))
    ends = {"low": gain.interval.low, "high": gain.interval.high}
    return {"gain": gain.mean, **ends, "seeds": len(gain.point), "answer": answer(gain, learned=learned)}


def answer(gain: Scored, *, learned: bool = True) -> Reply:
    """Return the answer to a gain in nats; `cannot be told` if neither arm has learned."""
    low, high = gain.interval.low, gain.interval.high
    if len(gain.point) < 2 or not learned:
        return "cannot be told"
    if -MARGIN[NATS] < low and high < MARGIN[NATS]:
        return "no difference"
    if low > 0:
        return "pays"
    return "costs" if high < 0 else "cannot be told"


def verdict(rows: list[dict[str, Any]]) -> Finding:
    """Return the changes grouped by their answer."""
    by: dict[str, list[Mapping[str, Any]]] = {}
    for entry in rows:
        if entry["answer"]:
            by.setdefault(entry["answer"], []).append(entry)
    sentences = [f"{reply.capitalize()}: {', '.join(entry['arm'] for entry in group)}." for reply, group in by.items()]
    return Finding(
        "verdict", " ".join(sentences) or "No seed has an arm and what it is held against yet.", {"arms": len(rows)}
    )


def arguments() -> argparse.Namespace:
    parser = equal_tokens.command(__doc__, tokens=4_000_000, stages=["work", "report", "all"])
    parser.add_argument("--arms", nargs="*", choices=ARMS, default=list(ARMS))
    return equal_tokens.parsed(parser, TINY)


if __name__ == "__main__":
    run_script(main)
