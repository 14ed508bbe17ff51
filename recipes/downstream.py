"""What is pretraining worth to a task? A model against the same architecture with fresh weights, both fine-tuned.

    WORDWORTH_DATA=DATA python recipes/downstream.py model/ --out runs/ [--milestones model/training/milestones]

Each seed is a run of the model and one of an architecture like it whose weights were drawn anew with that seed; both
may learn at several rates, and each is given the rate that serves it best on a part of the training data. With folders
that were saved on the way (`--milestones`, each a model with a `milestone.json` that tells its `tokens`) there is also
a curve of the score against the tokens read in pretraining, at the first rate.

Every run is a cell: what is done is kept, `--only 'tune/*/seed-1'` does some, and the same command started several
times over shares them out (with `--stage work`, all but the report). The end is `runs/downstream.json` and
`runs/downstream.md`; `--stage report` writes them of the runs there are.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from parts.cells import Cell, keep_to
from parts.scored import Scored
from parts.stages import make_cells, write_report
from parts.tagging import f1, points, tagging_task, tune
from parts.tuning import best_rate
from wordworth.checked_json import read_checked
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import sha256
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.devices import device_of, name_of
from wordworth.models.save_encoder import write_checkpoint
from wordworth.models.transformer import init_weights
from wordworth.records import Finding, Record, Table
from wordworth.seeds import child_seed
from wordworth.sources import resolve
from wordworth.studies.study import environment
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import save_tokenizer
from wordworth.training.finetuning.run_result import Result
from wordworth.training.finetuning.settings import FinetuneSettings

PARTS = ("dev", "test")
GAINS = {
    "part": "official part that was tagged",
    "pretrained": "mean entity F1 of the pretrained model",
    "fresh": "mean entity F1 of the same architecture from fresh weights",
    "gain": "the difference, paired by seed",
    "low": "lower end of its 95 % interval, over runs and sentences",
    "high": "upper end of it",
    "seeds": "runs of each",
}
CURVE = {
    "tokens": "read in pretraining; 0 is fresh weights",
    "part": "official part that was tagged",
    "mean": "mean entity F1",
    "low": "lower end of its 95 % interval, over runs and sentences",
    "high": "upper end of it",
    "seeds": "runs",
}
RUNS = {
    "model": "pretrained, fresh, or the milestone's folder",
    "rate": "peak learning rate",
    "seed": "number of the run",
    "state": "finished, collapsed (says the same of every word) or failed (its loss was no number)",
    "choice": "entity F1 on the part of the training data that choices are made on",
    "dev": "entity F1 on the official dev part",
    "test": "entity F1 on the official test part",
}


@dataclass(frozen=True)
class Arm:
    """A model to fine-tune.

    Attributes:
        name: name of the model.
        folder: folder of the model; with fresh weights each seed has its own, with `{seed}` in the path.
        seeds: number of runs.
        rates: the learning rates to try.
        tokens: number of tokens read in pretraining, for a model saved on the way; else None.
    """

    name: str
    folder: str
    seeds: int
    rates: Sequence[float]
    tokens: int | None = None

    def runs(self, rate: float, out: Path) -> list[Path]:
        """Return the result files of its runs at a rate."""
        return [out / "tune" / self.name / f"rate-{rate:g}" / f"seed-{seed}.npz" for seed in range(self.seeds)]


def main() -> None:
    options = arguments()
    torch.set_num_threads(1)
    keep_to(options.out, deciding(options))
    arms = arms_of(options)
    make_cells(options, lambda: cells_of(arms, options))
    write_report(options, "downstream", lambda: report(arms, options), ("gains", "curve", "runs"))


def deciding(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that decide every run, apart from its seed."""
    weights = resolve(options.model).folder / "model.safetensors"
    plain = {name: getattr(options, name) for name in ("task", "epochs", "batch")}
    return {**plain, "weights": sha256(weights), "rates": list(options.rates)}


