"""Fine-tune every system with the same seeds, and compare their scores on the test rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from wordworth import seeds
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import PairedChanges
from wordworth.measures.weighted_sums import Predicted
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.studies.distill.comparison import mean_change
from wordworth.studies.entities.systems import CONTROL, LINKED, SYSTEMS, task_of
from wordworth.studies.estimate import Estimate
from wordworth.studies.finetune.results import Scored, scored
from wordworth.studies.finetune.study import identity, make_restarts, num_processes
from wordworth.tasks.stratified_split import cluster_ids
from wordworth.training.finetuning.dev_split import dev_split
from wordworth.training.finetuning.grid_search import candidates
from wordworth.training.finetuning.run_inputs import load_encoder
from wordworth.training.finetuning.run_result import HyperParameters, Result
from wordworth.training.finetuning.worker_pool import WorkerSpec, worker_pool

if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.progress import Progress
    from wordworth.studies.entities.settings import EntitiesSettings
    from wordworth.tasks.task import Task

DEV = 0.1
"""Share of the training rows that chooses each run's step."""


@dataclass(frozen=True, slots=True)
class SystemRuns:
    """The fine-tuning runs of one system.

    Attributes:
        system: name of the system, a key of `SYSTEMS`.
        point: the hyper-parameters that its runs share.
        results: the results of its runs, one for each seed.
        scored: the scores of the runs that ended, on the test rows.
        dev: number of training rows held out to choose the step whose weights a run keeps; 0 if there are too few rows,
            so that the last step's weights are kept.
    """

    system: str
    point: HyperParameters
    results: tuple[Result, ...]
    scored: Scored
    dev: int

    @property
    def ended(self) -> Mapping[int, Predicted]:
        """Seed of each finished run -> the predictions of that run for the test rows."""
        return {run.seed: cast("Predicted", run.test) for run in self.results if run.test is not None}


def train_systems(
    settings: EntitiesSettings, encoders: Mapping[str, TextEncoder], task: Task, runs: Path, progress: Progress
) -> list[SystemRuns]:
    """Fine-tune every system with every seed; runs that an earlier call has finished are read from `runs`.

    Args:
        settings: the settings of the study.
        encoders: name of each model -> the model.
        task: the rows, with links in their texts.
        runs: the folder of all runs.
        progress: receives progress and messages.
    """
    systems = [name for name in SYSTEMS if name != CONTROL or settings.control is not None]
    return [_train(name, settings, encoders, task, runs, progress) for name in systems]


def _train(
    system: str,
    settings: EntitiesSettings,
    encoders: Mapping[str, TextEncoder],
    task: Task,
    runs: Path,
    progress: Progress,
) -> SystemRuns:
    model = settings.control if system == CONTROL and settings.control is not None else settings.model
    tuning, own = settings.finetuning(model), task_of(system, task, settings.seed)
    split = dev_split(own, DEV, settings.seed)
    point = candidates(tuning, encoders[model].model.width, len(split.train))[0]
    spec = WorkerSpec(tuning, own, split, runs / identity(own, tuning, split, fingerprint(encoders[model])))
    with worker_pool(spec, num_processes(tuning, 1), progress.note) as executor:
        results = tuple(make_restarts(executor, spec, point, progress, f"fine-tuning: {system}"))
    for result in results:  # only their predictions are needed
        (spec.folder / result.name / "weights.pt").unlink(missing_ok=True)
    ended = [run for run in results if run.test is not None]
    return SystemRuns(system, point, results, scored(own, ended, own.metric, settings.seed), len(split.dev))


def load_models(settings: EntitiesSettings) -> dict[str, TextEncoder]:
    """Return name of each model that the settings name (`model`, `control`) -> the encoder."""
    names = dict.fromkeys(name for name in (settings.model, settings.control) if name is not None)
    return {name: load_encoder(name, learns=True) for name in names}


def differences(systems: list[SystemRuns], task: Task, settings: EntitiesSettings) -> dict[str, Estimate]:
    """Return name of each system after the first -> the first system's score minus this system's score.

    The first system reads the links of the texts. Scores are paired by seed and test row. A system is left out if no
    seed has a finished run of it and of the first.

    Args:
        systems: the runs of every system; the first is the system with the links of the texts.
        task: the rows, with links in their texts.
        settings: the settings of the study.
    """
    rule, groups = metric(task.metric, task.classes), cluster_ids(task.kind, task.examples.take(task.test))
    rng = seeds.child(settings.seed, "entities", "draws")
    paired = PairedChanges.of(rule, task.gold(task.test), task.classes, settings.draws, rng, groups)
    linked, *others = systems
    assert linked.system == LINKED  # noqa: S101 - `train_systems` puts it first
    made = dict[str, Estimate]()
    for other in others:
        both = sorted(linked.ended.keys() & other.ended.keys())
        changes = [paired.change(linked.ended[seed], other.ended[seed]) for seed in both]
        if changes:
            drawn = seeds.child(settings.seed, "entities", other.system)
            made[other.system] = mean_change(changes, len(others), drawn, rule)
    return made
