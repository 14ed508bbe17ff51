"""The study `distill` from end to end: read a teacher and rows, train and compare students, make the `Record`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import as_path, no_empty_folders, require_outside
from wordworth.folder_lock import alone_in
from wordworth.inference.labelled_inputs import read_in_classes_of
from wordworth.inference.prediction_speed import speed_table
from wordworth.models.devices import device_of
from wordworth.models.pruning import size_of
from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.sentence_formatting import count_of
from wordworth.sources import kind_of, short_name
from wordworth.studies.distill.findings import findings_of
from wordworth.studies.distill.settings import BILSTM, PRETRAINED, TEACHER_LAYERS, DistillSettings
from wordworth.studies.distill.student_runs import TeacherAndStudent, read_teacher_and_student
from wordworth.studies.distill.tables import SPEED, tables_of
from wordworth.studies.distill.teacher_leakage_warning import learned_test_rows
from wordworth.studies.distill.train_students import Outcome, distil
from wordworth.studies.study import Study, file_name, make_record, timed
from wordworth.tasks.task import Task
from wordworth.tasks.task_types.multilabel import MULTILABEL
from wordworth.training.distillation.bilstm import parameters_of
from wordworth.training.distillation.methods import METHODS
from wordworth.training.finetuning.run_folder import find_model_folder, model_folder


def study(settings: DistillSettings, progress: Progress, *, run: Path | str, target: Path) -> Record:
    """Train students of a fine-tuned model, write the best one, and compare all with the teacher.

    Args:
        settings: the settings of the study.
        progress: receives progress and messages.
        run: the folder of the fine-tuned model.
        target: the folder to write.

    Raises:
        BadInput: there is no fine-tuned model in `run`, it cannot be a teacher of the student that the settings ask
            for, or the rows do not fit it.
    """
    seconds: dict[str, float] = {}
    device_of(settings.device)  # refused before the teacher is read
    pair = _pair(run, target, settings)
    task = _task(pair, settings)
    stored = target / "runs"
    with no_empty_folders(target, stored), alone_in(stored, waits=False), timed(seconds, "distilling"):
        outcome = distil(settings, pair, task, target, progress)
    facts = _facts(outcome, pair, task, settings)
    runs = {f"{each.method.name}, seed {run.seed}": run.seconds for each in outcome.students for run in each.results}
    speed = {"speed": speed_table(outcome.speed, SPEED)} if outcome.speed else {}
    return make_record(
        STUDY.kind,
        _settings(settings, outcome, pair),
        facts,
        tables=tables_of(outcome.comparison, outcome.sizes),
        findings=[*findings_of(outcome.comparison, outcome.sizes, facts), *task.warnings],
        seconds=seconds,
        timings={"runs": runs, **speed},
    )


STUDY = Study(
    "distill",
    "Train a smaller model on the answers of a fine-tuned one, and measure it beside that and beside a control.",
    DistillSettings,
    study,
    inputs={"run": "the folder of a fine-tuning", "target": "the folder to write"},
)

_WHERE = frozenset({"device", "engine", "processes"})
"""Settings of where the work is done, on which no result depends."""


def _pair(run: Path | str, target: Path, settings: DistillSettings) -> TeacherAndStudent:
    """Read the teacher, after checking that it can be distilled as the settings say."""
    _refuse_encoder(as_path(run, "run"))
    model_folder(as_path(run, "run"))  # refused where there is none
    require_outside(target, as_path(run, "run"))
    pair, name = read_teacher_and_student(run, settings.layers, settings.start, settings.seed), str(run)
    task_type = pair.tuned.predictor.task_type
    if not (task_type.multiclass or task_type is MULTILABEL):
        what = f"this model was fine-tuned for {task_type.name.replace('_', ' ')}, and only classes are distilled"
        raise BadInput(what, where=name, mend="give a run on texts or pairs with one class each, or several labels")
    _require_smaller(pair)
    whole = pair.teacher_encoder.config.num_layers
    for method in settings.methods:
        METHODS[method].layers(whole, pair.layers)
    return pair


def _refuse_encoder(run: Path) -> None:
    """Raise BadInput, with the ways to a smaller model, if `run` is an encoder that was not fine-tuned."""
    name = str(run)
    if find_model_folder(run) is None and _is_encoder(run):
        mend = (
            f"make one with wordworth finetune --model {name} --data ROWS --out RUN, and name RUN; for "
            f"smaller sentence vectors, use wordworth train-sentences TEXTS --model {name} --loss mse --layers N "
            "--out OUT"
        )
        raise BadInput("this encoder was not fine-tuned, and distill needs a fine-tuned model", where=name, mend=mend)


def _is_encoder(run: Path) -> bool:
    """Return whether a folder holds an encoder's config, or else the name is that of an encoder."""
    if run.exists():
        return (run / "config.json").is_file()
    with suppress(BadInput):  # nothing has that name
        return kind_of(str(run)) == "encoder"
    return False


