"""The trajectory of a fine-tuning: weights after some of its steps, saved by `--keep-path` for `study finetuning`.

path/path.json       the best run's saved steps and the folder of their weights, and the step with the model's weights
path/rows.json       rows that the runs learned from, and rows of the test part
path/second/         the model of the best run with another seed, in the layout of `model/`; absent without such a run
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.json_file import read_object
from wordworth.tasks import task_types
from wordworth.tasks.task import Examples, Labels, Rows, Task
from wordworth.training.finetuning.best_model import save_best_model
from wordworth.training.finetuning.run_folder import output_file
from wordworth.training.finetuning.run_inputs import Experiment
from wordworth.training.finetuning.run_result import Result
from wordworth.training.finetuning.trajectory_points import (
    POINTS,
    TrajectoryPoint,
    file_of,
    read_point,
    trajectory_steps,
)

FOLDER = "path"
"""The folder of the path in the output folder of a fine-tuning."""
_SECOND, _ABOUT, _ROWS = "second", "path.json", "rows.json"
_MOST_ROWS = 512
_TEXTS = ("first", "second", "words", "options")
_MEND = "run wordworth finetune --keep-path again"


@dataclass(frozen=True, slots=True)
class SavedTrajectory:
    """The saved training trajectory of a fine-tuning: the weights of its best run after some of its steps.

    Attributes:
        points: step -> the file of the weights after that step, beginning with step 0; the files are large, so they are
            read one at a time.
        model_step: the step whose weights the final model has.
        learned: a sample of the training rows, as a task of which all rows are test rows.
        unseen: a sample of the test rows, as a task of which all rows are test rows.
        second: the folder of a model that was trained with another seed; None if no second run was kept.
    """

    points: Mapping[int, Path]
    model_step: int
    learned: Task
    unseen: Task
    second: Path | None

    def point(self, step: int) -> TrajectoryPoint:
        """Read the weights that the run had after a step.

        Raises:
            BadInput: the file is missing or damaged.
        """
        return read_point(self.points[step], step)


def save_trajectory(experiment: Experiment, selected: Sequence[Result], runs: Path, out: Path) -> None:
    """Write the trajectory of the best run of a fine-tuning, that is, its weights after some of its steps.

    If `selected` is empty, the trajectory of an earlier model in the folder is removed instead.

    Args:
        experiment: the encoder, task and settings of the fine-tuning.
        selected: the best run and, if there is any, the best run with another seed; empty to save nothing.
        runs: the folder of all runs.
        out: the output folder.
    """
    folder = out / FOLDER
    if not selected:
        if (folder / _ABOUT).is_file():
            shutil.rmtree(folder)
        return
    folder.mkdir(exist_ok=True)
    best, *others = selected
    points = runs / best.name / POINTS
    about: dict[str, Any] = {
        "version": 1,
        "model_step": best.kept_step,
        "folder": str(points.relative_to(out)),
        "steps": [step for step in trajectory_steps(best.steps) if (points / file_of(step)).is_file()],
    }
    if others:
        save_best_model(experiment, others[0], runs, folder / _SECOND)
    else:
        shutil.rmtree(folder / _SECOND, ignore_errors=True)
    task, split = experiment.task, experiment.split
    rows = {"learned": _drawn(split.train, experiment), "unseen": _drawn(split.test, experiment)}
    write_text(folder / _ROWS, json.dumps({name: _plain(task, chosen) for name, chosen in rows.items()}))
    write_text(folder / _ABOUT, json.dumps(about, indent=1) + "\n")


def read_trajectory(run: Path, metadata: dict[str, Any]) -> SavedTrajectory | None:
    """Read the trajectory in the output folder of a fine-tuning; return None if no trajectory was saved.

    Args:
        run: the output folder, or the model folder in it.
        metadata: metadata of the model, which describe its task.

    Raises:
        BadInput: a file is missing or damaged.
    """
    file = output_file(run, f"{FOLDER}/{_ABOUT}")
    if file is None:
        return None
    folder = file.parent
    about, rows = read_object(file, _MEND), read_object(folder / _ROWS, _MEND)
    try:
        points = folder.parent / str(about["folder"])
        files = {int(step): points / file_of(int(step)) for step in about["steps"]}
        learned, unseen = (_task(rows[name], metadata) for name in ("learned", "unseen"))
        second = folder / _SECOND
        path = SavedTrajectory(files, int(about["model_step"]), learned, unseen, second if second.is_dir() else None)
    except (LookupError, TypeError, ValueError) as error:
        raise BadInput("the path that this run kept is damaged", where=str(file), mend=_MEND) from error
    lost = next((each for each in path.points.values() if not each.is_file()), None)
    if lost is not None:
        raise BadInput("the weights that this run kept on its way are gone", where=str(lost), mend=_MEND)
    return path


def _drawn(rows: Rows, experiment: Experiment) -> Rows:
    """Return at most `_MOST_ROWS` of the rows, at random, ascending."""
    order = seeds.child(experiment.settings.seed, "kept rows").permutation(len(rows))[:_MOST_ROWS]
    return rows[np.sort(order)]


def _plain(task: Task, rows: Rows) -> dict[str, Any]:
    """Return rows of a task as JSON values: texts, and labels as numbers."""
    examples, labels = task.examples.take(rows), task.gold(rows)
    values = [each.tolist() for each in labels] if isinstance(labels, tuple) else labels.tolist()
    return {**{name: getattr(examples, name) for name in _TEXTS}, "labels": values}


def _task(plain: dict[str, Any], metadata: dict[str, Any]) -> Task:
    texts = {key: _tuples(plain[key]) for key in _TEXTS}
    examples, rows = Examples(**texts), np.arange(len(plain["first"]))
    return Task(
        name=str(metadata.get("name", "rows")),
        kind=metadata["kind"],
        examples=examples,
        labels=_labels(plain["labels"], metadata),
        classes=tuple(metadata["classes"]),
        train=rows[:0],
        test=rows,
        metric=metadata["metric"],
    )


def _tuples(value: Any) -> Any:  # noqa: ANN401 - lists of any depth, or None
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _labels(values: list[Any], metadata: dict[str, Any]) -> Labels:
    task_type = task_types.get(metadata["kind"])
    if task_type.labels_words:
        return tuple(np.array(each, dtype=np.int64) for each in values)
    if task_type.numeric:
        return np.array(values, dtype=np.float64)
    several = bool(values) and isinstance(values[0], list)
    return np.array(values, dtype=np.bool_ if several else np.int64)
