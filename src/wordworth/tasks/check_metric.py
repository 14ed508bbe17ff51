"""Check that the metric a user named can measure the user's task."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.errors import BadInput, nearest
from wordworth.measures.metrics import CLASS_F1, CLASS_F1_FORMS, CLASSES, known_metrics, metric
from wordworth.measures.precision_recall_at_k import AT
from wordworth.tasks.task_types import TaskType, can_measure

_CLASS_F1 = {"f1", "f1_score", "f1:"}
"""Names that users take for the F1 of a class."""


def require_metric(
    name: str, task_type: TaskType | None, classes: Sequence[str] | None = None, where: str = "--metric"
) -> None:
    """Check that the metric a user named exists and measures tasks of this kind.

    Args:
        name: the name of the metric.
        task_type: the kind of task, or None if the user did not name it.
        classes: the names of the task's classes; None before the file is read, when the class in `f1:<class>` cannot
            be checked.
        where: the option or argument that the error points to.

    Raises:
        BadInput: there is no metric, class or entity type of that name, or the metric measures other kinds of task.
    """
    if classes is None and name.startswith(CLASS_F1):
        return
    try:
        named = metric(name, classes or ())
    except BadInput as error:
        mend = error.mend
        if task_type is not None and not name.startswith(CLASS_F1) and AT not in name:
            mend = nearest(name, _names(task_type))
        if name.lower() in _CLASS_F1 and (task_type is None or task_type.label_form in CLASS_F1_FORMS):
            example = classes[0] if classes else "CLASS"
            mend = f"name a class: {CLASS_F1}{example}; or take macro_f1"
        raise BadInput(error.what, where=where, mend=mend) from error
    if task_type is not None and not can_measure(named, task_type):
        what = f"metric {name!r} does not measure a task of kind {task_type.name}"
        raise BadInput(what, where=where, mend=nearest(name, _names(task_type)))


def _names(task_type: TaskType) -> list[str]:
    """Return the names of the metrics that measure tasks of this kind."""
    names = [each.name for each in known_metrics() if can_measure(each, task_type)]
    of_class = [f"{CLASS_F1}<class>"] if task_type.label_form in CLASS_F1_FORMS else []
    of_top_labels = [f"precision{AT}k"] if task_type.label_form in CLASSES else []
    return [*names, *of_class, *of_top_labels]
