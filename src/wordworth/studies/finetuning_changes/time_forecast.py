"""Forecast of the seconds that the study takes: each kind of work is timed on a few rows and scaled to all."""

from __future__ import annotations

import numpy as np

from wordworth.inference.labelled_inputs import LabelledInputs, labelled_inputs
from wordworth.measures.cka import linear_cka
from wordworth.progress import STILL
from wordworth.studies.finetuning_changes.attention_pattern_classifier import STEPS, PatternNetwork, train_network
from wordworth.studies.finetuning_changes.compare_representations import MOST_WORDS, RANDOM, RUN, START, compare
from wordworth.studies.finetuning_changes.layer_roll_back import parts
from wordworth.studies.finetuning_changes.layer_similarity import GROUPS
from wordworth.studies.finetuning_changes.loss_landscape import losses_needed, rows_of
from wordworth.studies.finetuning_changes.loss_surface import LossSurface
from wordworth.studies.finetuning_changes.read_models import Models
from wordworth.studies.study_progress import seconds_of

PATTERNS, READING, LAYERS = "learning attention patterns", "reading states and attention", "comparing layers"
LOSSES, RESETS = "computing losses", "resetting layers"
"""Titles of the steps."""
_ROWS, _WORDS, _STEPS, _READ = 16, 500, 8, 3
"""Rows, words and updates that are timed, and encoders that read the rows."""


def forecast(models: Models, points: int) -> dict[str, float]:
    """Return title of each step of the study -> the seconds that the step is expected to take.

    Args:
        models: models of the study.
        points: number of points along each side of the plane.
    """
    network, model = models.base.network, models.base.run.encoder.model
    few, of_all = _few(models)
    exact, rounded = (
        of_all * seconds_of(LossSurface(network.tuned, few, exact=is_exact).losses) for is_exact in (True, False)
    )
    encoders = 3 + (models.second is not None)
    comparisons = (encoders - 1) * (model.depth + 1) * (1 + GROUPS)
    plane = points**2
    return {
        PATTERNS: STEPS / _STEPS * seconds_of(lambda: train_network(0, STILL, steps=_STEPS)),
        READING: of_all * encoders * seconds_of(lambda: _read(models, few)) / _READ,
        LAYERS: comparisons * _cka_seconds(model.width),
        LOSSES: exact * (losses_needed(models, points) - plane) + rounded * plane,
        RESETS: exact * len(parts(model.depth)),
    }


def _few(models: Models) -> tuple[LabelledInputs, float]:
    """Return a sample of at most `_ROWS` rows of all lengths, and the number of all rows divided by the sample's."""
    network, task = models.base.network, models.unseen
    order = np.argsort(rows_of(network, task).inputs.lengths, kind="stable")
    chosen = order[np.unique(np.linspace(0, len(order) - 1, _ROWS).round().astype(np.int64))]
    return labelled_inputs(network, task, task.used[chosen]), len(order) / len(chosen)


def _read(models: Models, rows: LabelledInputs) -> None:
    base, network = models.base, PatternNetwork().eval()
    encoders = {START: base.start.model, RUN: base.run.encoder.model, RANDOM: base.start.model}
    compare(encoders, list(rows.inputs.tokens), base.start.tokenizer, network, STILL, words_a_text=10, seed=0)


def _cka_seconds(width: int) -> float:
    first, second = np.random.default_rng(0).standard_normal((2, _WORDS, width), dtype=np.float32)
    return MOST_WORDS / _WORDS * seconds_of(lambda: linear_cka(first, second))
