"""Write the preregistration of a study: read and hash its rows, without loading a model or fitting a rung.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.errors import BadInput
from wordworth.records import RECORD, Finding, Record
from wordworth.sentence_formatting import count_of, join_words, points_phrase
from wordworth.studies.study import environment, merged_settings
from wordworth.studies.worth.confusion_costs import read_confusion_costs
from wordworth.studies.worth.preregistration.contents import contents
from wordworth.studies.worth.preregistration.preregistration_file import FILE, Preregistration
from wordworth.studies.worth.rungs import rungs_of
from wordworth.studies.worth.study import read, with_folds

if TYPE_CHECKING:
    from wordworth.progress import Progress
    from wordworth.studies.worth.settings import ReadSettings, WorthSettings
    from wordworth.tasks.task import Task


def write_preregistration(
    path: Path, reading: ReadSettings, settings: WorthSettings, folder: Path | None, progress: Progress
) -> Record:
    """Write `preregistration.json`, and return its content and its hash as a record of kind `preregistration`.

    Args:
        path: the file of labelled texts.
        reading: how the file is read.
        settings: the settings of the study to come.
        folder: the folder of the study to come.
        progress: receives progress.

    Raises:
        BadInput: the file or a setting cannot be used; or the folder holds a preregistration or a finished study
            already.
    """
    file = _new_file(folder)
    cost_rows = read_confusion_costs(reading, settings)
    reading = with_folds(reading, settings)
    with progress.step(f"reading {path.name}"):
        task = read(path, reading, settings)
    if cost_rows is not None:
        cost_rows.matrix(task)  # the plan does not hold them, and the study would refuse them
    with progress.step("computing hashes"):
        plan = Preregistration.of(contents(task, rungs_of(task, settings), reading, settings))
    plan.save(file)
    return Record(
        kind="preregistration",
        settings=merged_settings(reading, settings),
        data={**task.facts, "rows": len(task.used), "preregistration": {**plan.fields, "sha256": plan.sha256}},
        tables={},
        findings=[_verdict(plan, task, settings, file), *task.warnings],
        environment=environment(settings.threads),
    )


def _new_file(folder: Path | None) -> Path:
    """Return the path of the plan to write, after checking that the folder holds neither a plan nor a study."""
    if folder is None:
        mend = "give the folder of the study to come as --out"
        raise BadInput("a frozen plan is a file, and no folder is given for it", where="--freeze", mend=mend)
    file = folder / FILE
    if file.exists():
        what = "a plan was frozen here before, and a plan that is replaced is none"
        raise BadInput(what, where=str(file), mend="give another --out")
    if (folder / RECORD).exists():
        what = "this folder holds a finished study: it is too late to plan it"
        raise BadInput(what, where=str(folder), mend="leave --freeze out, or give another --out for other test texts")
    return file


def _verdict(plan: Preregistration, task: Task, settings: WorthSettings, file: Path) -> Finding:
    rungs, rows = list(plan.fields["rungs"]), plan.fields["rows"]
    text = (
        f"{file} holds what decides the verdict: a margin of {points_phrase(settings.metric_margin)} in {task.metric}, "
        f"{count_of(rows['used'], 'row')} (test: {plan.fields['split']['test']}), and the rungs {join_words(rungs)}. "
        "No rung was fitted or scored. Post the hash where its date can be seen; a study in the same folder "
        "says whether it kept to the plan."
    )
    numbers = {"headline": f"The plan is frozen: SHA-256 {plan.sha256}", "sha256": plan.sha256}
    return Finding("verdict", text, numbers)
