"""Models that differ in one thing: trained on the same tokens in the same order, seed by seed.

Training needs torch, numpy, safetensors and tokenizers alone, and no network. Every run is a cell (`parts/cells.py`):
start the same command as often as there is room, and the runs are shared out. What is done is kept; a run that was
killed goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from parts.cells import Cell, work
from wordworth.checked_json import read_checked
from wordworth.cli.scripts import writable_path
from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.progress import Step
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.metrics_log import read as read_log
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain

BASE = ("first_phase_fraction=1", "mlm_probability=0.15", "init_neighbour_heads=no", "learning_rate=1e-3", "warmup=0.1")
"""One phase of 128 tokens, BERT's share of masks, no start that only one of the architectures could have."""
DONE = "done.json"
_TOLD_S = 20.0


@dataclass(frozen=True, slots=True)
class Variant:
    """One kind of model of a comparison.

    Attributes:
        name: name of the variant; its folders are `<name>-<seed>`.
        architecture: `bert`, `gpt` or `bilm`.
        changes: changes of the recipe beyond `BASE`.
        shape: shape of the model; empty for the shape of the comparison.
        milestones: shares of the run, from 0 to 1, at which a copy of the model is saved.
    """

    name: str
    architecture: str
    changes: tuple[str, ...] = ()
    shape: str = ""
    milestones: tuple[float, ...] = ()


class Lines:
    """A `Progress` of plain lines on standard error, for logs."""

    def __init__(self, name: str) -> None:
        self.name, self.done, self.reported = name, 0.0, time.monotonic()

    @contextmanager
    def step(self, title: str, total: float | None = None) -> Iterator[Step]:
        """Start a step, of which `advance` writes a line with the fraction that is done now and then."""
        self.done, self.total, self.title = 0.0, total, title
        yield self

    def advance(self, amount: float = 1) -> None:
        """Count `amount` units as done."""
        self.done += amount
        if self.total and time.monotonic() - self.reported > _TOLD_S:
            self.note(f"{self.title} {100 * self.done / self.total:.0f} %")
            self.reported = time.monotonic()

    def skip(self, amount: float) -> None:
        """Count `amount` units as done in an earlier run."""
        self.done += amount

    def note(self, message: str) -> None:
        """Write a message as one line."""
        sys.stderr.write(f"[{self.name}] {message}\n")
        sys.stderr.flush()


