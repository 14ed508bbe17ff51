"""Probes of frozen vectors: a linear head on two tasks, and the cosines of pairs of texts without any training.

A text's vector is the mean of its tokens' last states. Heads see standardised features, so that a common direction
neither helps nor harms them; cosines do not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from parts.scored import DRAWS, Scored
from wordworth.checked_json import read_checked
from wordworth.files import write_text
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.metrics import metric
from wordworth.measures.weighted_sums import Floats
from wordworth.models.load import load
from wordworth.models.text_encoder import TextEncoder
from wordworth.seeds import child, sorted_sample
from wordworth.tasks.datasets import named_task
from wordworth.tasks.task import Rows, Task

PROBES = {
    "sst2": ("sst2", "accuracy", "logistic regression on frozen vectors, 5,000 phrases learned, dev part"),
    "stsb": ("stsb", "spearman", "ridge regression on |u - v| and u * v of frozen vectors, dev part"),
    "stsb_cosine": ("stsb", "spearman", "cosine of frozen vectors, nothing learned, dev part"),
}
_LEARNED = 5_000
_COSTS, _PENALTIES = np.logspace(-4, 0, 5), np.logspace(1, 5, 9)


def probed(folder: Path) -> dict[str, list[list[float]]]:
    """Return each probe's outputs on its test rows, from the file beside the model if it exists.

    Raises:
        BadInput: a task's files are not on this machine.
    """
    path = folder / "probes.json"
    if not path.exists():
        encoder = load(folder)
        assert isinstance(encoder, TextEncoder)  # noqa: S101 - what was pretrained is one
        outputs = {name: _outputs(name, encoder).tolist() for name in PROBES}
        write_text(path, json.dumps(outputs) + "\n")
    read: dict[str, list[list[float]]] = read_checked(path)
    return read


def scored(name: str, runs: Sequence[dict[str, list[list[float]]]]) -> Scored:
    """Return a probe's metric for several trainings, and on resampled test rows, the same for all."""
    task, rule = _task(name), metric(PROBES[name][1], _task(name).classes)
    gold, outputs = task.gold(task.test), [np.array(run[name], dtype=np.float64) for run in runs]
    weights = item_weights(len(task.test), DRAWS, child(0, "items", PROBES[name][0]))
    return Scored(
        np.array([rule.score(gold, output) for output in outputs]),
        np.array([rule.score(gold, output, weights) for output in outputs]),
    )


@cache
def _task(name: str) -> Task:
    return named_task(PROBES[name][0])


def _outputs(name: str, encoder: TextEncoder) -> Floats:
    task = _task(name)
    if name == "stsb_cosine":
        first, second = _sides(encoder, task, task.test)
        lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
        return np.asarray((first * second).sum(axis=1) / lengths)
    learned = sorted_sample(child(0, "probe", name), task.train, _LEARNED)
    values, tested = _features(encoder, task, learned), _features(encoder, task, task.test)
    numbers = task.type.numeric
    head = RidgeCV(_PENALTIES) if numbers else GridSearchCV(LogisticRegression(max_iter=2_000), {"C": _COSTS}, cv=3)
    fitted = make_pipeline(StandardScaler(), head).fit(values, task.gold(learned))
    return np.asarray(fitted.predict(tested) if numbers else fitted.predict_proba(tested))


def _features(encoder: TextEncoder, task: Task, rows: Rows) -> Floats:
    if task.examples.second is None:
        return _vectors(encoder, task.examples.take(rows).first)
    first, second = _sides(encoder, task, rows)
    return np.concatenate([np.abs(first - second), first * second], axis=1)


def _sides(encoder: TextEncoder, task: Task, rows: Rows) -> tuple[Floats, Floats]:
    examples = task.examples.take(rows)
    return _vectors(encoder, examples.first), _vectors(encoder, examples.second or ())


def _vectors(encoder: TextEncoder, texts: Sequence[str]) -> Floats:
    return encoder.pooled_layers(texts)[:, -1].astype(np.float64)
