"""The models that the study compares: the start, the run, the same training with another seed and from random weights.

The start is known by its fingerprint, which a run keeps; a run of an earlier version names it in its record alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import as_path, content_key
from wordworth.inference.labelled_inputs import read_halves
from wordworth.inference.task_predictor import Network
from wordworth.inference.tuned_run import TunedRun, read_run, read_second_run
from wordworth.models.encoder import Encoder
from wordworth.models.encoder_fingerprint import fingerprint, vectors_key
from wordworth.models.pruning import require_heads
from wordworth.models.text_encoder import TextEncoder
from wordworth.records import RECORD, read
from wordworth.sources import digest
from wordworth.studies.finetuning_changes.settings import FinetuningChangesSettings
from wordworth.studies.worth.run_cache import task_key
from wordworth.tasks.task import Task
from wordworth.training.finetuning.experiment import from_scratch, load_encoder
from wordworth.training.finetuning.kept_path import KeptPath, read_kept_path
from wordworth.training.finetuning.model import over_encoder
from wordworth.training.finetuning.run_folder import output_file

_START = "give the model that the run began from with --start"


@dataclass(frozen=True, slots=True)
class RunWithStart:
    """A fine-tuned run with the encoder that it began from.

    Attributes:
        run: the run.
        start: the encoder before fine-tuning.
        name: name of the start, as the user wrote it.
        verified: whether the start's fingerprint is the one that the run kept; False where it kept none.
    """

    run: TunedRun
    start: TextEncoder
    name: str
    verified: bool

    @property
    def network(self) -> Network:
        """The fine-tuned network."""
        return self.run.network


@dataclass(frozen=True, slots=True)
class Models:
    """What is compared.

    Attributes:
        base: the run that is studied, and its start.
        path: what the run kept on its way; None where it kept nothing.
        second: the same training with another seed; None without one.
        scratch: the same training from random weights; None without one.
        other: the encoder of a run on another task from the same start; None without one.
        unseen: rows that the run did not learn from, as the test part of a task.
        learned: rows that it learned from; None where they are not known.
    """

    base: RunWithStart
    path: KeptPath | None
    second: TunedRun | None
    scratch: RunWithStart | None
    other: TunedRun | None
    unseen: Task
    learned: Task | None

    @property
    def key(self) -> str:
        """A key of all weights and rows, under which what was computed of them is kept."""
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
        data: labelled rows that it did not learn from; None for those that the run kept.
        settings: of the study.

    Raises:
        BadInput: there is no fine-tuned transformer in `run`, its start is not here, another run does not fit it, or
            there are no rows.
    """
    base = read_with_start(run, settings.start)
    facts = base.run.predictor.facts
    path = read_kept_path(as_path(run, "run"), dict(facts))
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


def read_with_start(run: Path | str, start: str | None) -> RunWithStart:
    """Read a run and the encoder that it began from.

    Args:
        run: the output folder of a fine-tuning.
        start: name of the start; None for the name that the run kept.

    Raises:
        BadInput: there is no fine-tuned transformer in `run`, or its start is not here or is another model.
    """
    return _with_start(read_run(run), run, start)


def _with_start(tuned: TunedRun, run: Path | str, start: str | None) -> RunWithStart:
    if any(require_heads(tuned.encoder.model, str(run)).config.pruned_heads):
        what = "some heads of this model were pruned, so that its weights cannot be compared with those of its start"
        raise BadInput(what, where=str(run), mend="give the run that it was made from")
    origin = tuned.began_from
    name = start or origin.get("model") or _named_in_record(as_path(run, "run"))
    if not isinstance(name, str):
        raise BadInput("this run does not say which model it began from", where=str(run), mend=_START)
    try:
        encoder = load_encoder(name)
    except BadInput as error:
        what = f"the model that the run began from is not here: {error.what}"
        raise BadInput(what, where=name, mend=_START) from error
    seed = origin.get("random_seed")
    if isinstance(seed, int):
        encoder = from_scratch(encoder, seed)
    _require_shape(tuned, encoder.model, name)
    known = origin.get("fingerprint")
    if known is not None and known != fingerprint(encoder):
        raise BadInput("this is not the model that the run began from: its weights differ", where=name, mend=_START)
    encoder.model.to(tuned.network.tuned.network.device)
    return RunWithStart(tuned, encoder, name, verified=known is not None)


def _named_in_record(run: Path) -> Any:  # noqa: ANN401 - whatever the record holds
    """Return the model that the record beside a run names; None without one."""
    file = output_file(run, RECORD)
    return None if file is None else read(file).settings.get("model")


def _unseen(
    base: RunWithStart, path: KeptPath | None, data: Path | None, settings: FinetuningChangesSettings, run: str
) -> Task:
    if data is not None:
        return read_halves(base.run.predictor, data, settings.read)
    if path is None:
        what = "this run kept no rows to measure on"
        raise BadInput(what, where=run, mend="give labelled rows with --data, or finetune again with --keep-path")
    task = path.unseen
    return replace(task, metric=settings.metric or task.metric, test=task.test[: settings.limit])


def _scratch(run: Path | str, base: RunWithStart, task: Task) -> RunWithStart:
    """Read the same training from random weights.

    Raises:
        BadInput: it is another training, or began from a pretrained model.
    """
    scratch = _with_start(read_second_run(run, task, base.network), run, None)
    if scratch.run.began_from.get("random_seed") is None:
        what = "this run began from a pretrained model"
        raise BadInput(what, where=str(run), mend="make it with wordworth finetune --from-scratch")
    _require_same_shape(scratch.run, base, str(run))
    return scratch


def _require_same_shape(run: TunedRun, base: RunWithStart, where: str) -> None:
    _require_shape(base.run, run.encoder.model, where)
    if run.encoder.tokenizer.fingerprint != base.run.encoder.tokenizer.fingerprint:
        what = "this run has another tokenizer, so that its texts are other tokens"
        raise BadInput(what, where=where, mend="give a run that began from the same model")


def _require_shape(run: TunedRun, model: Encoder, where: str) -> None:
    """Refuse an encoder of another architecture or size than the run's."""
    what, mend = "this model has another shape than the run's", "give one that began from the same model"
    network = run.network.tuned.network
    if model.width != run.encoder.model.width or type(model) is not type(run.encoder.model):
        raise BadInput(what, where=where, mend=mend)
    try:
        made = over_encoder(network, model).state_dict()
    except (RuntimeError, IndexError) as error:  # torch's, for weights that do not fit
        raise BadInput(what, where=where, mend=mend) from error
    own = network.state_dict()
    heads = getattr(model.config, "num_heads", 0), getattr(run.encoder.model.config, "num_heads", 0)
    if {name: value.shape for name, value in made.items()} != {name: value.shape for name, value in own.items()}:
        raise BadInput(what, where=where, mend=mend)
    if heads[0] != heads[1]:
        raise BadInput(what, where=where, mend=mend)


def _require_same_start(run: TunedRun, base: RunWithStart, where: str) -> None:
    """Refuse a run that is known to have base from another model."""
    own, expected = (each.began_from.get("fingerprint") for each in (run, base.run))
    if own is not None and expected is not None and own != expected:
        what = "this run began from another model"
        raise BadInput(what, where=where, mend="give a run that began from the same model")
