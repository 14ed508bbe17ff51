"""Read the models that the study compares: before and after fine-tuning, and runs that serve as controls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import as_path, content_key
from wordworth.inference.finetuned_run import TunedRun, read_run, read_second_run
from wordworth.inference.labelled_inputs import read_halves
from wordworth.inference.run_with_initial_encoder import RunWithStart, read_with_start, require_shape, with_start
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.sources import digest
from wordworth.studies.finetuning_changes.settings import FinetuningChangesSettings
from wordworth.studies.worth.run_cache import task_key
from wordworth.tasks.task import Task
from wordworth.training.finetuning.saved_trajectory import SavedTrajectory, read_trajectory


@dataclass(frozen=True, slots=True)
class Models:
    """The models of the study and the labelled rows that they are compared on.

    Attributes:
        base: the run that is studied, and the pretrained model that it started from.
        path: weights and rows that the run kept during training; None if it kept none.
        second: the same training with another seed; None if not given.
        scratch: the same training from random weights; None if not given.
        other: a run on another task from the same pretrained model; None if not given.
        unseen: task whose test part is rows that the run did not learn from.
        learned: task whose test part is rows that the run learned from; None if these rows are not known.
    """

    base: RunWithStart
    path: SavedTrajectory | None
    second: TunedRun | None
    scratch: RunWithStart | None
    other: TunedRun | None
    unseen: Task
    learned: Task | None

    @property
    def key(self) -> str:
        """A hash of all weights and all rows, under which results are cached."""
        runs = [self.base.run, self.second, None if self.scratch is None else self.scratch.run, self.other]
        starts = [self.base.start, None if self.scratch is None else self.scratch.start]
        modules = [each.network.tuned.network for each in runs if each] + [each.model for each in starts if each]
        weights = (value.numpy(force=True).tobytes() for each in modules for value in each.state_dict().values())
        points = [] if self.path is None else [digest(file) for _, file in sorted(self.path.points.items())]
        tasks = [task_key(task) for task in (self.unseen, self.learned) if task is not None]
        present = [each is not None for each in (*runs, *starts, self.learned)]
        return content_key(vectors_key(self.base.run.encoder), *weights, points, tasks, present)


def read_models(run: Path | str, data: Path | None, settings: FinetuningChangesSettings) -> Models:
    """Read every model of the study, and the labelled rows.

    Args:
        run: the output folder of a fine-tuning.
        data: labelled rows that the run did not learn from; None for the rows that the run kept.
        settings: settings of the study.

    Raises:
        BadInput: there is no fine-tuned transformer in `run`, the model that it started from is not on this machine,
            another run does not fit it, or there are no rows.
    """
    base = read_with_start(run, settings.start)
    facts = base.run.predictor.facts
    path = read_trajectory(as_path(run, "run"), dict(facts))
    unseen = _unseen(base, path, data, settings, str(run))
    second_run = settings.second_run if settings.second_run is not None else (path.second if path else None)
    second = None if second_run is None else read_second_run(second_run, unseen, base.network)
    other = None if settings.other_task is None else read_run(settings.other_task)
    for each, where in ((second, second_run), (other, settings.other_task)):
        if each is not None:
            _require_same_shape(each, base, str(where))
            _require_same_start(each, base, str(where))
    scratch = None if settings.scratch_run is None else _scratch(settings.scratch_run, base, unseen)
    learned = None if path is None else replace(path.learned, test=path.learned.test[: settings.limit])
    return Models(base, path, second, scratch, other, unseen, learned)


def _unseen(
    base: RunWithStart, path: SavedTrajectory | None, data: Path | None, settings: FinetuningChangesSettings, run: str
) -> Task:
    if data is not None:
        return read_halves(base.run.predictor, data, settings.read)
    if path is None:
        what = "this run kept no rows to measure on"
        raise BadInput(what, where=run, mend="give labelled rows with --data, or finetune again with --keep-path")
    task = path.unseen
    return replace(task, metric=settings.metric or task.metric, test=task.test[: settings.limit])


def _scratch(run: Path | str, base: RunWithStart, task: Task) -> RunWithStart:
    """Load the run that repeats the training from random weights, as a control.

    Raises:
        BadInput: the run is not the same training, or began from a pretrained model.
    """
    scratch = with_start(read_second_run(run, task, base.network), run, None)
    if scratch.run.began_from.get("random_seed") is None:
        what = "this run began from a pretrained model"
        raise BadInput(what, where=str(run), mend="make it with wordworth finetune --from-scratch")
    _require_same_shape(scratch.run, base, str(run))
    return scratch


def _require_same_shape(run: TunedRun, base: RunWithStart, where: str) -> None:
    require_shape(base.run, run.encoder.model, where)
    if run.encoder.tokenizer.fingerprint != base.run.encoder.tokenizer.fingerprint:
        what = "this run has another tokenizer, so that its texts are other tokens"
        raise BadInput(what, where=where, mend="give a run that began from the same model")


def _require_same_start(run: TunedRun, base: RunWithStart, where: str) -> None:
    """Raise BadInput for a run that is known to have started from another model."""
    own, expected = (each.began_from.get("fingerprint") for each in (run, base.run))
    if own is not None and expected is not None and own != expected:
        what = "this run began from another model"
        raise BadInput(what, where=where, mend="give a run that began from the same model")
