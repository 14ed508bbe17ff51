"""What there is to do for the paper's ablations: models are pretrained, asked for hidden pieces, and fine-tuned."""

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


def compared(asked: argparse.Namespace) -> tuple[dict[str, Arm], list[Effect]]:
    """The effects that are asked about, and the arms that they need."""
    wanted = [each for each in effects(asked.milestones) if each.family in asked.families]
    names = {name for each in wanted for name in (each.better, each.worse)}
    return {name: arm for name, arm in arms(asked.shape, asked.milestones).items() if name in names}, wanted


def cells_of(asked: argparse.Namespace) -> list[Cell]:
    """All there is to do, seed by seed, so that what is done when time is up can be compared."""
    some, wanted = compared(asked)
    variants = {arm.variant.name: arm.variant for arm in some.values()}
    found = []
    for seed in range(asked.seeds):
        found += [equal_tokens.cell(asked, variant, seed) for variant in variants.values()]
        found += [asking(some[name], seed, asked) for name in arms_of(wanted, "nats")]
        found += [cell for arm in some.values() for task in asked.tasks for cell in tunings(arm, task, seed, asked)]
        if TAGGED in asked.tasks:
            found += [c for name in arms_of(wanted, "features") for c in tunings(some[name], FEATURES, seed, asked)]
    return found


def arms_of(wanted: Iterable[Effect], of: str) -> list[str]:
    """The arms of those effects that are asked so."""
    return list(dict.fromkeys(name for each in wanted if getattr(each, of) for name in (each.better, each.worse)))


def asking(arm: Arm, seed: int, asked: argparse.Namespace) -> Cell:
    made = answers_file(arm, seed, asked)
    needs = (folder(arm.variant, seed, asked) / DONE,)
    return Cell(f"ask/{arm.name}/seed-{seed}", made, partial(ask_arm, arm, seed, made, asked), needs)


def ask_arm(arm: Arm, seed: int, made: Path, asked: argparse.Namespace) -> None:
    ask(model_of(arm, seed, asked), asked.held_out, made, asked.device, asked.sequences)


def tunings(arm: Arm, task: str, seed: int, asked: argparse.Namespace) -> list[Cell]:
    """The runs of an arm on a task, one a rate; frozen features have a rate of their own."""
    needs = (folder(arm.variant, seed, asked) / DONE,)
    found = []
    for rate in rates_of(task, asked):
        made = result_file(arm, task, rate, seed, asked)
        name = f"tune/{task.replace(' ', '-')}/{arm.name}/{made.parent.name}/seed-{seed}"
        found.append(Cell(name, made, partial(tune_arm, arm, task, rate, seed, asked), needs))
    return found


def tune_arm(arm: Arm, task: str, rate: float | None, seed: int, asked: argparse.Namespace) -> None:
    plain = {"model": str(model_of(arm, seed, asked)), "device": asked.device, "threads": asked.threads}
    if task == FEATURES:
        settings = FinetuneSettings(**plain, features="concat-last-four", epochs=asked.epochs)
    else:
        of_words = not task_of(task, asked).type.pooled
        pooling = None if of_words or asked.pooling == "own" else asked.pooling
        learning = {
            "learning_rate": rate,
            "batch_size": 32,
            "epochs": asked.epochs,
            "pooling": pooling,
            "bilstm": arm.bilstm,
        }
        settings = FinetuneSettings(**plain, **learning)
    tune(settings, task_of(task, asked), seed, result_file(arm, task, rate, seed, asked))


def task_of(name: str, asked: argparse.Namespace) -> Task:
    return small_task(TAGGED if name == FEATURES else name, asked.learned, asked.asked)


def rates_of(task: str, asked: argparse.Namespace) -> Sequence[float | None]:
    return [None] if task == FEATURES else asked.rates


def folder(variant: Variant, seed: int, asked: argparse.Namespace) -> Path:
    out: Path = asked.out
    return out / f"{variant.name}-{seed}"


def model_of(arm: Arm, seed: int, asked: argparse.Namespace) -> Path:
    """The arm's model: the end of its run, or what was kept on the way; they stand in the order of the shares."""
    end = folder(arm.variant, seed, asked)
    if arm.share == 1:
        return end
    kept = sorted((end / "training" / "milestones").glob("*/milestone.json"))
    return kept[sorted(arm.variant.milestones).index(arm.share)].parent


def answers_file(arm: Arm, seed: int, asked: argparse.Namespace) -> Path:
    out: Path = asked.out
    return out / "ask" / arm.name / f"seed-{seed}.npz"


def result_file(arm: Arm, task: str, rate: float | None, seed: int, asked: argparse.Namespace) -> Path:
    out: Path = asked.out
    named = "rate-own" if rate is None else f"rate-{rate:g}"
    return out / "tune" / task.replace(" ", "-") / arm.name / named / f"seed-{seed}.npz"