def arms_of(options: argparse.Namespace) -> list[Arm]:
    """Return the two compared models, then the milestones by their tokens."""
    fresh = str(options.out / "fresh" / "seed-{seed}")
    pair = [
        Arm("pretrained", str(resolve(options.model).folder), options.seeds, options.rates, options.tokens),
        Arm("fresh", fresh, options.seeds, options.rates, 0),
    ]
    return [*pair, *milestones(options.milestones, options.curve_seeds, options.rates[0])]


def milestones(folder: Path | None, seeds: int, rate: float) -> list[Arm]:
    """Return the models saved during pretraining."""
    files = sorted(folder.glob("*/milestone.json")) if folder else []
    saved = [(read_checked(path)["tokens"], path.parent) for path in files]
    return [Arm(model.name, str(model), seeds, (rate,), tokens) for tokens, model in sorted(saved)]


def cells_of(arms: Sequence[Arm], options: argparse.Namespace) -> list[Cell]:
    """Return all cells, seed by seed, so that those finished when time is up can be compared."""
    cells = []
    for seed in range(options.seeds):
        folder = options.out / "fresh" / f"seed-{seed}"
        cells.append(
            Cell(f"fresh/seed-{seed}", folder / "model.safetensors", partial(draw, options.model, folder, seed))
        )
    for seed in range(max(arm.seeds for arm in arms)):
        for arm in (arm for arm in arms if seed < arm.seeds):
            cells += [tuning(arm, rate, seed, options) for rate in arm.rates]
    return cells


def tuning(arm: Arm, rate: float, seed: int, options: argparse.Namespace) -> Cell:
    folder, made = arm.folder.format(seed=seed), arm.runs(rate, options.out)[seed]
    settings = FinetuneSettings(
        model=folder, learning_rate=rate, batch_size=options.batch, epochs=options.epochs, device=options.device
    )
    name = f"tune/{arm.name}/rate-{rate:g}/seed-{seed}"
    return Cell(name, made, partial(tune, settings, options.task, seed, made), (Path(folder) / "model.safetensors",))


def draw(model: str, folder: Path, seed: int) -> None:
    """Write a copy of a model with new random weights, drawn as BERT's are."""
    source = resolve(model).folder
    checkpoint = read_checkpoint(source)
    generator = torch.Generator().manual_seed(child_seed(0, "fresh", f"seed-{seed}"))
    init_weights(checkpoint.model, checkpoint.model.config.initializer_range, generator)
    folder.mkdir(parents=True, exist_ok=True)
    save_tokenizer(Tokenizer.read(source), folder)
    write_checkpoint(checkpoint, folder)


def report(arms: Sequence[Arm], options: argparse.Namespace) -> Record:
    """Return the record of the finished runs."""
    results = {
        (arm.name, rate): [Result.read(path) for path in arm.runs(rate, options.out) if path.exists()]
        for arm in arms
        for rate in arm.rates
    }
    best = {arm.name: best_rate({rate: results[arm.name, rate] for rate in arm.rates}) for arm in arms}
    ours, fresh = (results[name, best[name]] for name in ("pretrained", "fresh"))
    gains = [gain(part, ours, fresh, options.task) for part in PARTS]
    curve = [
        row
        for arm in sorted((arm for arm in arms if arm.tokens is not None), key=lambda arm: arm.tokens or 0)
        for part in PARTS
        for row in point(arm, part, results[arm.name, arm.rates[0]], options.task)
    ]
    every = [run for runs in results.values() for run in runs]
    return Record(
        kind="downstream",
        settings={
            **deciding(options),
            "seeds": options.seeds,
            "curve_seeds": options.curve_seeds,
            "chosen rates": best,
        },
        data={"task": options.task, "sources": [asdict(origin) for origin in tagging_task(options.task).origins]},
        tables={
            "gains": Table.of(gains, GAINS),
            "curve": Table.of(curve, CURVE),
            "runs": Table.of(
                [row for key, runs in results.items() for row in run_rows(*key, runs, options.task)], RUNS
            ),
        },
        findings=[verdict(gains, every, options.task)],
        timings={"runs": sum(run.seconds for run in every)},
        environment={**environment(1), "device": name_of(device_of(options.device))},
    )


