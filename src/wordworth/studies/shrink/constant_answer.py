"""The constant answer, which reads no text: a model that does not beat it is not worth making smaller."""

from __future__ import annotations

from wordworth import seeds
from wordworth.measures.weighted_sums import Predicted
from wordworth.representations.constant_baseline import MajorityLearner
from wordworth.tasks.task import Task


def constant_answer(task: Task, seed: int) -> Predicted:
    """Return the same prediction for each test row: the one that scores best on the labels of the training part.

    For tagging, the prediction of each word is instead the tag that this word has most often in training.

    Args:
        task: labelled rows.
        seed: seed of the study.
    """
    return MajorityLearner(task).fit(task.train, seeds.child(seed, "shrink", "constant")).predict(task.test)


def constant_name(task: Task) -> str:
    """Return the name of the constant answer, such as `the constant answer (majority class)`."""
    name = task.type.wording.constant
    return name if task.type.labels_words else f"the constant answer ({name})"
