"""Train the students of every method of distillation, write the best student, and measure all students."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from wordworth.errors import require_package
from wordworth.inference.prediction_speed import ROUNDS, SpeedByBatch, speeds
from wordworth.models.pruning import size_of
from wordworth.sources import RUN_MODEL, resolve, short_name
from wordworth.studies.distill.comparison import Comparison, Students, compare
from wordworth.studies.distill.settings import DEV_SHARE
from wordworth.studies.distill.student_runs import StudentSpec, TeacherAndStudent, named_for, trained, write_student
from wordworth.studies.distill.tables import STUDENT, TEACHER, Size
from wordworth.studies.distill.teacher_on_ray import store_outputs_by_ray
from wordworth.studies.finetune.study import best_run, identity, num_processes
from wordworth.training.distillation.methods import METHODS, Method, Weights
from wordworth.training.finetuning.dev_split import dev_split
from wordworth.training.finetuning.grid_search import candidates
from wordworth.training.finetuning.run_result import HyperParameters, RunSpec
from wordworth.training.finetuning.worker_pool import worker_pool

if TYPE_CHECKING:
    from wordworth.inference.embed_settings import Engine
    from wordworth.measures.weighted_sums import Predicted
    from wordworth.progress import Progress
    from wordworth.studies.distill.settings import DistillSettings
    from wordworth.tasks.task import Task
    from wordworth.training.finetuning.run_inputs import Experiment
    from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
    from wordworth.training.finetuning.trainer import FineTunedModel


@dataclass(frozen=True, slots=True)
class Outcome:
    """The students that were trained, and the measurements of them.

    Attributes:
        experiment: the encoder, task and settings that the runs of the written student's method share.
        point: the hyper-parameters that all runs share: learning rate, batch size and epochs.
        students: the students of each method.
        comparison: the scores of the students and their teacher.
        speed: `TEACHER` and `STUDENT` -> batch size -> speed; empty if no student was written.
        sizes: the sizes of the teacher and of a student.
    """

    experiment: Experiment
    point: HyperParameters
    students: tuple[Students, ...]
    comparison: Comparison
    speed: SpeedByBatch
    sizes: tuple[Size, Size]


def distil(settings: DistillSettings, pair: TeacherAndStudent, task: Task, target: Path, progress: Progress) -> Outcome:
    """Train the students of every method, write the best student of the last method, and compare all students.

    Args:
        settings: the settings of the study.
        pair: the teacher and its student before training.
        task: the labelled rows, whose classes are the teacher's.
        target: the folder of the study.
        progress: receives progress and messages.
    """
    if settings.engine == "ray":
        require_package("ray", "ray")
    specs, point = _specs(settings, pair, task, target / "runs")
    inputs = pair.inputs(task)
    students = list[Students]()
    for spec in specs:
        _store_answers(spec, pair, inputs, settings.engine, progress)
        students.append(_runs(spec, point, progress))
    last, written = specs[-1], students[-1]
    experiment = last.experiment(pair, inputs)
    student = None if written.best is None else trained(experiment, written.best, last.folder)
    if student is not None:
        write_student(experiment, student, pair, last.method, target / RUN_MODEL)
    test = inputs.take(task.test)
    teacher = cast("Predicted", pair.tuned.network.tuned.predict(test))
    start = None if pair.start is None else cast("Predicted", pair.start.predict(test))
    comparison = compare(task, students, teacher, start, settings.seed)
    speed: SpeedByBatch = {}
    if student is not None:
        with progress.step("timing", ROUNDS) as step:
            speed = speeds({TEACHER: pair.tuned.network.tuned.predict, STUDENT: student.predict}, test, TEACHER, step)
    return Outcome(experiment, point, tuple(students), comparison, speed, _sizes(pair, student, target))


def _specs(
    settings: DistillSettings, pair: TeacherAndStudent, task: Task, runs: Path
) -> tuple[list[StudentSpec], HyperParameters]:
    """Return the specification of each method's runs, and the hyper-parameters that all runs share."""
    split = dev_split(task, DEV_SHARE, settings.seed)
    tuning = settings.finetuning(short_name(pair.name), **pair.shared_settings)
    point = candidates(tuning, pair.teacher_encoder.config.hidden_size, len(split.train))[0]
    key = identity(task, tuning, split, pair.key)
    shared = (tuning, task, split, runs, Path(pair.name), pair.layers, settings.start)
    methods = (METHODS[name] for name in settings.methods)
    specs = [StudentSpec(*shared, method, weights_of(method, settings)) for method in methods]
    return [named_for(spec, pair, key) for spec in specs], point


def weights_of(method: Method, settings: DistillSettings) -> Weights:
    """Return the weights of the terms of a method's loss: the user's if set, else the method's defaults."""
    named = {name: getattr(settings, name) for name in ("temperature", "alpha", "beta")}
    chosen = {name: value for name, value in named.items() if value is not None}
    return replace(method.weights, **chosen) if method.has_teacher else method.weights


def _store_answers(
    spec: StudentSpec, pair: TeacherAndStudent, inputs: TokenizedExamples, engine: Engine, progress: Progress
) -> None:
    """Compute the teacher's outputs that a method learns from, and store them in the disk cache if it lacks them."""
    if not spec.method.has_teacher:
        return
    with progress.step(f"the teacher's answers for {spec.method.name}", len(spec.split.train)) as step:
        if engine == "ray":
            store_outputs_by_ray(pair, spec.method, inputs.take(spec.split.train), step)
        else:
            spec.answers(pair, inputs, step)


def _runs(spec: StudentSpec, point: HyperParameters, progress: Progress) -> Students:
    """Train the students of one method in worker processes; load the results of runs that an earlier call finished."""
    name = spec.method.name
    runs = [RunSpec(point, seed) for seed in range(spec.settings.restarts)]
    with (
        worker_pool(spec, num_processes(spec.settings, 1), progress.note) as executor,
        progress.step(f"students by {name}", sum(run.cost(spec.split) for run in runs)) as step,
    ):
        results = tuple(executor.results(runs, step))
    return Students(spec.method, spec.weights, results, best_run(results))


def _sizes(pair: TeacherAndStudent, student: FineTunedModel | None, target: Path) -> tuple[Size, Size]:
    """Return the sizes of teacher and student; the student has no number of bytes if it was not written."""
    made = None if student is None else resolve(str(target)).weight_bytes
    whole, start = size_of(pair.teacher_encoder), size_of(pair.initial.model)
    return (
        Size(whole.layers, whole.parameters, resolve(pair.name).weight_bytes),
        Size(start.layers, start.parameters, made),
    )
