"""A ladder of made-up rungs whose true accuracy is known, for tests of the study alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from wordworth.errors import WordworthError
from wordworth.representations.rung import Cost, Learner, RunContext, Rung
from wordworth.tasks.task import Examples, Rows, Task

Accuracy = Callable[[int], float]


@dataclass(frozen=True)
class FakePredictor:
    task: Task
    accuracy: float
    seed: int
    chosen: Mapping[str, object]

    def predict(self, rows: Rows) -> np.ndarray:
        gold = np.asarray(self.task.gold(rows))
        draw = np.random.default_rng(self.seed)
        right = draw.random(len(rows)) < self.accuracy
        wrong = (gold + 1 + draw.integers(len(self.task.classes) - 1, size=len(rows))) % len(self.task.classes)
        return np.eye(len(self.task.classes))[np.where(right, gold, wrong)]

    def predict_texts(self, examples: Examples) -> np.ndarray:
        return np.eye(len(self.task.classes))[np.zeros(len(examples), dtype=int)]


@dataclass(frozen=True)
class FakeRung(Rung):
    """Right with a known probability that depends on the number of labels alone."""

    name: str
    family: str
    accuracy: Accuracy
    fails: bool = False

    @property
    def title(self) -> str:
        return self.name.title()

    @property
    def contextual(self) -> bool:
        return self.family in {"frozen", "hybrid", "finetuned"}

    @property
    def is_baseline(self) -> bool:
        return self.family == "constant"

    @property
    def slow(self) -> bool:
        return self.family == "finetuned"

    @property
    def assumed_run_sd(self) -> float:
        return 0.01 if self.slow else 0.0

    def kinds(self):
        return frozenset({"single"})

    def prepare(self, task: Task, run_context: RunContext):  # noqa: ARG002 - a Rung
        return FakeLearner(self, task)


@dataclass(frozen=True)
class FakeLearner(Learner):
    rung: FakeRung
    task: Task

    def fit(self, rows: Rows, rng: np.random.Generator) -> FakePredictor:
        if self.rung.fails:
            raise WordworthError("it did not converge")
        return FakePredictor(self.task, self.rung.accuracy(len(rows)), int(rng.integers(2**31)), {"c": 1.0})

    def cost(self) -> Cost:
        return Cost(disk_bytes=1_000, parameters=10, num_features=2)


def task(rows: int = 1_600, classes: int = 2) -> Task:
    """A made-up classification task with a fixed split."""
    draw = np.random.default_rng(0)
    labels = draw.integers(classes, size=rows)
    texts = tuple(f"text {i} word{i % 50} label" for i in range(rows))
    order = draw.permutation(rows)
    return Task(
        name="made up",
        kind="single",
        examples=Examples(texts),
        labels=labels,
        classes=tuple(f"class {i}" for i in range(classes)),
        train=order[: rows // 2],
        test=order[rows // 2 :],
        metric="accuracy",
    )


def constant(value: float) -> Accuracy:
    return lambda _: value


MAJORITY = FakeRung("majority", "constant", constant(0.5))