def arguments(description: str | None, variants: Sequence[Variant]) -> argparse.Namespace:
    """Parse the options of a comparison: to train its models, or to study those that are trained."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    stages = parser.add_subparsers(dest="stage", required=True)
    _training_arguments(stages.add_parser("train"), [each.name for each in variants])
    _study_arguments(stages.add_parser("study"))
    return parser.parse_args()


def _training_arguments(parser: argparse.ArgumentParser, names: Sequence[str]) -> None:
    """What the training stage of a comparison can be told."""
    parser.add_argument("store", type=Path, help="a token store, as `wordworth pretrain` or `build_store` makes them")
    parser.add_argument("--held-out", type=Path, required=True, help="a store that is never learned")
    parser.add_argument("--out", type=writable_path, required=True)
    parser.add_argument("--tokens", type=int, help="each model reads, about")
    parser.add_argument("--minutes", type=float, help="each model has, in place of --tokens: they read unequal amounts")
    parser.add_argument("--model-size", dest="shape", default="6x256")
    parser.add_argument("--batch-size", dest="batch", type=int, default=256, help="sequences of 128 tokens in a step")
    parser.add_argument("--micro-batch-tokens", type=int, default=32_768, help="tokens of one pass")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=names, default=list(names))
    parser.add_argument("--only-seeds", type=int, nargs="*", help="these of the seeds")
    parser.add_argument("--evals", type=int, default=5, help="evaluations on held-out text, over a run")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--threads", type=int, help="of torch, in this process")


def train(chosen: argparse.Namespace, variants: Sequence[Variant]) -> None:
    """Make the wanted runs that are not done yet, seed by seed, so that a part of them can be compared too."""
    if (chosen.tokens is None) == (chosen.minutes is None):
        raise BadInput("no length of the runs, or two", mend="give one of --tokens and --minutes")
    if chosen.threads:
        torch.set_num_threads(chosen.threads)
    wanted = [each for each in variants if each.name in chosen.only]
    seeds = chosen.only_seeds or range(chosen.seeds)
    cells = []
    for seed in seeds:
        for variant in wanted:
            out = chosen.out / f"{variant.name}-{seed}"
            make = partial(run_one, variant, settings(chosen, variant, seed))
            cells.append(Cell(f"train/{variant.name}/seed-{seed}", out / DONE, make))
    work(cells, Lines("cells"))


def settings(chosen: argparse.Namespace, variant: Variant, seed: int) -> PretrainingConfig:
    """Return the settings of one run; variants differ only in what they are named for."""
    made = recipe("modern", (*BASE, f"batch_size={chosen.batch}", *variant.changes))
    a_step = made.batch_size * made.lengths[0]
    return PretrainingConfig(
        stores=(chosen.store,),
        out=chosen.out / f"{variant.name}-{seed}",
        model_size=variant.shape or chosen.shape,
        architecture=variant.architecture,
        recipe=made,
        steps=None if chosen.tokens is None else max(1, chosen.tokens // a_step),
        budget=None if chosen.minutes is None else 60 * chosen.minutes,
        held_out=chosen.held_out,
        micro_batch_tokens=chosen.micro_batch_tokens,
        evals=chosen.evals,
        milestones=variant.milestones,
        seed=seed,
        device=chosen.device,
        compiled=False,  # minutes of compiling for a small model's minutes of training
        checkpoint_minutes=5.0,
    )


def run_one(variant: Variant, config: PretrainingConfig) -> None:
    """Pretrain one variant, write its facts, and delete its checkpoints."""
    began = time.monotonic()
    pretrain(config, Lines(config.out.name))
    for path in (config.out / "training" / "checkpoints").glob("*.pt"):
        path.unlink()
    seconds = round(time.monotonic() - began, 1)
    facts = {"variant": variant.name, "seed": config.seed, **facts_of_log(config.out), "seconds": seconds}
    facts |= {
        "shape": config.model_size,
        "changes": [*BASE, f"batch_size={config.recipe.batch_size}", *variant.changes],
    }
    write_text(config.out / DONE, json.dumps({**facts, "device": _device(config.device)}, indent=1) + "\n")


def facts_of_log(folder: Path) -> dict[str, Any]:
    """Return the facts of a run's log: size, steps, tokens, and the last evaluation on held-out text."""
    rows = read_log(folder / "training")
    steps = [row for row in rows if row["kind"] == "step"]
    start = next(row for row in rows if row["kind"] == "start")
    look: dict[str, Any] = next((row for row in reversed(rows) if row["kind"] == "evaluation"), {})
    return {
        "parameters": start["parameters"],
        "steps": len(steps),
        "tokens": sum(row["tokens"] for row in steps),
        "unigram": {name: value for name, value in start.items() if name.endswith("_unigram")},
        "held_out": {name: value for name, value in look.items() if name not in {"kind", "step"}},
    }


def _device(name: str) -> str:
    cuda = torch.cuda.is_available() and name != "cpu"
    return torch.cuda.get_device_name() if cuda else "cpu"


def _study_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the study of trained models."""
    parser.add_argument("--out", type=writable_path, required=True, help="the folder of the runs")
    parser.add_argument("--sentences", default="sts", help="a file, or `sts` of the folder WORDWORTH_DATA")
    parser.add_argument("--limit", type=int, default=5000, help="different sentences at most")
    parser.add_argument("--units", default="words", choices=("words", "pieces"))
    parser.add_argument("--no-first", dest="first", action="store_false", help="leave out sentences' first words")


def done(out: Path, variants: Sequence[Variant]) -> dict[str, list[tuple[Path, dict[str, Any]]]]:
    """Return the folders of each variant's finished runs, by seed, with their facts.

    Raises:
        BadInput: of one variant there are none, or runs are not of one shape.
    """
    runs_by_name = {
        each.name: [(path.parent, read_checked(path)) for path in sorted(out.glob(f"{each.name}-[0-9]*/{DONE}"))]
        for each in variants
    }
    missing = [name for name, runs in runs_by_name.items() if not runs]
    if missing:
        raise BadInput(f"no trained {missing[0]}", where=str(out), mend="run the stage train, or unpack, first")
    facts = [facts for runs in runs_by_name.values() for _, facts in runs]
    if len({each["shape"] for each in facts}) > 1:
        raise BadInput("these runs are of several shapes", where=str(out), mend="train all of them alike")
    return runs_by_name
