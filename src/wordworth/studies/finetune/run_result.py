"""`Result`: the outcome of a run with its evaluations, scores and predictions, and its file."""

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
    """One evaluation during a run.

    Attributes:
        step: updates done.
        loss: mean training loss since the previous evaluation.
        dev: the task's metric on the dev part; None without one.
    """

    step: int
    loss: float
    dev: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The outcome of a run so far.

    Attributes:
        point: its hyper-parameters.
        seed: the number of its seed.
        state: `finished`; `collapsed`: it predicts the same for every example; `failed`: its loss was not finite;
            `paused` before its end; `pruned`: paused, and dropped as others did better.
        steps: the number of updates in the whole run.
        looks: its evaluations.
        kept: the step whose weights make its predictions.
        reason: why it failed.
        chosen: values tuned on the dev part, by name.
        dev_score: the task's metric on the dev part with the kept weights and the thresholds tuned there; None before
            the end, and without a dev part.
        test: predictions for the test part; None before the end.
        seconds: time spent on it, over all processes and sessions.
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
        """Name of the run's folder."""
        return f"{self.point.name}-seed-{self.seed}"

    def best_dev(self, until: int) -> float:
        """Return the best dev score up to that update; minus infinity where it failed before, or without scores."""
        came = self.state != "failed" or (bool(self.looks) and self.looks[-1].step >= until)
        scores = [look.dev for look in self.looks if look.dev is not None and came and look.step <= until]
        return max(scores, default=-np.inf)

    @property
    def last_loss(self) -> float:
        """Mean training loss before the last evaluation."""
        return self.looks[-1].loss if self.looks else np.inf

    def save(self, path: Path) -> None:
        """Write the result atomically."""
        about = asdict(self) | {"test": None}
        file = io.BytesIO()
        np.savez(file, about=np.array(json.dumps(about)), **_packed(self.test))
        with atomic_write(path) as neighbour:
            neighbour.write_bytes(file.getvalue())

    @classmethod
    def read(cls, path: Path) -> Result:
        """Read a result from its file.

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
    mend = "remove this file, and the same command will repeat the run"
    return BadInput("the result of a run is damaged", where=str(path), mend=mend)


def _packed(predictions: TaskPredictions | None) -> dict[str, Any]:
    if predictions is None:
        return {}
    if not isinstance(predictions, tuple):
        return {"values": predictions}
    if predictions and isinstance(predictions[0], str):
        return {"texts": np.array(json.dumps(predictions))}
    flat = np.concatenate([np.zeros(0, np.int64), *predictions])
    return {"values": flat, "lengths": np.array([len(tags) for tags in predictions], dtype=np.int64)}


def _unpacked(arrays: Mapping[str, np.ndarray]) -> TaskPredictions | None:
    if not arrays:
        return None
    if "texts" in arrays:
        return tuple(parse_json(str(arrays["texts"])))
    if "lengths" in arrays:
        return tuple(np.split(arrays["values"], np.cumsum(arrays["lengths"])[:-1])) if len(arrays["lengths"]) else ()
    return arrays["values"]
