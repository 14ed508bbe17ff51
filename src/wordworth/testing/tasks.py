"""Conformance checks of a named task: what training and evaluation expect of every `DatasetSpec`.

    @pytest.mark.parametrize("check", task_checks(), ids=lambda check: check.__name__)
    def test_my_task_conforms(check, tmp_path):
        check(MY_TASK, folder_of_its_files, tmp_path)

The second argument is a folder with the data set's files in one of its layouts, the real files or a few made-up lines
in their format. The last argument is an empty folder to write to.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.measures.metrics import metric
from wordworth.studies.evaluate import EvaluateSettings
from wordworth.studies.evaluate.study import scored_part
from wordworth.tasks import task_types
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.formats.dataset_spec import DatasetSpec, assemble
from wordworth.tasks.task import Labels
from wordworth.tasks.task_types import can_measure

Check = Callable[[DatasetSpec, Path, Path], None]
_FULL = 100.0
_NEAR = 1e-9


def task_checks() -> list[Check]:
    """Return all checks of a task; each takes the task, the folder of its files and an empty folder."""
    return [
        check_it_says_what_it_is,
        check_every_part_is_whole,
        check_labels_are_of_its_kind,
        check_reading_twice_gives_the_same,
        check_missing_files_are_named,
        check_it_can_be_learned_from,
        check_gold_scores_full_marks,
    ]


def check_it_says_what_it_is(task: DatasetSpec, _: Path, __: Path) -> None:
    """Check that name, title and source are set, and that the metrics exist and fit the kind of task."""
    assert task.name.partition(":")[0].isidentifier(), f"{task.name!r} is not a valid task name"
    assert task.title, "it has no title"
    assert task.source, "it has no source"
    assert task.metrics, "it has no metric"
    for name in task.metrics:
        assert can_measure(metric(name, task.classes), task_types.get(task.kind)), (
            f"{name} does not measure a task of kind {task.kind}"
        )


def check_every_part_is_whole(task: DatasetSpec, folder: Path, _: Path) -> None:
    """Check that each part has a label and a distinct id for each example, and that its files have as many rows."""
    for name, part in _parts(task, folder).items():
        assert len(part) == len(part.labels) > 0, f"{name}: {len(part)} examples, {len(part.labels)} labels"
        ids = part.examples.ids
        assert ids is not None, f"{name}: no ids"
        assert len(ids) == len(set(ids)) == len(part), f"{name}: ids are not one distinct id per example"
        assert sum(origin.rows for origin in part.origins) == len(part), (
            f"{name}: the row counts of its files do not add up to its examples"
        )


def check_labels_are_of_its_kind(task: DatasetSpec, folder: Path, _: Path) -> None:
    """Check that labels have the form that `Task.labels` defines for the kind of task, and name no unknown class."""
    for name, part in _parts(task, folder).items():
        problem = task_types.get(task.kind).label_problem(part.labels, part.examples, task.classes)
        assert not problem, f"{name}: {problem}"


def check_reading_twice_gives_the_same(task: DatasetSpec, folder: Path, _: Path) -> None:
    """Check that reading the same files twice gives the same examples and labels."""
    first, second = _parts(task, folder), _parts(task, folder)
    for name in first:
        assert first[name].examples == second[name].examples, f"{name}: different examples the second time"
        assert _same(first[name].labels, second[name].labels), f"{name}: different labels the second time"


def check_missing_files_are_named(task: DatasetSpec, _: Path, empty: Path) -> None:
    """Check that reading from an empty folder raises an error that names the missing files."""
    part = task.part_names[0]
    message = _refusal(task, part, empty)
    assert message, "it found its files in an empty folder"
    file_names = task.layouts[0].names(part)
    assert all(name in message for name in file_names), f"{message!r} does not name {' and '.join(file_names)}"


def check_it_can_be_learned_from(task: DatasetSpec, folder: Path, _: Path) -> None:
    """Check that the parts of a data set (train, dev, test) load as one task whose training and test rows are disjoint.

    Args:
        task: the data set.
        folder: the folder of its files.
        _: not used; all checks have the same arguments.
    """
    parts = _parts(task, folder)
    held_out = parts[task.held_out]
    assembled = assemble(task, parts.get("train", held_out), held_out, "")
    assert not np.intersect1d(assembled.train, assembled.test).size, "training and test rows overlap"
    assert _same(assembled.gold(assembled.test), held_out.labels), "assembling the task changed the test part's labels"


def check_gold_scores_full_marks(task: DatasetSpec, folder: Path, empty: Path) -> None:
    """Check that the gold labels, written as a file of predictions, get the best possible score.

    Args:
        task: the data set.
        folder: the folder of its files.
        empty: an empty folder, into which the file of predictions is written.
    """
    part = _parts(task, folder)[task.held_out]
    file = _gold_file(task, part, empty)
    for line in scored_part(task, task.held_out, part, file, EvaluateSettings(draws=100))[0]:
        is_empty = (
            line.score == 0 and not task_types.get(task.kind).pooled
        )  # no entity of a type, no question of a kind
        assert is_empty or abs(line.score - _FULL) < _NEAR, f"gold scores {line.score} by {line.name}"


def _parts(task: DatasetSpec, folder: Path) -> dict[str, Part]:
    """Return name -> part of each part that can be read from the folder; the held-out part must be there."""
    parts: dict[str, Part] = {task.held_out: task.parts((task.held_out,), folder)[task.held_out]}
    for name in task.part_names:
        if name not in parts and not _refusal(task, name, folder):
            parts |= task.parts((name,), folder)
    return parts


def _refusal(task: DatasetSpec, part: str, folder: Path) -> str:
    """Return the error message if a part cannot be read from a folder, else ""."""
    try:
        task.parts((part,), folder)
    except BadInput as error:
        return str(error)
    return ""


def _same(left: Labels, right: Labels) -> bool:
    return all(np.array_equal(label, other_label) for label, other_label in zip(left, right, strict=True))


def _gold_file(task: DatasetSpec, part: Part, folder: Path) -> Path:
    """Write the gold labels as a file of predictions."""
    task_type = task_types.get(task.kind)
    if task_type.reads_windows:
        texts = [answers[0].text if answers else "" for answers in part.labels]
        return _text(folder / "gold.json", json.dumps(dict(zip(part.examples.ids or (), texts, strict=True))))
    if task_type.labels_words:
        rows = ["".join(f"{task.classes[tag]}\n" for tag in tags) for tags in part.labels]
        return _text(folder / "gold.txt", "\n".join(rows))
    names = [task.classes[int(label)] if task.classes else str(label) for label in part.labels]
    rows = [f"{index}\t{name}\n" for index, name in zip(part.examples.ids or (), names, strict=True)]
    return _text(folder / "gold.tsv", "index\tprediction\n" + "".join(rows))


def _text(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path
