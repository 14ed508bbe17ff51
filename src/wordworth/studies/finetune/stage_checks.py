"""Checks of the stages of a staged transfer, before any model is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wordworth.errors import BadInput
from wordworth.tasks.shuffled_labels import shuffled_labels
from wordworth.training.finetuning.settings import require_kind, require_known

if TYPE_CHECKING:
    from wordworth.tasks.task import Task
    from wordworth.tasks.task_types import TaskType
    from wordworth.training.finetuning.settings import FinetuneSettings

_LEAST_STAGES = 2


def require_stage_settings(settings: FinetuneSettings) -> None:
    """Check that settings are possible with several stages, before any data are read.

    Raises:
        BadInput: a setting asks for a grid search, frozen features, weights kept during training (`keep_path`), or a
            dev file.
    """
    refused = {
        "grid": (settings.grid != "none", "the settings of one task are no choice for another"),
        "features": (settings.features is not None, "a frozen encoder takes nothing from stage to stage"),
        "keep-path": (settings.keep_path, "a path has one start and one task"),
        "dev": (settings.dev_file is not None, "a dev file belongs to one task"),
    }
    for option, (is_set, why) in refused.items():
        if is_set:
            mend = "give a share of the training parts" if option == "dev" else "leave it out"
            raise BadInput(f"with --then, {why}", where=f"--{option}", mend=mend)


def stage_settings(settings: FinetuneSettings, task_type: TaskType) -> FinetuneSettings:
    """Return the settings for one stage of a staged transfer.

    Settings for multiple choice are left out if the stage's task is of another kind.
    """
    return settings if task_type.scores_options else replace(settings, margin=None, options_only=False)


def require_stages(tasks: Sequence[Task], settings: FinetuneSettings) -> None:
    """Check that the stages of a staged transfer can follow each other.

    Args:
        tasks: the tasks of the stages.
        settings: the settings of every stage.

    Raises:
        BadInput: there are fewer than two stages; a task occurs twice; a task is answered by the model's own language
            model head; a setting for multiple choice is given but no task is multiple choice; or the labels of a
            transfer task cannot be shuffled.
    """
    if len(tasks) < _LEAST_STAGES:
        raise BadInput("staged transfer needs two tasks", mend="name the target task with --then")
    require_stage_settings(settings)
    require_known(settings)
    _require_different(tasks)
    masks = next((task for task in tasks if task.type.fills_masks), None)
    if masks is not None:
        raise language_model_head_error(masks.name)
    if not any(task.type.scores_options for task in tasks):
        require_kind(settings, tasks[-1].type, tasks[-1].name)
    for task in tasks[:-1] if settings.controls else ():
        shuffled_labels(task, settings.seed)


def language_model_head_error(name: str) -> BadInput:
    """Return the error for a stage whose task is answered by the language model head.

    Args:
        name: the name of the task.
    """
    what = f"{name} is answered by the model's own head over its vocabulary, which other tasks do not train"
    return BadInput(what, where="--then", mend="fine-tune on it alone, or leave that stage out")


def _require_different(tasks: Sequence[Task]) -> None:
    """Check that no task is in two stages; raise `BadInput` otherwise."""
    for number, task in enumerate(tasks, 1):
        for before, earlier in enumerate(tasks[: number - 1], 1):
            if earlier.kind == task.kind and earlier.examples == task.examples:
                what = f"{task.name} is both stage {before} and stage {number}"
                raise BadInput(what, where="--then", mend="name each task once; more --epochs train longer on one")
