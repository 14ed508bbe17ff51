"""The cells (pieces of work) of the paper's ablations: pretraining, prediction of masked pieces, fine-tuning."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from parts import equal_tokens
from parts.ablation_arms import FEATURES, TAGGED, Arm, arms, effects
from parts.cells import Cell
from parts.effects import Effect
from parts.held_out_bits import ask
from parts.matched import DONE, Variant
from parts.small_tasks import small_task
from parts.tuning import tune
from wordworth.tasks.task import Task
from wordworth.training.finetuning.settings import FinetuneSettings


def compared(options: argparse.Namespace) -> tuple[dict[str, Arm], list[Effect]]:
    """Return the arms that the wanted effects need, and the effects."""
    wanted = [each for each in effects(options.milestones) if each.family in options.families]
    names = {name for each in wanted for name in (each.better, each.worse)}
    return {name: arm for name, arm in arms(options.shape, options.milestones).items() if name in names}, wanted


def cells_of(options: argparse.Namespace) -> list[Cell]:
    """Return all cells, seed by seed, so that those finished when time is up can be compared."""
    models, wanted = compared(options)
    variants = {arm.variant.name: arm.variant for arm in models.values()}
    cells = []
    for seed in range(options.seeds):
        cells += [equal_tokens.cell(options, variant, seed) for variant in variants.values()]
        cells += [asking(models[name], seed, options) for name in arms_of(wanted, "nats")]
        cells += [
            cell for arm in models.values() for task in options.tasks for cell in tunings(arm, task, seed, options)
        ]
        if TAGGED in options.tasks:
            cells += [c for name in arms_of(wanted, "features") for c in tunings(models[name], FEATURES, seed, options)]
    return cells


def arms_of(wanted: Iterable[Effect], of: str) -> list[str]:
    """Return the names of the arms of those effects for which the field `of` is true."""
    return list(dict.fromkeys(name for each in wanted if getattr(each, of) for name in (each.better, each.worse)))


def asking(arm: Arm, seed: int, options: argparse.Namespace) -> Cell:
    made = answers_file(arm, seed, options)
    needs = (folder(arm.variant, seed, options) / DONE,)
    return Cell(f"ask/{arm.name}/seed-{seed}", made, partial(ask_arm, arm, seed, made, options), needs)


def ask_arm(arm: Arm, seed: int, made: Path, options: argparse.Namespace) -> None:
    ask(model_of(arm, seed, options), options.held_out, made, options.device, options.sequences)


def tunings(arm: Arm, task: str, seed: int, options: argparse.Namespace) -> list[Cell]:
    """Return the runs of an arm on a task, one for each rate; frozen features have a rate of their own.

    Args:
        arm: the pretrained model.
        task: name of the task.
        seed: number of the run.
        options: the command line.
    """
    needs = (folder(arm.variant, seed, options) / DONE,)
    cells = []
    for rate in rates_of(task, options):
        made = result_file(arm, task, rate, seed, options)
        name = f"tune/{task.replace(' ', '-')}/{arm.name}/{made.parent.name}/seed-{seed}"
        cells.append(Cell(name, made, partial(tune_arm, arm, task, rate, seed, options), needs))
    return cells


def tune_arm(arm: Arm, task: str, rate: float | None, seed: int, options: argparse.Namespace) -> None:
    plain = {"model": str(model_of(arm, seed, options)), "device": options.device, "threads": options.threads}
    if task == FEATURES:
        settings = FinetuneSettings(**plain, features="concat-last-four", epochs=options.epochs)
    else:
        of_words = not task_of(task, options).type.pooled
        pooling = None if of_words or options.pooling == "own" else options.pooling
        learning = {
            "learning_rate": rate,
            "batch_size": 32,
            "epochs": options.epochs,
            "pooling": pooling,
            "bilstm": arm.bilstm,
        }
        settings = FinetuneSettings(**plain, **learning)
    tune(settings, task_of(task, options), seed, result_file(arm, task, rate, seed, options))


def task_of(name: str, options: argparse.Namespace) -> Task:
    return small_task(TAGGED if name == FEATURES else name, options.learned, options.asked)


def rates_of(task: str, options: argparse.Namespace) -> Sequence[float | None]:
    return [None] if task == FEATURES else options.rates


def folder(variant: Variant, seed: int, options: argparse.Namespace) -> Path:
    out: Path = options.out
    return out / f"{variant.name}-{seed}"


def model_of(arm: Arm, seed: int, options: argparse.Namespace) -> Path:
    """Return the arm's model folder: the end of its run, or the milestone at its share of it."""
    end = folder(arm.variant, seed, options)
    if arm.share == 1:
        return end
    kept = sorted((end / "training" / "milestones").glob("*/milestone.json"))
    return kept[sorted(arm.variant.milestones).index(arm.share)].parent


def answers_file(arm: Arm, seed: int, options: argparse.Namespace) -> Path:
    out: Path = options.out
    return out / "ask" / arm.name / f"seed-{seed}.npz"


def result_file(arm: Arm, task: str, rate: float | None, seed: int, options: argparse.Namespace) -> Path:
    out: Path = options.out
    named = "rate-own" if rate is None else f"rate-{rate:g}"
    return out / "tune" / task.replace(" ", "-") / arm.name / named / f"seed-{seed}.npz"
