"""The smallest variant of an encoder: its static table, of one vector per word, under a linear head."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Predicted
from wordworth.models.pruning import ModelSize
from wordworth.progress import Progress
from wordworth.representations.distilled_vectors import DistilledRung
from wordworth.representations.rung import Predictor, RunContext
from wordworth.studies.compression_frontier import Candidate
from wordworth.tasks.task import Examples, Task

NAME = "static table"


def static_table(model: str, task: Task, seed: int, progress: Progress) -> Iterator[Candidate[Examples]]:
    """Yield the static table of an encoder, with one vector per word, under a linear head as a candidate.

    If no table can be made, a message says why and nothing is yielded.

    Args:
        model: name or folder of the encoder.
        task: labelled rows; the table and the head are made from the training part.
        seed: seed of the head's training.
        progress: receives progress and messages.
    """
    try:
        learner = DistilledRung(model).prepare(task, RunContext(seed=seed, progress=progress, dtype="float32"))
    except BadInput as error:
        progress.note(f"no static table: {error.what}")
        return
    cost = learner.cost()

    @cache
    def predictor() -> Predictor:  # learns at its first call: what an earlier call has measured need not learn
        return learner.fit(task.train, seeds.child(seed, "shrink", "table"))

    def predict(examples: Examples) -> Predicted:
        return predictor().predict_texts(examples)

    yield Candidate(NAME, predict, ModelSize(0, 0, cost.parameters), cost.disk_bytes, NAME)
