"""Read a teacher, set up the runs of its students in worker processes, and write the folder of a student."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput, likeliest, nearest
from wordworth.files import content_key
from wordworth.inference.finetuned_run import TunedRun, read_run
from wordworth.inference.run_with_initial_encoder import with_start
from wordworth.models.devices import device_of
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.models.pruning import first_layers, require_all_heads
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.transformer import Transformer
from wordworth.progress import Step
from wordworth.studies.distill.settings import BILSTM, PRETRAINED, TEACHER_LAYERS
from wordworth.tasks.task import Task
from wordworth.training.distillation.bilstm import POOLING, bilstm_student
from wordworth.training.distillation.methods import Method, Weights
from wordworth.training.distillation.student_loss import Distillation
from wordworth.training.distillation.teacher_outputs import TeacherOutputs, TeacherReader
from wordworth.training.finetuning.best_model import rebuild
from wordworth.training.finetuning.checkpoint import head_bytes, save_finetuned
from wordworth.training.finetuning.checkpoint_metadata import DISTILLED, LEARNED_FROM, START
from wordworth.training.finetuning.run_inputs import EncoderTraining, Experiment
from wordworth.training.finetuning.run_result import Result
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.finetuning.trainer import FineTunedModel
from wordworth.training.finetuning.worker_pool import WorkerSpec
from wordworth.training.task_heads import head_of

_STARTS = (TEACHER_LAYERS, PRETRAINED, BILSTM)


@dataclass(frozen=True)
class TeacherAndStudent:
    """A fine-tuned teacher, and what decides the model from which the training of its student starts.

    Attributes:
        tuned: the teacher, a fine-tuned model.
        name: the folder of the teacher.
        layers: number of layers of the student.
        origin: the encoder that the teacher was fine-tuned from, if the student begins as the first layers of this
            encoder; None if the student begins as the teacher's first layers, or as a BiLSTM.
        seed: seed of the weights of a new BiLSTM; None for a student of transformer layers.
    """

    tuned: TunedRun
    name: str
    layers: int
    origin: TextEncoder | None = None
    seed: int | None = None

    @cached_property
    def teacher_encoder(self) -> Transformer:
        """The teacher's encoder.

        Raises:
            BadInput: the encoder has no attention heads, or some were pruned.
        """
        return require_all_heads(self.tuned.encoder.model, self.name)

    @cached_property
    def teacher_first_layers(self) -> Transformer:
        """The teacher's encoder cut to its first `layers` layers."""
        return first_layers(self.teacher_encoder, self.layers)

    @cached_property
    def initial(self) -> TextEncoder:
        """The encoder of the student as it is before its training."""
        teacher = self.tuned.encoder
        if self.seed is not None:
            return bilstm_student(teacher, self.layers, self.seed)
        if self.origin is None:
            return teacher.with_model(self.teacher_first_layers)
        return teacher.with_model(first_layers(require_all_heads(self.origin.model, self.name), self.layers))

    @cached_property
    def start(self) -> FineTunedModel | None:
        """The teacher with its encoder cut to the first layers, not trained further; None for a BiLSTM."""
        return self.tuned.network.tuned.with_encoder(self.teacher_first_layers) if self.seed is None else None

    @property
    def keeps_output(self) -> bool:
        """Whether the student begins with the teacher's output layer, and not with a new one."""
        return self.origin is None and self.seed is None

    @property
    def shared_settings(self) -> Mapping[str, Any]:
        """Name -> value of the settings that students take over from the teacher's fine-tuning, such as pooling."""
        facts = self.tuned.predictor.facts
        if self.seed is not None:
            return {"pooling": POOLING}
        return {
            "pooling": facts["pooling"],
            "embeddings": bool(facts.get("embeddings", True)),
            "bilstm": bool(facts.get("bilstm")),
        }

    @cached_property
    def key(self) -> str:
        """A hash of the teacher's weights and of its settings for truncating texts, used in cache keys."""
        facts, above = self.tuned.predictor.facts, head_bytes(self.tuned.network.tuned)
        return content_key(fingerprint(self.tuned.encoder), *above, facts["tokens"], facts["cut"])

    def reader(self, method: Method) -> TeacherReader:
        """Return a `TeacherReader`, which computes the teacher's outputs that a method of distillation learns from."""
        layers = method.layers(self.teacher_encoder.config.num_layers, self.layers)[1]
        network = self.tuned.network.tuned.exact
        return TeacherReader(self.tuned.encoder, network, self.tuned.predictor.facts["pooling"], method, layers)

    def teacher(self, method: Method, weights: Weights, answers: TeacherOutputs) -> Distillation:
        """Return the terms that a method of distillation adds to the student's loss.

        Args:
            method: the method of distillation.
            weights: the weights of the terms of the loss.
            answers: the teacher's outputs for the training texts.
        """
        layers = method.layers(self.teacher_encoder.config.num_layers, self.layers)[0]
        known, pooling = self.initial.model.body.tap_names(), self.shared_settings["pooling"]
        heads, exclusive = self.teacher_encoder.config.num_heads, self.tuned.predictor.task_type.multiclass
        return Distillation(method, weights, answers, layers, known, pooling, heads, exclusive)

    def inputs(self, task: Task) -> TokenizedExamples:
        """Return the examples of a task, tokenized and truncated as the teacher model reads them."""
        return head_of(task).encode(self.tuned.network.reader, task.examples)