def gain(part: str, ours: Sequence[Result], fresh: Sequence[Result], task: str) -> dict[str, Any]:
    """Return the gain of pretraining, over the seeds that both models have run.

    Args:
        part: the official part, `dev` or `test`.
        ours: runs of the pretrained model.
        fresh: runs of fresh weights.
        task: name of the tagging task.
    """
    both = sorted({run.seed for run in ours} & {run.seed for run in fresh})
    first, second = (
        f1([run for run in runs if run.seed in both], task, part) if both else None for runs in (ours, fresh)
    )
    if first is None or second is None:
        return {"part": part, "pretrained": None, "fresh": None, **scored(None, "gain")}
    return {"part": part, "pretrained": first.mean, "fresh": second.mean, **scored(first.minus(second), "gain")}


def point(arm: Arm, part: str, results: Sequence[Result], task: str) -> list[dict[str, Any]]:
    """Return a point of the curve as a list of one row; empty if no run is finished.

    Args:
        arm: the model.
        part: the official part, `dev` or `test`.
        results: its finished runs.
        task: name of the tagging task.
    """
    if not results:
        return []
    return [{"tokens": arm.tokens, "part": part, **scored(f1(results, task, part), "mean")}]


def scored(of: Scored | None, name: str) -> dict[str, Any]:
    """Return a mean with its interval as columns of the tables."""
    if of is None:
        return {name: None, "low": None, "high": None, "seeds": 0}
    return {name: of.mean, "low": of.interval.low, "high": of.interval.high, "seeds": len(of.point)}


def run_rows(model: str, rate: float, results: Sequence[Result], task: str) -> list[dict[str, Any]]:
    if not results:
        return []
    dev, test = (points(results, task, part) for part in PARTS)
    return [
        {"model": model, "rate": rate, "seed": run.seed, "state": run.state, "choice": run.dev_score}
        | {"dev": float(dev[index]), "test": float(test[index])}
        for index, run in enumerate(results)
    ]


def verdict(gains: Sequence[dict[str, Any]], results: Sequence[Result], task: str) -> Finding:
    """Return the gain in a sentence, with the number of collapsed and failed runs."""
    test = gains[PARTS.index("test")]
    if not test["seeds"]:
        return Finding("verdict", "No seed has a run of both models yet.", {"seeds": 0})
    bad = {state: sum(run.state == state for run in results) for state in ("collapsed", "failed")}
    text = (
        f"Pretraining is worth {100 * test['gain']:+.1f} entity F1 on {task}'s test part (95 %: "
        f"{100 * test['low']:+.1f} to {100 * test['high']:+.1f}): {100 * test['pretrained']:.1f} against "
        f"{100 * test['fresh']:.1f} from fresh weights, {test['seeds']} seeds. Of {len(results)} runs in all, "
        f"{bad['collapsed']} collapsed and {bad['failed']} failed; they count."
    )
    return Finding("verdict", text, {**test, **bad, "runs": len(results)})


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a folder or name")
    parser.add_argument("--out", type=writable_path, required=True)
    parser.add_argument("--milestones", type=Path, help="a folder of model folders with a milestone.json")
    parser.add_argument("--tokens", type=int, help="that the model itself has read: its own point on the curve")
    parser.add_argument("--task", default="conll2003")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--curve-seeds", type=int, default=3)
    parser.add_argument("--rates", type=float, nargs="+", default=[1.5e-4, 5e-4])
    parser.add_argument("--batch-size", dest="batch", type=int, default=32)
    parser.add_argument("--epochs", type=float, default=5.0)
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    parser.add_argument("--stage", choices=["fresh", "tune", "work", "report", "all"], default="all")
    parser.add_argument("--only", nargs="*", default=[], help="patterns of cells, such as 'tune/*/seed-1'")
    return parser.parse_args()


if __name__ == "__main__":
    run_script(main)
