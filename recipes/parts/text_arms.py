"""Models that go on with different texts, one arm each, and are then fine-tuned on the same task.

Every run is a cell. An arm without a text is the model as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from parts import tuning
from parts.cells import Cell
from wordworth.cli.scripts import writable_path
from wordworth.errors import BadInput
from wordworth.models.language_model import language_model
from wordworth.tasks.reading.read_task import read_task
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.tasks.task import Task
from wordworth.training.finetuning.run_result import Result
from wordworth.training.finetuning.settings import FinetuneSettings
from wordworth.training.pretraining.pretrain_and_adapt import adapt, resolved_encoder

DECIDING = ("steps", "changes", "rate", "batch", "epochs", "max_length")
"""Options of `add_options` that decide every run."""
PLAIN = "plain"
"""The arm without a text."""
DIFFERENCES = {
    "measure": "as in the scores",
    "on": "as in the scores",
    "policy": "one arm",
    "other": "the arm that it is compared with",
    "difference": "the score of the arm minus that of the other, paired by seed",
    "low": "lower end of the 95 % interval",
    "high": "upper end of it",
    "seeds": "runs of each",
}
"""The columns of the table of differences between arms."""
Texts = Mapping[str, Path | None]
"""Arm -> the file of its text; None for the model as it is."""


def add_options(parser: argparse.ArgumentParser, stages: Sequence[str]) -> None:
    """Add the options of going on, of fine-tuning and of the stages to a parser.

    Args:
        parser: parser of the command line.
        stages: the first words of the cells' names.
    """
    parser.add_argument("--model", default="mini", help="a folder or name of the model that goes on")
    parser.add_argument("--out", type=writable_path, required=True, help="folder of the runs")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=200, help="of going on")
    parser.add_argument("--override", dest="changes", nargs="*", default=[], help="ingredients of going on")
    parser.add_argument("--rate", type=float, default=5e-4, help="of fine-tuning")
    parser.add_argument("--batch-size", dest="batch", type=int, default=32)
    parser.add_argument("--epochs", type=float, default=4.0)
    parser.add_argument("--max-length", type=int, default=128)
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    parser.add_argument("--stage", choices=[*stages, "work", "report", "all"], default="all")
    parser.add_argument("--only", nargs="*", default=[], help="patterns of cells, such as 'tune/*/seed-1'")


def require_usable(options: argparse.Namespace) -> None:
    """Check numbers and the model before anything is written.

    Raises:
        BadInput: a number is below 1, or the model has no head over its vocabulary, without which it cannot be asked.
    """
    for name in ("seeds", "steps", "neighbours", "asked"):
        number = getattr(options, name, None)
        if number is not None and number < 1:
            raise BadInput(f"--{name} is {number}", mend="give 1 or more")
    resolved_encoder(options.model)
    language_model(options.model)


def task_of(options: argparse.Namespace) -> Task:
    """Return the task of the files --train and --test, by --metric; it is read once."""
    return _task(options.train, options.test, options.metric)


@cache
def _task(train: Path, test: Path, metric: str | None) -> Task:
    return read_task(train, ReadSettings(test=test, metric=metric))


def texts_of(options: argparse.Namespace, arms: Sequence[str]) -> dict[str, Path | None]:
    """Return arm -> the file of its text; None for the model as it is."""
    return {arm: None if arm == PLAIN else options.out / "text" / f"{arm}.jsonl" for arm in arms}


def model_of(options: argparse.Namespace, texts: Texts, arm: str, seed: int) -> str:
    """Return the folder or name of the model of an arm.

    Args:
        options: the command line.
        texts: arm -> the file of its text.
        arm: name of the arm.
        seed: number of the run.
    """
    return str(options.model) if texts[arm] is None else str(options.out / "learn" / arm / f"seed-{seed}")


def made_by(options: argparse.Namespace, stage: str, arm: str, seed: int) -> Path:
    """Return the file of the results of a stage.

    Args:
        options: the command line.
        stage: first word of the cell's name, such as `tune`.
        arm: name of the arm.
        seed: number of the run.
    """
    out: Path = options.out
    return out / stage / arm / f"seed-{seed}.npz"


def arm_cells(options: argparse.Namespace, texts: Texts, arm: str, seed: int, task: Callable[[], Task]) -> list[Cell]:
    """Return the cells of an arm and a seed: `learn`, if the arm has a text, and `tune`.

    Args:
        options: the command line.
        texts: arm -> the file of its text, made by another cell.
        arm: name of the arm.
        seed: number of the run.
        task: returns the task.
    """
    text, model = texts[arm], model_of(options, texts, arm, seed)
    if text is None:
        return [tune_cell(options, model, arm, seed, task)]
    weights = Path(model) / "model.safetensors"
    made = Cell(f"learn/{arm}/seed-{seed}", weights, partial(learn, options, text, Path(model), seed), (text,))
    return [made, tune_cell(options, model, arm, seed, task, (weights,))]


def tune_cell(
    options: argparse.Namespace,
    model: str,
    arm: str,
    seed: int,
    task: Callable[[], Task],
    needs: Sequence[Path] = (),
) -> Cell:
    """Return the cell in which the model of an arm is fine-tuned.

    Args:
        options: the command line.
        model: a folder or name.
        arm: name of the arm.
        seed: number of the run.
        task: returns the task.
        needs: files of other cells that must exist.
    """
    made = made_by(options, "tune", arm, seed)
    return Cell(f"tune/{arm}/seed-{seed}", made, partial(tune, options, model, task, seed, made), needs)


def learn(options: argparse.Namespace, text: Path, folder: Path, seed: int) -> None:
    """Let the model go on with a text, or resume that.

    Args:
        options: the command line.
        text: file of the text.
        folder: folder of the model.
        seed: number of the run.
    """
    adapt(
        options.model,
        [text],
        recipe=("adapt", options.changes),
        out=folder,
        steps=options.steps,
        seed=seed,
        device=options.device,
        compiled=False,  # compiling takes longer than so short a run
    )


def tune(options: argparse.Namespace, model: str, task: Callable[[], Task], seed: int, made: Path) -> None:
    """Fine-tune a model on the task, or resume it.

    Args:
        options: the command line.
        model: a folder or name.
        task: returns the task.
        seed: number of the run.
        made: file of the result.
    """
    settings = FinetuneSettings(
        model=model,
        learning_rate=options.rate,
        batch_size=options.batch,
        epochs=options.epochs,
        max_length=options.max_length,
        device=options.device,
    )
    tuning.tune(settings, task(), seed, made)


def finished_seeds(options: argparse.Namespace, stage: str, arms: Sequence[str]) -> list[int]:
    """Return the seeds of which all arms have the results of a stage."""
    return [seed for seed in range(options.seeds) if all(made_by(options, stage, arm, seed).exists() for arm in arms)]


def results_of(options: argparse.Namespace, arms: Sequence[str]) -> dict[str, list[Result]]:
    """Return arm -> the results of fine-tuning, of the seeds that all arms have."""
    seeds = finished_seeds(options, "tune", arms)
    return {arm: [Result.read(made_by(options, "tune", arm, seed)) for seed in seeds] for arm in arms}
