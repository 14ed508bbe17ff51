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
from wordworth.studies.finetune.experiment import Experiment
from wordworth.studies.finetune.run import RunSpec, run_to
from wordworth.subprocesses import end, exit_with_parent, ignore_sigint

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from wordworth.progress import Step
    from wordworth.studies.finetune.dev_split import Split
    from wordworth.studies.finetune.run_result import Result
    from wordworth.studies.finetune.settings import FinetuneSettings
    from wordworth.tasks.task import Task
    from wordworth.training.checkpoints import Note


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """What a process needs to set up its experiment; it is pickled and sent to the process."""

    settings: FinetuneSettings
    task: Task
    parts: Split
    folder: Path

    def load(self) -> Experiment:
        """Load the encoder and read every example."""
        return Experiment.open(self.settings, self.task, self.parts)

    def run_folder(self, work: RunSpec) -> Path:
        """Return the folder of one run."""
        return self.folder / work.name

    def on_gpu(self, number: int) -> WorkerSpec:
        """Return the spec for process `number`: GPUs are assigned in turn, unless one was named."""
        device = self.settings.device
        if device_of(device).type != "cuda" or ":" in device:
            return self
        return replace(self, settings=replace(self.settings, device=f"cuda:{number % torch.cuda.device_count()}"))


class Crew(Protocol):
    """An executor of runs."""

    def results(self, works: Sequence[RunSpec], step: Step) -> list[Result]:
        """Make runs and return their results in order; `step` receives the updates done."""
        ...


@dataclass(frozen=True, slots=True)
class Alone:
    """Makes the runs in this process, one after the other."""

    order: WorkerSpec
    bench: Experiment
    note: Note

    def results(self, works: Sequence[RunSpec], step: Step) -> list[Result]:
        """Make runs, see `Crew.results`."""
        return [run_to(self.bench, work, self.order.run_folder(work), step, self.note) for work in works]


class Together:
    """Makes the runs in several processes; results do not depend on their number."""

    def __init__(self, order: WorkerSpec, processes: int, note: Note) -> None:
        self.note = note
        context = multiprocessing.get_context("spawn")  # a fork would copy torch's threads in a broken state
        self.lines: list[Connection] = []
        self.members: list[BaseProcess] = []
        for number in range(processes):
            ours, theirs = context.Pipe()
            member = context.Process(target=work_for, args=(theirs, order.on_gpu(number)), daemon=True)
            with ignore_sigint():
                member.start()
            theirs.close()
            self.lines.append(ours)
            self.members.append(member)

    def results(self, works: Sequence[RunSpec], step: Step) -> list[Result]:
        """Make runs, see `Crew.results`; an error in a process is raised here.

        Raises:
            WordworthError: a process died.
        """
        waiting = list(enumerate(works))[::-1]
        result_of: dict[int, Result] = {}
        for line in self.lines:
            _send_next(line, waiting)
        while len(result_of) < len(works):
            for line in cast("list[Connection]", connection.wait(self.lines)):
                kind, number, value = _received(line)
                if kind == "advance":
                    step.advance(value)
                elif kind == "resumed":
                    step.skip(value)
                elif kind == "note":
                    self.note(value)
                else:
                    result_of[number] = value
                    _send_next(line, waiting)
        return [result_of[number] for number in range(len(works))]

    def leave(self) -> None:
        """End the processes; each finishes its step and writes a checkpoint to resume from."""
        try:
            end(self.members)
        finally:
            for line in self.lines:
                line.close()  # not before: a process reports its last steps through it


@contextmanager
def worker_pool(order: WorkerSpec, processes: int, note: Note) -> Iterator[Crew]:
    """Open an executor with one process or several; `note` receives messages for the user."""
    if processes == 1:
        yield Alone(order, order.load(), note)
        return
    together = Together(order, processes, note)
    try:
        yield together
    finally:
        together.leave()


def work_for(line: Connection, order: WorkerSpec) -> None:
    """Main function of a process: set up the experiment, then make the runs received on `line` until it closes."""
    exit_with_parent()
    try:
        bench = order.load()
        while True:
            number, work = line.recv()
            result = run_to(bench, work, order.run_folder(work), _PipeStep(line), partial(_send, line, "note"))
            line.send(("result", number, result))
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        return
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent raises it
        line.send(("error", 0, error))


@dataclass(frozen=True, slots=True)
class _PipeStep:
    """A progress step that is sent to the parent process, which draws its bar."""

    line: Connection

    def advance(self, amount: float = 1) -> None:
        """Report progress."""
        _send(self.line, "advance", amount)

    def skip(self, amount: float) -> None:
        """Report progress that was made earlier."""
        _send(self.line, "resumed", amount)


def _send(line: Connection, kind: str, value: object) -> None:
    line.send((kind, 0, value))


def _send_next(line: Connection, waiting: list[tuple[int, RunSpec]]) -> None:
    try:
        if waiting:
            line.send(waiting.pop())
    except BrokenPipeError as error:
        raise _died() from error


def _received(line: Connection) -> tuple[str, int, Any]:
    try:
        kind, number, value = line.recv()
    except (EOFError, ConnectionError) as error:
        raise _died() from error
    if kind == "error":
        raise value
    return kind, number, value


def _died() -> WordworthError:
    mend = "the same command goes on from here; give fewer --processes, or a smaller --batch, if memory was short"
    return WordworthError("a process died: memory ran out, or it was ended from outside", mend=mend)