def _require_smaller(pair: TeacherAndStudent) -> None:
    """Raise BadInput if the student has as many layers as its teacher, or a BiLSTM more layers or as many weights."""
    whole, student = pair.teacher_encoder.config.num_layers, count_of(pair.layers, "layer")
    if pair.seed is None:
        if pair.layers < whole:
            return
        what = f"a student of {student} is not smaller than its teacher of {whole}"
        mend = f"give --layers with a number from 1 to {whole - 1}" if whole > 1 else "give a teacher of more layers"
        raise BadInput(what, where=pair.name, mend=mend)
    if pair.layers > whole:
        what = f"a BiLSTM of {student} has more layers than its teacher, which has {whole}"
        raise BadInput(what, where=pair.name, mend="leave --layers out for a BiLSTM of one layer")
    numbers = parameters_of(pair.teacher_encoder, pair.layers), size_of(pair.teacher_encoder).parameters
    if numbers[0] >= numbers[1]:
        what = "a BiLSTM of {} has {:,} parameters, and its teacher {:,}".format(student, *numbers)
        mend = "leave --layers out for a BiLSTM of one layer" if pair.layers > 1 else "give a larger teacher"
        raise BadInput(what, where=pair.name, mend=mend)


def _task(pair: TeacherAndStudent, settings: DistillSettings) -> Task:
    """Read the rows in the teacher's classes, with a warning where the teacher may have learned from test rows."""
    predictor = pair.tuned.predictor
    task = read_in_classes_of(predictor, settings.data, settings.read)
    return replace(task, warnings=(*learned_test_rows(predictor, Path(pair.name), task), *task.warnings))


def _settings(settings: DistillSettings, outcome: Outcome, pair: TeacherAndStudent) -> dict[str, Any]:
    """Return the settings for the record: chosen values replace None, and settings of the machine are left out."""
    requested = {name: value for name, value in asdict(settings).items() if name not in _WHERE}
    test = settings.test if isinstance(settings.test, float | None) else file_name(settings.test)
    chosen = asdict(outcome.point) | asdict(outcome.students[-1].weights) | {"layers": pair.layers}
    chosen["start"] = _start(settings)
    return {**requested, **chosen, "data": file_name(settings.data), "test": test}


def _start(settings: DistillSettings) -> str:
    """Return the setting `start` for the record, with the short name of a folder in place of its path."""
    known = {TEACHER_LAYERS, PRETRAINED, BILSTM}
    return settings.start if settings.start in known else short_name(settings.start)


def _facts(outcome: Outcome, pair: TeacherAndStudent, task: Task, settings: DistillSettings) -> dict[str, Any]:
    experiment = outcome.experiment
    return {
        **task.facts,
        "train": len(experiment.split.train),
        "dev": len(experiment.split.dev),
        "cut": int(experiment.inputs.truncated[task.used].sum()),
        "tokens": experiment.reader.limit,
        "run": short_name(pair.name),
        "layers": pair.layers,
        "teacher_layers": pair.teacher_encoder.config.num_layers,
        "pooling": experiment.pooling,
        "method": settings.method,
        "start": _start(settings),
        "seeds": settings.seeds,
    }
