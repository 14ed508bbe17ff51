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
import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

from parts import equal_tokens
from parts.cells import Cell, chosen, keep_to, work
from parts.effects import MARGIN, NATS, has_learned
from parts.held_out_bits import Answers, ask, nats_per_piece
from parts.matched import DONE, Variant
from parts.scored import Runs, Scored, difference, scored_of
from parts.tables import markdown
from wordworth.cli.progress_bars import Bars
from wordworth.files import write_text
from wordworth.models.devices import device_of, name_of
from wordworth.records import Finding, Record, Table
from wordworth.studies.study import environment
from wordworth.text.corpus.store import TokenStore

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
    "no-clipping": ("clip=0",),
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
"""Of the modern recipe with sequences of one length: what is put in place of what it has."""
BATCHES = {"half-the-batch": 0.5, "twice-the-batch": 2.0}
"""The same of the batch: times the base's."""
ARMS = (*CHANGES, *BATCHES)
AGAINST = {"no-spread-by-width": "no-neighbours", "rotary": "no-neighbours", "two-lengths-uneven": "two-lengths"}
"""What an arm is held against where it is not the base: the one from which it differs in one thing."""
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
    asked = arguments()
    torch.set_num_threads(asked.threads)
    keep_to(asked.out, equal_tokens.deciding(asked))
    names = with_rivals(asked.arms)
    if asked.stage != "report":
        cells = [cell for seed in range(asked.seeds) for name in names for cell in cells_of(name, seed, asked)]
        work(chosen(cells, asked.only), Bars())
    if asked.stage != "work" and not asked.only:
        record = report(names, asked)
        record.save(asked.out / "ingredients.json")
        write_text(asked.out / "ingredients.md", f"{record.verdict}\n\n{markdown(record.tables['arms'])}\n")
        print(record.verdict)


def with_rivals(arms: Sequence[str]) -> list[str]:
    """Those arms behind what they are held against, the base first."""
    rivals = {AGAINST[name]: None for name in arms if name in AGAINST}
    return list({BASE: None, **rivals, **dict.fromkeys(arms)})


def cells_of(name: str, seed: int, asked: argparse.Namespace) -> list[Cell]:
    """A run, and what it is asked at its end."""
    trained = equal_tokens.cell(asked, Variant(name, "bert", (*_MODERN, *changes_of(name, asked.batch))), seed)
    made = answers_file(name, seed, asked.out)
    asking = partial(ask, trained.made.parent, asked.held_out, made, asked.device, asked.sequences)
    return [trained, Cell(f"ask/{name}/seed-{seed}", made, asking, (trained.made,))]


def changes_of(name: str, batch: int) -> tuple[str, ...]:
    """What an arm changes, where the base has so many sequences in a step."""
    return (f"batch_size={max(1, round(batch * BATCHES[name]))}",) if name in BATCHES else CHANGES[name]


def answers_file(name: str, seed: int, out: Path) -> Path:
    return out / "ask" / name / f"seed-{seed}.npz"


def report(names: list[str], asked: argparse.Namespace) -> Record:
    """What the runs that are there say."""
    found = {name: runs_of(name, asked) for name in names}
    rows = [row(name, found, asked) for name in names if found[name]]
    return Record(
        kind="ingredients",
        settings={**equal_tokens.deciding(asked), "seeds": asked.seeds},
        data={"store": TokenStore.open(asked.store).counts},
        tables={"arms": Table.of(rows, TOLD)},
        findings=[verdict(rows)],
        environment={**environment(asked.threads), "device": name_of(device_of(asked.device))},
    )


def runs_of(name: str, asked: argparse.Namespace) -> Runs:
    """The nats of the runs that are there."""
    paths = {seed: answers_file(name, seed, asked.out) for seed in range(asked.seeds)}
    return {seed: nats_per_piece(Answers.read(path), NATS) for seed, path in paths.items() if path.exists()}


def row(name: str, found: Mapping[str, Runs], asked: argparse.Namespace) -> dict[str, Any]:
    """An arm: what it has learned, beside the one that it is held against."""
    runs, rival = found[name], None if name == BASE else AGAINST.get(name, BASE)
    facts = [json.loads((asked.out / f"{name}-{seed}" / DONE).read_text(encoding="utf-8")) for seed in runs]
    gain = None if rival is None else difference(found[rival], runs)
    floor = facts[0]["unigram"]["mlm_unigram"]
    learned = any(has_learned(NATS, found[each], floor) for each in (name, rival) if each is not None)
    looks = [one["held_out"] for one in facts]
    return {
        "arm": name,
        "changes": " ".join(changes_of(name, asked.batch)),
        "against": rival,
        "nats": scored_of(runs).mean,
        **told(gain, learned=learned),
        "order": float(np.mean([look["mlm_shuffled"] - look["mlm"] for look in looks])),
        "tokens": float(np.mean([one["tokens"] for one in facts])),
        "seconds": float(np.mean([one["seconds"] for one in facts])),
    }


def told(gain: Scored | None, *, learned: bool) -> dict[str, Any]:
    """A difference with its interval and what can be said of it; none of the base, or where no seed has both."""
    if gain is None:
        return dict.fromkeys(("gain", "low", "high", "seeds", "answer"))
    ends = {"low": gain.interval.low, "high": gain.interval.high}
    return {"gain": gain.mean, **ends, "seeds": len(gain.point), "answer": answer(gain, learned=learned)}


def answer(gain: Scored, *, learned: bool = True) -> Reply:
    """What can be said of a gain in nats; who learned nothing shows nothing."""
    low, high = gain.interval.low, gain.interval.high
    if len(gain.point) < 2 or not learned:
        return "cannot be told"
    if -MARGIN[NATS] < low and high < MARGIN[NATS]:
        return "no difference"
    if low > 0:
        return "pays"
    return "costs" if high < 0 else "cannot be told"


def verdict(rows: list[dict[str, Any]]) -> Finding:
    """Each change under what can be said of it."""
    by: dict[str, list[Mapping[str, Any]]] = {}
    for one in rows:
        if one["answer"]:
            by.setdefault(one["answer"], []).append(one)
    said = [f"{reply.capitalize()}: {', '.join(one['arm'] for one in some)}." for reply, some in by.items()]
    return Finding(
        "verdict", " ".join(said) or "No seed has an arm and what it is held against yet.", {"arms": len(rows)}
    )


def arguments() -> argparse.Namespace:
    parser = equal_tokens.command(__doc__, tokens=4_000_000, stages=["work", "report", "all"])
    parser.add_argument("--arms", nargs="*", choices=ARMS, default=list(ARMS))
    return equal_tokens.parsed(parser, TINY)


if __name__ == "__main__":
    main()
