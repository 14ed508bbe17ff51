"""The compared sequences of fine-tunings (chains) that end at a target task: staged transfer and its controls.

pretrained ─► transfer task ─► target task      staged
pretrained ─► transfer task, labels shuffled ─► target task
pretrained ─► target task, as many updates as both stages
pretrained ─► target task
pretrained ─► target task, options without their context
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.files import content_key
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.studies.finetune.stage_checks import stage_settings
from wordworth.studies.finetune.study import identity
from wordworth.tasks.shuffled_labels import shuffled_labels
from wordworth.training.finetuning.dev_split import dev_split
from wordworth.training.finetuning.grid_search import candidates
from wordworth.training.finetuning.settings import require_kind
from wordworth.training.finetuning.staged_transfer import StagedSpec, keeps_output
from wordworth.training.finetuning.worker_pool import WorkerSpec

if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder
    from wordworth.tasks.task import Task
    from wordworth.training.finetuning.run_result import HyperParameters, Result
    from wordworth.training.finetuning.settings import FinetuneSettings

STAGED, ALONE, SHUFFLED, UPDATES, OPTIONS = (
    "staged",
    "target alone",
    "shuffled labels",
    "more updates",
    "options only",
)
"""The names of the chains: staged transfer, and its controls."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a staged transfer: a fine-tuning from the pretrained encoder or from the model of the stage before.

    Attributes:
        spec: the settings and data of its runs.
        point: the hyper-parameters of its runs.
        key: a hash of everything that decides its runs.
        output: `new` if the stage begins with a new output layer, `kept` if it continues the output layer of the stage
            before.
        results: the results of its runs; empty before the runs are made.
    """

    spec: WorkerSpec
    point: HyperParameters
    key: str
    output: str
    results: tuple[Result, ...] = ()

    @property
    def task(self) -> Task:
        """The task that the model learns in this stage."""
        return self.spec.task

    @property
    def steps(self) -> int:
        """The number of weight updates of each run of this stage."""
        return self.point.steps(len(self.spec.split.train))


@dataclass(frozen=True, slots=True)
class Chain:
    """One chain of fine-tunings (stages) that ends with the target task: staged transfer, or a control.

    Attributes:
        name: `staged` or the name of a control.
        stages: the stages in order.
    """

    name: str
    stages: tuple[Stage, ...]

    @property
    def target(self) -> Stage:
        """The last stage of the chain, which learns the target task."""
        return self.stages[-1]


def chains(tasks: Sequence[Task], settings: FinetuneSettings, encoder: TextEncoder, runs: Path) -> list[Chain]:
    """Return the chain of stages of staged transfer and, if the settings ask for controls, a chain for each control.

    No run is made yet.

    Args:
        tasks: the tasks of the stages.
        settings: the settings of every stage.
        encoder: the pretrained encoder.
        runs: the folder of all runs.
    """
    encoder_key, target = fingerprint(encoder), tasks[-1]

    def chain(name: str, of: Sequence[Task], chosen: FinetuneSettings = settings) -> Chain:
        stages: list[Stage] = []
        for task in of:
            stages.append(_stage(task, chosen, encoder, encoder_key, runs, stages[-1] if stages else None))
        return Chain(name, tuple(stages))

    staged = chain(STAGED, tasks)
    if not settings.controls:
        return [staged]
    batches = staged.target.steps / staged.target.point.epochs
    epochs = sum(stage.steps for stage in staged.stages) / batches
    shuffled = [*(shuffled_labels(task, settings.seed) for task in tasks[:-1]), target]
    made = [
        staged,
        chain(ALONE, [target]),
        chain(SHUFFLED, shuffled),
        chain(UPDATES, [target], replace(settings, epochs=epochs)),
    ]
    alone = [chain(OPTIONS, [target], replace(settings, options_only=True))] if target.type.scores_options else []
    return made + alone


def _stage(
    task: Task,
    settings: FinetuneSettings,
    encoder: TextEncoder,
    encoder_key: str,
    runs: Path,
    before: Stage | None,
) -> Stage:
    """Return the stage that learns `task`, without results of runs.

    The stage continues from the stage `before`, or from the pretrained encoder if `before` is None.
    """
    chosen = stage_settings(settings, task.type)
    require_kind(chosen, task.type, task.name)
    split = dev_split(task, chosen.dev_share, chosen.seed)
    (point,) = candidates(chosen, encoder.model.width, len(split.train))
    key = identity(task, chosen, split, encoder_key)
    if before is None:
        return Stage(WorkerSpec(chosen, task, split, runs / key), point, key, "new")
    key = content_key(key, before.key, before.point.name)[:12]
    spec = StagedSpec(chosen, task, split, runs / key, before.spec, before.point)
    return Stage(spec, point, key, "kept" if keeps_output(before.task, task) else "new")
