"""The computation of the study `heads`: importance, gates, ablations, pruning curves, and smaller models."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth import seeds
from wordworth.inference.finetuned_network import Network
from wordworth.inference.finetuned_run import read_second_run
from wordworth.inference.head_importance import HeadImportance, head_importance
from wordworth.inference.labelled_inputs import LabelledInputs, labelled_inputs, predict
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import Change, PairedChanges
from wordworth.measures.weighted_sums import Floats
from wordworth.models.pruning import without_heads
from wordworth.models.transformer import Transformer
from wordworth.progress import Progress
from wordworth.studies.compression_frontier import Variant, frontier
from wordworth.studies.heads.ablation import AblatedModel
from wordworth.studies.heads.ablation_score_changes import Measurements, measure, predictions_needed
from wordworth.studies.heads.cheaper_models import candidates, largest_difference
from wordworth.studies.heads.half_of_rows import Half
from wordworth.studies.heads.hard_concrete_gates import PASSES, learned_gates
from wordworth.studies.heads.pruning_curves import RANDOM_ORDERS, numbers_pruned
from wordworth.studies.heads.settings import HeadsSettings
from wordworth.studies.remove_heads_and_layers import numbers_removed
from wordworth.tasks.task import Task

ORDERS = 5 + RANDOM_ORDERS


@dataclass(frozen=True, slots=True)
class HeadResults:
    """The computed results of the study, from which its tables and findings are made.

    Attributes:
        importance: importance of each head, on the half of the rows for choices.
        gates: float64 [layers, heads], the probability that each head's gate is open, learned on the half for choices.
        measured: changes of the score by ablations, on the half for measurements.
        variants: scores and speed of the whole model, then of cheaper versions.
        dtype: data type in which the whole model computes.
        second: the score of a second run minus the score of this run; None without a second run.
        difference: self-check: the largest absolute difference between scores with heads removed and with heads scaled
            to 0; None if no head can be removed.
    """

    importance: HeadImportance
    gates: Floats
    measured: Measurements
    variants: list[Variant]
    dtype: str
    second: Change | None
    difference: float | None


def compute(
    network: Network, encoder: Transformer, task: Task, settings: HeadsSettings, progress: Progress
) -> HeadResults:
    """Measure the importance of a fine-tuned model's heads, and score smaller models without the least important ones.

    Args:
        network: the fine-tuned model, with the reader of its inputs.
        encoder: encoder of that model, in float32.
        task: labelled rows; choices are made on the training part, scores measured on the test part.
        settings: settings of the study.
        progress: receives progress and messages.
    """
    other = None if settings.second_run is None else read_second_run(settings.second_run, task, network).network
    tuned, shape = network.tuned, (encoder.config.num_layers, encoder.config.num_heads)
    choosing, measuring = (labelled_inputs(network, task, rows) for rows in (task.train, task.test))
    with progress.step("computing importance", len(choosing)) as step:
        importance = head_importance(tuned, choosing, step)
    with progress.step("learning gates", PASSES * len(choosing)) as step:
        gates = learned_gates(tuned, shape, choosing, step, settings.seed)
    points = len(numbers_pruned(shape[0] * shape[1], shape[0] * (shape[1] - 1)))
    choose, judge = predictions_needed(shape, ORDERS, points)
    total = (choose + 1) * len(choosing) + (judge + 1) * len(measuring)
    with progress.step("ablating heads", total) as step:
        model = AblatedModel(tuned, shape, encoder.config.causal, importance.mean_output, step)
        halves = tuple(_half(model, part, task, settings) for part in (choosing, measuring))
        measured = measure(model, (halves[0], halves[1]), (importance, gates), settings.margin / 100, settings.seed)
    removed = numbers_removed(encoder, len(measured.order), measured.num_within_margin)
    models = candidates(network, encoder, measured.order, measured.num_within_margin)
    with progress.step("timing smaller models", (len(removed) + shape[0] + 1) * len(measuring)) as step:
        variants = frontier(models, measuring.inputs, halves[1].comparison, step)
    difference = None
    if measured.num_within_margin:
        pruned = without_heads(encoder, measured.order[: measured.num_within_margin])
        difference = largest_difference(tuned, model, pruned, measuring)
    second = None if other is None else _second(other, task, halves[1])
    return HeadResults(importance, gates, measured, variants, tuned.dtype, second, difference)


def _half(model: AblatedModel, examples: LabelledInputs, task: Task, settings: HeadsSettings) -> Half:
    rng = seeds.child(settings.seed, "heads", "draws", len(examples))
    comparison = PairedChanges.of(metric(task.metric, task.classes), examples.labels, task.classes, settings.draws, rng)
    return Half(examples, comparison, model.predict(examples))


def _second(network: Network, task: Task, half: Half) -> Change:
    """Return the score of a second run minus the score of the studied run, on the same half of the rows.

    Args:
        network: the second run's model.
        task: the labelled rows.
        half: the test part of the task, with the studied run's predictions.
    """
    examples = labelled_inputs(network, task, task.test)
    return half.comparison.change(predict(network.tuned, examples), half.whole)
