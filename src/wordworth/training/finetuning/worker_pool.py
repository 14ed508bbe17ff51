"""A pool of processes that make runs in parallel: each loads its own encoder and takes the next run when free."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

import torch

from wordworth.errors import WordworthError
from wordworth.models.devices import device_of
from wordworth.subprocesses import await_death, child_death, end, exit_with_parent, ignore_sigint
from wordworth.training.finetuning.run import run_to
from wordworth.training.finetuning.run_inputs import Experiment

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from wordworth.progress import Step
    from wordworth.tasks.task import Task
    from wordworth.training.checkpoints import Note
    from wordworth.training.finetuning.dev_split import Split
    from wordworth.training.finetuning.run_result import Result, RunSpec
    from wordworth.training.finetuning.settings import FinetuneSettings

_MEND = "the same command goes on from here; give fewer --processes, or a smaller --batch-size, if memory was short"


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """The settings and data with which a process sets up its `Experiment`; it is pickled and sent to the process.

    Attributes:
        settings: the settings of the fine-tuning.
        task: the task.
        split: the training, dev and test rows of the task.
        folder: the folder of all runs.
    """

    settings: FinetuneSettings
    task: Task
    split: Split
    folder: Path

    def load(self) -> Experiment:
        """Load the encoder and tokenize every example."""
        return Experiment.open(self.settings, self.task, self.split)

    def run_folder(self, run: RunSpec) -> Path:
        """Return the folder into which a worker writes the files of one run.

        Args:
            run: the run.
        """
        return self.folder / run.name

    def for_gpu(self, number: int) -> WorkerSpec:
        """Return the specification for process `number` with its GPU; GPUs are assigned in turn.

        If the settings name a GPU, all processes use this GPU.
        """
        device = self.settings.device
        if device_of(device).type != "cuda" or ":" in device:
            return self
        return replace(self, settings=replace(self.settings, device=f"cuda:{number % torch.cuda.device_count()}"))


class Executor(Protocol):
    """An interface: makes fine-tuning runs, in this process or in several."""

    def results(self, runs: Sequence[RunSpec], step: Step) -> list[Result]:
        """Make runs and return their results in order.

        Args:
            runs: the runs.
            step: progress display, advanced by the updates done.
        """
        ...


@dataclass(frozen=True, slots=True)
class InProcess:
    """An `Executor` that makes the runs in this process, one after the other."""

    spec: WorkerSpec
    experiment: Experiment
    note: Note

    def results(self, runs: Sequence[RunSpec], step: Step) -> list[Result]:
        """Make fine-tuning runs one after the other and return their results in order.

        Args:
            runs: the runs.
            step: progress display, advanced by the updates done.
        """
        return [run_to(self.experiment, run, self.spec.run_folder(run), step, self.note) for run in runs]


class ProcessPool:
    """An `Executor` that makes the runs in several processes; results do not depend on the number of processes."""

    def __init__(self, processes: int, note: Note) -> None:
        self.note = note
        context = multiprocessing.get_context("spawn")  # a fork would copy torch's threads in a broken state
        self.pipes: list[Connection] = []
        self.workers: list[BaseProcess] = []
        for _ in range(processes):
            ours, theirs = context.Pipe()
            worker = context.Process(target=work_for, args=(theirs,), daemon=True)
            with ignore_sigint():
                worker.start()
            theirs.close()
            self.pipes.append(ours)
            self.workers.append(worker)

    def send_spec(self, spec: WorkerSpec) -> None:
        """Send every process the specification from which it sets up its experiment.

        The specification is sent through the pipe, not as an argument of `start`: `start` would wait forever for a
        process that died before it had read the specification.

        Raises:
            WordworthError: a process died.
        """
        for number, pipe in enumerate(self.pipes):
            self._send(pipe, spec.for_gpu(number))

    def results(self, runs: Sequence[RunSpec], step: Step) -> list[Result]:
        """Make fine-tuning runs in parallel and return their results in order; an error in a process is raised here.

        Args:
            runs: the runs.
            step: progress display, advanced by the updates done.

        Raises:
            WordworthError: a process died.
        """
        waiting = list(enumerate(runs))[::-1]
        result_of: dict[int, Result] = {}
        for pipe in self.pipes:
            self._send_next(pipe, waiting)
        while len(result_of) < len(runs):
            for pipe in cast("list[Connection]", connection.wait(self.pipes)):
                kind, number, value = self._received(pipe)
                if kind == "advance":
                    step.advance(value)
                elif kind == "resumed":
                    step.skip(value)
                elif kind == "note":
                    self.note(value)
                else:
                    result_of[number] = value
                    self._send_next(pipe, waiting)
        return [result_of[number] for number in range(len(runs))]

    def _send_next(self, pipe: Connection, waiting: list[tuple[int, RunSpec]]) -> None:
        if waiting:
            self._send(pipe, waiting.pop())

    def _send(self, pipe: Connection, value: object) -> None:
        try:
            pipe.send(value)
        except ConnectionError:
            raise self._death(pipe) from None

    def _received(self, pipe: Connection) -> tuple[str, int, Any]:
        try:
            kind, number, value = pipe.recv()
        except (EOFError, ConnectionError):
            raise self._death(pipe) from None
        if kind == "error":
            raise value
        return kind, number, value

    def _death(self, pipe: Connection) -> WordworthError:
        """Return the error for the process at the other end of a pipe, which has died."""
        await_death(self.workers[self.pipes.index(pipe)])
        return child_death(self.workers, _MEND)

    def close(self) -> None:
        """End the processes; each finishes its step and writes a checkpoint to resume from."""
        try:
            end(self.workers)
        finally:
            for pipe in self.pipes:
                pipe.close()  # not before: a process reports its last steps through it


@contextmanager
def worker_pool(spec: WorkerSpec, processes: int, note: Note) -> Iterator[Executor]:
    """Yield an executor of runs, and end its processes when the `with` block ends.

    Args:
        spec: the settings and data of the runs.
        processes: number of processes; 1 makes the runs in this process.
        note: receives messages for the user.
    """
    if processes == 1:
        yield InProcess(spec, spec.load(), note)
        return
    pool = ProcessPool(processes, note)
    try:
        pool.send_spec(spec)
        yield pool
    finally:
        pool.close()


def work_for(pipe: Connection) -> None:
    """Run a worker process: set up the experiment, then make the runs received on `pipe` until it closes."""
    exit_with_parent()
    try:
        spec: WorkerSpec = pipe.recv()
        experiment = spec.load()
        while True:
            number, run = pipe.recv()
            result = run_to(experiment, run, spec.run_folder(run), _PipeProgress(pipe), partial(_send, pipe, "note"))
            pipe.send(("result", number, result))
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        return
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent raises it
        pipe.send(("error", 0, error))


@dataclass(frozen=True, slots=True)
class _PipeProgress:
    """The progress display of a worker process: it sends progress to the parent process, which draws the bar."""

    pipe: Connection

    def advance(self, amount: float = 1) -> None:
        """Report progress."""
        _send(self.pipe, "advance", amount)

    def skip(self, amount: float) -> None:
        """Report progress that was made earlier."""
        _send(self.pipe, "resumed", amount)


def _send(pipe: Connection, kind: str, value: object) -> None:
    pipe.send((kind, 0, value))
