"""Runs made at the same time: each process has its own encoder and takes the next run when it is done with one."""

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
    """What a process needs to set up its bench; it is sent there."""

    settings: FinetuneSettings
    task: Task
    parts: Split
    folder: Path

    def load(self) -> Experiment:
        """Load the encoder and read every example."""
        return Experiment.open(self.settings, self.task, self.parts)

    def run_folder(self, work: RunSpec) -> Path:
        """Of one run alone."""
        return self.folder / work.name

    def on_gpu(self, number: int) -> WorkerSpec:
        """For process `number`: GPUs are dealt out in turn, unless one was named."""
        device = self.settings.device
        if device_of(device).type != "cuda" or ":" in device:
            return self
        return replace(self, settings=replace(self.settings, device=f"cuda:{number % torch.cuda.device_count()}"))


class Crew(Protocol):
    """Whoever makes runs."""

    def results(self, works: Sequence[RunSpec], step: Step) -> list[Result]:
        """The results of runs, in their order; `step` is told of updates done."""
        ...


@dataclass(frozen=True, slots=True)
class Alone:
    """This process, one run after the other."""

    order: WorkerSpec
    bench: Experiment
    note: Note

    def results(self, works: Sequence[RunSpec], step: Step) -> list[Result]:
        """As `Crew.results`."""
        return [run_to(self.bench, work, self.order.run_folder(work), step, self.note) for work in works]


class Together:
    """Several processes; nothing that they compute depends on how many they are."""

    def __init__(self, order: WorkerSpec, processes: int, note: Note) -> None:
        self.note = note
        context = multiprocessing.get_context("spawn")  # a fork would take torch's threads along, half alive
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
        """As `Crew.results`; an error of a process is raised here.

        Raises:
            WordworthError: a process died.
        """
        waiting = list(enumerate(works))[::-1]
        found: dict[int, Result] = {}
        for line in self.lines:
            _hand(line, waiting)
        while len(found) < len(works):
            for line in cast("list[Connection]", connection.wait(self.lines)):
                kind, number, value = _received(line)
                if kind == "advance":
                    step.advance(value)
                elif kind == "resumed":
                    step.skip(value)
                elif kind == "note":
                    self.note(value)
                else:
                    found[number] = value
                    _hand(line, waiting)
        return [found[number] for number in range(len(works))]

    def leave(self) -> None:
        """End the processes; each keeps a state of what it is at, after its step, to go on from another time."""
        try:
            end(self.members)
        finally:
            for line in self.lines:
                line.close()  # not before: a process tells along it what it still does


@contextmanager
def worker_pool(order: WorkerSpec, processes: int, note: Note) -> Iterator[Crew]:
    """One process or several; `note` is told what a person should know."""
    if processes == 1:
        yield Alone(order, order.load(), note)
        return
    together = Together(order, processes, note)
    try:
        yield together
    finally:
        together.leave()


def work_for(line: Connection, order: WorkerSpec) -> None:
    """The life of a process: set up a bench, then make the runs that come along the line, until it closes."""
    exit_with_parent()
    try:
        bench = order.load()
        while True:
            number, work = line.recv()
            result = run_to(bench, work, order.run_folder(work), _Along(line), partial(_tell, line, "note"))
            line.send(("result", number, result))
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        return
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent raises it
        line.send(("error", 0, error))


@dataclass(frozen=True, slots=True)
class _Along:
    """A step whose bar the parent draws."""

    line: Connection

    def advance(self, amount: float = 1) -> None:
        """So much more is done."""
        _tell(self.line, "advance", amount)

    def skip(self, amount: float) -> None:
        """So much was done another time."""
        _tell(self.line, "resumed", amount)


def _tell(line: Connection, kind: str, value: object) -> None:
    line.send((kind, 0, value))


def _hand(line: Connection, waiting: list[tuple[int, RunSpec]]) -> None:
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