@dataclass(frozen=True, slots=True)
class StudentSpec(WorkerSpec):
    """The specification of the runs of one method, which is pickled and sent to worker processes.

    Attributes:
        run: folder of the teacher.
        layers: number of layers of the student.
        start: the initial student: `teacher`, `pretrained`, `bilstm`, or the name or folder of a model.
        method: the method of distillation.
        weights: the weights of the terms of the loss.
    """

    run: Path
    layers: int
    start: str
    method: Method
    weights: Weights

    def load(self) -> Experiment:
        """Return the experiment that the runs of one method share, built from the teacher's folder and the task.

        Each worker process calls this method once.
        """
        pair = read_teacher_and_student(self.run, self.layers, self.start, self.settings.seed)
        return self.experiment(pair, pair.inputs(self.task))

    def answers(self, pair: TeacherAndStudent, inputs: TokenizedExamples, step: Step | None = None) -> TeacherOutputs:
        """Return the teacher's outputs for the training texts, loaded from the disk cache or else computed.

        Args:
            pair: the teacher and its student before training.
            inputs: the examples of the task.
            step: advanced by the number of training texts whose outputs are loaded or computed.
        """
        return pair.reader(self.method).answers(inputs.take(self.split.train), step)

    def experiment(self, pair: TeacherAndStudent, inputs: TokenizedExamples) -> Experiment:
        """Return what all runs of this method of distillation share: encoder, examples, settings and teacher.

        Args:
            pair: the teacher and its student before training.
            inputs: the examples of the task.
        """
        encoder = pair.initial.with_model(copy.deepcopy(pair.initial.model))
        encoder.model.to(device_of(self.settings.device))
        teacher = None
        if self.method.has_teacher:
            teacher = pair.teacher(self.method, self.weights, self.answers(pair, inputs))
        return Experiment(
            self.settings,
            self.task,
            self.split,
            encoder,
            pair.tuned.network.reader,
            head_of(self.task),
            inputs,
            pair.shared_settings["pooling"],
            None,
            above=pair.tuned.network.tuned.network if pair.keeps_output else None,
            teacher=teacher,
        )


