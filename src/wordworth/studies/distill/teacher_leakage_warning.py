"""Warn where a teacher may have learned from rows that its students are tested on."""

from __future__ import annotations

import json
from pathlib import Path

from wordworth.errors import WordworthError
from wordworth.inference.task_predictor import TaskPredictor
from wordworth.json_file import parse_json
from wordworth.records import RECORD, Finding, read
from wordworth.studies.finetune.record import PREDICTIONS
from wordworth.tasks.task import Task
from wordworth.training.finetuning.run_folder import output_file

_LEARNED = (
    "The teacher learned from the file that the test rows are from, and is not known to have left these rows out: its "
    "score, and those of its students, may be too good. Test on a file that it did not learn from, or distil with the "
    "seed, the limit and the columns of its fine-tuning, whose test rows are then the same."
)


def learned_test_rows(predictor: TaskPredictor, run: Path, task: Task) -> tuple[Finding, ...]:
    """Return a tuple with a warning if the teacher may have been trained on the test rows of a task, else empty.

    The teacher was certainly not trained on these rows in two cases: it learned from other files only; or its folder
    has its predictions for all these rows, which shows that they were its test rows too.

    Args:
        predictor: the teacher.
        run: the folder of the teacher.
        task: the task.
    """
    if predictor.learned_from.isdisjoint(task.sources_of(task.test)) or _were_tested(run, task):
        return ()
    return (Finding("warning.learned_rows", _LEARNED),)


def _were_tested(run: Path, task: Task) -> bool:
    """Return whether every test row is among those that the teacher was tested on."""
    record, predictions = output_file(run, RECORD), output_file(run, PREDICTIONS)
    if record is None or predictions is None or task.numbers is None:
        return False
    try:
        sources = [source["sha256"] for source in read(record).data["sources"]]
        tested = {parse_json(line)["row"] for line in predictions.read_text(encoding="utf-8").splitlines()}
    except (WordworthError, OSError, ValueError, LookupError, TypeError, json.JSONDecodeError):
        return False  # it is then not known
    same = sources == [origin.sha256 for origin in task.origins]
    return same and tested.issuperset(task.numbers[task.test].tolist())
