"""What is kept of a run: its looks, how it ended, and what it says of the dev and test parts."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args
from zipfile import BadZipFile

import numpy as np

from wordworth.errors import BadInput
from wordworth.files import atomic_write
from wordworth.json_file import parse_json
from wordworth.studies.finetune.grid import HyperParameters

if TYPE_CHECKING:
    from wordworth.training.task_heads.base import TaskPredictions

State = Literal["finished", "collapsed", "failed", "paused", "pruned"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One look on the way.

    Attributes:
        step: updates done.
        loss: mean training loss since the look before.
        dev: the task's metric on the dev part; None where there is none.
    """

    step: int
    loss: float
    dev: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A run so far.

    Attributes:
        state: `finished`; `collapsed`: it says the same of every example; `failed`: its loss was no number;
            `paused` before its end; `pruned`: paused, and never taken up as others did better.
        reason: of a failure.
        steps: updates of the whole run.
        kept: the step whose weights it answers with.
        chosen: what was set on the dev part, by name.
        dev_score: the task's metric on the dev part of what it answers with, thresholds that were set there among it;
            None before the end, and where there is no dev part.
        test: predictions; None before the end.
        seconds: spent on it, in all processes and sittings.
    """

    point: HyperParameters
    seed: int
    state: State
    steps: int
    looks: Sequence[Evaluation] = ()
    kept: int = 0
    reason: str = ""
    chosen: Mapping[str, float] = field(default_factory=dict)
    dev_score: float | None = None
    test: TaskPredictions | None = None
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """Of its folder."""
        return f"{self.point.name}-seed-{self.seed}"

    def best_dev(self, until: int) -> float:
        """The best look up to that update, however far it has come; minus infinity where it failed before, or none."""
        came = self.state != "failed" or (bool(self.looks) and self.looks[-1].step >= until)
        scores = [look.dev for look in self.looks if look.dev is not None and came and look.step <= until]
        return max(scores, default=-np.inf)

    @property
    def last_loss(self) -> float:
        """Training loss before the last look."""
        return self.looks[-1].loss if self.looks else np.inf

    def save(self, path: Path) -> None:
        """Write it whole or not at all."""
        about = asdict(self) | {"test": None}
        file = io.BytesIO()
        np.savez(file, about=np.array(json.dumps(about)), **_packed(self.test))
        with atomic_write(path) as neighbour:
            neighbour.write_bytes(file.getvalue())

    @classmethod
    def read(cls, path: Path) -> Result:
        """A result from its file.

        Raises:
            BadInput: the file is damaged.
        """
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
                about = parse_json(str(file["about"]))
                test = _unpacked({name: file[name] for name in file if name != "about"})
            about |= {
                "point": HyperParameters(**about["point"]),
                "looks": tuple(Evaluation(**look) for look in about["looks"]),
            }
            result = cls(**(about | {"test": test}))
        except (OSError, EOFError, ValueError, LookupError, TypeError, BadZipFile, zlib.error) as error:
            raise _damaged(path) from error
        if result.state not in get_args(State) or (result.state == "paused" and not result.looks):
            raise _damaged(path)
        return result


def _damaged(path: Path) -> BadInput:
    mend = "remove this file, and the same command makes the run anew"
    return BadInput("the result of a run is damaged", where=str(path), mend=mend)


def _packed(said: TaskPredictions | None) -> dict[str, Any]:
    if said is None:
        return {}
    if not isinstance(said, tuple):
        return {"values": said}
    if said and isinstance(said[0], str):
        return {"texts": np.array(json.dumps(said))}
    flat = np.concatenate([np.zeros(0, np.int64), *said])
    return {"values": flat, "lengths": np.array([len(one) for one in said], dtype=np.int64)}


def _unpacked(arrays: Mapping[str, np.ndarray]) -> TaskPredictions | None:
    if not arrays:
        return None
    if "texts" in arrays:
        return tuple(parse_json(str(arrays["texts"])))
    if "lengths" in arrays:
        return tuple(np.split(arrays["values"], np.cumsum(arrays["lengths"])[:-1])) if len(arrays["lengths"]) else ()
    return arrays["values"]
