"""The tables of a training of sentence vectors: its loss by step, and its evaluations."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wordworth.records import Table
from wordworth.training.sentences.run import SentenceTrainingResult

_POINTS = 100
LOSSES = {"step": "updates made by the end of a stretch of steps", "loss": "mean training loss over the stretch"}
EVALUATIONS = {
    "step": "updates made; 0 is before training",
    "score": "of the dev part: Spearman's correlation of cosines with scores, or the mean loss",
    "kept": "whether the weights of this step were kept",
}


def tables_of(result: SentenceTrainingResult, judged_by: str) -> Mapping[str, Table]:
    """Return the tables `losses` and `evaluations` of a training of sentence vectors.

    Args:
        result: result of the training.
        judged_by: measure of the evaluations: `spearman`, or `loss`, which `result` holds as a negative number and the
            table as a positive one.
    """
    stretches = np.array_split(np.arange(len(result.losses)), min(_POINTS, len(result.losses)))
    losses = [
        {"step": int(each[-1]) + 1, "loss": float(np.mean([result.losses[step] for step in each]))}
        for each in stretches
    ]
    sign = -1 if judged_by == "loss" else 1
    evaluations = [
        {"step": each.step, "score": sign * float(each.dev), "kept": each.step == result.kept_step}
        for each in result.evaluations
        if each.dev is not None
    ]
    return {"losses": Table.of(losses, LOSSES), "evaluations": Table.of(evaluations, EVALUATIONS)}
