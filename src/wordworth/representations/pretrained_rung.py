"""Load the pretrained model of a rung once, by the rung's name, before any of the user's texts is read.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from wordworth.errors import BadInput
from wordworth.models.cpu_inference import DtypeOption
from wordworth.representations.feature_rung import NoCache, RepresentationLearner
from wordworth.representations.rung import RunContext, Rung
from wordworth.representations.rung_by_name import files_key, rung_of
from wordworth.tasks.task import Examples, Task
from wordworth.tasks.task_types.classification import CLASSIFICATION

KIND = CLASSIFICATION.name
"""The kind of task that representations are made for; all kinds about texts have the same features."""


@dataclass(frozen=True, slots=True)
class Pretrained:
    """A rung whose pretrained model is loaded and that has read none of the user's texts.

    Attributes:
        learner: the rung, prepared on a placeholder text.
        key: a hash of the model's files; "" for a rung without a model.
    """

    learner: RepresentationLearner
    key: str


@lru_cache(maxsize=2)
def pretrained(name: str, seed: int, dtype: DtypeOption, device: str = "cpu") -> Pretrained:
    """Load a rung and its pretrained model; the two rungs loaded last stay in memory.

    Args:
        name: the name of the rung, such as `minilm`.
        seed: the seed of all random draws.
        dtype: dtype of an encoder's computation.
        device: where an encoder computes.

    Raises:
        BadInput: the rung does not compute features before a classifier learns from them; a rung with a fine-tuned
            encoder does not, while rungs with TF-IDF or a frozen encoder do.
    """
    rung = rung_of(name, KIND)
    key = files_key(rung)
    run_context = RunContext(cache=NoCache(), seed=seed, dtype=dtype, device=device)
    return Pretrained(features_learner(rung, unlabelled(("a",)), run_context), key)


def learns(learner: RepresentationLearner) -> bool:
    """Return whether the learner's representation learns from the texts that it is fitted on."""
    return not learner.representation.frozen or learner.leave_out is not None


def features_learner(rung: Rung, task: Task, run_context: RunContext) -> RepresentationLearner:
    """Prepare a rung on a task and return its learner, which gives features of texts.

    Args:
        rung: the rung.
        task: the task.
        run_context: cache, seed, number of threads, and receiver of progress.

    Raises:
        BadInput: the rung is not a representation under a head, so that it has no features.
    """
    learner = rung.prepare(task, run_context)
    if not isinstance(learner, RepresentationLearner):
        what = f"the rung {rung.name!r} gives no features of texts"
        raise BadInput(what, mend="use it as TextClassifier(rung=...), or name another rung")
    return learner


def unlabelled(texts: tuple[str, ...]) -> Task:
    """Return a task whose training part is the given texts, with dummy labels."""
    rows = np.arange(len(texts))
    labels = np.zeros(len(texts), dtype=np.int64)
    return Task("texts", KIND, Examples(texts), labels, ("any",), rows, rows[:0], "accuracy")