def read_teacher_and_student(run: Path | str, layers: int | None, start: str, seed: int = 0) -> TeacherAndStudent:
    """Load a teacher, and the model that its student starts from.

    Args:
        run: folder of the teacher.
        layers: number of layers of the student; None is half of the teacher's, or 1 for a BiLSTM.
        start: `teacher`, `pretrained`, `bilstm`, or the name or folder of the model that the teacher was fine-tuned
            from.
        seed: seed of the weights of a new BiLSTM.

    Raises:
        BadInput: `run` holds no fine-tuned transformer with all its heads, or the model that it was fine-tuned from is
            not on this machine.
    """
    tuned = read_run(run)
    whole = require_all_heads(tuned.encoder.model, str(run)).config.num_layers
    origin = None
    if start == BILSTM:
        return TeacherAndStudent(tuned, str(run), layers or 1, seed=seed)
    if start != TEACHER_LAYERS:
        origin = _origin(tuned, run, start)
    return TeacherAndStudent(tuned, str(run), layers or max(1, whole // 2), origin)


def _origin(tuned: TunedRun, run: Path | str, start: str) -> TextEncoder:
    """Return the encoder that a fine-tuning started from.

    An error about a `start` that looks like a misspelt value of --start suggests the likely value.
    """
    try:
        return with_start(tuned, run, None if start == PRETRAINED else start).start
    except BadInput as error:
        if start == PRETRAINED or likeliest(start, _STARTS) is None:
            raise
        raise BadInput(error.what, where=error.where, mend=f"{nearest(start, _STARTS)} else {error.mend}") from error


def named_for(spec: StudentSpec, pair: TeacherAndStudent, identity: str) -> StudentSpec:
    """Return a copy of `spec` with a subfolder of its own, so that different methods and settings never share a folder.

    The subfolder's name is the method and a hash of everything that decides the runs.

    Args:
        spec: the specification, whose folder holds the runs of all methods.
        pair: the teacher and its student before training.
        identity: a hash of the teacher, the rows and the settings of the fine-tuning.
    """
    weights = asdict(spec.weights) if spec.method.has_teacher else {}
    revision = [spec.method.revision] if spec.method.revision else []
    origin = [] if pair.keeps_output else [fingerprint(pair.origin or pair.initial)]
    key = content_key(identity, spec.method.name, spec.layers, weights, *origin, *revision)[:12]
    return replace(spec, folder=spec.folder / f"{spec.method.name}-{key}")


def trained(experiment: Experiment, best: Result, runs: Path) -> FineTunedModel:
    """Return the student of a finished run, rebuilt from the weights that the run stored.

    Args:
        experiment: the experiment of the run.
        best: the result of the run.
        runs: the folder of the method's runs.
    """
    training = rebuild(experiment, best, runs)
    assert isinstance(training, EncoderTraining)  # noqa: S101 - students have no frozen features
    return training.run.tuned


def write_student(
    experiment: Experiment, student: FineTunedModel, pair: TeacherAndStudent, method: Method, folder: Path
) -> None:
    """Write a student as the folder of a fine-tuned model.

    Most metadata are taken from the teacher. The student's own are the task, the files that were learned from, the
    method of distillation, and the settings of pooling, embeddings and BiLSTM.

    Args:
        experiment: the experiment of the student's run.
        student: the student.
        pair: the teacher and its student before training.
        method: the method of distillation by which the student learned.
        folder: the folder to write; an earlier model in it is replaced.
    """
    task, facts = experiment.task, pair.tuned.predictor.facts
    learned = sorted({*facts.get(LEARNED_FROM, ()), *task.sources_of(task.train)})
    tuning = experiment.settings
    about: Mapping[str, Any] = {
        "pooling": experiment.pooling,
        "embeddings": tuning.embeddings,
        "bilstm": tuning.bilstm,
        "name": task.name,
        "metric": task.metric,
        "columns": list(task.columns),
        LEARNED_FROM: learned,
        DISTILLED: {"method": method.name, "teacher_layers": pair.teacher_encoder.config.num_layers},
    }
    if pair.seed is not None:  # a new BiLSTM did not begin as the model that the teacher was fine-tuned from
        facts = {name: value for name, value in facts.items() if name != START}
    save_finetuned(folder, experiment.encoder, student, {**facts, **about})
