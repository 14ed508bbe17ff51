"""The settings of plans and preregistrations, and the check that a plan can take the study's other settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.errors import BadInput
from wordworth.settings_validation import at_least, setting, validate
from wordworth.tasks.reading.settings import ReadSettings

if TYPE_CHECKING:
    from wordworth.studies.worth.settings import WorthSettings

METRIC = "accuracy"
"""The only metric that planning covers: unlabelled texts give the variance of a difference in accuracy alone."""
LEAST_LABELS = 50
"""Fewest labels so far that models can learn from: each of five folds then has ten."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanSettings:
    """Settings of the plan and of the preregistration, which are made before a `worth` study is run."""

    plan: bool = setting(False, "Plan: say what lead N test labels would show. DATA then needs no labels.")
    labels_so_far: str | Path | None = setting(
        None, f"With --plan, a file of the labels that there are, {LEAST_LABELS} or more: rungs learn from them."
    )

    to_label: int | None = setting(
        None,
        "With --labels-so-far, draw so many texts to label next, where rungs disagree, into OUT/to_label.csv; a study "
        "tests on them with --test and --test-weight sampling_weight.",
        at_least(1),
    )
    freeze: bool = setting(
        False,
        "Preregister: write what decides the verdict to OUT/preregistration.json, with a hash, before the study.",
    )

    def __post_init__(self) -> None:
        validate(self)
        if self.to_label is not None and self.labels_so_far is None:
            what = "which texts to label next depends on where rungs disagree, and they learn from labels"
            raise BadInput(what, where="--to-label", mend="add --plan and --labels-so-far")
        if self.freeze and self.plan:
            mend = "plan the number of labels first, and freeze the study once there are labels"
            raise BadInput("--plan and --freeze are two things", where="--freeze", mend=mend)
        if self.labels_so_far is not None and not self.plan:
            raise BadInput("labels so far are for planning", where="--labels-so-far", mend="add --plan")


def require_plannable(planning: PlanSettings, reading: ReadSettings, settings: WorthSettings) -> None:
    """Check, before any file is read, that a plan can be made with the study's settings.

    Args:
        planning: the settings of the plan.
        reading: how the files are read.
        settings: the settings of the study to come.

    Raises:
        BadInput: the settings name something that a plan cannot use: a metric or a kind of task that planning does not
            cover, a test part, groups, second labels, costs, or a label column without labels so far.
    """
    from wordworth.tasks import task_types

    if reading.metric not in (None, METRIC):
        what = f"planning covers accuracy alone, not {reading.metric}"
        raise BadInput(what, where="--metric", mend="leave it out: the plan is then one for accuracy, and says so")
    if reading.kind is not None:
        require_covered(task_types.get(reading.kind).name, "--kind")
    part = reading.test_share if reading.test is None else reading.test
    grouped = "a plan counts rows one by one, and rows of a group say less than as many single ones"
    for flag, value, what in (
        ("--group", reading.group, grouped),
        ("--test", part, "a plan is made before there is a test part"),
        ("--test-weight", reading.test_weight, "a plan is made before there is a test part"),
        ("--time", reading.time, "a plan is made before there is a later test part"),
        ("--second-label", reading.second_label, "a plan compares no second labels"),
        ("--category", reading.categories or None, "a plan is one for all texts together"),
        ("--costs", settings.costs, "a plan counts errors, whatever they cost"),
    ):
        if value is not None:
            raise BadInput(what, where=flag, mend="leave it out")
    if reading.label is not None and planning.labels_so_far is None:
        mend = "add --labels-so-far, or leave --label out"
        raise BadInput("this names a column of the labels so far, and none are given", where="--label", mend=mend)


def require_covered(kind: str, where: str) -> None:
    """Check that planning covers a kind of task: one in which each row has one class.

    Args:
        kind: name of the kind of task.
        where: the option or file that the kind comes from, for the error message.

    Raises:
        BadInput: the rows of this kind of task do not have one class each.
    """
    from wordworth.tasks import task_types

    if task_types.get(kind).label_form != "class":
        what = f"planning covers accuracy where each row has one class, not a task of kind {kind}"
        raise BadInput(what, where=where, mend="give one class a row, of a text or of a pair")
