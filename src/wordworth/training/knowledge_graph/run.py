"""Train a knowledge graph model, resuming from the last checkpoint in a folder; keep the vectors of the best step."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from wordworth import seeds
from wordworth.models.devices import device_of
from wordworth.models.knowledge_graph import GRAPH_MODELS, GraphModel
from wordworth.progress import Progress
from wordworth.text.knowledge_graph import KnowledgeGraph
from wordworth.training.batch_sampler import BatchSampler, Numbers
from wordworth.training.checkpointed_run import CheckpointedRun
from wordworth.training.checkpoints import Checkpoints
from wordworth.training.finetuning.run_result import Evaluation, evaluation_steps
from wordworth.training.knowledge_graph.filtered_ranks import KnownAnswers, filtered_ranks, model_scorer
from wordworth.training.knowledge_graph.negative_sampling import NegativeSampling
from wordworth.training.knowledge_graph.settings import GraphTrainingSettings
from wordworth.training.loop import Loop
from wordworth.training.lr_schedules import linear, within
from wordworth.training.malloc import retain_freed_memory
from wordworth.training.optimizers import AdamW

_EPOCHS, _LEAST_STEPS = 20, 5_000
_VALIDATED = 1_000
"""Most validation triples that an evaluation on the way ranks."""


@dataclass(frozen=True, slots=True)
class GraphTrainingResult:
    """The result of a finished training of entity vectors.

    Attributes:
        model: the model, with the vectors of the best evaluation.
        losses: mean loss of each step.
        evaluations: the evaluations during training; each has a mean reciprocal rank on validation triples.
        kept_step: the step whose vectors the model has.
        seconds: seconds that the training took.
    """

    model: GraphModel
    losses: list[float]
    evaluations: tuple[Evaluation, ...]
    kept_step: int
    seconds: float


def new_model(settings: GraphTrainingSettings, graph: KnowledgeGraph) -> GraphModel:
    """Return a model with random vectors, on the device of the settings.

    Raises:
        BadInput: the settings name an unknown model, or a dimension that the model does not support.
    """
    generator = torch.Generator().manual_seed(seeds.child_seed(settings.seed, "knowledge graph", "vectors"))
    kind = GRAPH_MODELS.get(settings.model)
    sizes = len(graph.entities), len(graph.relations), settings.dimension
    return kind(*sizes, settings.margin, generator).to(device_of(settings.device))


def steps_of(settings: GraphTrainingSettings, graph: KnowledgeGraph) -> int:
    """Return the number of updates of a training, which makes whole passes over the training triples."""
    by_epoch = _batches(settings, graph).batches_per_epoch
    return by_epoch * (settings.epochs or max(_EPOCHS, -(-_LEAST_STEPS // by_epoch)))


def _batches(settings: GraphTrainingSettings, graph: KnowledgeGraph) -> BatchSampler:
    return BatchSampler(np.ones(len(graph.train), dtype=np.int64), settings.batch_size, settings.seed)


def train(
    settings: GraphTrainingSettings, graph: KnowledgeGraph, known: KnownAnswers, folder: Path, progress: Progress
) -> GraphTrainingResult:
    """Train a knowledge graph model, or resume the training in a folder.

    Args:
        settings: the settings of the training.
        graph: the knowledge graph.
        known: all true answers, which are filtered out of the ranks of validation triples.
        folder: a folder that holds nothing but the checkpoints.
        progress: receives the progress of steps.

    Raises:
        BadInput: there is no such model or device.
        Diverged: a loss or gradient is not finite.
        KeyboardInterrupt: the process was asked to stop; a checkpoint has been written.
    """
    torch.set_num_threads(settings.threads)
    model = new_model(settings, graph)
    batches, steps = _batches(settings, graph), steps_of(settings, graph)
    loop: Loop[Numbers] = Loop(
        model,
        AdamW(weight_decay=0.0, epsilon=1e-8).build({model: settings.learning_rate}),
        within(linear, steps, warmup=0.0),
        batches,
        NegativeSampling(model, graph.train, settings.negatives, settings.temperature),
    )
    rng = seeds.child(settings.seed, "knowledge graph", "validation")
    validated = graph.valid[np.sort(rng.permutation(len(graph.valid))[:_VALIDATED])]
    run = CheckpointedRun(
        loop=loop,
        evaluate=lambda: float((1 / filtered_ranks(model_scorer(model), validated, known)).mean()),
        due=set(evaluation_steps(steps)),
        checkpoints=Checkpoints(folder),
        save_every=settings.save_every,
    )
    run.resume(progress.note)
    with progress.step("training", steps) as step, retain_freed_memory():
        step.skip(loop.step)
        run.advance(steps, step)
    losses = list(loop.losses)
    run.best.restore(loop)
    return GraphTrainingResult(model, losses, tuple(run.evaluations), loop.step, run.seconds)
